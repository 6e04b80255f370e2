"""What a step of an edited document leaves on tensors of earlier steps is undone with it, and left again where it is kept."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from dllint.ir.printer import Printer
from dllint.ir.program import Op, Program
from dllint.lower.document import lower_document
from dllint.lower.incremental import IncrementalLowering
from dllint.lower.options import Options
from dllint.source.document import Document

HEAD = "import torch\nimport numpy as np\nx = torch.zeros(4)\ny = x[1:]\nn = np.zeros(3)\nts = [torch.ones(4), torch.ones(4)]\n"
TAIL = """\
a = 1 / x
b = torch.log(y)
c = n + 1
d = ts[0] / x


def used(z):
    return torch.log(x) + y[0] + ts[1]
"""
#: Statements that change what is known of the tensors above for good.
CHANGES = {
    "an element is assigned": "x[0] = 3\n",
    "an element of a view is assigned": "y[0] = 5\n",
    "an operation in place": "x.add_(2)\n",
    "another view": "v = x[2:]\n",
    "a view is made and written to": "w = x.view(2, 2)\nw[0] = 1\n",
    "a result is written": "torch.exp(ts[0], out=x)\n",
    "code that is not followed fills an array": "import other\nother.fill(n)\n",
    "the tensor becomes another one": "x.resize_(8)\n",
    "a loop carries it": "for _ in range(int(input())):\n    x = x + 1\n",
    "a loop replaces what was computed with": "p = 1 - n\nfor _ in range(int(input())):\n    n = (n + p) / 2\n",
    "a loop replaces what has another name": "p = n\nfor _ in range(int(input())):\n    n = n - p\n",
    "an element of unknown place gets a name": "t = ts[int(input())]\n",
    "a function writes": "def fill(t):\n    t.fill_(7)\n\n\nfill(x)\n",
    "a branch writes": "if input():\n    x.mul_(3)\n",
}


def facts(program: Program) -> list[object]:
    """All that is known of the tensors that the operations of a program take."""
    out: list[object] = []
    for op in program.trace:
        if isinstance(op, Op):
            known = [(t.low, t.high, t.data, t.modified, t.stale, t.foreign, t.varies, t.several, t.name) for t in op.inputs]
            out.append((op.kind, known, [len(t.memory or ()) for t in op.inputs]))
    return out


def shown(programs: list[Program]) -> list[object]:
    return [(Printer(with_events=True).program(program), facts(program)) for program in programs]


def check(texts: list[str]) -> None:
    document = Document.from_text(Path("m.py"), texts[0])
    lowering = IncrementalLowering(document, None, Options())
    lowering.lower(document)
    for text in texts[1:]:
        document = document.edit(text)
        lowered = lowering.lower(document)
        assert lowered is not None
        assert shown(lowered.programs) == shown(lower_document(Document.from_text(Path("m.py"), text)).programs)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_undone_with_its_statement(change):
    with_it, without = HEAD + CHANGES[change] + TAIL, HEAD + TAIL
    check([with_it, without, with_it, with_it.replace("1 / x", "2 / x"), without])


KEPT = """\
import torch


class Holder:
    size = 3


held = []
holders = {}
"""
USED = """\
y = torch.zeros(held[0].size, holders['a'].size)


def used():
    return torch.ones(held[0].size)
"""
#: Statements that put an object into one of an earlier statement, and some that change it there.
PUTS = "held.append(Holder())\nholders['a'] = held[0]\n"
SETS = ("held[0].size = 5\n", "holders['a'].size += 2\n", "setattr(held[0], 'size', 7)\n", "Holder.size = 9\n")


@pytest.mark.parametrize("change", SETS)
def test_an_object_that_was_put_into_an_earlier_one_is_changed_and_set_back(change):
    with_it, without = KEPT + PUTS + change + USED, KEPT + PUTS + USED
    check([with_it, without, with_it.replace("zeros", "ones"), without, with_it])


@pytest.mark.parametrize("pair", list(permutations(list(CHANGES)[:6], 2)), ids=" then ".join)
def test_changes_come_and_go_in_any_order(pair):
    first, second = (CHANGES[change] for change in pair)
    check([HEAD + one + TAIL for one in (first + second, second, first, second + first, "", first)])
