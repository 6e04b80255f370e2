"""``torch.nn.Module``: construction, the call, registration of parts, walks, mode."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.frameworks.torch.protocols.module_tree import (
    MODULE,
    SAVED,
    all_modules,
    children,
    forget_buffers,
    saved_tensors,
    set_state,
    submodules,
)
from dllint.ir.events import Eval, ModuleCall, Train, ZeroGrad
from dllint.ir.program import TRAINING, UNSET_MODE, TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, IterVal, LibSymbol, Value, unwrap

#: The classes that losses derive from, which keep ``reduction`` and ``weight`` and have no ``forward``.
LIBRARY_BASES.update({f"torch.nn.{name}": (MODULE,) for name in ("_Loss", "_WeightedLoss")})


@handler("torch.nn.Module")
def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``nn.Module()`` itself, used as a bag of attributes."""
    return InstanceVal(LibSymbol("torch.nn.Module"), site=machine.site)


@handler("torch.nn.Module.__init__")
def initialize(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """``super().__init__()``: nothing that the analysis keeps."""
    return None


@handler("torch.nn.Module.__call__")
def call(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """``module(...)`` runs its ``forward`` (hooks are not followed)."""
    result = machine.call(machine.getattr(module, "forward"), arguments)
    machine.event(ModuleCall, callee=module, args=arguments.args, keywords=arguments.kwargs, result=result)
    return result


@handler("torch.nn.Module.register_buffer", "torch.nn.Module.register_parameter", on=InstanceVal)
def register(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """A named tensor becomes an attribute."""
    bound = given("name, value=None, persistent=True, *, tensor=None, param=None", arguments)
    value = next((bound[key] for key in ("value", "tensor", "param") if bound.get(key) is not None), None)
    if isinstance(bound.get("name"), str) and unwrap(bound.get("persistent")) is not False:
        machine.write(module.state, SAVED, (*saved_tensors(module), bound.get("name")))
    return _attach(machine, module, bound.get("name"), value)


@handler("torch.nn.Module.add_module", "torch.nn.Module.register_module", on=InstanceVal)
def add_module(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """A named child becomes an attribute; in a container it is the next element."""
    bound = given("name, module=None", arguments)
    return _attach(machine, module, bound.get("name"), bound.get("module"))


def _attach(machine: Machine, module: InstanceVal, name: Value, value: Value) -> Value:
    if isinstance(name, str):
        machine.setattr(module, name, value)
    elif module.open is None:
        module.open = Unknown("dynamic-attribute", "registered under a computed name")
    return None


@handler("torch.nn.Module.children", on=InstanceVal)
def direct_children(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """The direct children in order."""
    return IterVal([child for _, child in children(module) if child is not None], module.open)


@handler("torch.nn.Module.named_children", on=InstanceVal)
def named_children(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """The direct children with their names."""
    return IterVal([(name, child) for name, child in children(module) if child is not None], module.open)


@handler("torch.nn.Module.modules", on=InstanceVal)
def modules(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """The module and everything below it; of what branches have left one of several, each, since a loop over them is to reach
    it."""
    certain = [part for _, part in submodules(module)]
    known = set(map(id, certain))
    return IterVal([*certain, *(part for part in all_modules(machine, module) if id(part) not in known)], module.open)


@handler("torch.nn.Module.named_modules", on=InstanceVal)
def named_modules(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """The module and everything below it, with dotted names."""
    return IterVal(list(submodules(module)), module.open)


@handler("torch.nn.Module.get_submodule")
def get_submodule(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """The module at a dotted path."""
    path = given("target", arguments).get("target")
    if not isinstance(path, str):
        return machine.unknown("dynamic-attribute", "get_submodule")
    value = module
    for name in filter(None, path.split(".")):
        value = machine.getattr(value, name)
    return value


@handler("torch.nn.Module.apply", on=InstanceVal)
def apply(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """``module.apply(fn)``: ``fn`` runs on the modules below and then on the module itself."""
    function = arguments.args[0] if arguments.args else arguments.kwargs.get("fn")
    for part in reversed(all_modules(machine, module)):
        machine.call(function, Arguments((part,)))
    return module


@handler("torch.nn.Module.train", on=InstanceVal)
def train(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """Training mode for the whole tree (or evaluation mode, ``train(False)``)."""
    mode = given("mode=True", arguments).get("mode")
    machine.event(Eval if mode is False else Train, target=module)
    set_state(machine, module, TRAINING, mode)
    return module


@handler("torch.nn.Module.eval", on=InstanceVal)
def evaluate(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """Evaluation mode for the whole tree."""
    machine.event(Eval, target=module)
    set_state(machine, module, TRAINING, False)
    return module


@prop("torch.nn.Module.training", on=InstanceVal)
def training(machine: Machine, module: InstanceVal) -> Value:
    """The mode, if ``train()`` or ``eval()`` set it; else unknown, and the same unknown each time."""
    if TRAINING not in module.state:
        module.state[TRAINING] = Unknown(UNSET_MODE)
    return module.state[TRAINING]


@handler("torch.nn.Module.zero_grad")
def zero_grad(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """Gradients are cleared."""
    machine.event(ZeroGrad, target=module)
    return None


@handler("torch.nn.Module.state_dict")
def state_dict(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """All tensors by name; neither names nor shapes are followed. Its place tells these tensors from copies of them."""
    of_any = TensorVal(TensorType(Unknown("state-dict"), Unknown("state-dict")))
    return DictVal({}, of_any, site=machine.site)


@handler("torch.nn.Module.load_state_dict", on=InstanceVal)
def load_state_dict(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """What was saved comes in the place of the elements of buffers. Weights are not followed."""
    forget_buffers(machine, module)
    return Unknown("not-followed", "weights")


@handler(
    "torch.nn.Module.register_forward_hook",
    "torch.nn.Module.register_forward_pre_hook",
    "torch.nn.Module.register_full_backward_hook",
    "torch.nn.Module.register_backward_hook",
    "torch.nn.Module.register_load_state_dict_post_hook",
    "torch.nn.Module._register_load_state_dict_pre_hook",
)
def bookkeeping(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """Weights and hooks are not followed."""
    return Unknown("not-followed", "hook or weights")
