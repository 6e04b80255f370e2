"""Training code in the trace: ordered events, whatever class the objects are of, across helper functions and files."""

from __future__ import annotations

from pathlib import Path

from dllint.ir.events import TRAINING, Backward, ContextEdge, LoopEdge, Step, ZeroGrad
from dllint.ir.printer import Printer
from dllint.ir.program import Program
from dllint.lower.document import lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

LOOP_OF_UNKNOWNS = """
import torch

def epoch(model, loader, optimizer, criterion, scaler, scheduler):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()

@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    for x, y in loader:
        print(model(x))
"""


def programs(text: str, path: Path = Path("train.py"), workspace: Workspace | None = None) -> dict[str, Program]:
    return {program.entry: program for program in lower_document(Document.from_text(path, text), workspace).programs}


def told(program: Program) -> list[str]:
    """The events of training, in order."""
    return [
        " ".join(filter(None, (item.kind, getattr(item, "phase", ""), getattr(item, "name", ""))))
        for item in program.trace
        if isinstance(item, (*TRAINING, ContextEdge, LoopEdge))
    ]


def test_a_step_on_unknown_objects_is_told_in_order():
    assert told(programs(LOOP_OF_UNKNOWNS)["epoch"]) == [
        "train",
        "loop enter",
        "zero_grad",
        "context enter torch.autocast",
        "context exit torch.autocast",
        "backward",
        "step",
        "step",
        "loop exit",
    ]


def test_a_scaler_steps_the_optimizer_it_is_given():
    program = programs(LOOP_OF_UNKNOWNS)["epoch"]
    by_scaler, by_scheduler = (e for e in program.events if isinstance(e, Step))
    (cleared,) = (e for e in program.events if isinstance(e, ZeroGrad))
    assert by_scaler.target is cleared.target
    assert by_scaler.via is not None
    assert by_scheduler.via is None


def test_decorators_are_contexts():
    assert told(programs(LOOP_OF_UNKNOWNS)["evaluate"]) == [
        "context enter torch.no_grad",
        "eval",
        "loop enter",
        "loop exit",
        "context exit torch.no_grad",
    ]


def test_events_are_printed_with_their_targets():
    text = Printer(places=False).program(programs(LOOP_OF_UNKNOWNS)["epoch"])
    assert "; zero_grad optimizer" in text
    assert "; backward scaler.scale" in text
    assert "loop" not in text


def test_helpers_of_other_files_are_followed(tmp_path):
    (tmp_path / "steps.py").write_text("def step(opt, loss):\n    loss.backward()\n    opt.step()\n")
    head = "import torch\nfrom steps import step\n\n"
    main = head + "def fit(model, opt, data):\n    for x, y in data:\n        step(opt, model(x, y))\n"
    (tmp_path / "main.py").write_text(main)
    found = programs(main, tmp_path / "main.py", Workspace([tmp_path]))["fit"]
    assert told(found) == ["loop enter", "backward", "step", "loop exit"]
    assert [event.site.document.path.name for event in found.events if isinstance(event, Backward)] == ["steps.py"]


def test_methods_of_plain_classes_that_train_are_run():
    text = """
import torch

class Trainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def describe(self):
        return str(self.net)

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            self.net(x).sum().backward()
            self.opt.step()
"""
    found = programs(text)
    assert "Trainer.describe" not in found
    assert told(found["Trainer.fit"]) == ["loop enter", "zero_grad", "backward", "step", "loop exit"]


def test_unrolled_loops_are_loops_and_single_passes_are_not():
    text = """
import torch
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range({passes}):
    net(torch.zeros(4, 2)).sum().backward()
    opt.step()
"""
    assert told(programs(text.format(passes=3))["<module>"])[0] == "loop enter"
    assert told(programs(text.format(passes=1))["<module>"]) == ["backward", "step"]


def test_a_trainer_s_train_method_sets_no_mode():
    found = programs("import torch\ndef run(trainer, data):\n    trainer.train(data, epochs=3)\n    trainer.backward(data)\n")[
        "run"
    ]
    assert told(found) == ["backward"]


def test_early_exits_leave_their_loops():
    text = """
import torch

def find(model, loader, opt):
    while True:
        for x in loader:
            model(x).backward()
            opt.step()
            if x is None:
                return x
"""
    events = told(programs(text)["find"])
    assert events.count("loop enter") == events.count("loop exit") == 2
