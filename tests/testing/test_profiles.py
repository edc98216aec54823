"""The profiles of Hypothesis that authors get from the kit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from hexwar.errors import UnknownName
from hexwar.testing import profiles


def test_the_profiles_have_no_deadline_and_few_steps() -> None:
    found = {name: settings.get_profile(name) for name in profiles.PROFILES}
    assert [found[name].max_examples for name in profiles.PROFILES] == [30, 100, 5000]
    assert all(profile.deadline is None and 20 <= profile.stateful_step_count <= 30 for profile in found.values())
    assert found[profiles.CI].derandomize
    assert found[profiles.CI].database is None
    assert found[profiles.QUICK].database is not None


def test_an_unknown_profile_is_named() -> None:
    with pytest.raises(UnknownName, match="hexwar-nightly"):
        profiles.load("hexwar-nightl")
    assert settings().max_examples in (30, 100, 5000)  # the present one is still loaded


@pytest.mark.parametrize(
    ("said", "loaded"),
    [({}, "hexwar-quick"), ({"CI": "1"}, "hexwar-ci"), ({"CI": "1", "HYPOTHESIS_PROFILE": "hexwar-nightly"}, "hexwar-nightly")],
)
def test_the_environment_says_which_profile_is_loaded(said: dict[str, str], loaded: str, tmp_path: Path) -> None:
    code = (
        "from hexwar.testing import profiles\n"
        f"assert profiles.load(directory={str(tmp_path / 'kept')!r}) == {loaded!r}\n"
        "from hypothesis import settings\n"
        f"assert settings().max_examples == settings.get_profile({loaded!r}).max_examples\n"
        "assert 'kept' in str(settings.get_profile('hexwar-quick').database)\n"
    )
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "HYPOTHESIS_PROFILE")}
    kept.pop("HYPOTHESIS_STORAGE_DIRECTORY", None)
    subprocess.run([sys.executable, "-c", code], check=True, env={**kept, **said}, cwd=tmp_path)
