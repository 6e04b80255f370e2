"""``dllint bisect``: find the operator of a deployed model that costs the metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dllint.cli.failures import Failure, say

if TYPE_CHECKING:
    from dllint.bisection.result import Bisection
    from dllint.bisection.session import Opened, Options

_GIB: Final = 2**30


@click.command("bisect")
@click.argument("spec", metavar="SPEC | init")
@click.option("--device", default="auto", metavar="auto|cpu|cuda:N", help="Where the reference runs.")
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
@click.option("--output-file", type=click.Path(path_type=Path), help="Write the report there.")
@click.option("--alignment", type=click.Path(path_type=Path), help="Read the alignment from a file.")
@click.option("--save-alignment", type=click.Path(path_type=Path), help="Write the alignment to a file and stop.")
@click.option("--cache-dir", type=click.Path(path_type=Path), default=Path(".dllint_bisect"), show_default=True)
@click.option("--cache-size", type=float, default=10.0, show_default=True, metavar="GIB", help="0 keeps nothing.")
@click.option("--alpha", type=click.FloatRange(1e-6, 0.5), default=0.01, show_default=True, help="Error rate of the search.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    spec: str,
    device: str,
    output_format: str,
    output_file: Path | None,
    alignment: Path | None,
    save_alignment: Path | None,
    cache_dir: Path,
    cache_size: float,
    alpha: float,
    quiet: bool,
) -> int:
    """Find which operator of a deployed model costs the metric. SPEC is a Python or TOML file; `init` writes an example.

    Exit status: 0 the candidate is as good, 1 it is worse, 2 it could not be found out.
    """
    if spec == "init":
        return _init(Path("bisect_spec.py"))
    from dllint.bisection.errors import BisectionError
    from dllint.bisection.session import Options

    options = Options(_device(device), alpha, cache_dir, int(cache_size * _GIB), alignment)
    try:
        return _run(Path(spec), options, save_alignment, output_format, output_file, quiet)
    except BisectionError as error:
        raise Failure(f"{error}; {error.advice}" if error.advice else str(error)) from error
    except KeyboardInterrupt:
        say(f"interrupted; what was run is kept in {cache_dir}, the same command goes on from there")
        raise


def _run(
    spec: Path, options: Options, save_alignment: Path | None, output_format: str, output_file: Path | None, quiet: bool
) -> int:
    from dllint.bisection.alignment.file import text_of
    from dllint.bisection.session import laid_out, opened, searched
    from dllint.bisection.spec import load

    loaded = load(spec)
    both = opened(loaded, options)
    for pair in both.unfit:
        say(f"note: `{pair.node}` and `{pair.value}` do not fit in shape and are left to the reference")
    if save_alignment is not None:
        save_alignment.write_text(text_of(both.reference.graph, both.aligned), encoding="utf-8")
        return 0
    found = searched(laid_out(loaded, options, both, (lambda text: None) if quiet else say))
    _write(_text(found, both, output_format), output_file)
    return 0 if found.verdict.fine else 1


def _text(found: Bisection, both: Opened, output_format: str) -> str:
    from dllint.bisection.report.record import record
    from dllint.bisection.report.terminal import lines

    if output_format == "json":
        return json.dumps(record(found, both.reference.graph), indent=2, ensure_ascii=False)
    return "\n".join(lines(found, both.reference.graph))


def _write(text: str, file: Path | None) -> None:
    if file is None:
        click.echo(text)
        return
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {file}: {error.strerror or error}") from error


def _device(wanted: str) -> str:
    """``auto`` is the first GPU if torch sees one."""
    if wanted != "auto":
        return wanted
    try:
        import torch
    except ImportError:
        return "cpu"
    return "cuda:0" if torch.cuda.is_available() else "cpu"


def _init(path: Path) -> int:
    from dllint.bisection.example_spec import TEXT

    if path.exists():
        raise Failure(f"{path} exists already")
    path.write_text(TEXT, encoding="utf-8")
    click.echo(f"Wrote {path}: run `dllint bisect {path}`, then put your own model into it.")
    return 0
