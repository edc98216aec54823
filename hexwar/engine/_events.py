"""Events: the only way a state changes.

An event is typed, names the clause it rests on, says who may see it and applies itself to the state. The log, the
replay, the animation and the tests all read the same events, and folding a game's events over its first state gives
its last.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field
from enum import Enum
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from hexwar.engine._records import Json, Record, record
from hexwar.engine._state import Result, State, Viewer

S_contra = TypeVar("S_contra", bound=State, contravariant=True, default=Any)


class Sight(Enum):
    """Who may see an event of a type."""

    PUBLIC = "public"
    OWNER = "owner"
    """Only the side named in the event's `side` field; the others see its `outline`."""
    NOBODY = "nobody"
    """The engine's own business."""


@record
class Trail:
    """What an event leaves on a map: pieces that went, or something that was done, from one place to others.

    Args:
        pieces: which ones.
        points: the places, in order; labels or coordinates.
        kind: how: "move", "retreat", "advance", "rail", "fly", "fire", "place", or a word of the ruleset.
    """

    pieces: tuple[str, ...]
    points: tuple[str | tuple[int, ...], ...]
    kind: str = "move"


@record
class Event(Record, Generic[S_contra]):
    """Base of all events."""

    kind = ""
    sight: ClassVar[Sight]
    reveals: ClassVar[bool] = False
    """Whether it reveals something hidden to a seat; no undo goes back past it."""

    clause: str = field(kw_only=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        Record.__init_subclass__(**kwargs)
        if not isinstance(getattr(cls, "sight", None), Sight):
            raise TypeError(f"the event {cls.__name__} must say who may see it: sight = Sight.PUBLIC, OWNER or NOBODY")
        if cls.sight is Sight.OWNER and "side" not in getattr(cls, "__annotations__", {}) and not hasattr(cls, "side"):
            raise TypeError(f"the event {cls.__name__} is its owner's secret, so it needs a field `side`")

    @abstractmethod
    def apply(self, state: S_contra) -> None:
        """Change the state, and nothing else."""
        raise NotImplementedError(f"the event {type(self).__name__} does not say how it changes the state")

    def cited(self) -> tuple[str, ...]:
        """All clauses that the event names; those besides `clause` stand in its details, such as the shifts of a battle."""
        return (self.clause,)

    def trail(self) -> Trail | None:
        """What it leaves on a map; None for an event that leads nowhere."""
        return None

    def blow(self) -> tuple[str | tuple[int, ...], ...]:
        """The places that it strikes, such as that of an attack."""
        return ()

    def gone(self) -> tuple[str, ...]:
        """The pieces that it takes out of the game, or out of it for a while."""
        return ()

    def reads(self) -> str:
        """What the dice before it have brought, as a table has it; "" for an event that says nothing about dice."""
        return ""

    def outline(self) -> Event | None:
        """What the other sides see of a secret event; nothing unless a ruleset says otherwise."""
        return None

    def seen_by(self, viewer: Viewer) -> Event | None:
        """The event as the viewer may know it."""
        if self.sight is Sight.PUBLIC:
            return self
        if self.sight is Sight.OWNER:
            owner: str = self.side  # type: ignore[attr-defined]
            return self if owner in viewer else self.outline()
        return None

    def __str__(self) -> str:
        return self.sentence() if self.says else f"{self.kind} ({self.clause})"


@record
class PublicEvent(Event[S_contra]):
    """An event that everybody sees."""

    kind = ""
    sight = Sight.PUBLIC


@record
class News(PublicEvent[S_contra]):
    """A public event that changes nothing: it only tells."""

    kind = ""

    def apply(self, state: S_contra) -> None:
        """The state stays as it is."""


# -- the engine's own events --------------------------------------------------------------------------------------


@record
class OwnEvent(Event[State]):
    """Internal to the engine: no view shows it, and it cites no clause."""

    kind = ""
    sight = Sight.NOBODY
    clause: str = field(default="", kw_only=True)


@record
class StepPushed(OwnEvent):
    """A step was put on the stack."""

    kind = "step-pushed"
    step: Any

    def apply(self, state: State) -> None:
        """Push it."""
        state.stack.append(self.step)

    def to_json(self) -> dict[str, Json]:
        """With the step's own kind."""
        return {"kind": self.kind, "clause": self.clause, "step": self.step.to_json()}


@record
class StepReplaced(StepPushed):
    """A step took the place of the current one."""

    kind = "step-replaced"

    def apply(self, state: State) -> None:
        """Exchange them."""
        state.stack[-1] = self.step


@record
class StepPopped(OwnEvent):
    """The current step is done."""

    kind = "step-popped"

    def apply(self, state: State) -> None:
        """Pop it."""
        state.stack.pop()


@record
class PhaseEntered(PublicEvent[State]):
    """The sequence of play reached a phase."""

    kind = "phase-entered"
    says = "== {title} =="
    phase: str
    title: str

    def apply(self, state: State) -> None:
        """Note it."""
        state.phase = self.phase


@record
class DiceRolled(PublicEvent[State]):
    """Dice were rolled in the open."""

    kind = "dice-rolled"
    purpose: str
    dice: tuple[int, ...]
    faces: int = 6
    """How many each die has."""

    def apply(self, state: State) -> None:
        """Count the draws."""
        state.draws += len(self.dice)

    def __str__(self) -> str:
        return f"{self.purpose}: rolled {' + '.join(map(str, self.dice))}"


@record
class LotDrawn(Event[State]):
    """A blind draw. The number would reveal the order of the lots, so no view shows it; the ruleset announces what was drawn."""

    kind = "lot-drawn"
    sight = Sight.NOBODY
    purpose: str
    outcome: int

    def apply(self, state: State) -> None:
        """Count the draw."""
        state.draws += 1


@record
class GameEnded(PublicEvent[State]):
    """The verdict."""

    kind = "game-ended"
    result: Result

    def apply(self, state: State) -> None:
        """Set it."""
        state.result = self.result

    def __str__(self) -> str:
        return str(self.result)
