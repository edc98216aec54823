"""`hexwar map`: build maps from geography, check any map, say what is on it, and export it for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexwar.cli.catalogue import AS_JSON, print_report
from hexwar.cli.sections import examples
from hexwar.errors import ContentError, HexwarError, UnknownName
from hexwar.files import read_toml, write_file
from hexwar.grouping import grouped
from hexwar.plugins import plugins

if TYPE_CHECKING:
    from hexwar.board import Board
    from hexwar.cartography import Finding, Georeference

RECIPE_ENDING = ".recipe.toml"
CORRECTIONS = click.option(
    "--corrections",
    "corrections",
    multiple=True,
    metavar="FILE",
    help="Lay this file of corrections on the map; repeatable.",
)


COUNTED = ("terrain", "hexsides", "areas")
"""What `hexwar map info` counts, in the order of its lines."""


@click.group("map", epilog="Example: hexwar map check --all")
def maps() -> None:
    """Build, check, describe and export maps."""


# -- build ------------------------------------------------------------------------------------------------------------------


@maps.command(
    epilog=examples(
        "hexwar map build --check",
        "hexwar map build my.recipe.toml -o maps",
    )
)
@click.argument("recipes", nargs=-1, metavar="[RECIPE]...")
@click.option("-o", "--output", metavar="DIR", help="Where the maps go, ava/kiev as DIR/ava/kiev.toml.  [default: this folder]")
@click.option("--check", "compare", is_flag=True, help="Write nothing; compare with the maps in DIR, or with the installed ones.")
def build(recipes: tuple[str, ...], output: str | None, compare: bool) -> int:
    """Build the maps of recipes: files, or names of bundled ones; all bundled ones if none is named.

    Exit code 1 if --check finds a difference.
    """
    from hexwar.cartography import build as build_maps

    bundled = bundled_recipes()
    paths = [_recipe(name, bundled) for name in recipes] or list(bundled.values())
    if not paths:
        raise HexwarError("no installed plugin brings recipes; name a file")
    different = []
    for built in map(build_maps, paths):
        if compare:
            different += [f"differs: {map_id}.toml" for map_id, text in built.files.items() if _present(map_id, output) != text]
        else:
            click.echo("\n".join(f"Written: {file}" for file in built.save(Path(output or "."))))
    if compare:
        click.echo("\n".join(different) or "All maps are as their recipes build them.")
    return 1 if different else 0


def bundled_recipes() -> dict[str, Path]:
    """The recipes of installed plugins by name: those in a plugin's folder of maps, or one folder deeper."""
    roots: dict[Path, None] = {}
    for map_id, file in plugins().maps().items():
        if isinstance(file, Path) and file.parts[-len(Path(map_id).parts) :] == Path(f"{map_id}.toml").parts:
            roots[file.parents[map_id.count("/")]] = None
    found = sorted(path for root in roots for depth in ("", "*/") for path in root.glob(f"{depth}*{RECIPE_ENDING}"))
    return {path.name.removesuffix(RECIPE_ENDING): path for path in found}


def _recipe(name: str, bundled: Mapping[str, Path]) -> Path:
    if Path(name).is_file():
        return Path(name)
    known = name.removesuffix(RECIPE_ENDING)
    if known not in bundled:
        raise UnknownName("recipe", name, bundled)
    return bundled[known]


def _present(map_id: str, folder: str | None) -> str | None:
    """The text of a map as it is now, or None if there is none."""
    installed = plugins().maps().get(map_id)
    file: Path | Traversable | None = installed if folder is None else Path(folder) / f"{map_id}.toml"
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


# -- check ------------------------------------------------------------------------------------------------------------------


@maps.command(
    epilog=examples(
        "hexwar map check --all",
        "hexwar map check my/board.toml --json",
    )
)
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option("--all", "everything", is_flag=True, help="All installed boards.")
@CORRECTIONS
@AS_JSON
def check(boards: tuple[str, ...], everything: bool, corrections: tuple[str, ...], as_json: bool) -> int:
    """Look for mistakes in maps, by id or file: broken railways and rivers, land out of reach, wrong labels.

    Exit code 1 if there are errors; warnings are to be looked at.
    """
    if everything == bool(boards):
        raise click.UsageError("name the boards to check, or say --all")
    found = {name: _findings(name, corrections) for name in (sorted(plugins().maps()) if everything else boards)}
    lines = []
    for name, findings in found.items():
        numbers = _counts(findings).items()
        counted = ", ".join(f"{number} {what if number > 1 else what[:-1]}" for what, number in numbers if number)
        lines += [f"{click.style(name, bold=True)}: {counted or 'nothing found'}", *(f"  {finding}" for finding in findings)]
    told = [{"board": name, **_counts(it), "findings": [*map(asdict, it)]} for name, it in found.items()]
    print_report(as_json, {"boards": told}, lines)
    return 1 if any(_counts(findings)["errors"] for findings in found.values()) else 0


def _findings(name: str, corrections: tuple[str, ...]) -> list[Finding]:
    from hexwar.cartography import Finding, check_board

    source = _source(name)
    try:
        board = _load(source, corrections)
        sheets = [
            _load(_sheet(it), [file for file in corrections if read_toml(Path(file))["id"] == it]) for it in _sheets(source)
        ]
        return check_board(board, sheets=[sheet.content for sheet in sheets])
    except ContentError as error:
        return [Finding("error", "file", (), str(error))]


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    severities = Counter(finding.severity for finding in findings)
    return {"errors": severities["error"], "warnings": severities["warning"]}


# -- info -------------------------------------------------------------------------------------------------------------------


@maps.command(epilog="Example: hexwar map info bridgehead/crossing")
@click.argument("board", metavar="BOARD")
@CORRECTIONS
@AS_JSON
def info(board: str, corrections: tuple[str, ...], as_json: bool) -> None:
    """Tell what is on a map: terrain, hexsides, links, places, areas, sheets, and where it comes from."""
    source = _source(board)
    told = describe(_load(source, corrections), _sheets(source))
    print_report(as_json, told, _lines(told))


def describe(board: Board, sheets: Iterable[str] = ()) -> dict[str, Any]:
    """What is on a board, in plain values."""
    content, places = board.content, grouped((place.kind, place.name) for place in board.places)
    aliases = (list(it.labels) for it in content.hexes.values() if len(it.labels) > 1)
    return {
        "id": board.id,
        "title": board.title,
        "hexes": len(board),
        "orientation": board.orientation,
        "labels": {"first": board.labels[0], "last": board.labels[-1], "aliases": next(aliases, [])},
        "sheets": list(sheets),
        "terrain": _counted(printed.terrain for printed in content.hexes.values()),
        "hexsides": _counted(name for names in content.sides.values() for name in names),
        "links": {kind: {"links": sum(nets), "nets": nets} for kind, nets in _nets(board).items()},
        "places": dict(sorted(places.items())),
        "areas": {name: len(labels) for name, labels in board.areas.items()},
        "digest": board.digest,
        "provenance": board.provenance,
    }


def _counted(names: Iterable[str]) -> dict[str, int]:
    """How often each occurs, the most frequent first."""
    return dict(Counter(sorted(names)).most_common())


def _nets(board: Board) -> dict[str, list[int]]:
    """The links of each kind, net by net, the longest first."""
    import networkx as nx

    found = {}
    for kind in board.link_kinds:
        net: nx.Graph[Any] = nx.Graph(side.hexes for side, kinds in board.content.links.items() if kind in kinds)
        found[kind] = sorted((net.subgraph(part).number_of_edges() for part in nx.connected_components(net)), reverse=True)
    return found


def _lines(told: dict[str, Any]) -> list[str]:
    labels, shape = told["labels"], {"flat": "flat tops", "pointy": "pointed tops"}[told["orientation"]]
    counted = {what: ", ".join(f"{name} {count}" for name, count in told[what].items()) for what in COUNTED}
    notes = {what: note if isinstance(note, list | tuple) else [note] for what, note in told["provenance"].items()}
    if "sheets" in notes:
        notes["sheets"] = [f"hexwar map info {told['sheets'][0]}, …"]
    return [
        f"{click.style(told['title'] or told['id'], bold=True)} ({told['id']})",
        f"{told['hexes']} hexes with {shape}, {labels['first']} to {labels['last']}",
        *([f"Some have two labels: {' = '.join(labels['aliases'])}"] if labels["aliases"] else []),
        *([f"Sheets: {', '.join(told['sheets'])}"] if told["sheets"] else []),
        *(f"{what.capitalize()}: {names}" for what, names in counted.items() if names),
        *(f"Links: {kind} {found['links']} in {_told_nets(found['nets'])}" for kind, found in told["links"].items()),
        *(f"Places: {kind} {len(it)}: {', '.join(it[:6])}{', …' if len(it) > 6 else ''}" for kind, it in told["places"].items()),
        f"Digest: {told['digest'][:16]}",
        *(f"Provenance, {what}: {text}" for what, texts in notes.items() for text in texts),
    ]


def _told_nets(nets: list[int]) -> str:
    return "one net" if len(nets) == 1 else f"{len(nets)} nets of {', '.join(map(str, nets))}"


# -- export -----------------------------------------------------------------------------------------------------------------


@maps.command(epilog="Example: hexwar map export ava/kiev -o kiev.geojson")
@click.argument("board", metavar="BOARD")
@click.option("-o", "--output", metavar="FILE", help="Where to.  [default: the terminal]")
@click.option("--recipe", metavar="FILE", help="The recipe that the map was built from, if it is not a bundled one.")
@click.option("--plane", is_flag=True, help="Coordinates of the board instead of longitude and latitude.")
@CORRECTIONS
def export(board: str, output: str | None, recipe: str | None, plane: bool, corrections: tuple[str, ...]) -> None:
    """Write a map as GeoJSON: hexes, hexsides, links and places.

    Only maps built from geography have longitude and latitude; others need --plane.
    """
    from hexwar.cartography import export_geojson

    loaded = _load(_source(board), corrections)
    text = export_geojson(loaded, None if plane else _georeference(loaded, recipe))
    if plane:
        click.echo("These are coordinates of the board, not longitude and latitude; few programs expect that.", err=True)
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(Path(output), text)
    click.echo(f"Written: {output}")


def _georeference(board: Board, recipe: str | None) -> Georeference:
    from hexwar.cartography import Georeference

    bundled = bundled_recipes()
    for path in [_recipe(recipe, bundled)] if recipe is not None else bundled.values():
        found = Georeference(path)
        if board.id in found.maps or recipe is not None:
            return found
    raise HexwarError(f"{board.id} was not built from geography, so it has no longitude and latitude; --plane exports it without")


# -- finding maps -----------------------------------------------------------------------------------------------------------


def _source(name: str) -> Path | Traversable:
    installed = plugins().maps()
    if name in installed:
        return installed[name]
    if Path(name).is_file():
        return Path(name)
    raise UnknownName("board", name, installed)


def _sheet(map_id: str) -> Traversable:
    installed = plugins().maps()
    if map_id not in installed:
        raise ContentError("board", f"sheet {map_id}", str(UnknownName("map", map_id, installed)))
    return installed[map_id]


def _load(source: Path | Traversable, corrections: Iterable[str] = ()) -> Board:
    from hexwar.board import load_map

    return load_map(source, resolve=_sheet, overrides=[Path(file) for file in corrections])


def _sheets(source: Path | Traversable) -> list[str]:
    """The ids of the sheets that a board file joins."""
    return [sheet["map"] for sheet in read_toml(source).get("sheet", [])]
