"""What every test shares: where helpers are imported from, and how Hypothesis runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Helpers are imported by their full name (``from tests.board.strategies import boards``). The root comes last, so
# that an installed hexwar is never hidden by the checkout.
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

# Keeps the checkout off the path of the test run itself; programs that tests start run as a user would run them.
os.environ.pop("PYTHONSAFEPATH", None)

# Must be known before Hypothesis is imported; its default is the current directory, which tests change.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(ROOT / ".hypothesis"))

from hypothesis import settings  # noqa: E402
from hypothesis.database import DirectoryBasedExampleDatabase  # noqa: E402

# No deadlines: the first call of many functions loads a map or fills a cache, the second does not.
_database = DirectoryBasedExampleDatabase(Path(os.environ["HYPOTHESIS_STORAGE_DIRECTORY"]) / "examples")
settings.register_profile("hexwar-quick", deadline=None, max_examples=30, stateful_step_count=20, database=_database)
settings.register_profile("hexwar-nightly", deadline=None, max_examples=5000, stateful_step_count=30, database=_database)
settings.register_profile(
    "hexwar-ci", deadline=None, max_examples=100, stateful_step_count=30, derandomize=True, print_blob=True, database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "hexwar-ci" if os.environ.get("CI") else "hexwar-quick"))
