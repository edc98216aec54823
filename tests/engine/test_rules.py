"""The rule index, and rule coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexwar import cache
from hexwar.engine import Clause, RuleIndex, Status, rule_coverage
from hexwar.engine import _rules as rules_module
from hexwar.errors import ContentError, Refusal, UnknownName
from hexwar.files import MAX_BYTES
from tests.engine.toy import RULES, Bid, Wish, new_game, play_on


def load(folder: Path, text: str | bytes) -> RuleIndex:
    file = folder / "rules.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return RuleIndex.load(file)


def test_an_index_is_read_in_rulebook_order_with_all_that_is_said(tmp_path: Path) -> None:
    index = load(
        tmp_path,
        """
        [[clause]]
        id = "2"
        title = "Movement"

        [[clause]]
        id = "1.10"
        title = "Rivers"
        status = "divergent"
        ruling = "frozen in winter, because the text forgets it"
        option = "winter"

        [[clause]]
        id = "1.2"
        title = "Bridges"
        status = "absent"
        """,
    )
    assert list(index) == ["2", "1.10", "1.2"]
    assert index["2"] == Clause("2", "Movement", Status.IMPLEMENTED)
    assert index["1.10"] == Clause("1.10", "Rivers", Status.DIVERGENT, "frozen in winter, because the text forgets it", "winter")
    assert index["1.2"].status is Status.ABSENT
    assert len(index) == 3
    assert "1.2" in index
    assert "1.3" not in index
    assert index.source == "rules.toml"


def test_a_clause_is_of_a_kind_and_may_be_exempt_from_tests(tmp_path: Path) -> None:
    index = load(
        tmp_path,
        """
        [[clause]]
        id = "TEC.6"
        title = "Cities"
        kind = "data"

        [[clause]]
        id = "2"
        title = "Silhouettes"
        kind = "choice"
        exempt = "only looks"
        """,
    )
    assert [(clause.kind, clause.exempt, clause.chapter, clause.testable) for clause in index.values()] == [
        ("data", "", "TEC", True),
        ("choice", "only looks", "2", False),
    ]
    assert not Clause("1", "x", Status.ABSENT).testable
    assert Clause("1", "x", Status.DIVERGENT, "why").testable
    assert Clause("1", "x", kind="example").testable


def test_an_empty_index_is_an_index(tmp_path: Path) -> None:
    assert len(load(tmp_path, "")) == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[clause]", "rules.toml: line 1, column 9: is not valid TOML: "),
        ("x = " + "9" * 5000, "rules.toml: is not valid TOML: "),
        ("x = " + "[" * 50_000, "rules.toml: is not usable TOML: "),
        (b"\xff\xfe", "rules.toml: line 1: is not UTF-8 text"),
        ("rules = 1\nauthor = 'x'", "rules.toml: author, rules: unknown key; a rule index has [[clause]] tables only"),
        ("clause = 1", "rules.toml: clause: must be written as [[clause]] tables"),
        ("clause = [1]", "rules.toml: clause number 1: must be a table with id and title"),
        ("[[clause]]\nid = '1'", "rules.toml: clause 1: needs an id and a title"),
        ("[[clause]]\nid = ''\ntitle = 'x'", "rules.toml: clause : needs an id and a title"),
        ("[[clause]]\ntitle = 'x'", "rules.toml: clause number 1: needs an id and a title"),
        ("[[clause]]\nid = 1\ntitle = 'x'", "rules.toml: clause number 1: id must be text, not 1"),
        (
            "[[clause]]\nid = '1'\ntitle = 'x'\nrule = 'y'",
            "rules.toml: clause 1: unknown key 'rule'; known: id, title, status, ruling, option, kind, exempt",
        ),
        (
            "[[clause]]\nid = '1'\ntitle = 'x'\nstatus = 'done'",
            "rules.toml: clause 1: status 'done' is not one of implemented, divergent, absent",
        ),
        (
            "[[clause]]\nid = '1'\ntitle = 'x'\nstatus = 'divergent'",
            "rules.toml: clause 1: is divergent, so it needs a ruling that says how and why",
        ),
        (
            "[[clause]]\nid = '1'\ntitle = 'x'\nkind = 'law'",
            "rules.toml: clause 1: kind 'law' is not one of definition, data, constraint, procedure, effect, choice, example",
        ),
        ("[[clause]]\nid = '1'\ntitle = 'x'\nexempt = true", "rules.toml: clause 1: exempt must be text, not True"),
        (
            "[[clause]]\nid = '1'\ntitle = 'x'\n[[clause]]\nid = '1'\ntitle = 'y'",
            "rules.toml: clause 1: the id is used twice; every clause needs its own",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else repr(value),
)
def test_each_mistake_in_an_index_is_told_with_its_place(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    with pytest.raises(ContentError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(sentence)


def test_a_missing_file_and_one_that_is_too_large_are_told(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"nowhere\.toml: cannot be read: no such file"):
        RuleIndex.load(tmp_path / "nowhere.toml")
    with pytest.raises(ContentError, match=f"is larger than {MAX_BYTES} bytes"):
        load(tmp_path, "#" * (MAX_BYTES + 1))


def test_what_a_game_brings_is_kept_for_the_next_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "rules.toml"
    said = '[[clause]]\nid = "1.1"\ntitle = "One"\n[[clause]]\nid = "1.2"\ntitle = "Two"\nstatus = "divergent"\nruling = "ours"\n'
    file.write_text(said, encoding="utf-8")
    first = RuleIndex.load(file)
    assert not (tmp_path / "cache").exists()

    def again() -> dict[str, Clause]:
        found = RuleIndex.load(file, keep=True)
        assert found.source == "rules.toml"
        assert all(type(clause.status) is Status for clause in found.ids.values())
        return found.ids

    assert again() == first.ids
    with monkeypatch.context() as patch:
        patch.setattr(rules_module, "read_toml", None)
        assert again() == first.ids
    (kept,) = (tmp_path / "cache").iterdir()
    data = kept.read_bytes()
    for spoilt in (b"", data[:-1], data.replace(b"Two", b"Twa"), b"x" + data):
        kept.write_bytes(spoilt)
        assert again() == first.ids
        assert kept.read_bytes() == data
    broken: tuple[Any, ...] = (1, {}, [1], [["1.1"]], [["1.1", "One", "no status", "", "", "", ""]], [[*"1234567", "8"]])
    for value in broken:
        with monkeypatch.context() as patch:
            patch.setattr(cache, "recall", lambda name, key, value=value: value)
            assert again() == first.ids
    file.write_text(said.replace("Two", "Too"), encoding="utf-8")
    assert again()["1.2"].title == "Too"
    file.write_text(said.replace("ours", ""), encoding="utf-8")
    with pytest.raises(ContentError, match="needs a ruling"):
        again()


def test_an_unknown_clause_is_named_with_its_neighbours() -> None:
    with pytest.raises(UnknownName, match=r"no clause is called '1\.3'; did you mean 1\.2 or 1\.1"):
        RULES["1.3"]
    assert RULES.get("1.3") is None
    assert RULES.get("1.3", RULES["1"]) == RULES["1"]
    assert RULES.get("2") == RULES["2"]


def test_a_variant_adds_clauses_and_may_not_redefine_one() -> None:
    more = RULES.extended([Clause("V1", "a variant")])
    assert list(more) == [*RULES, "V1"]
    assert "V1" not in RULES
    with pytest.raises(ContentError, match="clause 2: the id is used twice"):
        RULES.extended([Clause("2", "another")])


def test_require_names_who_cites_what_is_not_there() -> None:
    RULES.require({"step Bidding": "1"})
    with pytest.raises(ContentError) as caught:
        RULES.require({"step Bidding": "1", "step Walking": "2.1"})
    assert str(caught.value) == (
        "rule index: step Walking: cites a clause that is not in the index: no clause is called '2.1'; did you mean 1.1?"
    )


# -- coverage ---------------------------------------------------------------------------------------------------------


def test_coverage_counts_events_and_refusals() -> None:
    game = new_game()
    with rule_coverage("toy") as counted:
        game.apply(Wish(2), "north")
        game.apply(Bid(), "north")
        with pytest.raises(Refusal):
            game.apply(Wish(9), "south")
    assert counted == {"1": 2, "1.1": 1}
    game.apply(Bid(), "south")
    assert counted == {"1": 2, "1.1": 1}


def test_coverage_counts_the_asked_ruleset_only_and_refusals_without_a_clause_not_at_all() -> None:
    before = list(rules_module.collectors)
    with rule_coverage("other") as other, rule_coverage("toy") as toy:
        game = new_game()
        with pytest.raises(Refusal):
            game.apply(Bid(), "east")
        game.why_not(Wish(9), "north")
        assert toy == {"1": 1}  # the first phase
        play_on(game, range(1000))
    assert other == {}
    assert {"1", "2", "4"} <= set(toy)
    assert rules_module.collectors == before


def test_coverage_ends_with_its_block_even_if_that_fails() -> None:
    before = list(rules_module.collectors)
    with pytest.raises(ZeroDivisionError), rule_coverage("toy"):
        raise ZeroDivisionError
    assert rules_module.collectors == before
