"""Names in pieces of Keras code that are shown without their imports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.frameworks import registry
from dllint.ir.values import LibSymbol
from dllint.source.fragment import binds, is_keras_fragment

if TYPE_CHECKING:
    from dllint.lower.scopes import Frame

#: The names under which modules are imported by convention.
_MODULES: Final = {
    "np": "numpy", "tf": "tensorflow", "keras": "keras", "K": "keras.backend", "layers": "keras.layers",
    "models": "keras.models", "optimizers": "keras.optimizers",
}  # fmt: skip
#: Where the public names of Keras live, the likeliest first.
_HOMES: Final = ("keras.layers", "keras", "keras.models", "keras.optimizers", "keras.callbacks", "keras.utils")


def library_object(frame: Frame, name: str) -> LibSymbol | None:
    """The library object that an unbound name of the running document stands for; ``None`` if the document is no
    fragment of Keras code, or may bind the name itself."""
    document = frame.document
    if document is None or not document.answer(is_keras_fragment) or document.answer(binds, name):
        return None
    if name in _MODULES:
        registry.load(_MODULES[name])
        return LibSymbol(registry.canonical(_MODULES[name]))
    registry.load("keras")
    names = (registry.canonical(f"{home}.{name}") for home in _HOMES)
    return next((LibSymbol(full) for full in names if registry.known(full)), None)
