"""Options that nobody knows (``**params["lstm"]``, ``*args``, ``**kwargs`` of a caller) may be any: nothing follows from the
defaults that they may replace, also where what they are given for is a layer, a function or a base class."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

KERAS = """
import json, os, sys
from keras import Input, Model
from keras.layers import LSTM, GRU, SimpleRNN, Bidirectional, Dense, Flatten
from elsewhere import found

def build(params, *args, **{kwargs}):
    x = Input((10, 3))
    {body}
"""
#: A layer that leaves something open, and what fails after it with the defaults.
BODIES = {
    "sequences": "x = LSTM(8{more})(x)\n    return GRU(4)(x)",
    "both ways": "x = Bidirectional(LSTM(8{more}))(x)\n    return Bidirectional(SimpleRNN(4))(x)",
    "activation": (
        "x = Flatten()(x)\n    m = Model(x, Dense(4{more})(x))\n    m.compile('adam', 'categorical_crossentropy')\n    return m"
    ),
}
#: What gives options of which nothing is known.
OPEN = (
    "**params", "**params['rnn']", "**{{**params, **found}}", "**dict(params)", "**{kwargs}", "**found.options()", "*args",
    "**json.load(open('c.json'))", "**vars(found)", "**{{k: v for k, v in params.items()}}", "**(params or {{}})",
)  # fmt: skip
#: Those of which it is known that they change nothing.
CLOSED = ("", ", **{{}}", ", **dict()", ", *()", ", *[]", ", name='one'", ", **{{'name': 'one'}}")


def codes(body: str, more: str, kwargs: str = "options") -> list[str]:
    text = KERAS.format(kwargs=kwargs, body=body.format(more=more.format(kwargs=kwargs)))
    return [finding.code for finding in findings(text) if finding.code.startswith(("DLT", "DLL"))]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("more", OPEN)
@pytest.mark.parametrize("kwargs", ["options", "kw"])
def test_nothing_follows_from_a_default_that_may_be_replaced(body: str, more: str, kwargs: str) -> None:
    assert codes(body, f", {more}", kwargs) == []


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("more", CLOSED)
def test_defaults_count_where_nothing_can_replace_them(body: str, more: str) -> None:
    assert codes(body, more) != []


@pytest.mark.parametrize("more", OPEN)
def test_what_is_given_beside_counts(more: str) -> None:
    body = "x = Dense(8{more})(x)\n    return x @ Input((10, 3))"
    assert codes(body, f", {more}") == codes(body, "") != []


TORCH = """
import torch
import torch.nn.functional as F
from torch import nn

class Block(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3{more})
        self.fc = nn.Linear(8 * 6 * 6, 4)

    def forward(self, images):
        images = images.view(-1, 3, 8, 8)
        return self.fc(self.conv(images).flatten(1)[:, 1:])
{caller}
"""


@pytest.mark.parametrize("more", ["*args", "**kwargs", "**config", "**config.options"])
@pytest.mark.parametrize("caller", ["", "def make(config, **more):\n    return Block(config, 1, pad=2, **more)"])
def test_a_constructor_leaves_open_what_it_hands_on(more: str, caller: str) -> None:
    text = TORCH.format(parameters="config, *args, **kwargs", more=f", {more}", caller=caller)
    assert [f.code for f in findings(text) if f.code.startswith("DLT")] == []


def test_calls_that_pass_nothing_more_close_it() -> None:
    caller = "block = Block(2)\nout = block(torch.randn(2, 3, 8, 8))"
    for parameters, more in (("config, **kwargs", ", **kwargs"), ("config, *args", ", *args"), ("config", "")):
        text = TORCH.format(parameters=parameters, more=more, caller=caller)
        assert [f.code for f in findings(text) if f.code.startswith("DLT")] == ["DLT101"], text


MAYBE = """
import sys
from keras import Input
from keras.layers import LSTM, GRU

def build(a, b, c):
    options = {{{start}}}
{writes}
    x = LSTM(8, **options)(Input((10, 3)))
    return GRU(4)(x)

build(len(sys.argv) > 1, sys.platform == "linux", len(sys.path) > 9)
"""
WRITES = {
    "one path": "    if a:\n        options['{key}'] = {value}",
    "nested": "    if a:\n        if b:\n            options['{key}'] = {value}",
    "several": "    if a:\n        if b:\n            options['{key}'] = {value}\n"
    "        else:\n            options['name'] = 'x'\n    elif c:\n        options['use_bias'] = False",
    "in a loop": "    for name in ('x', 'y'):\n        if a:\n            options['{key}'] = {value}\n"
    "        elif b:\n            options['name'] = name",
    "updated": "    if a:\n        options.update({key}={value})",
    "another": "    if a:\n        options = {{'{key}': {value}}}",
}


@pytest.mark.parametrize("writes", WRITES)
@pytest.mark.parametrize("start", ["", "'dropout': 0.1"])
def test_what_one_path_gives_is_not_taken_as_given_nor_as_left_out(writes: str, start: str) -> None:
    def told(key: str, value: str) -> list[str]:
        text = MAYBE.format(start=start, writes=WRITES[writes].format(key=key, value=value))
        return [finding.code for finding in findings(text) if finding.code.startswith("DLT")]

    assert told("return_sequences", "True") == []
    simple = writes in ("one path", "updated", "another")
    assert told("recurrent_dropout", "0.5") == (["DLT113"] if simple else [])  # else any option may have been given
