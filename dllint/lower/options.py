"""Budgets of the interpreter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """``fuel`` is the number of executed statements per entry, ``total_fuel`` the most per document (where it depends on
    its size: ``least_fuel`` and ``fuel_per_line``); ``depth`` the number of
    nested calls; ``import_fuel``
    the number of statements executed to get one imported name, ``total_import_fuel`` per document, ``decorator_fuel`` to
    apply one decorator; ``star_imports`` and ``imported_modules`` how many of them are followed; ``unroll`` the number of iterations of one loop; ``passes`` those of a loop whose trip count is not
    known; ``arms`` how often an arm that a default does not select is looked at."""

    fuel: int = 60_000
    total_fuel: int = 400_000
    import_fuel: int = 1_500
    total_import_fuel: int = 12_000
    decorator_fuel: int = 60
    star_imports: int = 16
    imported_modules: int = 48
    least_fuel: int = 4_000
    fuel_per_line: int = 6
    depth: int = 60
    unroll: int = 128
    passes: int = 3
    arms: int = 2
    nesting: int = 4
    recursion: int = 10
