"""A tiny game in a package of its own, for automatic mutants: players take from a heap in turn, and the last one wins."""

from __future__ import annotations

from pathlib import Path

CARD = '''"""Heap: take one, two or three."""
from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario

INFO = RulesetInfo(
    "heap", "Heap", version="1.0", sides=("north", "south"), scenarios=(Scenario("one", "One heap", bound=20),),
    entry="hexwar_heap.rules:RULESET",
)


@hookimpl
def hexwar_rulesets():
    return [INFO]
'''
RULES = '''"""The rules."""
import tomllib
from importlib.resources import files

from hexwar.engine import (
    Action, Event, Explained, Invariant, Play, Position, RuleIndex, Ruleset, SequenceOfPlay, Phase, Sight, State, Step, World,
    public, record, state,
)
from hexwar.errors import Refusal

from hexwar_heap import INFO

DATA = tomllib.loads((files(__package__) / "heap.toml").read_text())
if DATA["most"] < 1:
    raise ValueError("nothing can be taken")


@state
class Heap(State):
    left: int = public(default=DATA["heap"])


@record
class Take(Action):
    kind = "take"
    number: int

    def __str__(self):
        return f"take {self.number}"


@record
class Taken(Event[Heap]):
    kind = "taken"
    sight = Sight.PUBLIC
    number: int

    def apply(self, state):
        state.left -= self.number


@record
class Taking(Step[Heap, World]):
    """2.1: one to three."""

    kind = "taking"
    clause = "2.1"
    seat: str

    def deciders(self, at):
        return (self.seat,)

    def actions(self, at, seat):
        def why_not(action):
            return Refusal.against("2.1", "that is too many") if isinstance(action, Take) else None

        return Explained([Take(number) for number in range(1, min(DATA["most"], at.state.left) + 1)], why_not)

    def perform(self, play, seat, action):
        play.emit(Taken(action.number, clause="2.1"))
        play.pop()
        if play.state.left == 0:
            play.end(seat, "the heap is empty", clause="3.1")
        else:
            play.push(Taking("south" if seat == "north" else "north"))


def rest(number, most):
    """3.2: what is left when as much as possible is taken each time."""
    while number > most:
        number -= most
    return number


def nobody_knows(number):
    """3.3: nobody calls this."""
    return number + 1


def is_large(at):
    """3.2."""
    return "large" if rest(at.state.left, 3) > 3 else None


SEQUENCE = SequenceOfPlay(Phase("take", "Taking", "2.1", lambda play: play.push(Taking("north"))))


class HeapRules(Ruleset[Heap, World]):
    info = INFO
    rules = RuleIndex.load(files(__package__) / "rules.toml")
    sequence = SEQUENCE
    state_type = Heap
    actions = (Take,)
    steps = (Taking,)
    events = (Taken,)
    invariants = (Invariant("3.2", "rests are small", is_large),)

    def world(self, setup):
        return World(setup, SEQUENCE)

    def start(self, world):
        return Heap()


RULESET = HeapRules()
'''
INDEX = """\
clause = [
  { id = "2.1", title = "One to three", status = "implemented" },
  { id = "3.1", title = "The last wins", status = "implemented" },
  { id = "3.2", title = "Rests", status = "implemented" },
  { id = "3.3", title = "Nobody knows", status = "implemented" },
]
"""
TESTS = """\
import hexwar


def test_the_heap_is_ten() -> None:
    assert hexwar.new_game("heap", seed=1).state.left == 10


def test_nothing() -> None:
    assert hexwar.__name__ == "hexwar"
"""


def written(folder: Path) -> Path:
    """The game's package in a folder, with tests beside it."""
    package = folder / "hexwar_heap"
    package.mkdir()
    (package / "__init__.py").write_text(CARD, encoding="utf-8")
    (package / "rules.py").write_text(RULES, encoding="utf-8")
    (package / "rules.toml").write_text(INDEX, encoding="utf-8")
    (package / "heap.toml").write_text("heap = 10  # 3.1\nmost = 3\n", encoding="utf-8")
    (folder / "tests").mkdir()
    (folder / "tests" / "test_heap.py").write_text(TESTS, encoding="utf-8")
    return package
