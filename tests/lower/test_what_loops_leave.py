"""What paths and passes of loops have joined: writes through one of its names, and what a loop that may not run has left."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import refuted

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

#: A loop or branch that runs, and the same that does not.
_BLOCKS = [
    form.format(limit)
    for form in ("while (a > {}).any() and n < 3:", "if (a > {}).any():", "for i in range(int((a > {}).sum())):")
    for limit in ("5", "0.5")
]
_REPLACED = ("x = x + 10", "x = (x + 10)[:2]", "x = x * 2 + 1\n    other = x")
_VIEWS = ("y = x[0]", "y = x.t()[1]", "y = x", "y = x.view(-1)[:3]")
_WRITES = ("{0}[0] = -0.5", "{0}.fill_(-2)", "{0} -= 7", "{0}.neg_()", "{0}[{0} > 0.5] = -9", "k = {0}.view(-1)\nk[0] = -8")
_READ = ("z = {0} * 2", "z = {0}.sum()", "z = torch.cat([{0}, {0}])", "z = {0}[0]\nv = z + 1",
         "{0} += 1\nz = {0} - {0}.max()\nv = {1} + 0")  # fmt: skip


def _program(*lines: str) -> str:
    return "\n".join(("import torch", "a = torch.ones(2)", "n = 0", *lines, ""))


@pytest.mark.sampled(every=40)
@pytest.mark.parametrize(
    ("block", "replaced", "view", "write", "read", "names"),
    list(product(_BLOCKS, _REPLACED, _VIEWS, _WRITES, _READ, (("x", "y"), ("y", "x")))),
)
def test_writes_are_seen_through_what_may_be_the_tensor(
    block: str, replaced: str, view: str, write: str, read: str, names: tuple[str, str]
) -> None:
    written, read_name = names
    for made in ("torch.eye(4)", "torch.arange(6).view(2, 3)"):
        if "0.5" in write and "arange" in made:
            continue
        body = f"    {replaced}\n    n += 1\n    a = a / 4"
        text = _program(f"x = {made}", view, block, body, write.format(written), read.format(read_name, written))
        assert not refuted(text)


_LEFT = ("e = e * 0.5", "e = e.abs().sqrt()", "e = e.sigmoid()", "e *= 0.25\n    e = e.tanh()", "e = torch.zeros(3)",
         "k = e[0]\n    e = torch.arange(4, 7)", "k = e\n    e = torch.randint(0, 5, (3,))")  # fmt: skip
_TAKEN = ("g = g * 0.5 + e", "g = torch.maximum(g, e)", "g = e", "g = g.sigmoid()\n    g = g - e", "g *= 0.5\n    g += e")


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize(
    ("first", "second", "left", "taken"),
    list(product([block for block in _BLOCKS if block[:2] != "if"], [_BLOCKS[1], _BLOCKS[4]], _LEFT, _TAKEN)),
)
def test_a_loop_takes_what_another_may_have_left(first: str, second: str, left: str, taken: str) -> None:
    for made in ("torch.ones(3) * 4", "torch.rand(3) - 8"):
        counted = "n += 1\n    a = a / 4"
        text = _program(f"e = {made}", "g = torch.rand(3)", first, f"    {left}\n    {counted}", "a = torch.ones(2)", "n = 0",
                        second, f"    {taken}\n    {counted}", "z = g * 2", "w = e + 0")  # fmt: skip
        assert not refuted(text)


@pytest.mark.parametrize(
    ("found", "replaced", "left"),
    [("torch.ones(3)", "torch.arange(3)", "k = e"), ("0", "'text'", "k = e"), ("1.5", "[1, 2]", "k = [e]"),
     ("torch.ones(2, 3)", "torch.ones(4)", "k = e.view(-1)"), ("1", "e + 1", "k = e * 2")],
)  # fmt: skip
def test_what_only_a_loop_names_is_that_of_any_pass(found: str, replaced: str, left: str) -> None:
    text = _program(f"e = {found}", "for i in range(int(a.sum())):", f"    {left}\n    e = {replaced}", "z = a + 1")
    assert not refuted(text)
