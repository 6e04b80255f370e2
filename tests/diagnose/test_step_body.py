"""Running a step again from a frame in it."""

from __future__ import annotations

import sys
import textwrap

import pytest

from dllint.diagnose.assignments import receiver_origin
from dllint.diagnose.places import SourcePlace, place_of
from dllint.diagnose.step_body import StepBody


@pytest.fixture
def program(tmp_path):
    """Runs a program that calls ``here()`` somewhere; what the function makes of the frame."""

    def run(text, look):
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        found = []

        def here():
            if not found:
                found.append(None)
                found[0] = look(sys._getframe(1))

        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"here": here})
        return found[0]

    return run


LOOP = """
    def train(batches):
        total = 0
        for number, batch in enumerate(batches):
            if batch is None:
                continue
            batch = batch * 2
            with open(__import__("os").devnull):
                value = batch + 1
                here()
                value = 0
            total += value
        return total

    train([3, 5])
"""


def test_statements_up_to_the_frame_are_run_with_the_batch_as_it_was(program):
    names = program(LOOP, lambda frame: StepBody.from_frame(frame, batch=10).run())
    assert (names["value"], names["number"]) == (21, 0)


def test_without_a_batch_names_stay_what_they_are(program):
    assert program(LOOP, lambda frame: StepBody.from_frame(frame).run())["value"] == 13


def test_the_loop_itself_sees_nothing_of_a_repetition(program):
    def look(frame):
        StepBody.from_frame(frame, batch=99).run()
        return frame.f_locals["batch"]

    assert program(LOOP, look) == 6


def test_a_function_with_return_and_closure_can_be_repeated(program):
    text = """
        def outer(scale):
            def step(x):
                y = x * scale
                return here() or y
            return step
        outer(3)(2)
    """
    assert program(text, lambda frame: StepBody.from_frame(frame).run(x=5))["y"] == 15


def test_a_place_has_columns_in_code_points(program):
    place = program("é = 'ä', here()\n", place_of)
    assert (place.line, place.column, place.end_column) == (1, 10, 16)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("loss.backward()", (2, 8)),
        ("(loss / 4).backward()", (2, 8)),
        ("scaler.scale(loss).backward()", (2, 8)),
        ("f(1).backward()", (3, 1)),
    ],
)
def test_a_loss_is_told_where_it_is_computed(tmp_path, call, expected):
    path = tmp_path / "program.py"
    path.write_text(f"scaler = 1\nloss = f(2)\n{call}\nloss = 3\n")
    origin = receiver_origin(SourcePlace(str(path), 3, 1, 3, len(call) + 1))
    assert (origin.line, origin.column) == expected
