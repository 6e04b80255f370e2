"""Drawing repositories: the same seed draws the same, and what cannot be checked is replaced in the open."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.wild import draw as drawing
from benchmarks.wild.corpus import DRAWS, Draw, Drawn, corpus, draw_file, read_draw, table, write_draw
from benchmarks.wild.draw import CANDIDATES, DEVELOPMENT, SIZE, draw, drawn_before, fetched, listed, reserve, settle

SEED = "0a23b6a"
LISTED = {row["repository"]: row["kind"] for row in table(CANDIDATES)}


def test_the_list_is_long_and_of_every_kind():
    kinds = Counter(LISTED.values())
    assert len(LISTED) == len(list(table(CANDIDATES))) >= 400
    assert {"notebook", "tf1", "keras2", "lightning", "course"} | {
        "physics",
        "chemistry",
        "genomics",
        "climate",
    } <= kinds.keys()
    assert min(kinds.values()) >= 15
    assert len({name.lower() for name in LISTED}) == len(LISTED)
    assert not {name.lower() for name in LISTED} & {repository.name.lower() for repository in corpus(None).repositories}


def test_no_other_benchmark_and_no_page_names_one_of_the_list():
    root = Path(__file__).parents[2]
    own = {*(root / "benchmarks" / "wild").rglob("*"), *(root / "benchmarks" / "results").glob("wild*.json")}
    pages = [path for folder in ("benchmarks", "docs") for path in (root / folder).rglob("*") if path not in own]
    texts = [
        path.read_text(encoding="utf-8").lower() for path in pages if path.suffix in (".py", ".md", ".json", ".jsonl", ".tsv")
    ]
    text = "\n".join(texts)
    assert "pytorch/examples" in text
    waiting = LISTED.keys() - drawn_before(1 + max(int(path.stem) for path in DRAWS.glob("*.tsv")))  # what was drawn is known
    assert len(waiting) > SIZE
    assert [name for name in waiting if name.lower() in text or name.lower().replace("/", "+") in text] == []


def test_a_seed_draws_the_same_whatever_the_order_of_the_list():
    names = list(LISTED)
    random.Random(3).shuffle(names)
    again = draw({name: LISTED[name] for name in names}, SEED)
    assert again == draw(LISTED, SEED)
    assert [row.name for row in draw(LISTED, "1" * 40).rows] != [row.name for row in again.rows]


@pytest.mark.parametrize(
    ("number", "length"),
    [
        (1, 605),
        (6, 605),
        (7, 1298),
        (14, 1298),
        (15, 1536),
        (20, 1536),
        (21, 1590),
        (22, 1620),
        (23, 1685),
        (24, 1739),
        (25, 1815),
    ],
)
def test_a_draw_takes_what_was_listed_by_then(number, length):
    rows = read_draw(draw_file(number)).rows if draw_file(number).exists() else []
    assert {row.name for row in rows if not row.replaces} <= listed(number).keys() <= LISTED.keys()
    assert {row.name for row in rows} <= listed(number + 1).keys()  # a list that is used up leaves reserves to the next
    assert len(listed(number)) == length
    assert (length == len(LISTED)) == (number == 25)


def test_all_kinds_are_drawn_alike():
    rows = draw(LISTED, SEED).rows
    counts = Counter(row.kind for row in rows)
    assert len({row.name for row in rows}) == len(rows) == SIZE
    assert counts.keys() == {*LISTED.values()}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_others_are_drawn_for_kinds_that_have_too_few_left():
    used_up = min(LISTED.values())
    taken = frozenset(name for name, kind in LISTED.items() if kind == used_up)
    drawn = [row.name for row in draw(LISTED, SEED, taken).rows]
    assert len(set(drawn)) == len(drawn) == SIZE
    assert not taken & set(drawn)


def test_what_was_read_for_development_is_not_drawn():
    read = {row["repository"] for row in table(DEVELOPMENT)}
    assert read
    assert {name.count("/") for name in read} == {1}
    assert read <= drawn_before(1)


def test_what_was_drawn_before_is_not_drawn_again():
    first = frozenset(row.name for row in draw(LISTED, SEED).rows)
    second = draw(LISTED, SEED, first)
    assert first.isdisjoint(row.name for row in second.rows)


@pytest.fixture
def peers(tmp_path):
    """Trees of a few repositories: one as it should be, one without a framework, one that is too small."""
    for name, text in (
        ("good", "import torch\n" + "x = 1\n" * 300),
        ("plain", "import os\n" * 300),
        ("small", "from keras import layers\n"),
    ):
        (tmp_path / f"a+{name}").mkdir()
        (tmp_path / f"a+{name}" / "main.py").write_text(text)
    return tmp_path


def test_what_cannot_be_checked_is_replaced_by_the_next_of_its_kind(peers):
    known = {f"a/{name}": "gan" for name in ("good", "plain", "small", "away", "spare")} | {"b/other": "gnn"}
    drawn = Draw(SEED, [Drawn(f"a/{name}", kind="gan") for name in ("good", "plain", "small", "away")])
    commits = {"a/good": "1234567", "a/plain": "1234567", "a/small": "1234567", "a/away": "-"}
    with pytest.raises(LookupError, match="no candidate is left"):
        settle(drawn, [known], commits, peers, frozenset())
    assert [(row.name, row.kind) for row in drawn.rows if row.replaces] == [("a/spare", "gan"), ("b/other", "gnn")]
    known |= {"a/second": "gan", "a/third": "gan"}
    drawn = Draw(SEED, [Drawn(f"a/{name}", kind="gan") for name in ("good", "plain", "small", "away")])
    settle(drawn, [known], commits, peers, frozenset())
    notes = {row.name: row.note for row in drawn.rows}
    assert notes["a/plain"] == "replaced: no Python file or notebook imports a framework"
    assert notes["a/small"] == "replaced: 2 lines of Python"
    assert notes["a/away"] == "replaced: cannot be fetched"
    assert {row.name: row.commit for row in drawn.standing if row.commit} == {"a/good": "1234567"}
    assert [row.replaces for row in drawn.rows if row.replaces] == ["a/plain", "a/small", "a/away"]
    assert len(drawn.standing) == 4
    settle(drawn, [known], commits, peers, frozenset())  # what is settled stays as it is
    assert len(drawn.rows) == 7


def test_a_reserve_depends_on_the_seed_alone():
    drawn = draw(LISTED, SEED)
    row = drawn.rows[0]
    shuffled = dict(reversed(LISTED.items()))
    assert reserve(drawn, row, [LISTED], frozenset()) == reserve(drawn, row, [shuffled], frozenset())


def test_the_next_list_has_reserves_when_the_own_one_is_used_up():
    drawn = Draw(SEED, [Drawn("a/first", kind="gan")])
    own, following = {"a/first": "gan", "b/other": "gnn"}, {"a/first": "gan", "b/other": "gnn", "c/later": "gan"}
    drawn.rows.append(reserve(drawn, drawn.rows[0], [own, following], frozenset()))
    drawn.rows.append(reserve(drawn, drawn.rows[0], [own, following], frozenset()))
    assert [row.name for row in drawn.rows] == ["a/first", "b/other", "c/later"]


def test_a_draw_survives_its_file(tmp_path):
    drawn = Draw(SEED, [Drawn("a/b", "1234567", "src,lib", "gan", "c/d", ""), Drawn("c/d", kind="gan", note="replaced: why")])
    write_draw(tmp_path / "1.tsv", drawn)
    assert read_draw(tmp_path / "1.tsv") == drawn


def test_a_line_that_names_no_commit_is_refused(tmp_path):
    (tmp_path / "fetched").write_text("a/b 1234567\nc/d\n")
    with pytest.raises(ValueError, match="c/d"):
        fetched(tmp_path / "fetched")


def test_a_draw_is_made_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(drawing, "draw_file", lambda number: tmp_path / f"{number}.tsv")
    monkeypatch.setattr(drawing, "DRAWS", tmp_path)
    assert drawing.main(["--draw", "1", "--seed", SEED]) == 0
    first = (tmp_path / "1.tsv").read_text()
    assert drawing.main(["--draw", "1", "--seed", "1234567"]) == 2
    assert (tmp_path / "1.tsv").read_text() == first
    assert drawing.main(["--draw", "2", "--seed", SEED]) == 0
    names = [{row.name for row in read_draw(tmp_path / f"{number}.tsv").rows} for number in (1, 2)]
    assert names[0].isdisjoint(names[1])
    capsys.readouterr()
