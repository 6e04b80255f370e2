"""A model under ``torch.compile``, watched by compiling its graph with more outputs.

More outputs keep the compiler from fusing operators across them. So what is compiled without them is kept as well, for the
search to compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import torch

from dllint.bisection.arrays import as_array, several
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Observable
from dllint.bisection.references.torch_export import exported
from dllint.bisection.references.torch_graph import TorchGraph

#: Compiled graphs that are kept.
_KEPT: Final = 32
_Compiler = Callable[[torch.nn.Module], Callable[..., Any]]


class CompiledCandidate:
    """``whole`` is the compiled model as it is deployed; ``compiler`` compiles the graph with the wanted values as outputs."""

    def __init__(self, graph: TorchGraph, whole: Callable[..., Any], compiler: _Compiler) -> None:
        self._graph = graph
        self._whole = whole
        self._compiler = compiler
        self._tapped: dict[tuple[str, ...], Callable[..., Any]] = {}
        self.inputs = list(graph.graph.inputs)
        self.outputs = list(graph.graph.outputs)
        inside = [node for node in graph.graph.nodes if node.name not in self.inputs]
        self.observables = [
            Observable(n.name, n.kind, "", n.module, n.weights, n.inputs) for n in inside if n.shape is not None
        ]

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        return dict(zip(wanted, self._called(self._compiled(tuple(wanted)), inputs), strict=True))

    def untapped(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """The outputs of the model as it is deployed."""
        return dict(zip(self.outputs, self._called(self._whole, inputs), strict=True))

    def weight(self, name: str) -> np.ndarray | None:
        """A parameter by its name."""
        return self._graph.weight(name)

    def _called(self, compiled: Callable[..., Any], inputs: Arrays) -> list[np.ndarray]:
        given = [self._graph.tensor(name, inputs[name]) for name in self.inputs]
        try:
            with torch.no_grad():
                return [as_array(value) for value in several(compiled(*given))]
        except Exception as error:
            text = f"torch.compile fails on this model: {type(error).__name__}: {str(error).partition(chr(10))[0]}"
            raise BisectionError(
                text, "see that the model compiles by itself; inductor needs a C++ compiler on the CPU"
            ) from error

    def _compiled(self, wanted: tuple[str, ...]) -> Callable[..., Any]:
        if wanted not in self._tapped:
            if len(self._tapped) >= _KEPT:
                self._tapped.pop(next(iter(self._tapped)))
            self._tapped[wanted] = self._compiler(_with_outputs(self._graph.module, wanted))
        return self._tapped[wanted]


def _with_outputs(module: torch.fx.GraphModule, wanted: Sequence[str]) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    copied: dict[torch.fx.Node, torch.fx.Node] = {}
    graph.graph_copy(module.graph, copied)
    made = {node.name: copied[node] for node in module.graph.nodes if node in copied}
    graph.output(tuple(made[name] for name in wanted))
    tapped = torch.fx.GraphModule(module, graph)
    tapped.graph.eliminate_dead_code()
    tapped.recompile()
    return tapped


def opened(value: Any, setting: Setting) -> CompiledCandidate:
    """``compile`` for the reference under inductor, or a compiled module, whose own compiler is used for what is watched."""
    own = value if isinstance(value, torch.nn.Module) else None
    model = getattr(own, "_orig_mod", setting.model)
    if not isinstance(model, torch.nn.Module):
        raise BisectionError("`compile` is made from a torch.nn.Module", "name the deployed model itself")
    example = [torch.from_numpy(np.array(array)).to(setting.device) for array in setting.inputs]
    graph = TorchGraph(exported(model.eval().to(setting.device), example), setting.device)
    whole = own if own is not None else torch.compile(model, dynamic=True)
    backend = getattr(getattr(own, "dynamo_ctx", None), "_torchdynamo_orig_backend", None)
    given = {} if backend is None else {"backend": backend}
    return CompiledCandidate(graph, whole, lambda module: torch.compile(module, dynamic=True, **given))
