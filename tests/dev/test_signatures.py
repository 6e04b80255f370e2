"""The committed signature data is what the generator makes of the installed libraries."""

import json

import pytest

from dllint.dev.signatures import FOLDER, dump, generate
from dllint.dev.stubs import merge, of_text


def test_overloads_merge_into_the_longest_with_optional_parameters():
    merged = merge([[["self", "pos"]], [["self", "pos"], ["dim", "pos"], ["keepdim", "pos", False]]])
    assert merged == [["self", "pos"], ["dim", "pos", None], ["keepdim", "pos", False]]


def test_what_one_overload_takes_by_position_is_taken_there():
    by_keyword = [["self", "pos"], ["stable", "only"], ["dim", "only", -1], ["out", "only", None]]
    by_position = [["self", "pos"], ["dim", "pos", -1]]
    placed = [["self", "pos"], ["dim", "pos", -1], ["stable", "only", None], ["out", "only", None]]
    assert merge([by_keyword, by_position]) == placed
    assert merge([by_keyword, [["other", "pos"], ["dim", "pos", -1]]])[1][:2] == ["stable", "only"]


def test_an_overload_that_takes_any_number_of_sizes_wins():
    assert merge([[["self", "pos"], ["dtype", "pos"]], [["self", "pos"], ["size", "args"]]])[1] == ["size", "args"]


def test_a_signature_is_read_from_a_docstring():
    assert of_text("linalg.inv(A, *, out=None) -> Tensor\n\nmore") == [["A", "pos"], ["out", "only", None]]
    assert of_text("no signature") is None


@pytest.mark.oracle
@pytest.mark.parametrize("library", ["torch", "torchvision", "einops"])
def test_regenerating_gives_the_committed_file(library):
    assert dump(generate(library)) == (FOLDER / f"{library}.json").read_text(encoding="utf-8")


#: What calls have shown of functions (:mod:`dllint.dev.operands`), which is no signature.
_NO_SIGNATURES = {"operands"}


@pytest.mark.parametrize(
    "path", [p for p in sorted(FOLDER.glob("*.json")) if p.stem not in _NO_SIGNATURES], ids=lambda p: p.stem
)
def test_every_file_has_one_well_formed_name_per_line(path):
    text = path.read_text(encoding="utf-8")
    data = json.loads(text)
    assert len(text.splitlines()) == len(data) + 2
    assert {p[1] for signature in data.values() for p in signature} <= {"pos", "only", "args", "kwargs", "also", "open"}
