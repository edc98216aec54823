"""What A Victory Awaits tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Locality, Symmetry
from hexwar_ava.kit.files import content_files

KIT = Kit(capabilities=(Symmetry(), Locality(), ExactChance(), Content(content_files)))
