"""Methods of dataclasses that are taken from a file are those that are compiled anew."""

from __future__ import annotations

import dataclasses
import marshal
from collections.abc import Iterator
from importlib.util import cache_from_source
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dllint.cli import compiled
from dllint.cli.compiled import Compiled, file_of_methods, kept_methods

#: Everything that decides which methods are written.
_SWITCHES = ("frozen", "slots", "order", "kw_only", "unsafe_hash")
_FIELDS: list[list[Any]] = [[("a", int)], [("a", int), ("b", "list[int]", dataclasses.field(default_factory=list))]]


def _classes() -> Iterator[Any]:
    for fields, switches in product(_FIELDS, product((False, True), repeat=len(_SWITCHES))):
        chosen: dict[str, Any] = dict(zip(_SWITCHES, switches, strict=True))
        yield dataclasses.make_dataclass("Made", fields, **chosen)


def _behaviour(cls: Any) -> list[str]:
    first, second = cls(a=1), cls(a=2)
    asked = [
        lambda: first,
        lambda: first == cls(a=1),
        lambda: first == second,
        lambda: first < second,
        lambda: hash(first) == hash(cls(a=1)),
        lambda: setattr(first, "a", 3),
        lambda: cls(1),
        lambda: cls(),
    ]
    return [_answer(question) for question in asked]


def _answer(question: Any) -> str:
    try:
        return str(question())
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


def _no_compiler(*_arguments: object, **_options: object) -> None:
    raise AssertionError("a kept method is compiled")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return tmp_path / "cache" / "kept.methods"


def test_kept_methods_are_the_compiled_ones(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [_behaviour(cls) for cls in _classes()]
    with kept_methods(path):
        compiled_anew = [_behaviour(cls) for cls in _classes()]
    monkeypatch.setattr(compiled, "compile", _no_compiler, raising=False)
    with kept_methods(path):
        taken = [_behaviour(cls) for cls in _classes()]
    assert usual == compiled_anew == taken


def test_dataclasses_are_as_they_were_afterwards(path: Path) -> None:
    with pytest.raises(KeyError), kept_methods(path):
        raise KeyError
    assert "exec" not in vars(dataclasses)


def test_a_file_that_cannot_be_used_is_replaced(path: Path) -> None:
    with kept_methods(path):
        usual = [_behaviour(cls) for cls in _classes()]
    whole = path.read_bytes()
    broken = dict.fromkeys(marshal.loads(whole), b"?")
    wrong = [whole[:size] for size in range(0, len(whole), len(whole) // 20)]
    for data in [*wrong, b"?" * 40, marshal.dumps([1]), marshal.dumps(broken)]:
        path.write_bytes(data)
        with kept_methods(path):
            assert [_behaviour(cls) for cls in _classes()] == usual
        assert path.read_bytes() != data
    assert [name.name for name in path.parent.iterdir()] == [path.name]


def test_nothing_is_written_where_python_keeps_no_modules(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    with kept_methods(path):
        list(_classes())
    assert not path.exists()


def test_a_folder_that_cannot_be_made_costs_nothing(path: Path) -> None:
    path.parent.write_text("a file")
    with kept_methods(path):
        assert len(list(_classes())) == len(_FIELDS) * 2 ** len(_SWITCHES)


def test_what_is_used_no_more_is_dropped(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_MOST", 3)
    for number in range(5):
        kept = Compiled(path)
        kept.code(f"a = {number}")
        kept.write()
    assert len(marshal.loads(path.read_bytes())) <= 3


def test_the_file_lies_where_compiled_modules_lie() -> None:
    assert file_of_methods().parent == Path(cache_from_source(compiled.__file__)).parent
