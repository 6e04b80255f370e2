"""Callbacks of training libraries, and the notebook extension."""

from __future__ import annotations

import linecache
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

import dllint  # noqa: E402
from dllint.dev.libraries.torchvision_import import import_torchvision  # noqa: E402

LOOP = """
for step in range({steps}):
    optimizer.zero_grad()
    loss = torch.log(model(torch.ones(3, 4)).square().sum() * {scale})
    loss.backward()
    optimizer.step()
"""


class FakeTrainer:
    """Calls a callback as the ``Trainer`` of transformers does, positionally, with everything else by keyword."""

    def __init__(self, model, callback):
        self.model = model
        self.callback = callback
        self.args, self.state = SimpleNamespace(), SimpleNamespace(global_step=0)
        self.control = SimpleNamespace(should_training_stop=False)

    def tell(self, event, **more):
        return getattr(self.callback, event)(self.args, self.state, self.control, model=self.model, **more)

    def train(self, scale):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        for event in ("on_init_end", "on_train_begin", "on_epoch_begin"):
            self.tell(event)
        for _ in range(5):
            self.tell("on_step_begin")
            optimizer.zero_grad()
            loss = torch.log(self.model(torch.ones(3, 4)).square().sum() * scale)
            loss.backward()
            optimizer.step()
            self.state.global_step += 1
            self.tell("on_step_end")
            if self.control.should_training_stop:
                break
        self.tell("on_evaluate", metrics={"eval_loss": 1.0, "eval_runtime": "fast"})
        self.tell("on_train_end")


@pytest.mark.parametrize(("scale", "codes", "steps"), [(0, ["DLX101"], 1), (1, [], 5)])
def test_a_trainer_is_diagnosed_and_ended(capsys, scale, codes, steps):
    from dllint.callbacks import TrainerDiagnosis

    callback = TrainerDiagnosis()
    trainer = FakeTrainer(torch.nn.Linear(4, 2), callback)
    trainer.train(scale)
    assert [finding.code for finding in callback.diagnosis.findings] == codes
    assert trainer.state.global_step == steps
    assert [metric.name for metric in callback.diagnosis.run.metrics] == ["val_loss"]
    assert ("test_faces.py:" in capsys.readouterr().err) == bool(codes)


def test_lightning_is_diagnosed_and_ended(capsys, tmp_path):
    import_torchvision()  # as torchmetrics does, and lightning by it
    import lightning.pytorch as lightning

    from dllint.callbacks import LightningDiagnosis

    callback = LightningDiagnosis()

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 2)

        def training_step(self, batch, index):
            return torch.log(self.layer(batch[0]).square().sum() * 0)

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.01)

    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(32, 4)), batch_size=4)
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
    trainer = lightning.Trainer(max_epochs=3, accelerator="cpu", callbacks=[callback], default_root_dir=tmp_path, **quiet)
    trainer.fit(Module(), loader)
    finding = callback.diagnosis.findings[0]
    assert finding.code == "DLX101"
    line = linecache.getline(str(finding.location.path), finding.location.span.first.line)
    assert line.strip().startswith("return torch.log")
    assert trainer.global_step == 1


KERAS = """
import sys
import numpy as np
import keras
from dllint.callbacks import KerasDiagnosis

callback = KerasDiagnosis()
model = keras.Sequential([
    keras.layers.Dense(4, activation="relu"),
    keras.layers.Dense(1),
])
model.compile("sgd", loss="mse")
x = np.ones((64, 3), "float32")
x[40, 1] = np.nan
history = model.fit(x, np.ones((64, 1)), batch_size=16, epochs=4, verbose=0, shuffle=False, callbacks=[callback])
print(len(history.epoch), [finding.code for finding in callback.diagnosis.findings])
"""


@pytest.mark.oracle
@pytest.mark.parametrize("framework", ["keras-torch"])
def test_keras_is_diagnosed_and_ended(tmp_path, run_in_fork, framework):
    (tmp_path / "train.py").write_text(KERAS)
    status, out, err = run_in_fork(["train.py"], tmp_path, plain=True)
    assert (status, out) == (0, "1 ['DLX101']\n"), err
    assert "train.py:15:11: DLX101 The inputs of step 3 hold NaN" in err


class FakeShell:
    """What the extension uses of ``InteractiveShell``, as IPython documents it."""

    def __init__(self):
        self.user_ns = {}
        self.execution_count = 3
        self.compile = SimpleNamespace(cache=self._cache)
        self.magics = {"line": {}, "cell": {}}
        self.magics_manager = SimpleNamespace(magics=self.magics)

    def register_magic_function(self, function, magic_kind="line", magic_name=None):
        for kind in magic_kind.split("_"):
            self.magics[kind][magic_name or function.__name__] = function

    def transform_cell(self, cell):
        return cell if cell.endswith("\n") else f"{cell}\n"

    def _cache(self, text, number):
        name = f"<ipython-input-{number}-abc>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        return name


def test_a_cell_is_diagnosed(capsys):
    shell = FakeShell()
    dllint.load_ipython_extension(shell)
    shell.user_ns.update(torch=torch, model=torch.nn.Linear(4, 2))
    shell.user_ns["optimizer"] = torch.optim.SGD(shell.user_ns["model"].parameters(), lr=0.1)
    shell.magics["cell"]["diagnose"]("", LOOP.format(steps=5, scale=0))
    out = capsys.readouterr().out
    assert "<ipython-input-3-abc>:4:12: DLX101" in out
    assert shell.user_ns["step"] == 0
    dllint.unload_ipython_extension(shell)
    assert shell.magics == {"line": {}, "cell": {}}


def test_a_line_is_diagnosed(capsys):
    shell = FakeShell()
    dllint.load_ipython_extension(shell)
    shell.magics["line"]["diagnose"]("answer = 6 * 7")
    assert shell.user_ns["answer"] == 42


def test_ipython_itself_takes_the_extension():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.extension_manager.load_extension("dllint")
    assert "diagnose" in shell.magics_manager.magics["cell"]


def test_an_unknown_callback_is_an_attribute_error():
    from dllint import callbacks

    with pytest.raises(AttributeError, match="no attribute 'JaxDiagnosis'"):
        _ = callbacks.JaxDiagnosis
