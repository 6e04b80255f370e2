"""What a loop does in later passes only is not lost: containers that the first pass leaves as they are may be filled."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

STARTS = {"dict": "{}", "list": "[]", "set": "set()", "text": "''", "number": "0", "nothing": "None", "object": "Holder()"}
WRITES = {
    "dict": ("result[item] = 1", "result['a'] = 1", "result.setdefault(item, 1)", "result.update({item: 1})"),
    "list": ("result.append(1)", "result += [1]", "result.extend([1, 2])", "result.insert(0, 1)"),
    "set": ("result.add(item)", "result.update([item])"),
    "text": ("result += 'a'", "result = 'b'"),
    "number": ("result += 1", "result = 5"),
    "nothing": ("result = 3", "result = [1]"),
    "object": ("result.held = 3", "result.items.append(1)", "result.table[item] = 1"),
}
SKIPS = {
    "continue": "if first:\n            first = False\n            continue\n        {write}",
    "else": "if first:\n            first = False\n        else:\n            {write}",
    "not yet": "if not first:\n            {write}\n        first = False",
    "counted": "count += 1\n        if count > 1:\n            {write}",
    "previous": "if before is not None:\n            {write}\n        before = item",
    "tried": "try:\n            if first:\n                raise ValueError\n            {write}\n"
    "        except ValueError:\n            first = False",
}
LOOPS = {
    "for": "for item in items:",
    "for a listing": "for item in os.listdir(items):",
    "enumerate": "for _, item in enumerate(items):",
}
PROGRAM = """
import os
import torch


class Holder:
    def __init__(self):
        self.held, self.items, self.table = 0, [], {{}}


def fill(items):
    result = {start}
    first, count, before = True, 0, None
    {loop}
        {body}
    return result


def use(items):
    found = fill(items)
    size = {size}
    return torch.zeros(3).view(size, 1)
"""
SIZES = {
    "dict": "len(found)", "list": "len(found)", "set": "len(found)", "text": "len(found)", "number": "found",
    "nothing": "0 if found is None else 1", "object": "found.held + len(found.items) + len(found.table)",
}  # fmt: skip


@pytest.mark.parametrize("kind", STARTS)
@pytest.mark.parametrize("skip", SKIPS)
@pytest.mark.parametrize("loop", LOOPS)
def test_nothing_is_claimed_of_what_later_passes_may_have_filled(kind: str, skip: str, loop: str) -> None:
    for write in WRITES[kind]:
        body = SKIPS[skip].format(write=write)
        text = PROGRAM.format(start=STARTS[kind], loop=LOOPS[loop], body=body, size=SIZES[kind])
        views = [op for one in lower(text).programs for op in one.ops if op.kind == "view"]
        assert not any(op.faults for op in views), text
