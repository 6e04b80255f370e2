"""What an outsider puts into a training program to have it changed, ended or broken by being watched: it prints the same
losses, weights and random numbers, bit by bit, as when nobody watches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Final

import pytest

from tests.security.outsider import ROOT

pytest.importorskip("torch")

HEAD: Final = """
import gc, os, random, sys, threading, warnings, weakref, zlib
import numpy as np
import torch
from torch import nn
F = nn.functional
torch.manual_seed(0); random.seed(0); np.random.seed(0)
x = torch.randn(64, 8)
y = (x[:, 0] > 0).long()

def plain_net():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.2), nn.BatchNorm1d(16), nn.Linear(16, 2))

class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = plain_net()
    def forward(self, x):
        return self.body(x)

def told(net, losses):
    print(*(float(loss).hex() for loss in losses))
    for p in nn.Module.parameters(net):
        try:
            print(zlib.crc32(repr(p.detach().resolve_conj().flatten().tolist()).encode()))
        except Exception as error:
            print(type(error).__name__)
    print(torch.rand(1).item(), random.random(), np.random.rand())

def train(net, opt, loss_of=lambda net, i: F.cross_entropy(net(x[:32] if i % 2 else x[32:]), y[:32] if i % 2 else y[32:])):
    losses = []
    for i in range(6):
        opt.zero_grad()
        loss = loss_of(net, i)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    told(net, losses)

def sgd(net, rate=0.1):
    return torch.optim.SGD(nn.Module.parameters(net), lr=rate)

def by_dllint(depth=2):
    return sys._getframe(depth).f_globals.get("__name__", "").startswith("dllint")
"""

#: What became part of what a program records, counts or exports, or reads what is not there.
APART: Final = {
    "a trace": "net = torch.jit.trace(plain_net().eval(), x); train(net, sgd(net)); print(net.graph)",
    "a graph of operations": """
from torch.fx.experimental.proxy_tensor import make_fx
net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
def loss_of(net, i):
    if i == 3:
        print(make_fx(lambda a: F.cross_entropy(net(a), y))(x).code)
    return F.cross_entropy(net(x), y)
train(net, sgd(net), loss_of)
""",
    "a counter of operations": """
from torch.utils._python_dispatch import TorchDispatchMode
counted = []
class Count(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        counted.append(str(func))
        return func(*args, **(kwargs or {}))
net = plain_net()
opt = sgd(net)
with Count():
    train(net, opt)
print(len(counted), counted)
""",
    "a mode that allows no foreign function": """
from torch.overrides import TorchFunctionMode
foreign = set()
class Strict(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        if by_dllint() and sys._getframe(1).f_code.co_filename.startswith("torch"):
            foreign.add(str(func))
            raise RuntimeError("dllint computes")
        return func(*args, **(kwargs or {}))
net = plain_net()
opt = sgd(net)
with Strict():
    train(net, opt)
print(sorted(foreign))
""",
    "checkpoints that keep operations": """
import functools
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts
def policy(context, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if "mm" in str(op) else CheckpointPolicy.PREFER_RECOMPUTE
contexts = functools.partial(create_selective_checkpoint_contexts, policy)
net = plain_net()
train(net, sgd(net), lambda net, i: F.cross_entropy(checkpoint(net, x, use_reentrant=False, context_fn=contexts), y))
""",
    "a freed output": """
class Net(Two):
    def forward(self, x):
        freed = torch.ones(4, 4, requires_grad=True) * 2
        freed.untyped_storage().resize_(0)
        return freed, self.body(x)
net = Net()
train(net, sgd(net), lambda net, i: F.cross_entropy(net(x)[1], y))
""",
    "a freed weight": """
net, spare = plain_net(), nn.Parameter(torch.ones(100))
opt = torch.optim.SGD([*net.parameters(), spare], lr=0.1)
spare.untyped_storage().resize_(SIZE)
train(net, opt, lambda net, i: F.cross_entropy(net(x), y))
""".replace("SIZE", "8"),
    "a freed view in a batch": """
rows = [(x[i : i + 16], y[i : i + 16], torch.ones(50).view(5, 10).t()) for i in range(0, 64, 16)]
def collate(batch):
    batch[0][2].untyped_storage().resize_(0)
    return batch[0]
net, losses = plain_net(), []
opt = sgd(net)
for given, labels, _ in torch.utils.data.DataLoader(rows, batch_size=1, collate_fn=collate):
    opt.zero_grad()
    loss = F.cross_entropy(net(given), labels)
    loss.backward()
    opt.step()
    losses.append(loss.item())
told(net, losses)
""",
    "a deep recursion": """
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.last = nn.Linear(8, 8), nn.Linear(8, 2)
    def forward(self, x, depth):
        return self.own(x) if not depth else self(x, depth - 1)
net, depth = Deep(), 230
train(net, sgd(net), lambda net, i: F.cross_entropy(net.last(net(x, depth)), y))
""",
}
#: What watching meets in the objects of a program.
OBJECTS: Final = {
    "names that raise": """
class Net(Two):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            raise RuntimeError(name)
    def __getattribute__(self, name):
        if by_dllint():
            raise ValueError(name)
        return super().__getattribute__(name)
net = Net(); train(net, sgd(net))
""",
    "no truth, length or equality": """
class Net(Two):
    def __eq__(self, other): return torch.ones(3) == torch.zeros(3)
    def __bool__(self): raise RuntimeError
    __len__ = __bool__
    __hash__ = None
class Opt(torch.optim.SGD):
    def __eq__(self, other): raise RuntimeError
    __hash__ = None
net = Net(); train(net.body, Opt(net.body.parameters(), lr=0.1), lambda body, i: F.cross_entropy(net(x), y))
""",
    "methods that raise": """
def no(self, *args, **kwargs): raise RuntimeError("no")
names = "state_dict load_state_dict named_modules named_parameters modules children parameters buffers train eval extra_repr"
Net = type("Net", (Two,), {**dict.fromkeys(names.split(), no), "__deepcopy__": no, "__reduce_ex__": no})
net = Net(); train(net.body, sgd(net.body), lambda body, i: F.cross_entropy(net(x), y))
""",
    "methods that never end": """
def endless(self, *args, **kwargs):
    while True:
        yield "", self
Net = type("Net", (Two,), dict.fromkeys("named_modules named_parameters modules children parameters buffers".split(), endless))
net = Net(); train(net.body, sgd(net.body), lambda body, i: F.cross_entropy(net(x), y))
""",
    "methods that change the model": """
class Net(Two):
    calls = 0
    def state_dict(self, *args, **kwargs):
        Net.calls += 1
        with torch.no_grad():
            for p in self.body.parameters(): p.add_(1)
        return super().state_dict(*args, **kwargs)
    __deepcopy__ = state_dict
net = Net(); train(net, sgd(net)); print(Net.calls)
""",
    "a class that raises": """
class Meta(type):
    def __getattribute__(cls, name):
        if by_dllint(): raise RuntimeError(name)
        return super().__getattribute__(name)
    def __instancecheck__(cls, o): raise RuntimeError
class Net(Two, metaclass=Meta): pass
net = Net(); train(net, sgd(net))
""",
    "a model that holds itself": """
net = Two(); net._modules["me"] = net; net.body._modules["up"] = net
net.body.forward = lambda x: nn.Sequential.forward(net.body[:5], x)
train(net, sgd(net))
""",
    "an output that holds itself": """
class Net(Two):
    def forward(self, x):
        out = [self.body(x)]; own = {}; own["own"] = own; out += [out, own]
        return out
net = Net(); train(net, sgd(net), lambda net, i: F.cross_entropy(net(x)[0], y))
""",
    "kinds of outputs": """
class Net(Two):
    def forward(self, x):
        eye = torch.eye(3)
        odd = torch.quantize_per_tensor(x.detach(), 0.1, 10, torch.quint8), eye.to_sparse(), eye.to_sparse_csr()
        return *odd, torch.zeros(0), torch.tensor(float("nan")), torch.empty(3, device="meta"), x.cfloat().conj(), self.body(x)
net = Net(); train(net, sgd(net), lambda net, i: F.cross_entropy(net(x)[-1], y))
""",
    "lazy and meta weights": """
class Net(Two):
    def __init__(self):
        super().__init__()
        self.lazy = nn.LazyLinear(3)
        with torch.device("meta"): self.meta = nn.Linear(10**6, 10**5)
    def forward(self, x):
        self.meta(torch.empty(4, 10**6, device="meta"))
        return self.body(x)
net = Net(); train(net, sgd(net.body))
""",
    "sparse gradients": """
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.e = nn.Embedding(50, 8, sparse=True)
    def forward(self, x): return self.e((x.abs() * 10).long().clamp(max=49)).sum((1, 2))[:, None] * torch.tensor([1.0, -1.0])
net = Net(); train(net, torch.optim.SparseAdam(list(net.parameters()), lr=0.1))
""",
    "complex weights": """
net = nn.Linear(8, 2, dtype=torch.cfloat); train(net, sgd(net), lambda net, i: (net(x.cfloat()) - 1).abs().pow(2).mean())
""",
    "weights that are computed": """
from torch.nn.utils.parametrizations import spectral_norm, weight_norm
class Noise(nn.Module):
    def forward(self, w): return w + 0.1 * torch.randn_like(w)
net = nn.Sequential(spectral_norm(nn.Linear(8, 16)), weight_norm(nn.Linear(16, 16)), nn.Linear(16, 2))
nn.utils.parametrize.register_parametrization(net[2], "weight", Noise()); train(net, sgd(net))
""",
    "an optimizer without its base": """
class Opt(torch.optim.Optimizer):
    def __init__(self, params): self.ps = list(params)
    def zero_grad(self):
        for p in self.ps: p.grad = None
    def step(self):
        with torch.no_grad():
            for p in self.ps: p -= 0.1 * p.grad
net = plain_net(); train(net, Opt(net.parameters()))
""",
    "groups of an optimizer": """
net = plain_net(); opt = sgd(net)
opt.param_groups[0].update(own=opt.param_groups, meta=torch.zeros(1, device="meta"), long="x" * 10**6, large=10**5000)
train(net, opt)
""",
    "names that steer terminals": r"""
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.add_module("a" * 10**5, plain_net()); self.add_module("\x1b[31m\n::error::x", nn.Linear(2, 2))
    def forward(self, x):
        for part in self._modules.values(): x = part(x)
        return x
Net.__name__ = "Ev\x1b[31mil\n::error::y"
net = Net(); train(net, sgd(net, 0.0))
""",
}
#: What surrounds the loop.
SURROUNDINGS: Final = {
    "forks": """
net = plain_net(); opt = sgd(net)
def loss_of(net, i):
    if not i % 3:
        child = os.fork()
        if not child:
            F.cross_entropy(net(x), y).backward(); opt.step(); os._exit(0)
        print(os.waitpid(child, 0)[1])
    return F.cross_entropy(net(x), y)
train(net, opt, loss_of)
""",
    "threads": """
nets, losses = [plain_net().eval() for _ in range(3)], [[], [], []]
def work(k):
    opt = sgd(nets[k])
    for i in range(12):
        opt.zero_grad(); loss = F.cross_entropy(nets[k](x), y); loss.backward(); opt.step(); losses[k].append(loss.item())
threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
for k in range(3): told(nets[k], losses[k])
""",
    "warnings that are errors": "warnings.simplefilter('error'); net = plain_net(); train(net, sgd(net))",
    "hooks that count": """
calls = []
nn.modules.module.register_module_forward_hook(lambda m, a, o: calls.append(type(m).__name__))
nn.modules.module.register_module_full_backward_hook(lambda m, a, o: calls.append("back " + type(m).__name__))
net = plain_net(); opt = sgd(net)
net[0].weight.register_hook(lambda g: g * 0.5)
opt.register_step_pre_hook(lambda o, a, k: calls.append((len(a), sorted(k))))
pack, unpack = (lambda t: calls.append("pack") or t), (lambda t: calls.append("unpack") or t)
with torch.autograd.graph.saved_tensors_hooks(pack, unpack): train(net, opt)
print(calls)
""",
    "a timer of its own": """
import signal, time
rung = []
signal.signal(signal.SIGALRM, lambda *a: rung.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.05)
net = plain_net(); train(net, sgd(net))
while not rung: pass
print(rung)
""",
    "transformations": """
net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
weights = {k: v.detach().clone() for k, v in net.named_parameters()}
loss_of = lambda p, a, b: F.cross_entropy(torch.func.functional_call(net, p, (a[None],)), b[None])
graded = torch.func.vmap(torch.func.grad_and_value(loss_of), in_dims=(None, 0, 0))
for i in range(6):
    grads, losses = graded(weights, x, y)
    weights = {k: v - 0.1 * grads[k].mean(0) for k, v in weights.items()}
told(net, losses)
""",
    "steps inside of the backward pass": """
net = plain_net(); opts = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}; losses = []
def hook(p): opts[p].step(); opts[p].zero_grad()
for p in net.parameters(): p.register_post_accumulate_grad_hook(hook)
for i in range(6):
    loss = F.cross_entropy(net(x), y); loss.backward(); losses.append(loss.item())
told(net, losses)
""",
    "arguments that raise": """
class Odd:
    def __eq__(self, o): raise RuntimeError
    __bool__ = __float__ = __len__ = __eq__; __hash__ = None
net = plain_net()
own = nn.utils.clip_grad_norm_, torch.autograd.backward
for odd in (Odd(), None, "x", x.long(), x[:3], torch.zeros(0), [], [None], (x, x)):
    for f in (F.cross_entropy, F.mse_loss, F.nll_loss, torch.relu, torch.softmax, *own):
        for given in ((net(x), odd), (odd, odd), (odd,)):
            try: f(*given)
            except Exception as error: print(type(error).__name__, str(error)[:80], error.__cause__, error.__context__)
train(net, sgd(net))
""",
}


@pytest.fixture(scope="module")
def server():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.security.training_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield process
        # What frameworks do when an interpreter ends may take minutes.
        process.kill()


@pytest.fixture
def run(server, tmp_path):
    """Runs a program, watched or not: its exit status, what it prints, and what is told of it."""

    def run(text: str, *, watched: bool) -> tuple[int, str, str]:
        folder = tmp_path / f"watched-{watched}"
        folder.mkdir(exist_ok=True)
        program, out, err = folder / "train.py", folder / "out", folder / "err"
        program.write_text(HEAD + text, encoding="utf-8")
        request = {"program": str(program), "out": str(out), "err": str(err), "watched": watched}
        print(json.dumps(request), file=server.stdin, flush=True)
        return int(server.stdout.readline()), out.read_text(), err.read_text()

    return run


def same(run, text: str) -> str:
    """What is told of a program that does the same whether it is watched or not."""
    plain = run(text, watched=False)
    assert plain[0] == 0, plain[2]
    status, printed, told = run(text, watched=True)
    assert (status, printed) == plain[:2], told
    assert not {"\x1b", "\x07", "\r"} & set(told)
    assert not any(line.startswith("::") for line in told.splitlines())
    return told


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("attack", APART)
def test_what_is_computed_for_the_watcher_is_not_the_programs(run, attack):
    assert "dllint: " in same(run, APART[attack])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("attack", OBJECTS)
def test_no_object_of_a_program_keeps_it_from_training(run, attack):
    same(run, OBJECTS[attack])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("attack", SURROUNDINGS)
def test_what_surrounds_a_loop_stays_as_it_is(run, attack):
    same(run, SURROUNDINGS[attack])


#: Programs whose loss, or gradient, is not finite in the end for a reason that lies outside of what is repeated to find it.
PREPARED: Final = """
def prepared():
    open("started", "a").write("x")
    return open("log", "w")
def one(loss):
    loss.backward()
def run():
    log = prepared()
    net = plain_net()
    opt = sgd(net)
    for i in range(6):
        opt.zero_grad()
        loss = LOSS
        log.write(f"{i}\\n")
        log.flush()
        one(loss)
        opt.step()
CALL
assert sorted(os.listdir()) == ["err", "log", "out", "started", "train.py"]
print(len(open("started").read()), set(range(6)) <= set(map(int, open("log").read().split())))
"""
LOSSES: Final = {
    "a number": "torch.tensor(float('nan'), requires_grad=True) if i == 4 else F.cross_entropy(net(x), y)",
    "a gradient": "(net(x).abs() * 0.0).sqrt().sum() if i == 4 else F.cross_entropy(net(x), y)",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("call", ["run()", "for rate in (0.1,): run()", "[run() for rate in (0.1,)]", "(lambda: run())()"])
def test_only_a_step_is_repeated(run, loss, call):
    """What prepares a training is not done again to explain it: files would be emptied, folders removed."""
    same(run, PREPARED.replace("LOSS", LOSSES[loss]).replace("CALL", call))
