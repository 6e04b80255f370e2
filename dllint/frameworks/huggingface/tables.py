"""The tables of Hugging Face transformers: a ``PreTrainedModel`` is a ``torch.nn.Module`` that keeps its configuration.

What its constructor does besides (attention back ends, generation settings, plans for several devices) changes no shape
and would cost more to follow than the model itself.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.huggingface import auto, pretrained, schedules
from dllint.frameworks.machine import CLASS_METHODS, HANDLERS, LIBRARY_BASES, Machine, handler, prop
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, Value, unwrap

MODEL: Final = pretrained.BASE
GENERATION: Final = "transformers.GenerationMixin"
OUTPUT: Final = pretrained.OUTPUT
#: Where the library's own source defines the names that these tables describe.
DESCRIBED: Final = {
    "transformers.modeling_utils.PreTrainedModel": MODEL,
    "transformers.generation.GenerationMixin": GENERATION,
    "transformers.generation.utils.GenerationMixin": GENERATION,
}
DESCRIBED.update(schedules.DESCRIBED)
DESCRIBED.update(auto.DESCRIBED)
SIGNATURES = schedules.SIGNATURES

#: Decorators of ``forward`` that fill in defaults, collect hidden states or rename old keywords around it, by their homes.
WRAPPERS: Final = {
    "auto_docstring": ("utils", "utils.auto_docstring"),
    "can_return_tuple": ("utils", "utils.generic"),
    "capture_outputs": ("utils.output_capturing",),
    "check_model_inputs": ("utils.generic",),
    "deprecate_kwarg": ("utils.deprecation",),
    "merge_with_config_defaults": ("utils", "utils.generic"),
}
DESCRIBED.update({f"transformers.{home}.{name}": f"transformers.{name}" for name, homes in WRAPPERS.items() for home in homes})

#: The table of activations by name, of those that torch has a module for, with its arguments.
_ACTIVATIONS: Final = {
    "gelu": ("GELU", {}),
    "gelu_fast": ("GELU", {"approximate": "tanh"}),
    "gelu_new": ("GELU", {"approximate": "tanh"}),
    "gelu_python": ("GELU", {}),
    "gelu_pytorch_tanh": ("GELU", {"approximate": "tanh"}),
    "leaky_relu": ("LeakyReLU", {}),
    "mish": ("Mish", {}),
    "relu": ("ReLU", {}),
    "relu6": ("ReLU6", {}),
    "sigmoid": ("Sigmoid", {}),
    "silu": ("SiLU", {}),
    "swish": ("SiLU", {}),
    "tanh": ("Tanh", {}),
}
for _home in ("utils", "utils.generic", "file_utils"):
    DESCRIBED[f"transformers.{_home}.ModelOutput"] = OUTPUT
DESCRIBED["transformers.activations.ACT2FN"] = "transformers.ACT2FN"
DESCRIBED["transformers.modeling_utils.ALL_ATTENTION_FUNCTIONS"] = "transformers.ALL_ATTENTION_FUNCTIONS"

CLASS_METHODS.add(f"{MODEL}._from_config")
LIBRARY_BASES.update({MODEL: ("torch.nn.Module",), GENERATION: (), OUTPUT: ()})


def canonical(name: str) -> str | None:
    """``transformers.modeling_utils.PreTrainedModel`` → ``transformers.PreTrainedModel``."""
    return DESCRIBED.get(name)


@handler(f"{MODEL}.__init__")
def initialize(machine: Machine, model: Value, arguments: Arguments) -> Value:
    """``super().__init__(config)`` keeps the configuration."""
    config = arguments.args[0] if arguments.args else arguments.kwargs.get("config", Unknown("no-argument", "config"))
    machine.setattr(model, "config", config)
    return None


@handler(
    f"{MODEL}.post_init",
    f"{MODEL}.init_weights",
    f"{MODEL}.tie_weights",
    f"{MODEL}.gradient_checkpointing_enable",
    f"{MODEL}.gradient_checkpointing_disable",
    f"{MODEL}.enable_input_require_grads",
    f"{GENERATION}.__init__",
)
def nothing(machine: Machine, model: Value, arguments: Arguments) -> Value:
    """Initial values and switches change no shape."""
    return None


@handler(f"{MODEL}._from_config")
def from_config(machine: Machine, cls: Value, arguments: Arguments) -> Value:
    """The class method by which models make the models inside them; its options say how the weights are kept."""
    return machine.call(cls, Arguments(arguments.args[:1]))


#: Parts of a model that may hold its embeddings, in the order in which the library looks.
_EMBEDDED_IN: Final = ("", "embeddings", "model")
_MISSING: Final = Unknown("no-attribute", "embeddings")


@handler(f"{MODEL}.get_input_embeddings")
def input_embeddings(machine: Machine, model: Value, arguments: Arguments) -> Value:
    """The layer of embeddings: of the model itself, of a part of it, or what its language model says."""
    name = unwrap(_attribute(machine, model, "_input_embed_layer", "embed_tokens"))
    for part in _EMBEDDED_IN if isinstance(name, str) else ():
        owner = _attribute(machine, model, part, None) if part else model
        if owner is not None and (found := _attribute(machine, owner, str(name), _MISSING)) is not _MISSING:
            return found
    base = _attribute(machine, model, "language_model", None)
    return machine.call_method(base, "get_input_embeddings") if isinstance(base, InstanceVal) else _MISSING


def _attribute(machine: Machine, receiver: Value, name: str, default: Value) -> Value:
    return HANDLERS["builtins.getattr"](machine, None, Arguments((receiver, name, default)))


@prop(f"{MODEL}.dtype", f"{MODEL}.device")
def of_the_weights(machine: Machine, model: Value) -> Value:
    """Type and device of the weights depend on how the model was loaded."""
    return Unknown("dtype", "of the model's weights")


@handler(*(f"transformers.{name}" for name in WRAPPERS if name != "deprecate_kwarg"))
def wrapped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``@capture_outputs`` changes no shape; with keywords it makes such a decorator."""
    return arguments.args[0] if arguments.args else LibSymbol("transformers.auto_docstring")


@handler(f"{OUTPUT}.__getitem__")
def part(machine: Machine, output: Value, arguments: Arguments) -> Value:
    """``output["logits"]``, and ``output[0]``, which counts the parts that are not ``None``."""
    index = arguments.args[0] if arguments.args else None
    if not isinstance(output, InstanceVal):
        return Unknown("unknown-index", "ModelOutput")
    if isinstance(index, str):
        return output.attrs.get(index, Unknown("unknown-key", index))
    given: list[Value] = []
    for value in output.attrs.values():
        if isinstance(value, Unknown):
            break  # it may be ``None``
        given += [value] if value is not None else []
    return given[index] if isinstance(index, int) and 0 <= index < len(given) else Unknown("unknown-index", "ModelOutput")


@handler("transformers.ACT2FN.__getitem__")
def activation(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``ACT2FN[config.hidden_act]`` makes a module."""
    name = arguments.args[0] if arguments.args else None
    found = _ACTIVATIONS.get(name) if isinstance(name, str) else None
    if found is None:
        return _defined_activation(machine, name)
    return machine.call(LibSymbol(f"torch.nn.{found[0]}"), Arguments((), dict(found[1])))


@handler(f"{OUTPUT}.keys", on=InstanceVal)
def keys(machine: Machine, output: InstanceVal, arguments: Arguments) -> Value:
    """The names of the parts that are not ``None``; ``**output`` hands them on."""
    return tuple(name for name, value in output.attrs.items() if value is not None)


def _defined_activation(machine: Machine, name: Value) -> Value:
    """An activation of the library's own: a class, or a class with its arguments, in the table of its source."""
    table = machine.from_source("transformers.activations.ACT2CLS") if isinstance(name, str) else None
    found = table.items.get(name) if isinstance(table, DictVal) else None
    if found is None:
        return Unknown("unknown-key", "ACT2FN")
    cls, options = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
    known = {str(key): value for key, value in options.items.items()} if isinstance(options, DictVal) else {}
    return machine.call(cls, Arguments((), known))


@handler("transformers.ALL_ATTENTION_FUNCTIONS.get_interface")
def attention(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The implementations of attention that a model may be set to give tensors as its own does, which is the default."""
    return arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get("default", Unknown("no-argument", "default"))


@handler("transformers.deprecate_kwarg")
def renaming(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``@deprecate_kwarg(old, …)`` gives a decorator that leaves the function as it is for those who use new names."""
    return LibSymbol("transformers.auto_docstring")
