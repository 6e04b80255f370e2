"""What wraps code without changing shapes: ``no_grad``, ``jit``, ``compile``, ``checkpoint``,
``DataParallel``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import CLASS_METHODS, LIBRARY_BASES, Machine, each, handler
from dllint.ir.events import FUNCTION_CONTEXT, OWN_GRADIENT, ContextEdge
from dllint.ir.values import (
    Arguments,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    NativeVal,
    PartialVal,
    Value,
)

CONTEXTS = (
    "torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.set_grad_enabled", "torch.device",
    "torch.autograd.set_detect_anomaly", "torch.autograd.detect_anomaly", "torch.random.fork_rng", "torch.cuda.device",
    "torch.cuda.stream", "torch.profiler.record_function", "torch.autograd.profiler.record_function", "torch.profiler.profile",
)  # fmt: skip
#: Decorators and wrappers that give back (a form of) what they are given.
IDENTITIES = (
    "torch.jit.script", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export", "torch.jit.script_if_tracing",
    "torch.jit.interface",
    "torch.jit._overload_method", "torch.jit._script_if_tracing", "torch.fx.wrap", "torch.compile", "torch.jit.trace",
    "torch.jit._drop", "torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm", "torch.nn.utils.remove_weight_norm",
    "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrizations.spectral_norm",
    "torch.nn.utils.parametrizations.orthogonal", "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd", "torch.compiler.disable", "torch._dynamo.disable", "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.DataParallel", "torch.distributed.fsdp.FullyShardedDataParallel", "torch.fx.symbolic_trace",
    "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel", "torch.quantization.quantize_dynamic",
    "torch.ao.quantization.quantize_dynamic",
    # of other packages, by their documentation: the same computation, spread over devices or with adapters in its layers
    "apex.parallel.DistributedDataParallel", "apex.parallel.convert_syncbn_model", "fairscale.nn.FullyShardedDataParallel",
    "fairscale.nn.data_parallel.FullyShardedDataParallel", "peft.get_peft_model", "peft.prepare_model_for_kbit_training",
    "ray.train.torch.prepare_model", "ray.train.torch.prepare_data_loader",
)  # fmt: skip


def _context(name: str) -> None:
    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """A context manager; given a function, as a decorator without parentheses, it gives the function back."""
        first = arguments.args[0] if arguments.args else None
        if isinstance(first, (FuncVal, BoundVal, ClassVal, PartialVal, NativeVal)):
            return first
        # What it is given tells it from others of its class, which branches may leave instead.
        given = {str(place): value for place, value in enumerate(arguments.args)} | arguments.kwargs
        return InstanceVal(LibSymbol(name), site=machine.site, state=given)

    @handler(f"{name}.__enter__")
    def enter(machine: Machine, context: Value, arguments: Arguments) -> Value:
        return context

    @handler(f"{name}.__exit__")
    def leave(machine: Machine, context: Value, arguments: Arguments) -> Value:
        return False

    @handler(f"{name}.__call__")
    def decorate(machine: Machine, context: Value, arguments: Arguments) -> Value:
        return arguments.args[0] if arguments.args else None


for _name in CONTEXTS:
    _context(_name)


_DECORATOR: Final = NativeVal("decorator", lambda _machine, inner: inner.args[0] if inner.args else None)


@handler(*IDENTITIES)
def identity(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The first argument, which gets attributes of the form (``module``, ``code``, ``weight_g``); a decorator called with
    options only gives a decorator."""
    if arguments.args:
        if isinstance(arguments.args[0], InstanceVal):
            arguments.args[0].handed = True
        return arguments.args[0]
    named = next((arguments.kwargs[k] for k in ("module", "model", "fn", "obj") if k in arguments.kwargs), None)
    return each(machine, named, lambda one: _DECORATOR if one is None else one)


@handler("apex.amp.initialize")
def mixed_precision(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``amp.initialize(models, optimizers=None)`` gives back both, or the models alone."""
    bound = given("models, optimizers=None", Arguments(arguments.args[:2], _only(arguments.kwargs, ("models", "optimizers"))))
    models, optimizers = bound.get("models"), bound.get("optimizers")
    return models if optimizers is None else (models, optimizers)


def _only(kwargs: Mapping[str, Value], names: Collection[str]) -> dict[str, Value]:
    return {name: value for name, value in kwargs.items() if name in names}


@handler("torch.utils.checkpoint.checkpoint")
def checkpoint(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``checkpoint(function, *args)`` is ``function(*args)``."""
    own = ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop")
    kwargs = {k: v for k, v in arguments.kwargs.items() if k not in own}
    return machine.call(arguments.args[0] if arguments.args else None, Arguments(arguments.args[1:], kwargs, arguments.star))


@handler("torch.nn.parallel.data_parallel")
def data_parallel(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``data_parallel(module, inputs, device_ids, output_device, dim, module_kwargs)`` is ``module(*inputs, **module_kwargs)``;
    an input that is no tuple is the only one."""
    bound = given("module, inputs, device_ids, output_device, dim, module_kwargs", arguments)
    inputs, options = bound.get("inputs"), bound.get("module_kwargs")
    kwargs = options.items if isinstance(options, DictVal) and options.rest is None else None
    if (options is not None and kwargs is None) or isinstance(inputs, (Unknown, ListVal)):
        return machine.unknown("dynamic-argument", "data_parallel")
    named = {key: value for key, value in (kwargs or {}).items() if isinstance(key, str)}
    return machine.call(bound.get("module"), Arguments(inputs if isinstance(inputs, tuple) else (inputs,), named))


@handler("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def functional_call(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``functional_call(module, parameters, args, kwargs)`` is ``module(*args, **kwargs)``."""
    module, given = (arguments.args[0], arguments.args[2]) if len(arguments.args) > 2 else (None, None)
    if module is None:
        return machine.unknown("dynamic-argument", "functional_call")
    return machine.call(module, Arguments(given if isinstance(given, tuple) else (given,)))


@handler("torch.utils.checkpoint.checkpoint_sequential")
def checkpoint_sequential(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``checkpoint_sequential(functions, segments, input)`` calls the functions one after the other."""
    names = ("functions", "segments", "input")
    functions, _segments, value = (*arguments.args, *(arguments.kwargs.get(n) for n in names[len(arguments.args) :]))[:3]
    found = machine.iterate(functions)
    if isinstance(found, Unknown):
        return machine.unknown(found.reason, "checkpoint_sequential")
    for function in found:
        value = machine.call(function, Arguments((value,)))
    return value


@handler("torch.jit.is_scripting", "torch.jit.is_tracing", "torch.compiler.is_compiling", "torch.onnx.is_in_onnx_export",
         "torch._dynamo.is_compiling", "torch.fx._symbolic_trace.is_fx_tracing",
         "torch.compiler.is_exporting", "torch.overrides.has_torch_function")  # fmt: skip
def plain_python(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The analysis runs plain Python, neither scripted nor traced."""
    return False


@handler("torch.jit.annotate")
def annotate(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.jit.annotate(type, value)`` is the value."""
    return arguments.args[1] if len(arguments.args) > 1 else None


@handler("torch._assert")
def check(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch._assert(condition, message)``."""
    if arguments.args:
        machine.assume(arguments.args[0])
    return None


@handler("torch.cuda.is_available", "torch.backends.mps.is_available", "torch.cuda.is_bf16_supported")
def available(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Depends on the machine the program runs on."""
    return Unknown("environment", "device")


@handler("torch.is_grad_enabled", "torch.is_autocast_enabled", "torch.is_inference_mode_enabled")
def mode(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Gradient and autocast modes are not followed."""
    return Unknown("environment", "mode")


CLASS_METHODS.add("torch.autograd.Function.apply")
LIBRARY_BASES["torch.autograd.Function"] = ()


@handler("torch.autograd.Function.apply")
def apply_function(machine: Machine, cls: Value, arguments: Arguments) -> Value:
    """``MyFunction.apply(*args)`` runs the class's static ``forward(ctx, *args)``."""
    forward = machine.find_method(cls, "forward")
    if forward is None:
        return machine.unknown("unmodelled-call", "torch.autograd.Function.apply")
    context = InstanceVal(LibSymbol(FUNCTION_CONTEXT), site=machine.site, open=Unknown("not-followed", "ctx"))
    given = Arguments((context, *arguments.args), arguments.kwargs, arguments.star, arguments.double_star)
    return _by_hand(machine, forward, given)


@handler("torch.autograd.Function.__call__")
def call_function(machine: Machine, function: Value, arguments: Arguments) -> Value:
    """``MyFunction(settings)(*args)``, as before PyTorch 1.3: its ``forward`` is a method of the object."""
    return _by_hand(machine, machine.getattr(function, "forward"), arguments)


def _by_hand(machine: Machine, forward: Value, arguments: Arguments) -> Value:
    """Run what autograd does not record, as its ``backward`` is written beside it."""
    machine.event(ContextEdge, name=OWN_GRADIENT, phase="enter")
    result = machine.call(forward, arguments)
    machine.event(ContextEdge, name=OWN_GRADIENT, phase="exit")
    return result
