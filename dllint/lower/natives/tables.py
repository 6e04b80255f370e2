"""Importing this module registers every builtin and standard library function the interpreter knows."""

from __future__ import annotations

from dllint.lower.natives import (
    command_lines,
    configs,
    containers,
    data_files,
    derived,
    elements,
    evaluated,
    functions,
    introspection,
    iterators,
    numbers,
    objects,
    patterns,
    records,
    sequences,
    stdlib,
    text,
    trainers,
)  # fmt: skip

ALL = (
    command_lines,
    configs,
    containers,
    data_files,
    derived,
    elements,
    evaluated,
    functions,
    introspection,
    iterators,
    numbers,
    objects,
    patterns,
    records,
    sequences,
    stdlib,
    text,
    trainers,
)
