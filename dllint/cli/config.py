"""``dllint config``: the settings, from the one table that also makes ``docs/settings.md``."""

from __future__ import annotations

import json

import click

from dllint.cli.failures import Failure
from dllint.config.errors import nearest
from dllint.config.options import Option, options


@click.command("config")
@click.argument("setting", required=False)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
def command(setting: str | None, output_format: str) -> None:
    """List the settings, or describe one SETTING."""
    known = {option.name: option for option in options()}
    if setting is not None and setting not in known:
        raise Failure(f"unknown setting `{setting}`{nearest(setting, known)}")
    chosen = [known[setting]] if setting else list(known.values())
    if output_format == "json":
        click.echo(json.dumps([_record(option) for option in chosen], indent=2))
    elif setting:
        click.echo(_text(chosen[0]))
    else:
        click.echo("\n".join(option.name for option in chosen))


def _record(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "doc": option.doc,
        "default": option.default,
        "example": f"{option.name} = {option.example}",
        "choices": list(option.choices),
    }


def _text(option: Option) -> str:
    lines = [option.name, "", option.doc, "", f"Default: {json.dumps(option.default)}"]
    if option.choices:
        lines.append(f"One of: {', '.join(option.choices)}")
    return "\n".join([*lines, f"Example: {option.name} = {option.example}"])
