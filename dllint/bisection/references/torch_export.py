"""A ``torch.nn.Module`` as reference: its ``torch.export`` graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from dllint.bisection.errors import BisectionError
from dllint.bisection.references.torch_graph import TorchGraph
from dllint.bisection.warnings import without_library_warnings


class TorchReference(TorchGraph):
    """The module in evaluation mode; its parameters are put on ``device``."""

    def __init__(self, module: torch.nn.Module, example: Sequence[np.ndarray], device: str = "cpu") -> None:
        """``example`` holds a batch of each input, in the order of ``forward``; two samples or more let the batch vary.

        Raises :class:`BisectionError` if the module cannot be exported.
        """
        tensors = [torch.from_numpy(np.array(array)).to(device) for array in example]
        super().__init__(exported(module.eval().to(device), tensors), device)


def exported(module: torch.nn.Module, example: Sequence[torch.Tensor]) -> torch.fx.GraphModule:
    """The graph without operations in place, the batch free if the module allows it.

    Raises :class:`BisectionError` if the module cannot be exported.
    """
    free = tuple({0: torch.export.Dim.AUTO} if tensor.dim() else None for tensor in example)
    try:
        with without_library_warnings():
            return without_mutation(torch.export.export(module, tuple(example), dynamic_shapes=free, strict=False))
    except Exception as error:
        text = f"{type(module).__name__} cannot be exported with torch.export: {type(error).__name__}: "
        advice = "make its forward free of data-dependent control flow, or bisect by modules"
        raise BisectionError(text + str(error).partition("\n")[0], advice) from error


def without_mutation(program: torch.export.ExportedProgram) -> torch.fx.GraphModule:
    """The program's graph with operations in place written as others."""
    plain: Any = program.run_decompositions({}).module()
    assert isinstance(plain, torch.fx.GraphModule)
    return plain
