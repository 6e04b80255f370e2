"""Questions about the files of a directory: an answer that is said to hold is the one that would be given now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dllint.source import definitions, uses
from dllint.source.constructions import Constructions
from dllint.source.observed import Answered, files_of, observing
from dllint.source.questions import Questions

NET = "class Net:\n    def __init__(self, size, depth=1):\n        self.extra = size\n"
#: What another file may have, in whatever order: things that decide an answer, and things that only look so.
LINES = (
    "from net import Net",
    "import net",
    "print(model.extra)",
    "model.extra = 3",
    "model.extras",
    "Net(16)",
    "net.Net(16, depth=2)",
    "Net(size)",
    "SIZE = 4",
    "Net(SIZE)",
    "@register('net')\ndef made():\n    pass",
    "@register\nclass net:\n    pass",
    "def net():\n    pass",
    "# Net(16).extra",
    "",
)
Ask = Callable[[Path], object]
QUESTIONS: dict[str, Ask] = {
    "uses": lambda folder: uses.used_elsewhere(folder / "net.py", NET, "Net", "extra"),
    "first construction": lambda folder: Constructions().of(folder / "net.py", "Net"),
    "what constructions pass": lambda folder: Constructions().passed(folder / "net.py", "Net"),
    "registered definitions": lambda folder: definitions.registering(folder, "net"),
}


def _asked(ask: Ask, folder: Path) -> Answered:
    uses.forget()
    definitions.forget()
    with observing() as observed:
        ask(folder)
    (answered,) = observed.answers.values()
    return answered


def _texts(answered: Answered) -> dict[str, bytes]:
    return {path: Path(path).read_bytes() for place in answered.places for path in files_of(place)}


def _change(folder: Path, random: Random) -> None:
    for name in random.sample(("one.py", "two.py", "inner/three.py"), random.choice((1, 2))):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if path.exists() and random.random() < 0.2:
            path.unlink()
        else:
            path.write_text("\n".join(random.sample(LINES, random.randrange(5))) + "\n")


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("is_package", [False, True])
def test_an_answer_holds_as_long_as_it_would_be_given(tmp_path: Path, kind: str, is_package: bool) -> None:
    random, folder = Random(f"{kind} {is_package}"), tmp_path / "project" / "nets"
    folder.mkdir(parents=True)
    (folder / "net.py").write_text(NET)
    if is_package:
        (folder / "__init__.py").write_text("")
    seen = set()
    for _ in range(150):
        before = _asked(QUESTIONS[kind], folder)
        texts = _texts(before)
        _change(folder, random)
        now = _texts(before)
        changed = {path for path in {*texts, *now} if texts.get(path) != now.get(path)}
        is_same = _asked(QUESTIONS[kind], folder) == before
        assert Questions().still_hold(before, changed) is is_same
        seen.add((before.answer, is_same))
    assert len({answer for answer, _ in seen}) > 1
    assert {is_same for _, is_same in seen} == {True, False}


@pytest.mark.parametrize("kind", QUESTIONS)
def test_an_unknown_question_has_no_answer(tmp_path: Path, kind: str) -> None:
    (tmp_path / "net.py").write_text(NET)
    answered = _asked(QUESTIONS[kind], tmp_path)
    other = answered._replace(question=answered.question._replace(kind="of another version"))
    short = answered._replace(question=answered.question._replace(given=()))
    assert not Questions().still_hold(other, {"one.py"})
    assert not Questions().still_hold(short, {"one.py"})
