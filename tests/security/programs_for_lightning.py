"""Programs of an outsider for Lightning, or for a trainer as that of transformers, with a callback that watches."""

from __future__ import annotations

from typing import Final

HEAD: Final = """
import copy, gc, os, pickle, random, sys, warnings, zlib
import numpy as np
import torch
from torch import nn
F = nn.functional
import lightning.pytorch as pl
from lightning.pytorch import callbacks as plc
import logging
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
x = torch.randn(48, 6)
y = (x[:, 0] > 0).long()
def watched():
    if not WATCHED:
        return []
    from dllint.callbacks import LightningDiagnosis
    return [LightningDiagnosis()]
def loader(size=8, **more):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=size, shuffle=True, **more)
def net():
    return nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.2), nn.BatchNorm1d(16), nn.Linear(16, 2))
class Module(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net, self.losses = net(), []
    def forward(self, x):
        return self.net(x)
    def training_step(self, batch, index):
        loss = F.cross_entropy(self(batch[0]), batch[1])
        self.losses.append(loss.item())
        return loss
    def validation_step(self, batch, index):
        self.log("val_loss", F.cross_entropy(self(batch[0]), batch[1]))
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)
def trainer(*callbacks, **more):
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
    return pl.Trainer(
        **{"max_epochs": 2, "accelerator": "cpu", "callbacks": [*callbacks], "default_root_dir": ".", **quiet, **more}
    )
def told(module, losses=None):
    print(*(float(loss).hex() for loss in (module.losses if losses is None else losses)))
    for name, p in nn.Module.state_dict(module).items():
        print(name, zlib.crc32(repr(p.flatten().tolist()).encode()))
    print(torch.rand(1).item(), random.random(), np.random.rand())
"""
#: Each does the same without the callback.
PROGRAMS: Final = {
    "manual": """
class M(Module):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.d = nn.Linear(6, 1)
    def training_step(self, batch, index):
        a, b = self.optimizers()
        loss = F.cross_entropy(self(batch[0]), batch[1])
        a.zero_grad()
        self.manual_backward(loss)
        self.clip_gradients(a, 0.5, "norm")
        a.step()
        self.toggle_optimizer(b)
        other = self.d(batch[0]).square().mean()
        self.manual_backward(other)
        if index % 2:
            b.step()
            b.zero_grad()
        self.untoggle_optimizer(b)
        self.losses += [loss.item(), other.item()]
    def configure_optimizers(self):
        return torch.optim.Adam(self.net.parameters(), lr=0.01), torch.optim.SGD(self.d.parameters(), lr=0.1, momentum=0.9)
m = M()
trainer(*watched()).fit(m, loader())
told(m)
""",
    "accumulation": """
m = Module()
trainer(*watched(), accumulate_grad_batches=4, gradient_clip_val=0.3).fit(m, loader())
told(m)
""",
    "precision": """
m = Module()
trainer(*watched(), precision="bf16-mixed").fit(m, loader())
told(m)
""",
    "early stopping and checkpoints": """
m = Module()
t = trainer(
    plc.EarlyStopping("val_loss", patience=1, mode="max"),
    *watched(),
    plc.ModelCheckpoint("c", save_last=True, monitor="val_loss"),
    plc.StochasticWeightAveraging(0.01),
    enable_checkpointing=True,
    max_epochs=6,
)
t.fit(m, loader(), loader())
told(m)
print(sorted(os.listdir("c")))
state = torch.load("c/last.ckpt", weights_only=False)
print(sorted(k for k in state["callbacks"] if WATCHED or True))
print(sorted(state))
m2 = Module()
t2 = trainer(*watched(), max_epochs=8)
t2.fit(m2, loader(), loader(), ckpt_path="c/last.ckpt")
told(m2)
""",
    "copied callbacks": """
made = watched()
made = [copy.deepcopy(o) for o in made] + [pickle.loads(pickle.dumps(o)) for o in made] + [copy.copy(o) for o in made]
m = Module()
t = trainer(*made)
t.fit(m, loader(), loader())
told(m)
made = [copy.deepcopy(o) for o in made] + [pickle.loads(pickle.dumps(o)) for o in made]
m = Module()
t = trainer(*made)
t.fit(m, loader(), loader())
told(m)
""",
    "copied trainer": """
m = Module()
t = trainer(*watched())
t2 = copy.deepcopy(t)
t.fit(m, loader())
told(m)
m2 = copy.deepcopy(m)
t2.fit(m2, loader())
told(m2)
pickle.dumps(t2.callbacks)
""",
    "exceptions": """
for error in (KeyboardInterrupt(), ValueError("mine"), SystemExit(4)):
    class M(Module):
        def on_train_batch_end(self, *args):
            if len(self.losses) == 3:
                raise error
    m = M()
    own = watched()
    t = trainer(*own)
    try:
        t.fit(m, loader())
    except BaseException as caught:
        print(type(caught).__name__, caught.args, caught.__cause__, caught.__context__)
    print(t.state.status, t.interrupted if hasattr(t, "interrupted") else "")
    told(m)
""",
    "hooks that raise": """
class Bad(plc.Callback):
    def on_fit_end(self, *args):
        raise RuntimeError("end")
    def on_exception(self, trainer, module, error):
        print("told", type(error).__name__)
for order in (0, 1):
    m = Module()
    calls = [Bad(), *watched()]
    try:
        trainer(*(calls if order else calls[::-1])).fit(m, loader())
    except RuntimeError as e:
        print(e, e.__context__)
    told(m)
""",
    "two trainings": """
one, two = watched(), watched()
m = Module()
n = Module()
trainer(*one).fit(m, loader(), loader())
trainer(*two).fit(n, loader())
trainer(*one).fit(m, loader())
told(m)
told(n)
print(
    torch.optim.SGD.step.__code__.co_filename.endswith("patching.py"),
    torch.Tensor.backward.__code__.co_filename.endswith("patching.py"),
    F.cross_entropy.__code__.co_filename.endswith("patching.py"),
    nn.Module.__call__.__code__.co_filename.endswith("patching.py"),
)
""",
    "nested trainings": """
class Outer(Module):
    def on_train_epoch_end(self):
        inner = Module()
        trainer(*watched(), max_epochs=1).fit(inner, loader())
        told(inner)
m = Outer()
trainer(*watched()).fit(m, loader())
told(m)
""",
    "patches of the program": """
own = watched()
back, cross = torch.Tensor.backward, F.cross_entropy
calls = []
def backward(self, *a, **k):
    calls.append("b")
    return back(self, *a, **k)
def entropy(*a, **k):
    calls.append("c")
    return cross(*a, **k)
torch.Tensor.backward = backward
F.cross_entropy = entropy
m = Module()
trainer(*own).fit(m, loader())
told(m)
print(len(calls), torch.Tensor.backward is backward, F.cross_entropy is entropy)
n = Module()
trainer().fit(n, loader())
told(n)
print(len(calls))
""",
    "metrics with effects": """
import torchmetrics
class Count(torchmetrics.Metric):
    computed = 0
    def __init__(self):
        super().__init__()
        self.add_state("total", torch.tensor(0.0), dist_reduce_fx="sum")
    def update(self, v):
        self.total += v.detach()
    def compute(self):
        Count.computed += 1
        return self.total + torch.rand(())
class M(Module):
    def __init__(self):
        super().__init__()
        self.count = Count()
        self.tcount = Count()
    def training_step(self, batch, index):
        loss = super().training_step(batch, index)
        self.tcount(loss)
        self.log("t", self.tcount, on_step=True, on_epoch=True)
        return loss
    def validation_step(self, batch, index):
        super().validation_step(batch, index)
        self.count(batch[0].sum())
        self.log("own", self.count)
m = M()
t = trainer(*watched())
t.fit(m, loader(), loader())
told(m)
print(Count.computed, sorted((k, float(v).hex()) for k, v in t.callback_metrics.items()))
""",
    "odd module": """
class M(Module):
    def __repr__(self):
        raise RuntimeError
    __hash__ = Module.__hash__
    def __getattribute__(self, name):
        if sys._getframe(1).f_globals.get("__name__", "").startswith("dllint"):
            raise ValueError(name)
        return super().__getattribute__(name)
m = M()
trainer(*watched()).fit(m, loader())
print(m.losses)
told(m)
""",
    "none and dicts": """
class M(Module):
    def training_step(self, batch, index):
        if index == 2:
            return None
        loss = super().training_step(batch, index)
        return {"loss": loss, "extra": object()}
    def lr_scheduler_step(self, s, m):
        s.step()
    def configure_optimizers(self):
        o = (
            torch.optim.LBFGS(self.parameters(), lr=0.01, max_iter=2)
            if False
            else torch.optim.SGD(self.parameters(), lr=0.1)
        )
        return {"optimizer": o, "lr_scheduler": torch.optim.lr_scheduler.StepLR(o, 1)}
m = M()
trainer(*watched(), fast_dev_run=False, limit_train_batches=4, val_check_interval=2).fit(m, loader(), loader())
told(m)
""",
    "closures": """
class M(Module):
    def configure_optimizers(self):
        return torch.optim.LBFGS(self.parameters(), lr=0.01, max_iter=3)
m = M()
trainer(*watched()).fit(m, loader())
told(m)
""",
    "stderr is gone": """
class Broken:
    def write(self, text):
        raise OSError("no")
    flush = fileno = write
for stream in (None, Broken()):
    sys.stderr = stream
    m = Module()
    trainer(*watched()).fit(m, loader())
    sys.stderr = sys.__stderr__
    told(m)
""",
    "fake trainer of lightning": """
class Fake:
    def __getattr__(self, name):
        raise RuntimeError(name)
    def __setattr__(self, name, value):
        raise RuntimeError(name)
for one in watched():
    one.on_fit_start(Fake(), object())
    one.on_train_batch_end(Fake(), 1, 2, 3, 4)
    one.on_validation_epoch_end(Fake(), None)
    one.on_fit_end(Fake(), None)
    one.on_exception(Fake(), None, ValueError())
m = Module()
trainer(*watched()).fit(m, loader())
told(m)
""",
    "hugging face": """
from types import SimpleNamespace
def hf():
    if not WATCHED:
        return []
    from dllint.callbacks import TrainerDiagnosis
    return [TrainerDiagnosis()]
def run(model, calls, state, control, metrics, steps=6):
    opt = torch.optim.AdamW(model.parameters(), lr=0.01)
    losses = []
    def tell(event, **more):
        for c in calls:
            getattr(c, event)(SimpleNamespace(), state, control, model=model, **more)
    for e in ("on_init_end", "on_train_begin", "on_epoch_begin", "on_something_new"):
        tell(e)
    for i in range(steps):
        tell("on_step_begin")
        loss = F.cross_entropy(model(x), y) / 2
        loss.backward()
        loss = F.cross_entropy(model(x), y) / 2
        tell("on_substep_end")
        loss.backward()
        opt.step()
        opt.zero_grad()
        losses.append(loss.item())
        tell("on_step_end")
        tell("on_log", logs={"loss": 1})
        tell("on_evaluate", metrics=metrics)
    tell("on_train_end")
    print(losses)
    for p in model.parameters():
        print(zlib.crc32(repr(p.tolist()).encode()))
class State:
    @property
    def global_step(self):
        raise RuntimeError("step")
class Metrics(dict):
    def items(self):
        raise RuntimeError("items")
class Control:
    __slots__ = ()
metrics = {"eval_loss": 10**400, "eval_x": np.float32(1), 3: 4, "eval_n": float("nan"), "eval_b": True, "t": torch.ones(2)}
for state, control, given in (
    (SimpleNamespace(global_step=1), SimpleNamespace(), metrics),
    (State(), Control(), metrics),
    (None, None, Metrics(a=1)),
    (SimpleNamespace(global_step="x"), None, [1]),
    (SimpleNamespace(global_step=1), None, None),
):
    run(net(), hf(), state, control, given)
calls = hf()
run(net(), calls, SimpleNamespace(global_step=1), None, {})
calls = [copy.deepcopy(c) for c in calls] + [pickle.loads(pickle.dumps(c)) for c in calls]
run(net(), calls, SimpleNamespace(global_step=1), None, {})
calls = [copy.deepcopy(c) for c in hf()] + [pickle.loads(pickle.dumps(c)) for c in hf()]
run(net(), calls, SimpleNamespace(global_step=1), None, {})
""",
    "hf fake model": """
class Fake:
    def __init__(self):
        self.w = nn.Parameter(torch.ones(6, 2))
    def parameters(self):
        return [self.w]
    def __call__(self, x):
        return x @ self.w
    def __getattr__(self, name):
        raise RuntimeError(name)
from types import SimpleNamespace
calls = []
if WATCHED:
    from dllint.callbacks import TrainerDiagnosis
    calls = [TrainerDiagnosis()]
model = Fake()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for c in calls:
    c.on_train_begin(None, None, None, model=model)
    c.on_train_begin(None, None, None, model=Fake)
for i in range(5):
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(loss.item())
    for c in calls:
        print("", end="") or c.on_step_end(None, None, None)
for c in calls:
    c.on_train_end(None, None, None)
    c.on_train_end(None, None, None)
""",
    "our own faults": """
if WATCHED:
    from dllint.diagnose import watching
    def no(*args, **kwargs):
        raise RuntimeError("provoked")
    for name in ("adopt", "diagnosis", "_conclude", "__init__", "metrics"):
        kept = getattr(watching.Watch, name)
        setattr(watching.Watch, name, no)
        trainer(*watched()).fit(Module(), loader(), loader())
        setattr(watching.Watch, name, kept)
pl.seed_everything(3)
m = Module()
trainer(*watched()).fit(m, loader(), loader())
told(m)
""",
    "bad loss": """
class M(Module):
    seen = 0
    def training_step(self, batch, index):
        M.seen += 1
        print(M.seen, index)
        loss = super().training_step(batch, index)
        return loss * (float("nan") if index == 3 and self.current_epoch else 1.0)
m = M()
t = trainer(*watched())
class Look(plc.Callback):
    def on_train_batch_end(self, t, module, out, batch, index):
        if t.current_epoch and index == 3:
            told(module)
            sys.stdout.flush()
            os._exit(0)
t.callbacks.append(Look())
t.fit(m, loader())
told(m)
""",
    "processes of the trainer": """
t = trainer(*watched(), strategy="ddp_fork", devices=2, max_epochs=1)
m = Module()
t.fit(m, loader())
told(m)
del t
gc.collect()
""",
}
