"""Where the lines of cells stand in the file of a notebook."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dllint.source.notebook_lines import lines_in_file

TEXT = st.text(st.sampled_from('ab"\\{}[]:,\n #é\t'), max_size=30)


@st.composite
def cells(draw):
    """A cell with its text, stored as one string or as a list of lines, among other things that look alike."""
    text = draw(TEXT)
    parts = text.splitlines(keepends=True) if draw(st.booleans()) else text
    others = {"cell_type": "code", "metadata": {"source": "x", "cells": [{"source": ["y\n"]}][: draw(st.integers(0, 0))]}}
    outputs = {"outputs": [{"data": {"text/plain": ["source", draw(TEXT)]}}]}
    first = {**others, "source": parts, **outputs} if draw(st.booleans()) else {"source": parts, **outputs, **others}
    return text, first


@given(st.lists(cells(), max_size=4), st.sampled_from([None, 0, 1, "\t"]), st.booleans())
@settings(deadline=None)
def test_every_line_of_a_cell_is_on_its_line_of_the_file(pairs, indent, escaped):
    data = {"metadata": {"name": "cells"}, "cells": [cell for _, cell in pairs], "nbformat": 4}
    text = json.dumps(data, indent=indent, ensure_ascii=escaped)
    found, lines = lines_in_file(text), text.split("\n")
    assert len(found) == len(pairs)
    for (source, _), numbers in zip(pairs, found, strict=True):
        own = source.split("\n")
        own = own[:-1] if not own[-1] else own
        assert len(numbers) == len(own)
        for part, number in zip(own, numbers, strict=True):
            assert json.dumps(part, ensure_ascii=escaped)[1:-1] in lines[number - 1]


@given(st.text(st.sampled_from('"\\{}[]:,a\n'), max_size=40))
@settings(deadline=None)
def test_what_is_no_notebook_is_read_without_fail(text):
    lines_in_file(text)
