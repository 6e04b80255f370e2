"""Text models of transformers by the names of their checkpoints: what heads get from them.

Which kinds of models have a ``pooler_output``, and the shapes of what models with heads give, was read off small models of each
class of transformers 5.24 with random weights.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.frameworks.huggingface.checkpoints import CHECKPOINTS, POOLED

MODEL = """import torch
import transformers
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.encoder = transformers.{cls}.from_pretrained({name!r})
        self.head = nn.Linear({width}, classes)

    def forward(self, ids, mask):
        states = self.encoder(ids, attention_mask=mask)
        return self.head({states})


print(Classifier()(torch.randint(0, 100, (4, 12)), torch.ones(4, 12)).shape)
"""
STATES = ("states.last_hidden_state[:, 0]", "states[0].mean(dim=1)", "states['last_hidden_state'].max(1).values")
POOLER = ("states.pooler_output", "states[1]")
#: One checkpoint of each kind and width.
SAMPLES = {(kind, width): name for name, (kind, width) in sorted(CHECKPOINTS.items())}


def errors(text: str, folder: Path) -> list[str]:
    compile(text, "main.py", "exec")
    (folder / "main.py").write_text(text, encoding="utf-8")
    result = Session(Configuration(isolated=True, overrides={"select": ("ALL",)})).check_file(folder / "main.py")
    assert not result.notices
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("states", [*STATES, *POOLER])
@pytest.mark.parametrize(("kind", "width"), SAMPLES)
def test_a_head_is_as_wide_as_the_hidden_states(kind: str, width: int, states: str, tmp_path: Path) -> None:
    name, cls = SAMPLES[kind, width], ("AutoModel" if len(states) % 2 else f"{kind}Model")
    sound = MODEL.format(cls=cls, name=name, width=width, states=states)
    wrong = MODEL.format(cls=cls, name=name, width=width + 64, states=states)
    known = states in STATES or POOLED[kind]
    assert errors(sound, tmp_path) == []
    assert errors(wrong, tmp_path) == (["DLT101"] if known else [])


HEADS = {
    "ForSequenceClassification": ("(4, 7)", "(4,)"),
    "ForTokenClassification": ("(4, 12, 7)", "(4, 12)"),
}
HEAD = """import torch
import transformers
from torch import nn

model = transformers.{kind}{head}.from_pretrained({name!r}, num_labels=7)
{change}
output = model(torch.randint(0, 100, (4, 12)), attention_mask=torch.ones(4, 12))
print(output.logits.flatten(0, -2) @ torch.zeros({classes}, 2))
"""


@pytest.mark.parametrize("kind", POOLED)
@pytest.mark.parametrize("head", HEADS)
def test_the_scores_have_a_number_for_each_label(kind: str, head: str, tmp_path: Path) -> None:
    name = next(name for name, found in CHECKPOINTS.items() if found[0] == kind) if kind != "Ernie" else "bert-base-cased"
    given = {"kind": kind, "head": head, "name": name}
    assert errors(HEAD.format(**given, change="", classes=7), tmp_path) == []
    assert errors(HEAD.format(**given, change="", classes=2), tmp_path) == ["DLT109"]
    for change in ("model.classifier = nn.Linear(768, 2)", "model.score = nn.Linear(768, 2)"):
        assert errors(HEAD.format(**given, change=change, classes=2), tmp_path) == []


SILENT = {
    "its own configuration": 'transformers.BertModel.from_pretrained("bert-base-uncased", config=given)',
    "more options": 'transformers.BertModel.from_pretrained("bert-base-uncased", **given)',
    "another checkpoint": 'transformers.AutoModel.from_pretrained("somebody/her-own-model")',
    "a name that is not known": "transformers.AutoModel.from_pretrained(given)",
}


@pytest.mark.parametrize("name", SILENT)
def test_the_width_is_open(name: str, tmp_path: Path) -> None:
    text = f"from options import given\n{MODEL.format(cls='BertModel', name='', width=1, states=STATES[0])}"
    text = text.replace("transformers.BertModel.from_pretrained('')", SILENT[name]).replace("nn.Linear(1,", "nn.Linear(300,")
    assert errors(text, tmp_path) == []


@pytest.mark.parametrize("option", ["add_pooling_layer=False", "add_pooling_layer=given"])
@pytest.mark.parametrize("states", POOLER)
def test_a_model_without_its_pooler_gives_other_states_there(states: str, option: str, tmp_path: Path) -> None:
    text = MODEL.format(cls="BertModel", name="bert-base-uncased", width=300, states=states)
    text = text.replace("'bert-base-uncased'", f"'bert-base-uncased', {option}")
    assert errors(f"from options import given\n{text}", tmp_path) == []


def test_a_head_reads_the_width_of_the_configuration(tmp_path: Path) -> None:
    text = MODEL.format(cls="AutoModel", name="roberta-large", width="self.encoder.config.hidden_size", states=STATES[0])
    assert errors(text, tmp_path) == []
    assert errors(text.replace("config.hidden_size", "config.hidden_size + 64"), tmp_path) == ["DLT101"]
