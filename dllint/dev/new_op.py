"""``dllint dev new-op``: a new operation in its family file, and its test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from dllint.dev.scaffold import REPOSITORY, require, write_new
from dllint.ops.spec import OPS

_HEAD: Final = '''"""The {family} family of operations."""

from __future__ import annotations

from dllint.domains.shape import TensorType
from dllint.ops.spec import Call, Result, op
'''

_OP: Final = '''

@op("{name}")
def {name}(call: Call, x: TensorType) -> Result:
    """What it computes, and the shape of the result in terms of ``x``."""
    return x
'''

_TEST: Final = '''"""{name}: the result's type, and what it refuses."""

from __future__ import annotations

import pytest

from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.ops.{family} import {name}
from dllint.ops.spec import Call


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_{name}_keeps_the_shape(shape):
    call = Call("{name}")
    assert {name}(call, TensorType(shape, FLOAT32)).shape == shape
    assert not call.faults
'''


@click.command("new-op")
@click.argument("name")
@click.option("--family", required=True, help="The file below dllint/ops: reshape, reduce, conv …")
@click.option("--into", type=click.Path(path_type=Path), default=REPOSITORY, help="The repository to write into.")
def command(name: str, family: str, into: Path) -> None:
    """Add the operation NAME to its family and write a first test."""
    require(r"[a-z][a-z0-9_]*", name, "NAME")
    require(r"[a-z][a-z0-9_]*", family, "--family")
    path = into / "dllint" / "ops" / f"{family}.py"
    words = {"name": name, "family": family}
    before = path.read_text(encoding="utf-8") if path.exists() else _HEAD.format(**words)
    if name in OPS or f'@op("{name}")' in before:
        raise click.UsageError(f"the operation `{name}` exists already")
    is_new = not path.exists()
    write_new({into / "tests" / "ops" / f"test_{name}.py": _TEST.format(**words)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before + _OP.format(**words), encoding="utf-8")
    click.echo(f"added {name} to {path.name}; next: its meaning, `python -m dllint.dev.index`, samples in tests/ops/,")
    click.echo("then a row in dllint/frameworks/")
    if is_new:
        click.echo(f"{family} is a new family: name it in dllint/ops/all.py")
