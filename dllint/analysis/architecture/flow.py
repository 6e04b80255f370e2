"""Which modules of a tree perform the operations of a model's call, and from which of them each tensor comes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.shapes import tensors_given
from dllint.analysis.architecture.tree import Module
from dllint.ir.program import Op, TensorVal

#: Stands for what the model is given.
Given = Literal["given"]


@dataclass(frozen=True, slots=True)
class Use:
    """An operation of the call, with the module that performs it, or in whose method it stands, and its number among those of
    that module."""

    number: int
    op: Op
    module: Module


@dataclass(slots=True)
class Flow:
    """The operations of a call in order; ``given`` and ``results`` are the tensors that the call takes and gives."""

    given: list[TensorVal] = field(default_factory=list)
    results: list[TensorVal] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    _by_op: dict[int, Use] = field(default_factory=dict)
    _given: set[int] = field(default_factory=set)
    _own: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, model: Model, tree: Module) -> Flow:
        """The flow of a model's call in its tree; of a part of a model, what happens in that part."""
        flow = cls()
        is_whole = tree.instance is model.instance
        call = model.call if is_whole else tree.calls[-1] if tree.calls else None
        if call is not None:
            flow.given = [tensor for value in call.inputs for tensor in tensors_given(value)]
            flow.results = list(tensors_given(call.output))
            flow._given = {tensor.id for tensor in flow.given} | {tensor.origin for tensor in flow.given if tensor.origin}
        by_id: dict[int, Module] = {}
        for module in (one for one in tree.everything() if not one.is_again):
            by_id.setdefault(id(module.instance), module)
        for item in model.items:
            if isinstance(item, Op) and not any(condition.default is False for condition in item.path):
                owner = by_id.get(id(item.layer)) or by_id.get(id(item.owner)) or (tree if is_whole else None)
                if owner is not None and not flow._gives(item):
                    flow._take(item, owner)
        return flow

    def _gives(self, op: Op) -> bool:
        """Whether an operation makes what the call is given."""
        return any(tensor.id in self._given for tensor in op.outputs)

    def _take(self, op: Op, module: Module) -> None:
        use = self._by_op[id(op)] = Use(self._own[id(module)], op, module)
        self.uses.append(use)
        self._own[id(module)] += 1

    def source(self, tensor: TensorVal) -> Use | Given | None:
        """What makes a tensor: an operation of the call, or who calls; None for weights and constants."""
        if tensor.id in self._given:
            return "given"
        use = self._by_op.get(id(tensor.producer)) if tensor.producer is not None else None
        return use if use is not None else "given" if tensor.origin in self._given else None

    def operations_in(self, module: Module | None) -> int:
        """How many operations a module performs itself."""
        return self._own[id(module)] if module is not None else 0
