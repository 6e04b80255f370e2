"""Budgets of the interpreter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """``fuel`` is the number of executed statements per entry, ``total_fuel`` the most per document (where it depends on
    its size: ``least_fuel`` and ``fuel_per_line``); ``depth`` the number of
    nested calls; ``unroll`` the number of iterations of one loop; ``passes`` those of a loop whose trip count is not
    known; ``arms`` how often an arm that a default does not select is looked at."""

    fuel: int = 60_000
    total_fuel: int = 400_000
    least_fuel: int = 4_000
    fuel_per_line: int = 6
    depth: int = 60
    unroll: int = 128
    passes: int = 3
    arms: int = 2
    recursion: int = 10
