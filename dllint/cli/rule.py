"""``dllint rule``: the documentation page of a rule, or of all."""

from __future__ import annotations

import json
from typing import Any

import click

from dllint.cli.failures import Failure
from dllint.config.errors import ConfigError
from dllint.engine.registry import catalogue, metadata


@click.command("rule")
@click.argument("rule", required=False)
@click.option("--all", "every", is_flag=True, help="All rules.")
@click.option("--output-format", type=click.Choice(["text", "markdown", "json"]), default="text", help="How to print.")
def command(rule: str | None, every: bool, output_format: str) -> None:
    """Explain RULE, given by its code or name."""
    if every == (rule is not None):
        raise Failure("name one rule, or use --all")
    records = _records(rule)
    if output_format == "json":
        click.echo(json.dumps(records if every else records[0], indent=2, ensure_ascii=False))
        return
    render = _markdown if output_format == "markdown" else _text
    click.echo("\n\n".join(render(record) for record in records))


def _records(rule: str | None) -> list[dict[str, Any]]:
    """The pages of a rule or of all, those of a diagnosed run included."""
    from dllint.diagnose.symptom_pages import codes_of, symptom_pages

    found = codes_of(rule) if rule else list(symptom_pages())
    try:
        codes = (
            () if rule and found else catalogue().codes_of([rule], "the command line") if rule else catalogue().entries.keys()
        )
    except ConfigError as error:
        raise Failure(error) from error
    return [*(metadata(code) for code in sorted(codes)), *(symptom_pages()[code] for code in found)]


def _heading(record: dict[str, object]) -> str:
    fix = f", fix {record['fix']}" if record["fix"] else ""
    state = {"on": "", "hint": ", editor hint", "off": ", off by default", "run": ", found by `dllint diagnose`"}[
        str(record["default"])
    ]
    return f"{record['severity']}, {record['confidence']} confidence{fix}{state}"


def _markdown(record: dict[str, object]) -> str:
    return f"# {record['code']}: {record['name']}\n\n*{_heading(record)}*\n\n{record['page']}"


def _text(record: dict[str, object]) -> str:
    title = f"{record['name']} ({record['code']})"
    return f"{title}\n{'=' * len(title)}\n{_heading(record)}\n\n{record['page']}"
