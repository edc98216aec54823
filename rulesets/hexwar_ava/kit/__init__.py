"""What A Victory Awaits tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar_ava.kit.secrets import AvaSecrets

KIT = Kit(capabilities=(AvaSecrets(),))
