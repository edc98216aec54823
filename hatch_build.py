"""Compiles the kernels of `hexwar.board` and `hexwar.plane` while the wheel is built, if that can be done.

Where it cannot, hexwar is pure Python.

``HEXWAR_BUILD_PURE=1`` asks for the pure wheel.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = {"hexwar.board._kernel": "hexwar/board/_kernel.c", "hexwar.plane._kernel": "hexwar/plane/_kernel.c"}


def compiled(folder: Path) -> dict[str, Path]:
    """Compile the kernels into a folder; source -> where it is then."""
    if os.environ.get("HEXWAR_BUILD_PURE"):
        raise RuntimeError("HEXWAR_BUILD_PURE is set")
    if sys.implementation.name != "cpython":
        raise RuntimeError(f"{sys.implementation.name} has no limited API")
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    warnings = [] if os.name == "nt" else ["-Wall", "-Wextra"]
    kernels = [
        Extension(module, [source], py_limited_api=True, extra_compile_args=warnings) for module, source in SOURCES.items()
    ]
    command = build_ext(Distribution({"name": "hexwar", "ext_modules": kernels}))
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    command.run()
    return {source: Path(command.get_ext_fullpath(module)) for module, source in SOURCES.items()}


class CustomBuildHook(BuildHookInterface):
    """Adds the kernels to the wheel and says in its tag that they are there: one for every CPython from 3.11 on."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile it; beside the sources for an editable installation, which is no place for those of a wheel."""
        self.folder = TemporaryDirectory()
        try:
            kernels = compiled(Path(self.folder.name))
        except (Exception, SystemExit) as error:  # whatever is missing or goes wrong, hexwar works without it
            self.app.display_warning(f"hexwar is built without its compiled kernels: {error}")
            return
        for source, kernel in kernels.items():
            place = Path(source).with_name(kernel.name)
            if version == "editable":
                shutil.copyfile(kernel, Path(self.root) / place)
            else:
                build_data["force_include"][str(kernel)] = place.as_posix()
        if version != "editable":
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        self.app.display_info("hexwar is built with its compiled kernels")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        self.folder.cleanup()
