"""Texts as the editor counts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from dllint.server.text import Text, same_place

ENCODINGS = list(lsp.PositionEncodingKind)
TEXTS = st.text(st.sampled_from("ab é漢😀\n\r\f\u2028\t"), max_size=30)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_positions_lead_back_to_their_offsets(content, encoding):
    text = Text(content, encoding)
    for offset in range(len(content) + 1):
        inside_break = content[offset - 1 : offset + 1] == "\r\n"
        assert inside_break or text.offset(text.position(offset)) == offset


@given(TEXTS, st.integers(0, 30), st.integers(0, 30), TEXTS, st.sampled_from(ENCODINGS))
def test_an_edit_replaces_what_its_range_says(content, start, end, new, encoding):
    start, end = sorted((min(start, len(content)), min(end, len(content))))
    if "\r\n" in (content[start - 1 : start + 1], content[end - 1 : end + 1]):
        return
    text = Text(content, encoding)
    change = lsp.TextDocumentContentChangePartial(text.range(start, end), new)
    assert text.edited([change]).content == content[:start] + new + content[end:]


@pytest.mark.parametrize(("line", "character", "offset"), [(0, 99, 2), (1, 0, 4), (9, 0, 6), (1, 99, 6)])
def test_what_lies_outside_is_moved_to_the_end(line, character, offset):
    assert Text("ab\r\ncd").offset(lsp.Position(line, character)) == offset


@given(TEXTS, st.integers(0, 30), st.integers(0, 30), TEXTS)
def test_places_outside_an_edit_are_found_again(content, start, end, new):
    start, end = sorted((min(start, len(content)), min(end, len(content))))
    edited = content[:start] + new + content[end:]
    for offset in range(len(edited)):
        old = same_place(content, edited, offset)
        assert old is None or content[old] == edited[offset]
        if offset < start:
            assert old is not None
        if offset >= start + len(new):
            assert old is not None
