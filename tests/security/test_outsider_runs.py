"""What an outsider tries on ``dllint diagnose`` and ``dllint bisect``: records, specs, alignments and caches that came with a
checkout, and links in the place of what is written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from dllint.bisection.errors import BisectionError
from dllint.bisection.reproduction import _quoted, write_tests
from dllint.bisection.result import Bisection
from dllint.bisection.session import Laid, Options, laid_out, opened, searched
from dllint.bisection.spec import load
from dllint.bisection.store import Store, opened_store
from dllint.diagnose.record_file import NoRecordError, read_record
from tests.security.outsider import BROKEN, BUDGET_KIB, BUDGET_SECONDS, Run, dllint

#: What steers a terminal, begins a line of its own, is a command of a log, or turns the order of letters around.
EVIL: Final = "\x1b]0;evil\x07\n::error::gotcha\r\n##vso[task.x]y‮\x85\ud800"
RECORD: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "run_record.json").read_text(encoding="utf-8"))


def changed(data: Any, change: Callable[[Any], Any]) -> Any:
    """Plain data with each of its leaves changed, but for what marks it as a record."""
    if isinstance(data, dict):
        return {name: item if name in ("kind", "version") else changed(item, change) for name, item in data.items()}
    if isinstance(data, list):
        return [changed(item, change) for item in data]
    return change(data)


def with_(kind: type, new: Callable[[Any], Any]) -> str:
    return json.dumps(changed(RECORD, lambda leaf: new(leaf) if type(leaf) is kind else leaf))


RECORDS: Final[dict[str, str]] = {
    "nested lists": "[" * 100_000 + "]" * 100_000,
    "nested tables": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "nothing": "",
    "null bytes": "\0" * 1000,
    "a number of many digits": '{"kind": ' + "9" * 100_000 + "}",
    "no number": with_(float, lambda _: float("nan")),
    "infinite": with_(float, lambda _: float("-inf")),
    "large numbers": with_(int, lambda _: 10**4000),
    "many steps": with_(int, lambda _: 10**18),
    "negative": with_(int, lambda _: -5),
    "fractions": with_(int, lambda _: 0.5),
    "texts for numbers": with_(int, lambda _: "x"),
    "numbers for texts": with_(str, lambda _: 7),
    "lists for texts": with_(str, lambda _: [[]]),
    "nulls": json.dumps(changed(RECORD, lambda _: None)),
    "control characters": with_(str, lambda text: f"{text}{EVIL}"),
    "control characters as keys": json.dumps(RECORD).replace('"SGD"', json.dumps(EVIL)),
    "only its kind": json.dumps({"kind": RECORD["kind"], "version": RECORD["version"]}),
    "empty lists": json.dumps({name: item if name in ("kind", "version") else [] for name, item in RECORD.items()}),
    "empty tables": json.dumps({name: item if name in ("kind", "version") else {} for name, item in RECORD.items()}),
    "of tomorrow": json.dumps(RECORD | {"version": EVIL}),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "good.json").write_text(json.dumps(RECORD))
    return made


def silent(run: Run) -> None:
    """Nothing broke or steered anything, and it was cheap."""
    text = run.text()
    assert not any(word in text for word in BROKEN), text[-2000:]
    assert run.status in (0, 1, 2)
    assert run.seconds < BUDGET_SECONDS
    assert run.kib < BUDGET_KIB
    assert not any(sign in text for sign in ("\x1b", "\x07", "\r", "\u202e", "\x85")), text[-2000:]
    assert not any(line.lstrip().startswith("::") for line in text.split("\n")), text[-2000:]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", ["full", "concise", "json"])
@pytest.mark.parametrize("record", RECORDS)
def test_a_hostile_record_is_refused_or_told_of(folder: Path, record: str, form: str) -> None:
    (folder / "bad.json").write_text(RECORDS[record])
    run = dllint(folder, "diagnose", "--output-format", form, "--compare", "good.json", "bad.json")
    if form == "json":  # a format for programs: names are escaped, and nothing else
        json.loads(run.out or b"0")
        run.out = b""
    silent(run)
    assert "##vso[" not in run.text()


def _fifo(place: Path) -> None:
    os.mkfifo(place)


def _sparse(place: Path) -> None:
    with place.open("wb") as stream:
        stream.truncate(4 * 2**30)


ODD: Final[dict[str, Callable[[Path], object]]] = {
    "pipe": _fifo,
    "device": lambda place: place.symlink_to("/dev/zero"),
    "large": _sparse,
    "folder": Path.mkdir,
    "circle": lambda place: place.symlink_to(place),
    "nothing": lambda place: None,
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_is_no_record(folder: Path, odd: str) -> None:
    ODD[odd](folder / "bad.json")
    with pytest.raises(NoRecordError):
        read_record(folder / "bad.json")


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_is_no_spec(folder: Path, odd: str) -> None:
    ODD[odd](folder / "spec.toml")
    with pytest.raises(BisectionError):
        load(folder / "spec.toml")


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{a=" * 100_000, "\0", "reference = " + "9" * 100_000])
def test_a_hostile_spec_is_refused(folder: Path, text: str) -> None:
    (folder / "spec.toml").write_text(text)
    with pytest.raises(BisectionError):
        load(folder / "spec.toml")


@pytest.mark.parametrize("form", ["full", "json"])
@pytest.mark.parametrize("target", ["there", "missing"])
def test_a_comparison_is_written_through_no_link(folder: Path, form: str, target: str) -> None:
    kept = folder.parent / "kept"
    if target == "there":
        kept.write_text("mine")
    (folder / "report").symlink_to(kept)
    run = dllint(folder, "diagnose", "--output-format", form, "-o", "report", "--compare", "good.json", "good.json")
    assert run.status == 2
    assert kept.read_text() == "mine" if target == "there" else not kept.exists()


@pytest.mark.parametrize("target", ["there", "missing"])
def test_no_example_is_written_through_a_link(folder: Path, target: str) -> None:
    kept = folder.parent / "kept.py"
    if target == "there":
        kept.write_text("mine")
    (folder / "bisect_spec.py").symlink_to(kept)
    assert dllint(folder, "bisect", "init").status == 2
    assert kept.read_text() == "mine" if target == "there" else not kept.exists()


@pytest.mark.parametrize("part", ["store", "fingerprint"])
def test_no_values_are_kept_behind_a_link(folder: Path, part: str) -> None:
    foreign = folder.parent / "foreign"
    (foreign / "f").mkdir(parents=True)
    mine = [foreign / "mine.npy", foreign / "f" / "mine.npy"]
    for file in mine:
        np.save(file, np.zeros(1000))
    place = folder / ".dllint_bisect"
    if part == "store":
        place.symlink_to(foreign)
    else:
        place.mkdir()
        (place / "f").symlink_to(foreign)
    told: list[str] = []
    assert opened_store(place / "f", 10, told.append) is None
    assert "link" in told[0]
    assert all(file.exists() for file in mine)


@pytest.mark.parametrize("content", ["pickle", "pipe", "link", "short", "empty", "header"])
def test_planted_values_are_not_used(folder: Path, content: str) -> None:
    store = Store(folder / "values", 10**6, print)
    store.put("key", np.arange(4.0))
    (file,) = (folder / "values").glob("*.npy")
    data = file.read_bytes()
    file.unlink()
    if content == "pickle":
        np.save(file, np.array([Path("/")], dtype=object), allow_pickle=True)
    elif content == "pipe":
        os.mkfifo(file)
    elif content == "link":
        (folder / "other.npy").write_bytes(data)
        file.symlink_to(folder / "other.npy")
    else:
        file.write_bytes({"short": data[:-9], "empty": b"", "header": data.replace(b"(4,)", b"(10**9,)")}[content])
    store = Store(folder / "values", 10**6, print)
    assert store.get("key") is None
    store.put("key", np.arange(4.0))
    assert store.get("key") is not None


@pytest.mark.parametrize("name", ['a"""\nimport os\n"""', 'a"', "a\\", "\x1b[31m", "é"])
def test_a_name_ends_no_docstring_of_a_written_test(name: str) -> None:
    text = f'"""Written: {_quoted(name)} of the candidate."""\n'
    compiled = compile(text, "test", "exec")
    assert compiled.co_names == ("__doc__",)


#: A spec without any framework, one of whose operators is wrong.
FAULTY_SPEC: Final = """\
from tests.bisection.toys import chain, labels, right, rows

reference = chain(4)
candidate = reference.with_operator(t2=lambda h, f=reference.operators["t2"][0]: -f(h))
x = rows()
samples = list(zip(x, labels(reference, x)))
per_sample = right
"""


@pytest.fixture(scope="module")
def bisected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Laid, Bisection]:
    spec = tmp_path_factory.mktemp("bisected") / "spec.py"
    spec.write_text(FAULTY_SPEC)
    loaded = load(spec)
    laid = laid_out(loaded, Options(), opened(loaded, Options()), lambda text: None)
    return spec, laid, searched(laid)


def _to_a_file(place: Path, kept: Path) -> None:
    kept.write_text("mine")
    place.symlink_to(kept)


def _hard(place: Path, kept: Path) -> None:
    kept.write_text("mine")
    place.hardlink_to(kept)


PLANTED: Final[dict[str, Callable[[Path, Path], object]]] = {
    "link": _to_a_file,
    "link to nothing": lambda place, kept: place.symlink_to(kept),
    "hard link": _hard,
    "circle": lambda place, kept: place.symlink_to(place),
    "pipe": lambda place, kept: os.mkfifo(place),
}


@pytest.mark.parametrize("name", ["test_t2.py", "t2.npz"])
@pytest.mark.parametrize("planted", PLANTED)
def test_no_test_of_a_culprit_is_written_through_a_link(
    folder: Path, bisected: tuple[Path, Laid, Bisection], planted: str, name: str
) -> None:
    kept, place = folder.parent / "kept", folder / "tests" / name
    place.parent.mkdir()
    PLANTED[planted](place, kept)
    before = kept.read_text() if kept.exists() else None
    (written,) = write_tests(place.parent, *bisected)
    assert (kept.read_text() if kept.exists() else None) == before
    assert place.is_file()
    assert not place.is_symlink()
    assert sorted(os.listdir(place.parent)) == ["t2.npz", written.name]
    with np.load(written.with_name("t2.npz"), allow_pickle=False) as saved:
        assert "raw 0" in saved.files


@pytest.mark.parametrize("missing", [False, True])
def test_no_test_of_a_culprit_is_written_into_a_linked_folder(
    folder: Path, bisected: tuple[Path, Laid, Bisection], missing: bool
) -> None:
    foreign = folder.parent / "foreign"
    if not missing:
        foreign.mkdir()
    (folder / "tests").symlink_to(foreign)
    with pytest.raises(BisectionError, match="link"):
        write_tests(folder / "tests", *bisected)
    assert not missing or not foreign.exists()
    assert missing or os.listdir(foreign) == []


def test_a_folder_in_the_place_of_a_test_is_told_of(folder: Path, bisected: tuple[Path, Laid, Bisection]) -> None:
    (folder / "test_t2.py").mkdir()
    with pytest.raises(BisectionError, match="cannot write tests"):
        write_tests(folder, *bisected)
    assert not list(folder.glob("*.part"))
