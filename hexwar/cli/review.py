"""`hexwar review`: what could have been done better in a game, by what its players knew."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from hexwar.cli.catalogue import AS_JSON, print_json
from hexwar.cli.replay import BOARD, loaded
from hexwar.cli.sections import examples
from hexwar.errors import UnknownName


@click.command(epilog=examples("hexwar review my.hexwar --side axis", "hexwar review my.hexwar --rollouts 200"))
@click.argument("file")
@click.option("--side", "sides", multiple=True, help="Only the activations of this side or seat; may be given several times.")
@click.option("--seconds", type=click.FloatRange(1), default=60.0, show_default=True, help="How long it may take, about.")
@click.option("--rollouts", type=click.IntRange(8), help="Imagined games for each activation, whatever time that takes.")
@BOARD
@AS_JSON
def review(file: str, sides: tuple[str, ...], seconds: float, rollouts: int | None, board: str | None, as_json: bool) -> None:
    """Compare what was played in each activation with other plans, in games imagined from what the player knew then.

    A plan is told if it is better by two standard errors and by a point; with many activations one of them may be so by chance.
    """
    from hexwar.search import Budget
    from hexwar.table.chronicle import wrapped
    from hexwar.table.review import review as reviewed
    from hexwar.table.review import review_words

    game = loaded(file, board)
    known = game.world.seats
    for side in sides:
        if side not in {*known, *known.values()}:
            raise UnknownName("side", side, dict.fromkeys((*known.values(), *known)))
    seats = [seat for seat, side in known.items() if not sides or seat in sides or side in sides]
    budget = None if rollouts is None else Budget(rollouts)
    data: list[dict[str, Any]] = []
    blunders = 0
    for it in reviewed(game, seats, budget, seconds):
        blunders += it.better is not None
        if as_json:
            at = it.activation
            luck = None if it.luck is None else float(it.luck.share)
            better = None if it.better is None else asdict(it.better)
            told = {"seat": at.seat, "first": at.first, "last": at.last, "better": better, "reason": it.reason, "luck": luck}
            data.append({**told, "analysis": it.analysis.to_json()})
        else:
            click.echo("\n".join(map(wrapped, review_words(game, it))))
    if as_json:
        print_json(data)
    else:
        click.echo(f"{blunders} with a plan that was better beyond two standard errors and a point.")
