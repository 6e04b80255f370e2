"""Options that click, typer, tyro and others declare have their defaults, in whatever way they are declared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower

HEAD = """
import click
import pyrallis
import simple_parsing
import torch
import typer
import tyro
from dataclasses import dataclass
from torch import nn
from transformers import HfArgumentParser

@dataclass
class Config:
    width: int = 48
    depth: int = 2

def work(width):
    return nn.Linear(16, width)(torch.randn(4, 16))

"""
#: The option as click is told of it.
SPELLINGS = (
    '"--width", default=48',
    '"-w", "--width", default=48, type=int, show_default=True',
    '"--hidden", "width", default="48", type=int',
    '"--WIDTH", default="48", type=click.INT, help="the width"',
    '"width", "-w", default=48',
)
#: What stands around it: decorators before and after, other parameters.
FRAMES = (
    "@click.command()\n@click.option({})\ndef main(width):\n",
    "@click.command('train', context_settings={{}})\n@click.option('--seed', default=0)\n@click.option({})\n"
    "def main(width, seed):\n",
    "@click.group()\ndef cli():\n    pass\n\n@cli.command()\n@click.argument('path')\n@click.option({})\n@click.pass_context\n"
    "def main(ctx, path, width):\n",
    "def shared(f):\n    return click.option({})(f)\n\n@click.command()\n@shared\n@click.pass_obj\ndef main(obj, width):\n",
)
CALLS = ("", "\nif __name__ == '__main__':\n    main()\n")
#: Other libraries.
OTHERS = (
    "def main(width: int = typer.Option(48, '--width')):\n    work(width)\n\ntyper.run(main)\n",
    "app = typer.Typer()\n\n@app.command()\ndef main(path: str, width: int = typer.Option(default=48)):\n    work(width)\n",
    "def main():\n    work(tyro.cli(Config).width)\n",
    "def main():\n    work(tyro.cli(Config, description='x').width)\n",
    "def main():\n    work(simple_parsing.parse(Config).width)\n",
    "def main():\n    work(pyrallis.parse(config_class=Config).width)\n",
    "def main():\n    config, = HfArgumentParser(Config).parse_args_into_dataclasses()\n    work(config.width)\n",
    "def main():\n    p = HfArgumentParser((Config,))\n"
    "    config, left = p.parse_args_into_dataclasses(return_remaining_strings=True)\n    work(config.width)\n",
)


def shapes(source: str) -> list[object]:
    """The shapes of what the layer gives where the options are known."""
    programs = [program for program in lower(source).programs if program.entry != "work"]
    return [op.outputs[0].shape for program in programs for op in program.ops if op.kind == "linear"]


def click_programs() -> Iterator[str]:
    for spelling, frame, call in product(SPELLINGS, FRAMES, CALLS):
        yield HEAD + frame.format(spelling) + "    work(width)\n" + call


@pytest.mark.parametrize("source", [*click_programs(), *(HEAD + other for other in OTHERS)])
def test_a_default_is_the_value(source: str) -> None:
    assert shapes(source)
    assert set(shapes(source)) == {(4, 48)}


@pytest.mark.parametrize(
    "option",
    [
        '"--width"',
        '"--width", required=True, type=int',
        '"--width", default=[48], multiple=True',
        '"--width", default=f',
        "*more",
    ],
)
@pytest.mark.parametrize("call", CALLS)
def test_what_has_no_default_is_not_known(option: str, call: str) -> None:
    source = f"{HEAD}def f():\n    return 48\n\n@click.command()\n@click.option({option})\n"
    source += f"def main(width):\n    work(width)\n{call}"
    assert (4, 48) not in shapes(source)
    lowered = lower(source)
    assert not any(op.faults for program in lowered.programs for op in program.ops)


@pytest.mark.parametrize("default", ["...", "", "None, callback=work"])
def test_typer_asks_for_what_has_no_default(default: str) -> None:
    source = f"{HEAD}def main(width: int = typer.Option({default})):\n    out = torch.zeros(width)\n"
    found = [op.outputs[0].shape for program in lower(source).programs for op in program.ops if op.kind == "zeros"]
    assert found
    assert all(isinstance(shape, Unknown) or not isinstance(shape[0], int) for shape in found)
