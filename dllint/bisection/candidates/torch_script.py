"""A TorchScript module, watched by giving its graph more outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from dllint.bisection.arrays import as_array, several
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Observable

_KEPT: Final = 32
_ATTRIBUTE: Final = "prim::GetAttr"


class ScriptCandidate:
    """The inlined graph of ``forward``; parameters are known by their paths."""

    def __init__(self, module: Any, device: str) -> None:
        self._device = torch.device(device)
        self._module = module.eval().to(self._device)
        self._graph = _flat(self._module.graph)
        self._paths = _paths(self._graph)
        self._tapped: dict[tuple[str, ...], Any] = {}
        self.inputs = [value.debugName() for value in list(self._graph.inputs())[1:]]
        self.outputs = _outputs(self._graph)
        self.observables = [found for node in self._graph.nodes() for found in self._observables(node)]

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        key = tuple(wanted)
        if key not in self._tapped:
            if len(self._tapped) >= _KEPT:
                self._tapped.pop(next(iter(self._tapped)))
            self._tapped[key] = _function(self._graph, key)
        given = [torch.from_numpy(np.array(inputs[name])).to(self._device) for name in self.inputs]
        with torch.no_grad():
            found = several(self._tapped[key](self._module._c, *given))
        return {name: as_array(value) for name, value in zip(wanted, found, strict=True)}

    def untapped(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """The outputs of the module as it is deployed."""
        given = [torch.from_numpy(np.array(inputs[name])).to(self._device) for name in self.inputs]
        with torch.no_grad():
            return {n: as_array(v) for n, v in zip(self.outputs, several(self._module(*given)), strict=True)}

    def weight(self, name: str) -> np.ndarray | None:
        """A parameter or buffer by its path."""
        found = dict(self._module.named_parameters()) | dict(self._module.named_buffers())
        return as_array(found[name]) if name in found else None

    def _observables(self, node: Any) -> list[Observable]:
        if node.kind().startswith("prim::"):
            return []
        taken = [value.debugName() for value in node.inputs()]
        weights = tuple(self._paths[name] for name in taken if name in self._paths)
        module = weights[0].rpartition(".")[0] if weights else ""
        return [
            Observable(value.debugName(), node.kind().removeprefix("aten::"), "", module, weights, tuple(taken))
            for value in node.outputs()
            if value.isCompleteTensor() or str(value.type()) == "Tensor"
        ]


def _flat(graph: Any) -> Any:
    made = graph.copy()
    torch._C._jit_pass_inline(made)
    return made


def _paths(graph: Any) -> dict[str, str]:
    """The path of the module or parameter that a value of the graph is."""
    found = {next(iter(graph.inputs())).debugName(): ""}
    for node in graph.nodes():
        if node.kind() == _ATTRIBUTE:
            start = found.get(next(iter(node.inputs())).debugName())
            if start is not None:
                found[next(iter(node.outputs())).debugName()] = f"{start}.{node.s('name')}".strip(".")
    return found


def _outputs(graph: Any) -> list[str]:
    names = []
    for value in graph.outputs():
        inner = value.node()
        several_values = inner.kind() in ("prim::TupleConstruct", "prim::ListConstruct")
        names += [part.debugName() for part in inner.inputs()] if several_values else [value.debugName()]
    return names


def _function(graph: Any, wanted: Sequence[str]) -> Any:
    made = graph.copy()
    # The copy gives values other names but keeps their order.
    names = dict(zip(_values(graph), _values(made), strict=True))
    by_name = {value.debugName(): value for node in made.nodes() for value in node.outputs()}
    for _ in range(len(list(made.outputs()))):
        made.eraseOutput(0)
    values = [by_name[names[name]] for name in wanted]
    tuple_node = made.create("prim::TupleConstruct", values, 1)
    made.appendNode(tuple_node)
    tuple_node.output().setType(torch._C.TupleType([value.type() for value in values]))
    made.registerOutput(tuple_node.output())
    torch._C._jit_pass_dce(made)
    return torch._C._create_function_from_graph("tapped", made)


def _values(graph: Any) -> list[str]:
    return [value.debugName() for node in graph.nodes() for value in node.outputs()]


def opened(value: Any, setting: Setting) -> ScriptCandidate:
    """A scripted or traced module, or its file. Raises :class:`BisectionError` if it cannot be loaded."""
    if not isinstance(value, Path):
        return ScriptCandidate(value, setting.device)
    try:
        load: Any = torch.jit.load
        return ScriptCandidate(load(str(value), map_location=setting.device), setting.device)
    except (RuntimeError, ValueError) as error:
        text = f"torch.jit cannot load {value}: {str(error).partition(chr(10))[0]}"
        advice = "a candidate in a .pt file is TorchScript; for weights give a function that makes the module"
        raise BisectionError(text, advice) from error
