"""``dllint diagnose``: run a training script and report what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from dllint.cli.failures import Failure

_UNITS: Final = {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "b": 1}


class ProgramCommand(click.Command):
    """A command whose options end at the program to run, be it a script or ``-m module``: what follows is the program's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with the program's arguments marked off."""
        return super().parse_args(ctx, self._marked_off(args))

    def _marked_off(self, args: list[str]) -> list[str]:
        options = [option for option in self.params if isinstance(option, click.Option)]
        taken = {name: 0 if o.is_flag else o.nargs for o in options for name in (*o.opts, *o.secondary_opts)}
        at = 0
        while at < len(args) and args[at].startswith("-") and args[at] != "--":
            if args[at] == "-m":
                return [*args[: at + 2], "--", *args[at + 2 :]]
            at += 1 if "=" in args[at] else 1 + taken.get(args[at], 1)
        return args


def _size(context: click.Context, option: click.Parameter, text: str | None) -> int | None:
    """``4GB`` as bytes."""
    if text is None:
        return None
    lower = text.lower()
    unit = next((unit for unit in _UNITS if lower.endswith(unit)), "")
    try:
        return int(float(lower.removesuffix(unit)) * _UNITS.get(unit, 1))
    except ValueError:
        raise click.BadParameter(f"`{text}` is not a size such as 4GB") from None


@click.command("diagnose", cls=ProgramCommand, context_settings={"allow_interspersed_args": False})
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does; ends the options.")
@click.option("--device", default="auto", metavar="auto|cpu|cuda:N", help="The device that the program may see.")
@click.option("--max-steps", type=click.IntRange(min=1), help="End the program after so many optimizer steps.")
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), help="End the program after so many seconds.")
@click.option("--max-memory", callback=_size, metavar="SIZE", help="End the program when its process needs more, say 8GB.")
@click.option(
    "--max-gpu-memory", callback=_size, metavar="SIZE", help="End the program when its tensors need more of the GPU, say 20GB."
)
@click.option("--force-eager", is_flag=True, help="Run compiled code uncompiled, so that all of its layers are seen.")
@click.option(
    "--output-format", type=click.Choice(["full", "concise", "json", "html"]), default="full", help="How to print the report."
)
@click.option("-o", "--output-file", type=click.Path(path_type=Path), help="Write the report to a file.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with curves, layers and repairs to a file, too.")
@click.option("--tensorboard", type=click.Path(path_type=Path), help="Write scalars for TensorBoard into a folder.")
@click.option("--record", type=click.Path(path_type=Path), help="Write all that was measured to a file (JSON).")
@click.option("--events", type=click.Path(path_type=Path), help="Write events as JSON lines to a file while the program runs.")
@click.option("--replay/--no-replay", default=True, help="Try the repairs by running the program again for a few steps.")
@click.option("--replay-seconds", type=click.FloatRange(min=1), default=60.0, show_default=True, help="Time for all trials.")
@click.option("--apply", is_flag=True, help="Apply the first repair that a trial has confirmed, and verify it.")
@click.option("--layers", is_flag=True, help="Show what layers put out in the first and the last step that was looked at.")
@click.option("--write-tests", type=click.Path(path_type=Path), metavar="FILE", help="Write tests of the model and its data.")
@click.option("--overwrite", is_flag=True, help="Let --write-tests replace a file that exists.")
@click.option(
    "--compare",
    type=(click.Path(path_type=Path), click.Path(path_type=Path)),
    metavar="A B",
    help="Run nothing; say where two runs part that --record has written.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Use colours.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT [ARGUMENTS]...")
def command(program: tuple[str, ...], module: str | None, compare: tuple[Path, Path] | None, **options: Any) -> int:
    """Run SCRIPT with its ARGUMENTS and report what is wrong with its training: the symptom, the line, and fixes.

    The script needs no changes, and its results stay the same. The exit status is 0 if nothing was found but hints, 1 if
    there are errors or warnings, 2 if the script could not be diagnosed (it fails, or does not train); under a launcher such as
    torchrun it is the script's own.
    """
    if compare is not None:
        return _compare(program, module, compare, options)
    from dllint.cli.diagnosing import run
    from dllint.cli.diagnosis_options import Options
    from dllint.diagnose.launch import Program

    if module is None and not program:
        raise Failure("give the script to run: dllint diagnose [options] train.py [its arguments]")
    device = options["device"]
    if device not in ("auto", "cpu") and not device.removeprefix("cuda:").isdigit():
        raise Failure(f"--device must be auto, cpu or cuda:N, but is `{device}`")
    wanted = Program(program[0], program[1:]) if module is None else Program(module, program, is_module=True)
    return run(wanted, Options(**options))


def _compare(program: tuple[str, ...], module: str | None, records: tuple[Path, Path], options: dict[str, Any]) -> int:
    from dllint.cli.comparing import compare_records

    if program or module is not None:
        raise Failure("--compare takes two records and runs no script")
    return compare_records(*records, options["output_format"], options["output_file"])
