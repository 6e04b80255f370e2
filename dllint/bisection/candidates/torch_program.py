"""Another ``torch.nn.Module``, or a ``torch.export`` program, as candidate: both are graphs that run in parts."""

from __future__ import annotations

from pathlib import Path

import torch

from dllint.bisection.candidates.graph_candidate import GraphCandidate
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.references.torch_export import TorchReference, without_mutation
from dllint.bisection.references.torch_graph import TorchGraph


def opened(value: torch.nn.Module | torch.export.ExportedProgram | Path, setting: Setting) -> GraphCandidate:
    """A module, a program, or the file of a program (``.pt2``). Raises :class:`BisectionError` if it cannot be read."""
    if isinstance(value, torch.nn.Module):
        return GraphCandidate(TorchReference(value, setting.inputs, setting.device))
    program = value if isinstance(value, torch.export.ExportedProgram) else _loaded(value)
    return GraphCandidate(TorchGraph(without_mutation(program).to(setting.device), setting.device))


def _loaded(path: Path) -> torch.export.ExportedProgram:
    try:
        return torch.export.load(path)
    except Exception as error:
        text = f"torch cannot load the program {path}: {str(error).partition(chr(10))[0]}"
        raise BisectionError(text, "write it with `torch.export.save`, and load it with the same version of torch") from error
