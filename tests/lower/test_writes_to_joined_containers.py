"""What is written to one of several containers, it is not known to which, may have been written to each of them."""

from __future__ import annotations

import types
from itertools import product

import pytest

from tests.rules.harness import reports

PROGRAM = """
import numpy as np


def use({rows}):
    for {row} in {rows}:
        {taken} = {row}{get}


def run(env):
    {rows} = []
    for step in range({passes}):
        {rows}.append({made})
        if env.step({asked}):
            {exit}
    return {rows}


def main(env):
    {rows} = run(env)
    for {row} in {order}:
        {write}
    use({rows})
"""
#: The element, what is done to it, and how it is taken apart afterwards, where it has to be there for that.
LISTS = "[np.zeros(3), np.ones(3)]"
WRITES = {
    "append": (LISTS, "{row}.append(1)", "a, b, c", ""),
    "extend": (LISTS, "{row}.extend([1, 2])", "a, b, c, d", ""),
    "insert": (LISTS, "{row}.insert(0, 1)", "a, b, c", ""),
    "add": (LISTS, "{row} += [1]", "a, b, c", ""),
    "pop": (LISTS, "{row}.pop()", "(a,)", ""),
    "delete": (LISTS, "del {row}[0]", "(a,)", ""),
    "slice": (LISTS, "{row}[1:] = [1, 2]", "a, b, c", ""),
    "put": ("[np.zeros(3), (1, 2)]", "{row}[1] = (1, 2, 3)", "a, b, c", "[1]"),
    "clear": (LISTS, "{row}.clear()", "()", ""),
    "key": ('{{"x": np.zeros(3)}}', '{row}["y"] = (1, 2)', "a, b", '["y"]'),
    "replaced": ('{{"x": (1, 2)}}', '{row}["x"] = (1, 2, 3)', "a, b, c", '["x"]'),
    "update": ('{{"x": np.zeros(3)}}', "{row}.update(y=(1, 2))", "a, b", '["y"]'),
}
ORDERS = ("{rows}", "{rows}[::-1]", "reversed({rows})", "list({rows})")
ASKED = ("", "step")


class Env:
    """Ends no episode before the second step."""

    steps = 0

    def step(self, *_number):
        self.steps += 1
        return self.steps > 1


@pytest.mark.parametrize("exit_", ["break", "pass"])
@pytest.mark.parametrize(("write", "order", "asked"), list(product(WRITES, ORDERS, ASKED)))
def test_no_state_before_the_write_is_taken_for_the_one_after_it(write, order, asked, exit_):
    made, changed, taken, get = WRITES[write]
    names = {"rows": "episode", "row": "item"}
    text = PROGRAM.format(
        **names,
        made=made.format(),
        write=changed.format(**names),
        taken=taken,
        get=get,
        order=order.format(**names),
        asked=asked,
        exit=exit_,
        passes=4,
    )
    module = types.ModuleType("episodes")
    exec(compile(text, "episodes", "exec"), module.__dict__)
    module.main(Env())
    assert reports(text) == []
