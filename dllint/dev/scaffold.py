"""What the scaffolds share: names in their spellings, and writing files that must not exist yet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import click

REPOSITORY = Path(__file__).parents[2]


def module_name(kebab: str) -> str:
    """``softmax-before-cross-entropy`` → ``softmax_before_cross_entropy``."""
    return kebab.replace("-", "_")


def class_name(kebab: str) -> str:
    """``softmax-before-cross-entropy`` → ``SoftmaxBeforeCrossEntropy``."""
    return "".join(part.capitalize() for part in kebab.split("-"))


def require(pattern: str, value: str, what: str) -> None:
    """Raise a usage error unless a value has the form of a pattern."""
    if not re.fullmatch(pattern, value):
        raise click.UsageError(f"{what} must match {pattern}, but is `{value}`")


def write_new(files: Mapping[Path, str]) -> None:
    """Write files that do not exist yet, all or none, and name them."""
    existing = [path for path in files if path.exists()]
    if existing:
        raise click.UsageError(f"{existing[0]} exists already")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(f"wrote {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
