"""``dllint bisect``: find the operator of a deployed model that costs the metric."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from dllint.cli.failures import Failure

_GIB: Final = 2**30


@click.command("bisect")
@click.argument("spec", metavar="SPEC | init")
@click.option("--device", default="auto", metavar="auto|cpu|cuda:N", help="Where the models run.")
@click.option(
    "--provider",
    "providers",
    multiple=True,
    metavar="NAME",
    help="Execution provider of ONNX Runtime, such as OpenVINOExecutionProvider; several in the order of preference.",
)
@click.option("--check", metavar="CMD", help="A command judges, by its exit code; its last argument is a folder of outputs.")
@click.option("--check-seconds", type=click.FloatRange(min=0, min_open=True), help="End the command after so many seconds.")
@click.option("--ask", is_flag=True, help="You judge: outputs are shown, you answer good or bad.")
@click.option("--output-format", type=click.Choice(["full", "json", "html"]), default="full", show_default=True)
@click.option("-o", "--output-file", type=click.Path(path_type=Path), help="Write the report there.")
@click.option("--write-tests", type=click.Path(path_type=Path), metavar="DIR", help="Write a pytest for each culprit.")
@click.option("--alignment", type=click.Path(path_type=Path), help="Read the alignment from a file.")
@click.option("--print-alignment", is_flag=True, help="Print the alignment and stop.")
@click.option("--save-alignment", type=click.Path(path_type=Path), help="Write the alignment to a file and stop.")
@click.option("--cache-dir", type=click.Path(path_type=Path), default=Path(".dllint_bisect"), show_default=True)
@click.option("--cache-size", type=float, default=10.0, show_default=True, metavar="GIB", help="0 keeps nothing.")
@click.option("--alpha", type=click.FloatRange(1e-6, 0.5), default=0.01, show_default=True, help="Error rate of the search.")
@click.option(
    "--patience", type=click.FloatRange(min=1), default=1800.0, show_default=True, help="Seconds to wait for other processes."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(spec: str, device: str, check: str | None, ask: bool, cache_size: float, **options: Any) -> int:
    """Find which operator of a deployed model costs the metric. SPEC is a Python or TOML file; `init` writes an example.

    Under torchrun the samples are shared out over the processes. Exit status: 0 the candidate is as good, 1 it is worse, 2 it
    could not be found out.
    """
    if spec == "init":
        return _init(Path("bisect_spec.py"))
    if check is not None and ask:
        raise Failure("either --check or --ask judges, not both")
    if device not in ("auto", "cpu") and not device.removeprefix("cuda:").isdigit():
        raise Failure(f"--device must be auto, cpu or cuda:N, but is `{device}`")
    from dllint.cli.bisecting import BisectOptions, run

    return run(Path(spec), BisectOptions(device=device, check=check, ask=ask, cache_bytes=int(cache_size * _GIB), **options))


def _init(path: Path) -> int:
    from dllint.bisection.example_spec import TEXT

    try:
        with path.open("x", encoding="utf-8") as stream:  # a link counts as a file, whether it leads to one or not
            stream.write(TEXT)
    except FileExistsError as error:
        raise Failure(f"{path} exists already") from error
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error
    click.echo(f"Wrote {path}: run `dllint bisect {path}`, then put your own model into it.")
    return 0
