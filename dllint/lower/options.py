"""Budgets of the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dllint.domains.stated import Stated

#: Called every now and then; may raise to stop the work.
Checkpoint = Callable[[], None]
StatedFor = Callable[[tuple[str, ...]], Stated | None]


class RestartError(Exception):
    """An assertion has fixed a size of an input: the entry is run with it from its beginning."""


class StoppedError(BaseException):
    """A limit of time or memory has been reached. No ``Exception``: what goes on after errors must not go on after it."""


@dataclass(frozen=True, slots=True)
class Options:
    """How much work an analysis may do.

    ``fuel`` is the number of executed statements per entry; per document it is ``least_fuel`` and ``fuel_per_line`` for
    each line, but not more than ``total_fuel``. ``import_fuel`` is spent to get one imported name, ``total_import_fuel``
    per document, ``decorator_fuel`` to apply one decorator; ``star_imports`` and ``imported_modules`` are followed at most.
    The same of the code of installed packages, from which what the others have is apart: ``installed_fuel`` for what is called,
    ``installed_import_fuel`` to get one name, ``total_installed_import_fuel`` for all of a document, ``installed_modules``,
    ``installed_unroll``.
    Statements that make a library do much at once pay for more than one: ``units`` of such work are as much as a statement.
    ``depth`` is the number of nested calls of functions, ``calls`` that of calls of any kind, ``recursion`` that of one
    function, ``unroll`` the iterations of one loop, ``passes`` those of a loop whose trip count is not known. ``arms`` is how
    often an arm that a default does not select is looked at; more than ``nesting`` undecided branches inside each other are
    followed one way only, and of a chain of undecided alternatives the first ``alternatives`` are: both are told as cut short.
    ``image_size`` is the height and width of a model's input image; without it, they are symbols.
    Entries are run again under other settings for ``least_rerun_fuel``, or a share (one in ``rerun_share``) of what the runs
    before took.
    ``architectures``: whether models of libraries that a table describes by their features and their head are followed in the
    installed source instead, which costs more and gives all of their layers.
    ``stated`` tells what the configuration states about the first of some names, most specific first, that it speaks of.
    ``checkpoint`` is called before every block of statements; it stops the analysis by raising what is no ``Exception``.
    """

    fuel: int = 60_000
    total_fuel: int = 400_000
    import_fuel: int = 1_500
    total_import_fuel: int = 12_000
    decorator_fuel: int = 60
    star_imports: int = 40
    imported_modules: int = 48
    installed_fuel: int = 120_000
    installed_import_fuel: int = 30_000
    total_installed_import_fuel: int = 120_000
    installed_modules: int = 250
    installed_unroll: int = 1_000
    image_size: int | None = None
    least_fuel: int = 4_000
    fuel_per_line: int = 6
    units: int = 16
    depth: int = 60
    calls: int = 300
    unroll: int = 128
    passes: int = 3
    arms: int = 2
    nesting: int = 4
    alternatives: int = 300
    least_rerun_fuel: int = 800
    rerun_share: int = 25
    recursion: int = 10
    architectures: bool = False
    checkpoint: Checkpoint | None = None
    stated: StatedFor | None = None
