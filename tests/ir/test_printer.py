"""The text form of programs: stable whatever was analysed before."""

from __future__ import annotations

from pathlib import Path

from dllint.ir.printer import Printer
from dllint.ir.program import Program
from dllint.lower.document import lower_document
from dllint.source.document import Document

TEXT = """import torch
x = torch.zeros(2, 3)
y = torch.cat([x, x[:, 1:]], dim=1)
z = x @ y
"""


def traced() -> Program:
    return lower_document(Document.from_text(Path("net.py"), TEXT)).programs[0]


def test_operations_are_printed_with_types_arguments_faults_and_places():
    assert Printer().program(traced()).splitlines() == [
        "program <module>()",
        "  %1: f32[2, 3] = zeros(shape=(2, 3))  # net.py:2:5",
        "  %2: f32[2, 2] = getitem(%1, index=(:, 1:))  # net.py:3:19",
        "  %3: f32[2, 5] = cat(tensors=(%1, %2), dim=1)  # net.py:3:5",
        "  %4: ?[...] = matmul(%1, y=%3) !matmul  # net.py:4:5",
    ]


def test_the_text_does_not_depend_on_what_was_traced_before():
    assert Printer().program(traced()) == Printer().program(traced())


def test_places_are_left_out_or_written_otherwise():
    assert "#" not in Printer(places=False).program(traced())
    assert "  # here\n" in Printer(place=lambda site: "here").program(traced())


def test_events_are_printed_on_request():
    program = traced()
    events = [line for line in Printer(with_events=True).program(program).splitlines() if line.startswith("  ; ")]
    assert events
    assert not [line for line in Printer().program(program).splitlines() if line.startswith("  ; ")]
