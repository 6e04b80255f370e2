"""Which finding of today a verdict is about, what several readers make of one, and what is left of the true ones."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.wild.checking import Found, Place
from benchmarks.wild.corpus import JUDGED, Corpus, corpus
from benchmarks.wild.figures import calibration, remaining, sort, tables
from benchmarks.wild.verdicts import VERDICTS, Verdict, append, judgements, match, read

PLACE = Place("owner/name", "model.py", None, 7, "DLT101", 5)


def found(place=PLACE, severity="error", confidence="high", message="sizes differ"):
    return Found(place, severity, confidence, message)


def verdict(place=PLACE, word="true", reader="", severity="error", confidence="high", **more):
    return Verdict(place, "0" * 12, severity, confidence, word, "why", "", "sizes differ", reader, **more)


def judged(*verdicts):
    return judgements(verdicts)


def at(column, **changes):
    return replace(PLACE, column=column, **changes)


def test_a_finding_is_recognised_though_its_message_and_its_column_change():
    for place, message in ((PLACE, "other words"), (at(30), "sizes differ")):
        assert match([found(place, message=message)], judged(verdict())) == {place: judged(verdict())[PLACE]}


@pytest.mark.parametrize("change", [{"line": 8}, {"code": "DLT102"}, {"file": "other.py"}, {"cell": 3}, {"repository": "a/b"}])
def test_a_finding_elsewhere_is_a_new_one(change):
    assert match([found(replace(PLACE, **change))], judged(verdict())) == {}


def test_of_several_on_a_line_the_column_decides():
    table = judged(verdict(at(5), "true"), verdict(at(20), "false"))
    known = match([found(at(5)), found(at(20))], table)
    assert {place.column: judgement.verdict for place, judgement in known.items()} == {5: "true", 20: "false"}


def test_several_that_have_all_shifted_keep_their_order():
    table = judged(verdict(at(5), "true"), verdict(at(20), "false"))
    known = match([found(at(9)), found(at(24))], table)
    assert {place.column: judgement.verdict for place, judgement in known.items()} == {9: "true", 24: "false"}


def test_one_that_is_left_of_several_is_recognised_only_if_their_verdicts_agree():
    assert match([found(at(9))], judged(verdict(at(5), "true"), verdict(at(20), "false"))) == {}
    assert match([found(at(9))], judged(verdict(at(5), "true"), verdict(at(20), "true")))


def test_one_more_on_a_line_is_a_new_finding():
    known = match([found(at(5)), found(at(20))], judged(verdict(at(5))))
    assert [place.column for place in known] == [5]
    assert match([found(at(9)), found(at(20))], judged(verdict(at(5)))) == {}


def test_what_readers_do_not_agree_on_counts_as_false():
    agreed = judged(verdict(reader="A"), verdict(reader="B"))[PLACE]
    disputed = judged(verdict(reader="A"), verdict(word="harmless", reader="B"))[PLACE]
    assert (agreed.verdict, agreed.is_disputed) == ("true", False)
    assert (disputed.verdict, disputed.is_disputed) == ("false", True)


def test_a_draw_needs_two_readers():
    draw = Corpus("draw-1", (), JUDGED, readers=2, warnings=200, seed="abc")
    one = sort(draw, [found()], judged(verdict(reader="A")))
    two = sort(draw, [found()], judged(verdict(reader="A"), verdict(reader="B")))
    assert ([len(one.judged), len(one.unjudged)], [len(two.judged), len(two.unjudged)]) == ([0, 1], [1, 0])


def test_hints_are_not_judged_and_new_warnings_are():
    everything = Corpus("36", (), JUDGED)
    open_ = sort(everything, [found(severity=level) for level in ("error", "warning", "info", "hint")], {})
    assert [one.severity for one in open_.unjudged] == ["error", "warning"]


def test_the_sample_of_warnings_is_drawn_once():
    draw = Corpus("draw-1", (), JUDGED, readers=1, warnings=3, seed="abc")
    warnings = [found(at(1, line=line), "warning") for line in range(20)]
    sample = sort(draw, warnings, {}).unjudged
    assert len(sample) == 3
    assert sort(draw, warnings[::-1], {}).unjudged == sample
    table = judged(*(verdict(one.place, severity="warning") for one in sample))
    after = sort(draw, [*warnings, *(found(at(1, line=line), "warning") for line in range(20, 40))], table)
    assert (after.unjudged, {one.found for one in after.judged}) == ([], {*sample})
    gone = sort(draw, [one for one in warnings if one not in sample], table)
    assert (gone.unjudged, gone.judged) == ([], [])


def test_true_findings_that_remain():
    kept, gone, lowered, moved = (at(1, line=line) for line in range(4))
    there = Place("owner/name", "layers.py", None, 70, "DLT101", 9)
    table = judged(
        *map(verdict, (kept, gone, lowered, moved)),
        verdict(there, was=(moved,)),
        verdict(at(1, line=5), "false"),
        verdict(at(1, line=6, code="DLA102")),
    )
    left = remaining(table, [found(kept), found(lowered, "hint"), found(there, "warning")])
    assert left["error"] == {"judged true": 4, "error": 1, "hint": 1, "warning": 1, "gone": 1}
    assert left["share"] == 0.75
    assert [line.split()[-1] for line in left["gone"]] == ["owner/name:model.py:1:1"]
    assert [line.split()[-1] for line in left["errors below warning"]] == ["owner/name:model.py:2:1"]


def test_a_confidence_is_kept_if_enough_findings_are_right():
    places = [at(1, line=line) for line in range(10)]
    words = ["true"] * 8 + ["harmless", "false"]
    for level, enough in (("high", False), ("medium", True), ("low", True)):
        table = judged(*(verdict(place, word, confidence=level) for place, word in zip(places, words, strict=True)))
        rows = calibration(sort(corpus(None), [found(place, confidence=level) for place in places], table).judged)
        assert [(row["rule"], row["right"], row["enough"]) for row in rows] == [("all", 9, enough), ("DLT101", 9, enough)]


def test_a_verdict_survives_its_table(tmp_path):
    path = tmp_path / "table.jsonl"
    first = verdict(reader="A", proof="run: raises", was=(at(2, line=3, cell=4),))
    append(path, [first])
    append(path, [verdict(reader="B")])
    assert read(path) == [first, verdict(reader="B")]


def test_a_word_that_is_no_verdict_is_refused(tmp_path):
    path = tmp_path / "table.jsonl"
    path.write_text(json.dumps({**verdict().record, "verdict": "perhaps"}) + "\n")
    with pytest.raises(ValueError, match="perhaps"):
        read(path)


def test_the_committed_table_gives_the_figures_of_the_trial():
    table = judgements(read(JUDGED))
    names = {repository.name for repository in corpus(None).repositories}
    assert {place.repository for place in table} <= names
    first = [judgement.verdicts[0] for judgement in table.values() if not judgement.verdicts[0].reader]
    everything = [found(one.place, one.severity, one.confidence, one.message) for one in first]
    figures = tables(sort(corpus(None), everything, table).judged)
    assert len(first) == 498
    counted = {name: [figures[name][word] for word in VERDICTS] for name in ("errors", "errors of the analysis", "warnings")}
    assert counted == {"errors": [49, 1, 218, 51], "errors of the analysis": [21, 1, 0, 36], "warnings": [49, 94, 0, 36]}
    left = remaining(judgements(verdict for verdict in read(JUDGED) if not verdict.reader), everything)
    assert (left["all"], left["share"], left["error"]["judged true"]) == (70, 1.0, 21)
