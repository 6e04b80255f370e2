"""Modules of torch whose ``__init__`` does not reach that of ``torch.nn.Module``, so that they have no tables of parts.

Without parts such a module is built without an error; a call of it, a move or a look at its parameters raises (torch 2.13:
``_backward_hooks``, ``_modules`` and ``_parameters`` are set in ``Module.__init__``)."""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.analysis.class_reads import class_reads
from dllint.analysis.modules import is_resolved, library_of, user_classes
from dllint.ir.values import ClassVal
from dllint.source.memo import of_node
from dllint.source.walk import dotted, walk

#: Methods by which a class decides itself what happens when it is built, called or asked for an attribute.
_OWN_PROTOCOL: Final = frozenset({"__call__", "__new__", "__getattr__", "__getattribute__", "__setattr__"})


def without_base_init(cls: ClassVal) -> cst.FunctionDef | None:
    """The ``__init__`` that a module class has or inherits, where it never comes to ``torch.nn.Module.__init__`` and the class
    has a ``forward``, which takes such an object. ``None`` where anything may make up for it: an unknown base, decorators,
    own protocols, a function that gets the object."""
    if library_of(cls) != "torch" or not is_resolved(cls):
        return None
    classes = user_classes(cls)
    if _is_initialised_first(cls):
        return None
    if any(one.is_dataclass or one.is_extended or one.node is None or _is_special(one.node) for one in classes):
        return None
    methods = [class_reads(one.node).methods for one in classes]
    forward = next((found["forward"] for found in methods if "forward" in found), None)
    init = next((found["__init__"] for found in methods if "__init__" in found), None)
    if forward is None or init is None or forward.node.decorators or any(_OWN_PROTOCOL & found.keys() for found in methods):
        return None
    return None if init.node.decorators or may_initialise_base(init.node) or _is_abstract(init.node) else init.node


def _is_initialised_first(cls: ClassVal) -> bool:
    """Whether a library's module comes before the first class with an ``__init__`` in the order in which methods are found."""
    for base in cls.mro:
        if not isinstance(base, ClassVal):
            if library_of(base) is not None:
                return True
        elif "__init__" in class_reads(base.node).methods:
            return False
    return True


def _is_special(node: cst.ClassDef) -> bool:
    return bool(node.decorators or node.keywords)


@of_node
def may_initialise_base(init: cst.FunctionDef) -> bool:
    """Whether an ``__init__`` calls the base's, or something that may: a method of the object, or a function that gets it."""
    receiver = init.params.params[0].name.value if init.params.params else ""
    return any(isinstance(part, cst.Call) and (is_initialiser(part) or _takes(part, receiver)) for part in walk(init))


def is_initialiser(call: cst.Call) -> bool:
    """``super().__init__(…)``, ``Base.__init__(self, …)``, or a helper method that might do it."""
    func = call.func
    if isinstance(func, cst.Attribute) and func.attr.value in ("__init__", "__setstate__"):
        return True
    name = dotted(func)
    return (name is not None and name.startswith("self.")) or any(
        isinstance(part, cst.Name) and part.value == "super" for part in walk(func)
    )


def _takes(call: cst.Call, receiver: str) -> bool:
    """Whether a call is given the object or everything that is known here, or is of a method of it."""
    name = dotted(call.func)
    if name is not None and name.startswith(f"{receiver}."):
        return True
    return any(isinstance(arg.value, cst.Name) and arg.value.value == receiver for arg in call.args) or name in ("exec", "eval")


def _is_abstract(init: cst.FunctionDef) -> bool:
    """Whether an ``__init__`` only raises."""
    return any(isinstance(part, cst.Raise) for line in init.body.body[:2] for part in getattr(line, "body", ()))
