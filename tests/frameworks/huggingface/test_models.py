"""A ``PreTrainedModel`` is a module: its forward is run, its configuration kept."""

from pathlib import Path

import pytest

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


OUTPUTS = """
import torch
from dataclasses import dataclass
from torch import nn
from transformers.activations import ACT2FN
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, PreTrainedModel
from transformers.utils import ModelOutput, auto_docstring
from transformers.utils.deprecation import deprecate_kwarg
from transformers.utils.generic import can_return_tuple
from transformers.utils.output_capturing import capture_outputs

def eager(module, q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), -1) @ v, None

@dataclass
class Output(ModelOutput):
    loss: torch.Tensor | None = None
    logits: torch.Tensor | None = None
    hidden: torch.Tensor | None = None

class Model(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.act = ACT2FN["{act}"]
        self.fc = nn.Linear(8, 3)

    {decorator}
    def forward(self, x):
        attend = ALL_ATTENTION_FUNCTIONS.get_interface(self.config, eager)
        x = self.act(attend(self, x, x, x)[0])
        return Output(logits=self.fc(x), hidden=x)

out = Model("sdpa")(torch.zeros(2, 5, 8))
logits, first, second, by_name = out.logits, out[0], out[1], out["logits"]
"""


@pytest.mark.parametrize("act", ["gelu", "gelu_new", "relu", "silu", "tanh"])
@pytest.mark.parametrize(
    "decorator",
    ["@auto_docstring", "@auto_docstring(custom_args='')", "@can_return_tuple", "@capture_outputs",
     "@capture_outputs(tie=False)", '@deprecate_kwarg("y", "5.0", new_name="x")', ""],
)  # fmt: skip
def test_outputs_are_known_by_name_and_by_number(decorator, act):
    text = OUTPUTS.replace("{act}", act).replace("{decorator}", decorator)
    lowered = lower_document(Document.from_text(Path("m.py"), text))
    assert lowered.failures == []
    shapes = {name: unwrap(lowered.module.attrs[name]).shape for name in ("logits", "first", "second", "by_name")}
    assert shapes == {"logits": (2, 5, 3), "first": (2, 5, 3), "second": (2, 5, 8), "by_name": (2, 5, 3)}
