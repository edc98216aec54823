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

import pytest  # noqa: E402

# Nothing that a test run keeps goes where the user keeps it; tests of the cache name a folder of their own.
os.environ["HEXWAR_CACHE"] = ""

from hexwar.testing import profiles  # noqa: E402

profiles.load(directory=ROOT / ".hypothesis")


@pytest.fixture(autouse=True, scope="session")
def _own_games(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Games that nobody named are kept in a folder of the user: here in one of the test run."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))  # where earlier versions kept them
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))
