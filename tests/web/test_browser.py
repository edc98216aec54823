"""A person at the page: everything is done by clicks and keys in a real browser."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.errors import Refusal
from hexwar.mechanics import Move
from hexwar.table.chronicle import Chronicle
from hexwar.table.luck import luck_of, throws
from hexwar.table.questions import Adviser
from hexwar.web import replay_page
from tests.web.browsing import HOST_KEY, KNOWN, Site, declaring, middle, moving, open_table, opened, take_a_choice, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]


def test_the_training_scenario_is_played_to_its_end_by_clicks_on_both_sides(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("ava", "training", seed=5)
    open_table(page, site.link(table, keys.host))
    while table.game.result is None:
        take_a_choice(page, table)
        assert table.number < 1500
    verdict = str(table.game.result)
    wait_for(lambda: verdict in page.inner_text("#prompt"), f"the page says: {verdict}")
    page.wait_for_selector("#verdict:has-text('wins')")


def test_a_game_is_begun_on_the_front_page(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#players select")
    assert HOST_KEY not in page.url
    page.select_option("#ruleset", "bridgehead")
    page.click("button[type=submit]")
    page.wait_for_selector(".piece")
    assert "Select" in page.inner_text("#prompt")
    page.click("#home")
    page.click("#games a")
    page.wait_for_selector(".piece")


def test_a_long_list_can_be_seen_whole(site: Site, page: Any) -> None:
    """When the campaign is set up, no unit is on the map yet: what the list leaves out could not be reached otherwise."""
    table, keys = site.tables.begin("ava", "campaign", seed=5)
    page.goto(site.link(table, keys.seats["soviet"]))
    page.wait_for_selector("#choices .list .more")
    rows = page.locator("#choices .list button")
    assert (rows.count(), rows.last.inner_text()) == (151, "The other 55")
    rows.last.click()
    rows.nth(204).wait_for()
    assert rows.count() == 205
    name = table.game.world.units["su-218m"].name
    page.locator("#choices .list button[data-key='su-218m']").click()
    page.wait_for_selector(f"#prompt:has-text('{name}')")


def test_a_counter_is_clicked_and_then_its_goal_and_undo_brings_it_back(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    before = table.game.state.locations[unit]
    page.locator(f".piece[data-piece='{unit}']").click()
    page.wait_for_selector(".world .reach", state="attached")
    goal = next(iter(table.game.question(seat).group(unit))).to  # type: ignore[attr-defined]
    name = table.game.world.board.names.get(goal, goal)
    page.locator("#choices .list button", has_text=name).first.click()
    wait_for(lambda: table.game.state.locations[unit] == goal, "the unit moved")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{goal}']")
    page.click("#undo")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{before}']")


def test_a_button_says_what_it_ends_and_asks_once(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    number, left = table.number, len(table.game.question(seat).ending.left)  # type: ignore[union-attr]
    button = page.locator("#primary.ends")
    assert button.inner_text().split("\n") == ["End movement", f"{left} units can still move"]
    button.click()
    page.wait_for_selector("#primary.sure")
    assert (button.inner_text().split("\n")[0], table.number) == ("Really? End movement", number)
    button.click()
    wait_for(lambda: table.number > number, "movement is over")


def test_a_hex_is_clicked_on_the_map(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    page.locator(f".piece[data-piece='{unit}']").click()
    mark = page.locator(".world .reach").first
    mark.wait_for(state="attached")
    box, number = mark.bounding_box(), table.number
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for(lambda: table.number == number + 1, "the unit moved")


def led_through(table: Any, seat: str, unit: str) -> Any:
    """A move by two places, the second of which the cheapest way leaves aside."""
    group, board = table.game.question(seat).group(unit), table.game.world.board
    ends = [to for to in group.places() if isinstance(to, str) and board.adjacent(to, table.game.state.locations[unit])]
    for one, other in itertools.permutations(ends, 2):
        with contextlib.suppress(Refusal):
            for action in group.through([one, other]):
                if action.to not in (one, other, table.game.state.locations[unit]):
                    return one, other, action
    raise AssertionError("no unit can go by two places")


def test_a_way_through_places_is_clicked_with_shift_and_taken_back_step_by_step(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    one, other, action = led_through(table, seat, unit)
    page.locator(f".piece[data-piece='{unit}']").click()
    page.wait_for_selector(".world .reach", state="attached")
    for number, place in enumerate((one, other), 1):
        page.keyboard.down("Shift")
        page.mouse.click(*middle(page, place))
        page.keyboard.up("Shift")
        page.wait_for_function(f"() => document.querySelectorAll('.world .corner').length === {number}")
    names = table.game.world.board.names
    assert f"by {names.get(one, one)}, {names.get(other, other)}" in page.inner_text("#prompt")
    page.mouse.move(*middle(page, action.to))
    page.wait_for_selector("path.way", state="attached")
    if folder := os.environ.get("HEXWAR_PICTURES"):
        page.screenshot(path=str(Path(folder) / "way.png"))
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.querySelectorAll('.world .corner').length === 1")
    page.keyboard.down("Shift")
    page.mouse.click(*middle(page, other))
    page.keyboard.up("Shift")
    page.wait_for_function("() => document.querySelectorAll('.world .corner').length === 2")
    page.mouse.click(*middle(page, action.to))
    wait_for(lambda: table.game.state.locations[unit] == action.to, "the unit moved")
    assert table.game.history[-1].action == action


def test_a_way_through_places_is_chosen_by_keys_alone(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    page.keyboard.press("n")
    page.wait_for_selector("#choices .list button:focus")
    unit = table.game.question(seat).groups[0]
    one, _, _ = led_through(table, seat, unit)
    action: Any = next(iter(table.game.question(seat).group(unit).through([one])))
    page.keyboard.press("b")
    page.wait_for_selector("#corner[aria-pressed=true]")
    assert page.inner_text("#corner") == "Which place first?"
    names = table.game.world.board.names
    page.locator("#choices .list button", has_text=f"To {names.get(one, one)}").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".world .corner")
    page.wait_for_selector("#choices .list button:focus")
    page.locator(f"#choices .list button[aria-label*=' to {names.get(action.to, action.to)}']").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: table.game.history[-1].action == action, "the unit moved by this way")


def test_a_way_that_is_closed_is_refused_and_the_choices_stay(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    report = table.game.view(seat).query.reach(unit)
    closed, why = next((label, why) for label, why in report.closed.items() if why.clause)
    page.locator(f".piece[data-piece='{unit}']").click()
    page.wait_for_selector(".world .reach", state="attached")
    page.keyboard.press("b")
    page.mouse.click(*middle(page, closed))
    wait_for(lambda: why.clause in page.inner_text("#say"), "the rule is told")
    assert page.locator(".world .reach").count()
    assert not page.locator(".world .corner").count()


def test_overlays_show_supply_command_zones_control_and_moves(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    drawn = {}
    for number, name in enumerate(("supply", "command", "zones", "control", "moves"), 1):
        page.keyboard.press(str(number))
        page.wait_for_selector(f"#overlays[data-shown={name}] [data-overlay={name}][aria-pressed=true]")
        drawn[name] = page.locator(".world svg").first.inner_html()
    assert len(set(drawn.values())) == len(drawn)
    assert drawn["command"].count('class="line ') == sum(len(table.game.query.command(hq)) - 1 for hq in ("ger-18a", "ger-4pzg"))
    page.keyboard.press("5")
    page.wait_for_function("() => document.querySelector('.world svg').children.length === 1")


def test_the_way_to_a_hex_and_the_reason_why_one_is_closed_are_shown(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    page.locator(f".piece[data-piece='{unit}']").click()
    page.wait_for_selector(".world .reach", state="attached")
    report = table.game.view(seat).query.reach(unit)
    goal = max(report.costs, key=report.costs.__getitem__)
    page.mouse.move(*middle(page, goal))
    assert f"{report.costs[goal]:g} points" in page.inner_text(".tip")
    assert f"{goal}, {table.game.world.board.terrain(goal).replace('-', ' ')}" in page.inner_text(".tip")
    assert page.locator("path.way:not(.head)").count() == 1
    closed = next(label for label, why in report.closed.items() if why.clause)
    page.mouse.move(*middle(page, closed))
    assert report.closed[closed].clause in page.inner_text(".tip")
    assert page.locator("path.way").count() == 0


def test_an_attack_is_weighed_by_clicks_and_then_declared(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    question = table.game.question(seat)
    target = next(iter(question.group(question.groups[0]).places()))
    page.mouse.click(*middle(page, str(target)))
    page.wait_for_selector("#attack h2")
    able = table.game.query.attackers(target, "axis")
    assert page.locator("#attack input:checked").count() == len(able)
    for units in (able, able[1:]):
        odds = table.game.query.odds(units, target)
        page.wait_for_selector(f"#attack .odds:has-text('{odds.attack} to {odds.defence} → {odds.name}')")
        shown = page.locator("#attack .result .exact").all_inner_texts()
        assert shown == [str(chance) for chance in odds.distribution.values()]
        for shift in odds.shifts:
            assert page.locator("#attack .shifts .clause", has_text=shift.clause).count()
        assert page.inner_text("#attack .crt th.on") == odds.name
        page.locator("#attack input").first.click()
    page.wait_for_selector(f"#primary.ends:has-text('Attack with {len(able)}')")
    assert page.locator("path.strike.head").count() == len(able)
    page.click("#primary")
    wait_for(lambda: len(table.game.question(seat).goals) == len(able), "all are to attack")
    page.wait_for_function(f"() => document.querySelectorAll('.line.goal').length === {len(able)}")


def test_the_log_leads_back_to_a_moment_and_undo_to_a_chosen_point(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    digests, unit = [table.game.digest], page.locator(".piece.open").first.get_attribute("data-piece")
    before = table.game.state.locations[unit]
    for _ in range(3):
        take_a_choice(page, table)
        digests.append(table.game.digest)
    after = table.game.state.locations[unit]
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{after}']")
    assert page.locator("#log .back").count() == 3
    first = page.locator("#log li:has(.back)").first
    first.hover()
    page.wait_for_selector(".piece.meant")
    page.locator("#log .moment").first.click()
    page.wait_for_selector("#past:not([hidden])")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{before}']")
    assert page.locator(".piece.open").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{after}']")
    page.locator("#log .back").nth(1).click()
    wait_for(lambda: table.game.digest == digests[1], "two actions are taken back")
    page.wait_for_function("() => document.querySelectorAll('#log .back').length === 1")


def test_what_the_others_did_is_replayed_when_the_game_is_opened_again(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7)
    open_table(page, site.link(table, keys.seats["red"]))
    page.goto("about:blank")
    while "red" not in table.game.to_move or table.game.question("red").kind == "selecting":
        (seat, *_) = table.game.to_move
        table.act(seat, table.number_for((seat,)), table.game.legal_actions(seat)[0].to_json())
    page.goto(site.link(table, keys.seats["red"]))
    page.wait_for_function("() => document.querySelector('#moment')?.textContent.startsWith('What happened')")
    page.wait_for_selector("#log .fresh")
    page.keyboard.press("Escape")  # or it ends by itself
    page.wait_for_selector("#past", state="hidden")
    take_a_choice(page, table)


def test_rules_are_found_and_points_and_chits_are_shown(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    page.keyboard.press("/")
    page.keyboard.type("unit")
    page.wait_for_selector("#found li:has-text('more: another word narrows the search')")
    assert page.locator("#found button").count() == 40
    page.fill("#search", "")
    page.wait_for_selector("#found:not(:has(li))", state="attached")
    page.keyboard.type("retreat")
    page.wait_for_selector("#found button")
    words = page.locator("#found button").first.inner_text()
    page.locator("#found button").first.click()
    page.wait_for_selector(f"#about h2:has-text('Rule {words.split()[0]}')")
    needed, clause = table.game.query.points_needed()["axis"]
    assert f"of {needed} points" in page.inner_text("#points")
    assert f"Turn {table.game.state.turn} of {table.game.world.last_turn}" in page.inner_text("#status")
    page.click("#tab-cup")
    page.keyboard.press("Escape")
    page.wait_for_selector(f"#scores .clause:has-text('{clause}')")
    page.click("#tab-cup")
    page.wait_for_selector("#chits .box")
    shown = page.inner_text("#chits").lower()
    assert f"cup: {len(table.game.state.cup)}" in shown
    assert all(table.game.world.cup.chit(chit).name.lower() in shown for chit in table.game.state.drawn)


def test_luck_so_far_is_shown(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    page.click("#tab-more")
    page.click("#luck summary")
    page.wait_for_selector("#luck table")
    fought = throws(table.game, table.game.view(seat).viewer)
    (axis, soviet) = luck_of(table.game, fought)
    shown = page.inner_text("#luck")
    assert f"Axis luckier than {float(100 * axis.share):.1f} % of all dice" in shown
    assert f"attacks made {soviet.attacks}, met {soviet.defences}" in shown
    cells = page.locator("#luck table").first.locator("tr").nth(1).locator("td").all_inner_texts()
    assert cells == [str(axis.inflicted.rolled), f"{float(axis.inflicted.expected):.1f}"]
    page.goto(f"{site.address}/text#game={table.name}&key={keys.seats[seat]}")
    page.wait_for_selector("#stacks li")
    page.fill("#order", "luck")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#answer:has-text('{len(fought)} attack')")


def test_a_hint_is_shown_on_the_map_and_done_by_a_click(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    given = Adviser(table.game).advise(table.game.view(seat))
    bot, action = given.bot, given.action
    assert isinstance(action, Move)
    open_table(page, site.link(table, keys.seats[seat]))
    number = table.number
    page.click("#hint")
    page.wait_for_selector("#primary:has-text('Do it')")
    assert page.inner_text("#advice").startswith(f"{bot} would: {Chronicle(table.game.world, short=True).named(str(action))}")
    assert [it.get_attribute("data-piece") for it in page.locator(".piece.advised").all()] == [action.unit]
    assert page.locator("path.advised").count() == 1
    assert page.locator(".line.goal").count() == 1
    if folder := os.environ.get("HEXWAR_SHOTS"):
        page.screenshot(path=f"{folder}/hint.png")
    page.keyboard.press("Escape")
    page.wait_for_selector(".piece.advised", state="detached")
    assert (page.inner_text("#advice"), table.number) == ("", number)
    page.keyboard.press("i")
    page.wait_for_selector("#primary:focus:has-text('Do it')")
    page.keyboard.press("Enter")
    page.wait_for_selector(f".piece[data-piece='{action.unit}'][data-place='{action.to}']")
    assert table.number == number + 1
    assert page.inner_text("#advice") == ""
    assert page.is_enabled("#hint")


def test_the_page_in_words_has_hints_and_a_game_without_hints_has_no_button(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    bot = Adviser(table.game).advise(table.game.view(seat)).bot
    page.goto(f"{site.address}/text#game={table.name}&key={keys.seats[seat]}")
    page.wait_for_selector("#stacks li")
    page.fill("#order", "hint")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#answer:has-text('{bot} would: ')")
    without, keys = site.tables.begin("bridgehead", seed=7, hints=False)
    open_table(page, site.link(without, keys.seats["blue"]))
    assert page.locator("#hint").is_hidden()


def test_a_stack_opens(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    stacks = table.game.state.layout.stacks
    place = next(place for place, units in stacks.items() if place in table.game.world.board and len(units) > 1)
    page.mouse.click(*middle(page, place))
    page.wait_for_function(f"() => document.querySelectorAll('.piece.spread').length === {len(stacks[place])}")
    page.wait_for_function(f"() => document.querySelectorAll('#stack .held').length === {len(stacks[place])}")
    boxes = [box for box in (one.bounding_box() for one in page.locator(".piece.spread").all()) if box]
    assert all(a["x"] + a["width"] <= b["x"] + 1 for a, b in itertools.pairwise(sorted(boxes, key=lambda box: box["x"])))


def test_a_side_that_waits_can_plan(site: Site, page: Any) -> None:
    table, keys = declaring(site)
    open_table(page, site.link(table, keys.seats["soviet"]))
    assert "Waiting for axis" in page.inner_text("#prompt")
    number = table.number
    page.mouse.click(*middle(page, table.game.state.locations["su-202m"]))
    page.wait_for_selector(".world .could", state="attached")
    query = table.game.view("soviet").query
    modes = [mode.name for mode in table.game.world.movement.modes_of(table.game.position, "su-202m")]
    assert page.locator(".world .could").count() == len({label for mode in modes for label in query.reach("su-202m", mode).costs})
    assert table.number == number


def test_the_front_page_says_whose_turn_it_is(site: Site, page: Any) -> None:
    waiting, _ = site.tables.begin("bridgehead", seed=7, bots={"red": "random"})
    site.tables.begin("ava", "training", seed=5, bots={"axis": "ava-commander"})
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#games li.turn")
    assert "your turn" in page.inner_text("#games li.turn")
    assert "waiting for axis (ava-commander)" in page.inner_text("#games li:not(.turn)")
    page.click("#games li.turn a")
    page.wait_for_selector(".piece.open, #choices button")
    assert waiting.name in page.url


def test_a_spectator_looks_and_decides_nothing(site: Site, page: Any) -> None:
    table, keys = moving(site)
    open_table(page, site.link(table, keys.watch))
    assert "Waiting for" in page.inner_text("#prompt")
    assert page.locator("#choices button, #plain button:enabled, .piece.open").count() == 0
    page.keyboard.press("1")
    page.wait_for_function("() => document.querySelector('.world svg').children.length > 1")
    page.locator("#log .moment").first.click()
    page.wait_for_selector("#past:not([hidden])")


def test_notes_are_kept_and_who_resigns_is_asked_once(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    page.click("#tab-more")
    page.click("#notes summary")
    page.fill("#notes textarea", "hold the bridge")
    wait_for(lambda: table.note(seat, "note") == "hold the bridge", "the note is kept")
    page.click("#leave summary")
    page.click("#leave button:has-text('Resign')")
    assert table.over is None
    page.click("#leave button:has-text('Really resign?')")
    wait_for(lambda: table.over is not None, "the game is over")
    page.wait_for_selector(f"#prompt:has-text('{table.over}')")


def serious(page: Any) -> list[Any]:
    """What axe-core finds on a page that keeps somebody from using it."""
    from axe_playwright_python.sync_playwright import Axe

    found = [it for it in Axe().run(page).response["violations"] if it["impact"] in ("serious", "critical")]
    return [(it["id"], [node["html"][:200] for node in it["nodes"][:3]]) for it in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(site: Site, browser: Any, scheme: str) -> None:
    """On the front page, at the table, while an attack is weighed and a hint is shown, while one looks back, and in words."""
    table, keys = declaring(site)
    (seat,) = table.game.to_move
    pages = opened(browser, 1024, 768, color_scheme=scheme)
    page = next(pages)

    def check(where: str) -> None:
        assert serious(page) == [], where

    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#games a")
    check("front page")
    open_table(page, site.link(table, keys.seats[seat]))
    check("table")
    for tab in ("forces", "cup", "charts", "rules", "more"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f".{tab}-room")
        for details in page.locator("#panel details > summary").all():
            details.click()
        check(tab)
    question = table.game.question(seat)
    page.mouse.click(*middle(page, str(next(iter(question.group(question.groups[0]).places())))))
    page.wait_for_selector("#attack table")
    check("attack")
    page.keyboard.press("Escape")
    page.click("#hint")
    page.wait_for_selector("#primary:has-text('Do it')")
    check("hint")
    page.click("#tab-log")
    page.locator("#log .moment").first.click()
    page.wait_for_selector("#past:not([hidden])")
    check("looking back")
    page.goto(f"{site.address}/text#game={table.name}&key={keys.seats[seat]}")
    page.wait_for_selector("#stacks li")
    check("text")
    next(pages, None)


def test_the_game_is_played_as_text(site: Site, page: Any) -> None:
    """The twin of the page for those who cannot see the map: lists of stacks and typed orders."""
    table, keys = moving(site)
    (seat,) = table.game.to_move
    page.goto(f"{site.address}/text#game={table.name}&key={keys.seats[seat]}")
    page.wait_for_selector("#stacks li")
    unit, goal = next((it.unit, it.to) for it in table.game.legal_actions(seat) if it.kind == "move")  # type: ignore[attr-defined]
    at = table.game.state.locations[unit]
    assert unit in next(line for line in page.locator("#stacks li").all_inner_texts() if at in line)
    for line, said in (
        ("help", "where a unit can go"),
        (f"reach {unit}", goal),
        (f"list {unit}", "move"),
        ("rule 7.1", "7.1"),
        (f"move {unit} to nowhere", "nowhere"),
        ("done", "End movement? "),
        (f"mo {unit} {goal}; mo {unit} nowhere; done", "order 2 of 3"),
    ):
        page.fill("#order", line)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#answer:has-text('{said}')")
    assert table.game.state.locations[unit] == goal
    page.fill("#order", "undo 1")
    page.keyboard.press("Enter")
    wait_for(lambda: table.game.state.locations[unit] == at, "the move is taken back")


def test_the_next_player_at_a_device_never_sees_what_the_last_one_saw(site: Site, page: Any) -> None:
    """Not even while the page waits for what he may see himself, or if that does not come."""
    table, keys = site.tables.begin("bridgehead", seed=7)
    while table.game.question("blue").groups:
        table.act("blue", table.number_for(["blue"]), table.game.legal_actions("blue")[-1].to_json())
    open_table(page, site.link(table, keys.host))
    shown, held = ("#map", "#panel", "#plain", "#prompt"), list[Any]()
    assert page.inner_text("#prompt").startswith("BLUE · ")
    page.click("#tab-more")
    page.click("#notes summary")
    page.fill("#notes textarea", "hold the bridge")
    take_a_choice(page, table)
    page.wait_for_selector("#curtain[open]")
    page.route("**/view?*", lambda route: held.append(route))
    page.click("#curtain button")
    wait_for(lambda: (page.evaluate("0"), held)[1], "the page asks for what red sees")
    assert not any(page.is_visible(part) for part in shown)
    held.pop().abort()
    page.wait_for_selector("#say:has-text('tries again')")
    wait_for(lambda: (page.evaluate("0"), held)[1], "the page asks once more")
    assert not any(page.is_visible(part) for part in shown)
    held.pop().continue_()
    page.wait_for_selector("#prompt:has-text('Red · ')")
    assert page.is_visible("#map")
    wait_for(lambda: table.note("blue", "note") == "hold the bridge", "blue's note is kept")
    page.click("#notes summary")
    page.wait_for_selector("#notes textarea:enabled")
    assert (page.input_value("#notes textarea"), table.note("red", "note")) == ("", "")


def test_two_browsers_play_each_other_and_see_nothing_secret(site: Site, browser: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7)
    made = {seat: opened(browser, 1280, 800) for seat in ("blue", "red")}
    pages = {seat: next(pages) for seat, pages in made.items()}
    for seat, page in pages.items():
        open_table(page, site.link(table, keys.seats[seat]))
    before = pages["red"].inner_text("aside")
    take_a_choice(pages["blue"], table)
    pages["red"].wait_for_timeout(500)
    assert pages["red"].inner_text("aside") == before
    for _ in range(40):
        take_a_choice(pages[table.game.to_move[0]], table)
    for seat, page in pages.items():
        where = {unit: at for unit, at in table.game.view(seat).state.locations.items() if at in table.game.world.board}
        unit, at = next(iter(where.items()))
        page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{at}']")
    for its in made.values():
        assert next(its, None) is None


def test_a_reload_and_a_restarted_server_lose_nothing(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    take_a_choice(page, table)
    number, digest = table.number, table.game.digest
    site.stop()
    site.start()
    again = site.tables.table(table.name)
    assert (again.number, again.game.digest) == (number, digest)
    page.reload()
    page.wait_for_selector(".piece")
    take_a_choice(page, again)
    assert again.number == number + 1


def test_a_phone_can_look(site: Site, browser: Any) -> None:
    table, keys = moving(site)
    for page in opened(browser, 360, 740):
        open_table(page, site.link(table, keys.seats[table.game.to_move[0]]))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator(".piece").first.is_visible()


def test_keys_alone_are_enough(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys.seats[seat]))
    decided = "() => document.activeElement.closest('#choices .list')"
    one = "() => document.querySelector('#choices h2:not([hidden])')"
    for number in range(table.number, table.number + 2):
        if page.evaluate("document.activeElement === document.body"):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.id") == "skip"
            page.keyboard.press("Enter")
        page.wait_for_function(decided)
        page.keyboard.press("Enter")
        page.wait_for_function(one)
        page.wait_for_function(decided)
        page.keyboard.press("Enter")
        wait_for(lambda number=number: table.number == number + 1, "the unit moved")
        page.wait_for_function("() => !document.querySelector('#choices h2:not([hidden])')")
        page.wait_for_function(decided)


def test_a_game_is_replayed_from_a_file_without_a_request(page: Any, tmp_path: Path) -> None:
    game, chance = hexwar.new_game("bridgehead", seed=3), random.Random(3)
    while game.to_move:
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    file = tmp_path / "game.html"
    file.write_text(replay_page(game), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector(".piece")
    page.keyboard.press("End")
    standing = {unit: at for unit, at in game.state.locations.items() if at in game.world.board}
    for unit, at in standing.items():
        page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{at}']", state="attached")
    assert page.locator(".piece").count() == len(standing)
    assert str(game.result) in page.inner_text("#status")
    assert serious(page) == []
    page.keyboard.press("Home")
    assert page.inner_text("#status").endswith(f"0 of {page.get_attribute('#moment', 'max')}")
    assert not [url for url in asked if not url.startswith(("file:", "blob:"))]


def test_eight_pages_of_eight_games_are_alive_at_once(site: Site, browser: Any) -> None:
    """HTTP/1.1 allows six connections to a host: the pages of a browser share one stream."""
    begun = [moving(site) for _ in range(8)]
    context = browser.new_context(viewport={"width": 1024, "height": 700})
    context.add_init_script(KNOWN)
    pages = [context.new_page() for _ in begun]
    for page, (table, keys) in zip(pages, begun, strict=True):
        open_table(page, site.link(table, keys.seats[table.game.to_move[0]]))
    for page, (table, _) in zip(pages, begun, strict=True):
        take_a_choice(page, table)
    asked: list[str] = []
    pages[0].on("request", lambda request: asked.append(request.url))
    table, keys = begun[0]
    ninth = context.new_page()
    open_table(ninth, site.link(table, keys.seats[table.game.to_move[0]]))
    take_a_choice(ninth, table)
    wait_for(lambda: (pages[0].evaluate("0"), [url for url in asked if "/view" in url])[1], "the first page looks again")
    assert not [url for url in asked if url.endswith("/stream")]
    context.close()
