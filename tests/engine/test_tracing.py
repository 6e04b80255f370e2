"""Traced programs are kept until something they depend on changes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.config.options import Settings
from dllint.engine.tracing import Tracer
from dllint.ir.printer import Printer
from dllint.source.document import Document

LAYERS = """\
import torch

WIDTH = 4


def other():
    return 1


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(WIDTH, 2)

    def forward(self, x):
        return self.fc(x)
"""
MODEL = "import torch\nfrom layers import Head\n\ny = Head()(torch.zeros(3, 4))\n"


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "layers.py").write_text(LAYERS)
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


@pytest.fixture
def tracer(project) -> Tracer:
    return Tracer(Settings(root=project))


def shapes(tracer: Tracer, document: Document) -> list[object]:
    return [op.output.shape for program in tracer.trace(document).programs for op in program.ops if op.kind == "linear"]


def faults(tracer: Tracer, document: Document) -> int:
    return sum(len(op.faults) for program in tracer.trace(document).programs for op in program.ops)


def test_the_same_text_is_traced_once(tracer, project):
    document = Document.open(project / "model.py")
    first = tracer.trace(document)
    assert shapes(tracer, document) == [(3, 2)]
    assert tracer.trace(Document.open(project / "model.py")) is first


def test_an_edit_invalidates_the_document(tracer, project):
    document = Document.open(project / "model.py")
    tracer.trace(document)
    assert shapes(tracer, document.edit(MODEL.replace("3, 4", "5, 4"))) == [(5, 2)]


@pytest.mark.parametrize(
    ("old", "new", "fresh"),
    [
        ("return 1", "return 2", True),
        ("WIDTH = 4", "WIDTH = 5", False),
        ("WIDTH, 2", "WIDTH, 7", False),
        ("return 1", "return (\n        1)", False),  # what follows moves, and findings point there
    ],
)
def test_an_edit_of_an_imported_file_counts_where_it_is_used(tracer, project, old, new, fresh):
    document = Document.open(project / "model.py")
    tracer.trace(document)
    layers = tracer.workspace.document(project / "layers.py")
    tracer.update(layers.edit(LAYERS.replace(old, new)))
    assert tracer.is_fresh(document.path) is fresh
    assert faults(tracer, document) == (1 if "5" in new else 0)


def test_a_file_that_appears_is_noticed(tracer, project):
    (project / "layers.py").rename(project / "elsewhere.py")
    document = Document.open(project / "model.py")
    assert shapes(tracer, document) == []
    (project / "elsewhere.py").rename(project / "layers.py")
    tracer.refresh(project / "layers.py")
    assert shapes(tracer, document) == [(3, 2)]


def test_forgotten_programs_are_traced_again(tracer, project):
    document = Document.open(project / "model.py")
    first = tracer.trace(document)
    tracer.forget(document.path)
    assert not tracer.is_fresh(document.path)
    assert tracer.trace(document) is not first


def test_what_another_document_loaded_first_is_a_dependency_too(tracer, project):
    first = Document.open(project / "model.py")
    second = Document.from_text(project / "second.py", MODEL + "\nz = Head()(torch.zeros(9, 4))\n")
    for document in (first, second):
        tracer.trace(document)
    layers = tracer.workspace.document(project / "layers.py")
    tracer.update(layers.edit(LAYERS.replace("WIDTH = 4", "WIDTH = 5")))
    assert [tracer.is_fresh(document.path) for document in (first, second)] == [False, False]
    assert (faults(tracer, first), faults(tracer, second)) == (1, 2)


CHANGES = (
    ("layers.py", "WIDTH = 4", "WIDTH = 5"),
    ("layers.py", "WIDTH, 2", "WIDTH, 3"),
    ("layers.py", "return 1", "return 2"),
    ("layers.py", "import torch\n", "# a comment\n\nimport torch\n"),
    ("layers.py", "return self.fc(x)", "return self.fc(x).relu()"),
    ("model.py", "zeros(3, 4)", "zeros(6, 4)"),
    ("model.py", "y = Head", "\n\ny = Head"),
    ("model.py", "from layers import Head", "from layers import WIDTH, Head"),
    ("model.py", "4))\n", "4))\nz = Head()(y\n"),  # does not parse
)


def printed(tracer: Tracer, document: Document) -> str:
    return "\n".join(Printer().program(program) for program in tracer.trace(document).programs)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_answer_is_that_of_a_fresh_start(tracer, project, seed):
    random = Random(seed)
    documents = {name: Document.open(project / name) for name in ("layers.py", "model.py")}
    for _ in range(25):
        name, old, new = random.choice(CHANGES)
        text = documents[name].text
        changed = text.replace(new, old) if new in text else text.replace(old, new)
        documents[name] = documents[name].edit(changed)
        (project / name).write_text(changed)
        tracer.update(documents[name])
        if all(document.problem is None for document in documents.values()):
            fresh = Tracer(Settings(root=project))
            for changed_name, document in documents.items():
                assert printed(tracer, document) == printed(fresh, Document.open(project / changed_name))
