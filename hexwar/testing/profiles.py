"""How Hypothesis runs: quickly at home, the same in every run of continuous integration, for long at night.

    # conftest.py
    from hexwar.testing import profiles
    profiles.load()

| profile | examples | steps of a state machine | |
|---|---|---|---|
| `hexwar-quick` | 30 | 20 | the default |
| `hexwar-ci` | 100 | 30 | when CI is set: the same examples in every run, and a blob that repeats a failure |
| `hexwar-nightly` | 5000 | 30 | |

None has a deadline: the first call of many functions loads a map or fills a cache, the second does not.
"""

from __future__ import annotations

import os
from pathlib import Path

from hexwar.errors import UnknownName

QUICK, CI, NIGHTLY = "hexwar-quick", "hexwar-ci", "hexwar-nightly"
PROFILES = (QUICK, CI, NIGHTLY)


def register(directory: str | os.PathLike[str] | None = None) -> None:
    """Make the profiles known to Hypothesis.

    Args:
        directory: where found failures are kept, so that it does not depend on the current directory. If it is not given, it is
            what HYPOTHESIS_STORAGE_DIRECTORY says, or `.hypothesis` in the current directory.
    """
    if directory is not None:  # must be known before Hypothesis is imported
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(directory))
    from hypothesis import settings
    from hypothesis.database import DirectoryBasedExampleDatabase

    kept = DirectoryBasedExampleDatabase(Path(os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis")) / "examples")
    settings.register_profile(QUICK, deadline=None, max_examples=30, stateful_step_count=20, database=kept)
    settings.register_profile(NIGHTLY, deadline=None, max_examples=5000, stateful_step_count=30, database=kept)
    settings.register_profile(
        CI, deadline=None, max_examples=100, stateful_step_count=30, derandomize=True, print_blob=True, database=None
    )


def load(name: str | None = None, directory: str | os.PathLike[str] | None = None) -> str:
    """Make the profiles known and run with one of them.

    Args:
        name: of the profile. If it is not given, it is what HYPOTHESIS_PROFILE says, `hexwar-ci` when CI is set, or
            `hexwar-quick`.
        directory: see `register`.

    Returns:
        The name of the profile that is loaded.
    """
    register(directory)
    from hypothesis import settings
    from hypothesis.errors import InvalidArgument

    chosen = name or os.environ.get("HYPOTHESIS_PROFILE") or (CI if os.environ.get("CI") else QUICK)
    try:
        settings.get_profile(chosen)  # `load_profile` would forget the present profile before it fails
    except InvalidArgument:
        raise UnknownName("Hypothesis profile", chosen, PROFILES) from None
    settings.load_profile(chosen)
    return chosen
