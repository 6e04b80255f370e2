"""The tables of Hugging Face transformers: a ``PreTrainedModel`` is a ``torch.nn.Module`` that keeps its configuration.

What its constructor does besides (attention back ends, generation settings, plans for several devices) changes no shape
and would cost more to follow than the model itself.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.values import Arguments, LibSymbol, Value

MODEL: Final = "transformers.PreTrainedModel"
GENERATION: Final = "transformers.GenerationMixin"
#: Where the library's own source defines the names that these tables describe.
DESCRIBED: Final = {
    "transformers.modeling_utils.PreTrainedModel": MODEL,
    "transformers.generation.GenerationMixin": GENERATION,
    "transformers.generation.utils.GenerationMixin": GENERATION,
    "transformers.utils.auto_docstring": "transformers.auto_docstring",
}

LIBRARY_BASES.update({MODEL: ("torch.nn.Module",), GENERATION: ()})


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


@prop(f"{MODEL}.dtype", f"{MODEL}.device")
def of_the_weights(machine: Machine, model: Value) -> Value:
    """Type and device of the weights depend on how the model was loaded."""
    return Unknown("dtype", "of the model's weights")


@handler("transformers.auto_docstring")
def documented(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``@auto_docstring`` changes the documentation only; with keywords it makes such a decorator."""
    return arguments.args[0] if arguments.args else LibSymbol("transformers.auto_docstring")
