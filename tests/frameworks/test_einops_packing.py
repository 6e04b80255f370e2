"""``einops.pack`` and ``unpack`` against einops itself, in programs that write them in several ways."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

SHAPES = (
    ("b * d", ((2, 3, 8), (2, 5, 8))),
    ("b * d", ((2, 8), (2, 5, 8))),
    ("b * d", ((2, 3, 4, 8), (2, 5, 8), (2, 1, 8))),
    ("* d", ((3, 8),)),
    ("b *", ((2,), (2, 5), (2, 3, 4))),
    ("b c *", ((2, 3, 4, 5),)),
    ("* h w", ((7, 4, 4), (4, 4), (2, 7, 4, 4))),
)
#: How a program imports and calls them.
SPELLINGS = (
    ("from einops import pack, unpack", "pack", "unpack"),
    ("import einops", "einops.pack", "einops.unpack"),
    ("import einops as e", "e.pack", "e.unpack"),
)
#: How the parts of the packed tensor are named: of what is given back, the last one is compared.
WAYS = (
    "packed, sizes = {pack}([{tensors}], '{pattern}')\nlast = {unpack}(packed, sizes, '{pattern}')[-1]",
    "packed, sizes = {pack}(tensors=({tensors},), pattern='{pattern}')\n"
    "*_, last = {unpack}(packed * 2, packed_shapes=sizes, pattern='{pattern}')",
    "both = {pack}([{tensors}], '{pattern}')\npacked = both[0]\n"
    "last = {unpack}(packed, both[1], '{pattern}')[len(both[1]) - 1]",
)


def shapes_of(source: str) -> list[object]:
    """What the last two operations of a program give: ``packed + 0`` and ``last + 0``."""
    (program, *_) = lower(source).programs
    assert not [op.faults for op in program.ops if op.faults]
    return [op.output.shape for op in program.ops[-2:]]


@pytest.mark.oracle
@pytest.mark.parametrize(("example", "spelling", "way"), list(itertools.product(SHAPES, SPELLINGS, WAYS)))
def test_the_shapes_are_those_of_einops(example: tuple, spelling: tuple[str, str, str], way: str) -> None:
    pattern, shapes = example
    head, pack, unpack = spelling
    tensors = ", ".join(f"torch.zeros{shape}" if len(shape) > 1 else f"torch.zeros({shape[0]})" for shape in shapes)
    body = way.format(pack=pack, unpack=unpack, tensors=tensors, pattern=pattern)
    source = f"import torch\n{head}\n{body}\nq, r = packed + 0, last + 0\n"
    names: dict = {}
    exec(source, names)
    assert shapes_of(source) == [tuple(names["q"].shape), tuple(names["r"].shape)]


@pytest.mark.oracle
@pytest.mark.parametrize("sizes", ["[[3], [5]]", "[(3,), [-1]]", "[(-1,), (5,)]", "[[], [7]]", "[[2, 2], [4]]"])
def test_sizes_may_be_written_by_hand(sizes: str) -> None:
    source = (
        f"import torch\nfrom einops import unpack\na, b = unpack(torch.zeros(2, 8, 4), {sizes}, 'b * d')\nq, r = a + 0, b + 0\n"
    )
    names: dict = {}
    exec(source, names)
    assert shapes_of(source) == [tuple(names["q"].shape), tuple(names["r"].shape)]


@pytest.mark.parametrize("call", [
    "unpack(x, sizes, 'b * d')", "unpack(x, [[3], [-1, -1]], 'b * d')", "unpack(x, [[3], [5]], p)", "pack([x, y], p)[0]",
    "pack([x, y], 'b d')[0]", "pack(y, 'b * d')[0]",
])  # fmt: skip
def test_what_is_not_known_is_no_fault(call: str) -> None:
    source = f"import torch\nfrom einops import pack, unpack\n\ndef f(x, y, sizes, p):\n    return {call}\n"
    assert not [op.faults for program in lower(source).programs for op in program.ops if op.faults]
