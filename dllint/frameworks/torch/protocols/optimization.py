"""Optimizers, schedulers, gradient scaling and clipping, weight initialisation."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.gradients import gradient_of
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.events import Backward, ClipGrad, ScaleLoss, Step, UnscaleGrad, Update, ZeroGrad
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, BoundVal, DictVal, FuncVal, ListVal, PartialVal, Value, unwrap

OPTIMIZERS = (
    "SGD", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adagrad", "Adadelta", "Adafactor", "RMSprop", "Rprop", "ASGD", "LBFGS",
    "SparseAdam", "Muon",
)  # fmt: skip
SCHEDULERS = (
    "StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "CosineAnnealingLR", "ChainedScheduler", "SequentialLR",
    "ReduceLROnPlateau", "CyclicLR", "OneCycleLR", "CosineAnnealingWarmRestarts", "LambdaLR", "MultiplicativeLR",
    "PolynomialLR",
)  # fmt: skip
INITIALIZERS = (
    "uniform_", "normal_", "trunc_normal_", "constant_", "ones_", "zeros_", "eye_", "dirac_", "xavier_uniform_",
    "xavier_normal_",
    "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_", "uniform", "normal", "constant", "xavier_uniform",
    "xavier_normal", "kaiming_uniform", "kaiming_normal", "orthogonal",
)  # fmt: skip
OPTIMIZER, SCHEDULER = "torch.optim.Optimizer", "torch.optim.lr_scheduler.LRScheduler"

LIBRARY_BASES.update({f"torch.optim.{name}": (OPTIMIZER,) for name in OPTIMIZERS})
#: Optimizers of other libraries, which derive from that of torch.
ELSEWHERE = (
    "transformers.AdamW", "transformers.optimization.AdamW", "transformers.Adafactor", "transformers.optimization.Adafactor",
    "apex.optimizers.FusedAdam", "apex.optimizers.FusedLAMB", "apex.optimizers.FusedSGD", "bitsandbytes.optim.AdamW8bit",
    "bitsandbytes.optim.Adam8bit", "lion_pytorch.Lion", "timm.optim.AdamP", "timm.optim.Lamb", "timm.optim.SGDP",
    "torch_optimizer.RAdam", "torch_optimizer.Lamb", "torch_optimizer.Lookahead", "adabelief_pytorch.AdaBelief",
)  # fmt: skip
LIBRARY_BASES.update(dict.fromkeys(ELSEWHERE, (OPTIMIZER,)))
LIBRARY_BASES.update({f"torch.optim.lr_scheduler.{name}": (SCHEDULER,) for name in SCHEDULERS})
LIBRARY_BASES.update({OPTIMIZER: (), SCHEDULER: (), "torch.amp.GradScaler": ()})


@handler(f"{OPTIMIZER}.__init__", f"{SCHEDULER}.__init__")
def initialize(machine: Machine, target: Value, arguments: Arguments) -> Value:
    """A user class derived from an optimizer or scheduler."""
    return None


@handler(f"{OPTIMIZER}.zero_grad")
def zero_grad(machine: Machine, optimizer: Value, arguments: Arguments) -> Value:
    """Gradients are cleared."""
    machine.event(ZeroGrad, target=optimizer)
    return None


@handler(f"{OPTIMIZER}.step", f"{SCHEDULER}.step")
def step(machine: Machine, target: Value, arguments: Arguments) -> Value:
    """``optimizer.step(closure)`` calls the closure; ``scheduler.step()``."""
    closure = arguments.args[0] if arguments.args else arguments.kwargs.get("closure")
    result = machine.call(closure, Arguments()) if isinstance(closure, (FuncVal, BoundVal, PartialVal)) else None
    machine.event(Step, target=target, closure=closure)
    return result


@prop(f"{OPTIMIZER}.param_groups")
def param_groups(machine: Machine, optimizer: Value) -> Value:
    """A list of dicts whose contents are unknown."""
    return ListVal([], DictVal({}, Unknown("not-followed", "param_groups")))


@handler(f"{OPTIMIZER}.state_dict", f"{SCHEDULER}.state_dict", f"{OPTIMIZER}.load_state_dict", f"{SCHEDULER}.load_state_dict",
         f"{OPTIMIZER}.add_param_group", f"{SCHEDULER}.get_last_lr", f"{SCHEDULER}.get_lr")  # fmt: skip
def state(machine: Machine, target: Value, arguments: Arguments) -> Value:
    """State of optimizers is not followed."""
    return Unknown("not-followed", "optimizer state")


@handler("torch.amp.GradScaler.scale")
def scale(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """``scaler.scale(loss)`` has the loss's type."""
    loss = arguments.args[0] if arguments.args else None
    machine.event(ScaleLoss, target=loss, via=scaler, result=loss)
    return loss


@handler("torch.amp.GradScaler.unscale_")
def unscale(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """``scaler.unscale_(optimizer)``."""
    machine.event(UnscaleGrad, target=given("optimizer", arguments).get("optimizer"), via=scaler)
    return None


@handler("torch.amp.GradScaler.step")
def scaler_step(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """``scaler.step(optimizer)``."""
    machine.event(Step, target=arguments.args[0] if arguments.args else None, via=scaler)
    return None


@handler("torch.amp.GradScaler.update")
def update(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """``scaler.update()`` adapts the scale after a step."""
    machine.event(Update, target=scaler)
    return None


@handler("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_")
def clip(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Gradients are clipped in place; the norm is not followed."""
    machine.event(ClipGrad, target=arguments.args[0] if arguments.args else arguments.kwargs.get("parameters"))
    return Unknown("not-followed", "gradient norm")


@handler("torch.manual_seed", "torch.cuda.manual_seed", "torch.cuda.manual_seed_all",
         "torch.cuda.empty_cache", "torch.cuda.synchronize", "torch.set_printoptions",
         "torch._C._log_api_usage_once", "torch.set_num_threads", "torch.cuda.set_device")  # fmt: skip
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A method that changes no value of the analysis."""
    return None


@handler("torch.autograd.backward")
def backward(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.autograd.backward(tensors)``."""
    machine.event(Backward, target=arguments.args[0] if arguments.args else None)
    return None


@handler("torch.autograd.grad")
def grad(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.autograd.grad(outputs, inputs, …)``: a tuple; without ``create_graph``, no gradient flows through it."""
    given = {**dict(zip(("outputs", "inputs"), arguments.args, strict=False)), **arguments.kwargs}
    inputs = given.get("inputs")
    sources = (inputs,) if isinstance(inputs, TensorVal) else inputs
    spelled = "torch.autograd.grad"
    found = gradient_of(machine, given.get("outputs"), sources, "torch", spelled)
    if not isinstance(found, tuple) or unwrap(given.get("create_graph", False)) is True:
        return found
    return tuple(machine.emit("detach", {"x": part}, framework="torch", spelled=spelled) for part in found)


#: Initialisers that fill a tensor with one number.
_CONSTANT = {"zeros_": 0, "ones_": 1, "constant_": None}


@handler(*(f"torch.nn.init.{name}" for name in INITIALIZERS if name not in _CONSTANT))
def initialise(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Initialisers fill their tensor with numbers that are not followed, and give it back; a parameter is trained anyway."""
    tensor = arguments.args[0] if arguments.args else arguments.kwargs.get("tensor")
    return machine.unknown("not-followed", "initial numbers") if _is_plain(tensor) else tensor


def _is_plain(tensor: Value) -> bool:
    """Whether a tensor is computed, and no parameter."""
    return isinstance(tensor, TensorVal) and tensor.producer is not None


def _fill(name: str, number: int | None) -> None:
    @handler(f"torch.nn.init.{name}")
    def fill(machine: Machine, _: Value, arguments: Arguments) -> Value:
        bound = given("tensor, val=None", arguments)
        if not _is_plain(bound.get("tensor")):
            return bound.get("tensor")
        args = {"x": bound.get("tensor"), "value": bound["val"] if number is None else number}
        return machine.emit("fill_with", args, framework="torch", spelled=f"torch.nn.init.{name}")


for _name, _number in _CONSTANT.items():
    _fill(_name, _number)


@handler("torch.nn.init.calculate_gain")
def gain(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number."""
    return Unknown("not-followed", "gain")
