"""The sequence of play as data: a tree of phases, loops and branches that can be printed and compared with a rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hexwar.engine._events import PhaseEntered
from hexwar.engine._records import record
from hexwar.engine._state import State
from hexwar.engine._steps import Play, Position, Step, World
from hexwar.errors import RuleBroken, RuleBrokenCode

MOST_NODES = 10_000
"""After this many nodes of a sequence it is plain that no phase will ever be entered."""

Enter = Callable[[Play], None]
Condition = Callable[[Position], bool]


@record
class Phase:
    """One phase.

    Args:
        id: short name, kept in the state.
        title: as the log prints it.
        clause: the rule that describes it.
        enter: what happens when it is reached: emits events and pushes steps.
        when: skipped where this does not hold.
        short: its title in a word, for a line with all phases; its title if not given.
    """

    id: str
    title: str
    clause: str
    enter: Enter
    when: Condition | None = None
    short: str = ""


@record
class Loop:
    """A part of the sequence that is repeated as long as a condition holds (checked before each round)."""

    title: str
    clause: str
    repeat_while: Condition
    body: tuple[Node, ...]

    @property
    def when(self) -> Condition:
        """When it is gone through, as of the other nodes."""
        return self.repeat_while


@record
class Branch:
    """A part of the sequence that is gone through once, if a condition holds."""

    title: str
    clause: str
    when: Condition
    body: tuple[Node, ...]


Node = Phase | Loop | Branch


class SequenceOfPlay:
    """The whole sequence of a game."""

    def __init__(self, *nodes: Node) -> None:
        self.nodes = nodes
        self._known: dict[tuple[int, ...], Node] = {}

    def node(self, path: tuple[int, ...]) -> Node | None:
        """The node at a path of positions, None behind the last of a body."""
        known = self._known.get(path)
        if known is not None:
            return known
        node, body = None, self.nodes
        for number in path:
            if not 0 <= number < len(body):
                return None
            node = body[number]
            body = () if isinstance(node, Phase) else node.body
        if node is not None:
            self._known[path] = node
        return node

    def walk(self) -> Iterator[tuple[int, Node]]:
        """All nodes in order with their depth."""
        pending: list[tuple[int, Node]] = [(0, node) for node in reversed(self.nodes)]
        while pending:
            depth, node = pending.pop()
            yield depth, node
            if not isinstance(node, Phase):
                pending.extend((depth + 1, child) for child in reversed(node.body))

    def outline(self) -> list[str]:
        """The sequence as indented lines, each with its clause."""
        lines = []
        for depth, node in self.walk():
            word = "repeated while" if isinstance(node, Loop) else "if"
            note = f", {word} {_words(node.when)}" if node.when else ""
            lines.append(f"{'  ' * depth}{node.title} [{node.clause}]{note}")
        return lines


def _words(condition: Condition) -> str:
    return getattr(condition, "__name__", "its condition holds").strip("_").replace("_", " ")


@record
class Sequencing(Step[State, World]):
    """The step at the bottom of every stack: where in the sequence of play the game is."""

    kind = "sequencing"
    path: tuple[int, ...] = (0,)

    def resume(self, play: Play[State, World]) -> None:
        """Enter the next phase."""
        sequence, path = play.world.sequence, self.path
        for _ in range(MOST_NODES):
            node = sequence.node(path)
            if node is None:
                if len(path) == 1:
                    raise RuleBroken(RuleBrokenCode.DEAD_END, "the sequence of play came to its end and no phase ended the game")
                path = path[:-1] if isinstance(sequence.node(path[:-1]), Loop) else _next(path[:-1])
            elif isinstance(node, Phase):
                path = _next(path)
                if node.when is None or node.when(play):
                    play.replace(Sequencing(path))
                    play.emit(PhaseEntered(node.id, node.title, clause=node.clause))
                    node.enter(play)
                    return
            else:
                path = (*path, 0) if node.when(play) else _next(path)
        raise RuleBroken(
            RuleBrokenCode.DEAD_END, f"{MOST_NODES} nodes without a phase to enter: the sequence of play makes no progress"
        )


def phase_title(at: Position) -> str:
    """The title of the phase in which a game is.

    Of several phases with the same name it is the first in a part of the sequence whose condition holds now: a view does not
    know where in the sequence the game is.
    """
    phase = at.state.phase
    found = [
        (part, node.title)
        for part in at.world.sequence.nodes
        for _, node in SequenceOfPlay(part).walk()
        if isinstance(node, Phase) and node.id == phase
    ]
    if len({title for _, title in found}) > 1:
        found = [(part, title) for part, title in found if part.when is None or part.when(at)] or found
    return found[0][1] if found else phase


def _next(path: tuple[int, ...]) -> tuple[int, ...]:
    return (*path[:-1], path[-1] + 1)
