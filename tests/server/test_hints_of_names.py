"""A name shows what it holds, however it was given that; where a run has ended early, nothing is shown as all that there is."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.cli.opening import open_analysed
from dllint.server.attempts import Attempts
from dllint.server.messages import Place
from dllint.server.pages import Pages
from dllint.server.places import known_places

HEAD = "import torch\nimport einops\nfrom torch import nn\n\n\n"
#: Statements that give ``{a}`` a tensor of shape (2, 3) and ``{b}`` one of shape (2, 5); ``{p}`` and ``{q}`` are such tensors.
GIVEN = (
    "{a}, {b} = map(lambda t: t.clone(), ({p}, {q}))",
    "{a}, {b} = [t * 2 for t in ({p}, {q})]",
    "{a}, {b} = {{'k': [{p}, {q}]}}['k']",
    "parts = [{p}, {q}]\n{a} = parts[0]\n{b} = parts[-1]",
    "({a}, _), [{b}, *_] = ({p}, 1), [{q}, {p}]",
    "{a} = c = {p} + 0\n{b} = d = {q} + 0",
    "both, sizes = einops.pack([{p}, {q}], 'b *')\n{a}, {b} = einops.unpack(both, sizes, 'b *')",
    "both, sizes = einops.pack([{p}.flatten(), {q}.flatten()], '*')\n{a}, {b} = einops.unpack(both, [(2, 3), (2, 5)], '*')",
    "kept = {{}}\nkept['a'], kept['b'] = {p}, {q}\n{a} = kept['a']\n{b} = kept.get('b')",
)
AROUND = (
    "{p}, {q} = torch.zeros(2, 3), torch.zeros(2, 5)\n{body}\nprint({a}, {b})\n",
    "def f({p}, {q}):\n    {inner}\n    return {a}, {b}\n\n\nf(torch.zeros(2, 3), torch.zeros(2, 5))\n",
    "class Net(nn.Module):\n    def forward(self, {p}, {q}):\n        {deeper}\n        return {a}, {b}\n\n\n"
    "Net()(torch.zeros(2, 3), torch.zeros(2, 5))\n",
)
NAMES = ({"a": "a", "b": "b", "p": "p", "q": "q"}, {"a": "key", "b": "query", "p": "left", "q": "right"})


def places_of(text: str, folder: Path) -> tuple[Place, ...]:
    path = folder / "net.py"
    path.write_text(text, encoding="utf-8")
    return known_places(open_analysed(path, None).analysis, Pages(folder / "pages"), lambda: None, Attempts(pytest.fail))


def hint_at(places: tuple[Place, ...], start: int) -> str:
    return next((place.hint for place in places if place.start == start), "")


@pytest.mark.parametrize(("given", "around", "names"), list(product(GIVEN, AROUND, NAMES)))
def test_a_name_shows_what_it_is_given(given: str, around: str, names: dict[str, str], tmp_path: Path) -> None:
    body = given.format(**names)
    spread = {"body": body, "inner": body.replace("\n", "\n    "), "deeper": body.replace("\n", "\n        ")}
    text = HEAD + around.format(**spread, **names)
    places = places_of(text, tmp_path)
    statements = text.index(body.partition("\n")[0])
    for name, hint in ((names["a"], ": f32[2, 3]"), (names["b"], ": f32[2, 5]")):
        start = next(at for at in range(statements, len(text)) if _is_target(text, at, name))
        assert hint_at(places, start) == hint, text[start : start + 40]


def _is_target(text: str, at: int, name: str) -> bool:
    line = text[: text.find("\n", at) % len(text)].rpartition("\n")[2]
    column = at - text.rfind("\n", 0, at) - 1
    around = text[at - 1], text[at + len(name)]
    return text.startswith(name, at) and not any(c.isalnum() or c in "_'." for c in around) and column < line.index("=")


CUT = """\
class {block}(nn.Module):
    def __init__(self, width, number):
        super().__init__()
        self.number = number
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        {steps}
        return self.fc(x)


class {net}(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.first = {block}(width, 0)
        self.layers = nn.Sequential(*[{block}(width, n) for n in range(depth)])

    def forward(self, x):
        before = self.first(x)
        {middle}
        after = before.relu()
        return after


def small():
    return {net}(8, 1)


def large():
    return {net}(16, {depth})


def test():
    net = large()
    out = net(torch.zeros(1, 16))
    return out
"""
MIDDLE = (
    "before = self.layers(before)", "if True:\n            before = self.layers(before)",
    "for layer in self.layers:\n            before = layer(before)",
)  # fmt: skip
#: So many statements in a block that 60 of them are more than a run has fuel for.
STEPS = "\n        ".join(["x = x + self.number"] * 150)


@pytest.mark.parametrize(("middle", "names"), list(product(MIDDLE, (("Block", "Net"), ("Part", "Whole")))))
def test_where_a_run_ends_early_other_runs_are_not_all(middle: str, names: tuple[str, str], tmp_path: Path) -> None:
    text = HEAD + CUT.format(block=names[0], net=names[1], steps=STEPS, middle=middle, depth=60)
    places = places_of(text, tmp_path)
    assert hint_at(places, text.index("after = ")) == ""
    assert hint_at(places, text.index("out = ")) == ""
    assert hint_at(places, text.index("before = self.first")).startswith(": f32[")


@pytest.mark.parametrize(("middle", "names"), list(product(MIDDLE, (("Block", "Net"), ("Part", "Whole")))))
def test_runs_that_end_show_all(middle: str, names: tuple[str, str], tmp_path: Path) -> None:
    text = HEAD + CUT.format(block=names[0], net=names[1], steps="pass", middle=middle, depth=3)
    places = places_of(text, tmp_path)
    assert hint_at(places, text.index("out = ")) == ": f32[1, 16]"
    assert hint_at(places, text.index("after = ")).startswith(": f32[")


LISTS = """\
class {net}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(4, 3 * width)

    def forward(self, x):
        {before}parts = {parts}
        return sum({read})


first = {net}(2)(torch.zeros(5, 4))
second = {net}(6)(torch.zeros(5, 4))
"""


@pytest.mark.parametrize(("parts", "brackets", "before"), [
    ("self.fc(x).chunk(3, dim=-1)", "()", ""), ("[y, y * 2, y.abs()]", "[]", "y = self.fc(x).chunk(3, dim=-1)[0]\n        "),
    ("tuple(y.unbind(1))", "()", "y = self.fc(x).view(5, 3, -1)\n        "),
])  # fmt: skip
@pytest.mark.parametrize("read", ["parts", "[parts[0], parts[-1]]"])
def test_sequences_of_several_calls_are_joined(parts: str, brackets: str, before: str, read: str, tmp_path: Path) -> None:
    text = HEAD + LISTS.format(net="Net", parts=parts, before=before, read=read)
    places = places_of(text, tmp_path)
    one = "f32[5, n1]"
    assert hint_at(places, text.index("parts = ")) == f": {brackets[0]}{one}, {one}, {one}{brackets[1]}"
    at = text.index("parts", text.index("return"))
    assert any(place.start == at and "f32[5, 2]" in place.text and "f32[5, 6]" in place.text for place in places)


KNOWN_AND_NOT = """\
class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        {body}
        return out


class Agent:
    def __init__(self):
        self.{attribute} = {net}()

    def act(self, {given}):
        return self.{attribute}({call})


{real}
"""
BODIES = ("out = self.fc(x)", "out = x * 2", "y = x.reshape(x.shape[0], -1)\n        out = self.fc(y)")
CALLS = (("seen", "seen"), ("seen", "seen.frames"), ("*all", "all[0]"), ("seen", "torch.as_tensor(seen)"))


@pytest.mark.parametrize(("body", "call"), list(zip(BODIES * 4, CALLS * 3, strict=True)))
def test_a_function_of_which_nothing_is_known_leaves_the_hints_of_real_calls(
    body: str, call: tuple[str, str], tmp_path: Path
) -> None:
    names = {"net": "Net", "attribute": "critic", "given": call[0], "call": call[1]}
    text = HEAD + KNOWN_AND_NOT.format(body=body, real="Net()(torch.zeros(3, 8))\nNet()(torch.zeros(5, 8))", **names)
    width = 8 if "2" in body else 4
    assert hint_at(places_of(text, tmp_path), text.index("out = ")) == f": f32[n0, {width}]"


@pytest.mark.parametrize("body", [BODIES[0], BODIES[2]])
def test_what_a_real_call_leaves_open_is_left_open(body: str, tmp_path: Path) -> None:
    names = {"net": "Net", "attribute": "critic", "given": "seen", "call": "seen"}
    text = HEAD + KNOWN_AND_NOT.format(body=body, real="import other\nNet()(torch.zeros(3, 8))\nNet()(other.frames())", **names)
    assert hint_at(places_of(text, tmp_path), text.index("out = ")) == ""


EITHER = """\
def regularise({x}, flag):
    {name} = {start}
    if {x}.max() > 0:
        {name} {step}
    if flag:
        print(0)
    {given} = {name}
    return {given}


out = regularise(torch.randn(4, 3), True)
"""
STARTS = (
    ("0.0", "+= 0.5 * {x}.mean()", "f32[] | float"), ("0", "= {name} + {x}.sum()", "f32[] | int"),
    ("None", "= {x} > 0", "bool[4, 3] | None"),
)  # fmt: skip


@pytest.mark.parametrize(("start", "step", "hint"), STARTS)
@pytest.mark.parametrize("names", [("x", "loss", "total"), ("inputs", "mask", "kept")])
def test_a_tensor_that_may_be_something_else_is_shown_as_both(
    start: str, step: str, hint: str, names: tuple[str, str, str], tmp_path: Path
) -> None:
    x, name, given = names
    body = {"start": start.format(x=x), "step": step.format(x=x, name=name)}
    text = HEAD + EITHER.format(x=x, name=name, given=given, **body)
    places = places_of(text, tmp_path)
    for place in (f"{given} = ", "out = "):
        assert set(hint_at(places, text.index(place)).removeprefix(": ").split(" | ")) == set(hint.split(" | "))


def test_nothing_is_shown_where_one_of_several_is_unknown(tmp_path: Path) -> None:
    text = HEAD + EITHER.format(x="x", name="loss", given="total", start="other.start()", step="= x.mean()")
    assert hint_at(places_of("import other\n" + text, tmp_path), ("import other\n" + text).index("out = ")) == ""
