"""Unknown functions of which the name says what they do with a tensor: activations, normalisations, dropout.

``self.act = get_activation(name)`` of a library that is not read gives nothing to follow, and yet ``self.act(x)`` has the shape
of ``x``: that is what such a place in a module is for. The result is a tensor of open shape, of which layers and operations may
ask what they ask of any (:mod:`dllint.lower.demands`). When the run is over, one that is still open gets as many axes as ``x``
has (:mod:`dllint.lower.usual_results`). That proves nothing: until then the result may be of any shape and type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal
from dllint.lower import mro
from dllint.source.receivers import is_receiver

if TYPE_CHECKING:
    from dllint.lower.parts import Performs
    from dllint.lower.scopes import Frame

#: The operation that stands for such a call.
KIND: Final = "assumed_activation"
_MODULE: Final = "torch.nn.Module"
#: Words of names that mean a bent function of each element.
_ACTIVATIONS: Final = frozenset({
    "act", "activ", "activate", "activation", "actv", "nonlin", "nonlinearity", "relu", "gelu", "silu", "swish", "mish", "elu",
    "selu", "prelu",
})  # fmt: skip
#: Words that mean a layer whose result has the shape of its input, if it is kept by a module: as a function, ``norm`` may be
#: the length of a vector.
_LAYERS: Final = _ACTIVATIONS | {
    "norm", "normalization", "normalisation", "bn", "gn", "ln", "layernorm", "batchnorm", "groupnorm", "rmsnorm",
    "instancenorm", "dropout", "drop", "droppath",
}  # fmt: skip
#: Words that go with them and say where it stands, or that it is a function.
_BESIDE: Final = frozenset({
    "fn", "func", "function", "f", "layer", "layers", "path", "pre", "post", "final", "first", "last", "in", "out", "input",
    "output", "attn", "attention", "self", "cross", "mlp", "ffn", "ff", "q", "k", "v", "query", "key", "value", "res",
    "residual", "hidden", "block",
})  # fmt: skip
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def result(m: Performs, callee: Unknown, arguments: Arguments) -> TensorVal | None:
    """The result of a call of an unknown function with a tensor of torch, if its name tells what it is; ``None`` otherwise."""
    x = arguments.args[0] if len(arguments.args) == 1 else None
    if arguments.kwargs or arguments.star is not None or arguments.double_star is not None:
        return None
    if not isinstance(x, TensorVal) or x.framework != "torch" or not _keeps_shape(m.frame):
        return None
    made = m.emit(KIND, {"x": x, "function": callee}, framework="torch", spelled="")
    if not isinstance(made, TensorVal):
        return None
    m.known.presumed.note(made, False)
    return made


def _keeps_shape(frame: Frame) -> bool:
    """Whether the call that is being evaluated is one of an activation or the like, by the name of what is called: a name, an
    attribute of the module in whose method it stands, or an element of one of them."""
    node = frame.node
    func = node.func if isinstance(node, cst.Call) else None
    while isinstance(func, cst.Subscript):
        func = func.value
    if isinstance(func, cst.Name):
        return _says(func.value, _ACTIVATIONS)
    if not isinstance(func, cst.Attribute) or frame.func is None or not is_receiver(func.value, frame.func.node):
        return False
    owner = frame.owner
    return isinstance(owner, InstanceVal) and _MODULE in mro.library_bases(owner.cls) and _says(func.attr.value, _LAYERS)


def _says(name: str, wanted: frozenset[str]) -> bool:
    """Whether some words of a name are among those that are wanted, and all others mean nothing else."""
    words = {word.lower() for word in _WORD.findall(name)}
    return not words.isdisjoint(wanted) and words <= wanted | _BESIDE
