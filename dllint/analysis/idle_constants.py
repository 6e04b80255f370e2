"""Tensors that a module keeps, multiplies or adds, and never changes, so that they do nothing: ones that multiply, zeros that
are added. They are parameters of which ``nn.Parameter`` was forgotten.

Text decides that nothing changes them: each read is an operand of a product (a sum), and no code writes to an attribute of
that name, neither in the class's document nor, by the class's name or module, in others."""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

from dllint.analysis.class_reads import ClassReads
from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.domains.shape import broadcast
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.source.uses import used_elsewhere
from dllint.source.walk import walk

_ONES: Final = (cst.Multiply,)
_ZEROS: Final = (cst.Add,)


def idle_operation(value: Value, name: str, cls: ClassVal, reads: ClassReads, facts: Facts) -> str | None:
    """What does nothing (``multiplying by these ones``, ``adding these zeros``) of a tensor attribute with which the class does
    nothing else; ``None`` if it may be changed, or is used in another way, as to stretch what it meets."""
    maker = value.producer if isinstance(value, TensorVal) else None
    if maker is None or not isinstance(value, TensorVal) or value.type.rank == 0 or reads.open or _stretches(value, facts):
        return None
    signs = _ONES if does(maker, Trait.ONES) else _ZEROS if does(maker, Trait.ZEROS) else ()
    assigned = [access for method in reads.methods.values() for access in method.assigned.get(name, ())]
    if not signs or len(assigned) != 1 or not _is_operand_alone(name, signs, reads) or _is_written(name, cls.document.text):
        return None
    if used_elsewhere(cls.document.path, cls.document.text, cls.name, name):
        return None
    return "multiplying by these ones" if signs is _ONES else "adding these zeros"


def _stretches(value: TensorVal, facts: Facts) -> bool:
    """Whether a tensor gives what it meets more elements, by broadcasting."""
    if value.framework != "torch":
        return True
    for op in facts.users(value):
        for other in op.inputs:
            if other is value or isinstance(other.shape, Unknown):
                continue
            shape, _ = broadcast((other.shape, () if isinstance(value.shape, Unknown) else value.shape))
            if len(shape) != len(other.shape) or any(a == 1 and b != 1 for a, b in zip(other.shape, shape, strict=True)):
                return True
    return False


def _is_operand_alone(name: str, signs: tuple[type[cst.BaseBinaryOp], ...], reads: ClassReads) -> bool:
    """Whether every read of an attribute is an operand of such a sign, and there is one."""
    accesses = [access for method in reads.methods.values() for access in method.read.get(name, ())]
    operands: set[int] = set()
    for access in accesses:
        for part in walk(access.statement):
            if isinstance(part, cst.BinaryOperation) and isinstance(part.operator, signs):
                operands.update((id(part.left), id(part.right)))
    return bool(accesses) and all(id(access.node) in operands for access in accesses)


def _is_written(name: str, text: str) -> bool:
    """Whether a text may change an attribute of this name: by an assignment to that of another object, in place, as ``data``,
    or in a call that gets it or its name."""
    changed = rf"(?<!\bself)\.{name}\s*(?:\[[^\]\n]*\]\s*)?[-+*/]?=(?!=)|\.{name}(?:\[[^\]\n]*\])?\.(?:data|\w+_)\b"
    self_changed = rf"\bself\.{name}\s*(?:\[[^\]\n]*\]\s*[-+*/]?|[-+*/])=(?!=)"
    given = rf"_\([^()\n]*\.{name}\b|[\"']{name}[\"']"
    return any(re.search(pattern, text) is not None for pattern in (changed, self_changed, given))
