"""A fault that some of the layers a name may stand for have is none if another of them takes the input."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

CHAIN = """
def make(dims, width):
    if dims == 1:
        return nn.Conv1d(3, width, 3)
    elif dims == 2:
        return nn.Conv2d(3, width, 3)
    elif dims == 3:
        return nn.Conv3d(3, width, 3)
    raise ValueError(dims)
"""
TABLE = """
KINDS = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}

def make(dims, width):
    return KINDS[dims](3, width, 3)
"""
HELPER = """
def kind(dims):
    if dims == 3:
        return nn.Conv3d
    return nn.Conv2d if dims == 2 else nn.Conv1d

def make(dims, width):
    layer = kind(dims)
    return layer(3, width, 3)
"""
DIRECT = "y = make(int(sys.argv[1]), 4)(x)\n"
MODULE = """
class Block(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.layer = make(dims, 4)

    def forward(self, x):
        return self.layer(x)

block = Block(int(sys.argv[1]))
y = block(x)
"""
SEQUENTIAL = "y = nn.Sequential(nn.Identity(), make(int(sys.argv[1]), 4))(x)\n"


def _found(maker: str, use: str, rank: int) -> list[str]:
    shape = (3, *[8] * (rank - 1)) if rank == 2 else (1, 3, *[8] * (rank - 2))
    text = f"import sys\nimport torch\nfrom torch import nn\n{maker}\nx = torch.ones{shape}\n{use}"
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/a.py"), text.encode())
    return [finding.code for finding in result.findings if finding.severity.value in ("error", "warning")]


@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("use", [DIRECT, MODULE, SEQUENTIAL], ids=["direct", "module", "sequential"])
@pytest.mark.parametrize("maker", [CHAIN, TABLE, HELPER], ids=["chain", "table", "helper"])
def test_one_of_them_takes_the_input(maker, use, rank):
    assert not _found(maker, use, rank)


@pytest.mark.parametrize("rank", [6, 7])
@pytest.mark.parametrize("use", [DIRECT, MODULE, SEQUENTIAL], ids=["direct", "module", "sequential"])
@pytest.mark.parametrize("maker", [CHAIN, TABLE, HELPER], ids=["chain", "table", "helper"])
def test_none_of_them_does(maker, use, rank):
    assert _found(maker, use, rank) == ["DLT102"]
