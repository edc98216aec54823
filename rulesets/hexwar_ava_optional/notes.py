"""What an optional rule no longer needs to remember."""

from __future__ import annotations

from hexwar.engine import PublicEvent, record
from hexwar_ava.state import AvaState


@record
class NotesStruck(PublicEvent[AvaState]):
    """Notes of an optional rule are over."""

    kind = "notes-struck"
    names: tuple[str, ...]
    why: str

    def apply(self, state: AvaState) -> None:
        """Strike them."""
        state.notes = {name: note for name, note in state.notes.items() if name not in self.names}

    def __str__(self) -> str:
        return self.why
