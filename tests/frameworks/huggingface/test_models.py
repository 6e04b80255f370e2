"""A ``PreTrainedModel`` is a module: its forward is run, its configuration kept."""

from pathlib import Path

from dllint.ir.values import unwrap
from dllint.lower.document import lower_document
from dllint.source.document import Document

MODEL = """
import torch
from torch import nn
from transformers.modeling_utils import PreTrainedModel

class Config:
    def __init__(self, width=8):
        self.width = width

class Encoder(PreTrainedModel):
    def __init__(self, config: Config):
        super().__init__(config)
        self.first = nn.Linear(4, config.width)
        self.second = nn.Linear({width}, 2)
        self.post_init()

    def forward(self, x):
        return self.second(self.first(x).relu()), self.config.width
"""


def faults(width):
    lowered = lower_document(Document.from_text(Path("m.py"), MODEL.replace("{width}", width)))
    assert lowered.failures == []
    program = next(p for p in lowered.programs if p.entry == "Encoder.forward")
    assert [op.kind for op in program.ops] == ["linear", "relu", "linear"]
    assert unwrap(program.results[1]) == 8
    return [(f.kind, f.expected, f.actual) for op in program.ops for f in op.faults]


def test_widths_that_fit_and_that_do_not():
    """The input's rank is open; the last size of the first layer's result is known all the same."""
    assert faults("config.width") == []
    assert faults("2 * config.width") == [("feature-size", 16, 8)]
