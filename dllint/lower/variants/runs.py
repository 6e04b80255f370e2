"""Further runs of an entry under other configurations (variants), for arms that the defaults or undecided branches leave out.

A fault found in such an arm during the first run is not proved, because the objects were built under the default. The entry is
therefore run again with one setting changed: a flag inverted, a missing value given, a mode that the code compares with, a
number above zero. The same is done for a model class that the document constructs with that parameter left out, and for the top
level with an option of argparse. A doubtful fault under undecided conditions is repeated with their arms taken. Construction
and call use the same setting; if the code raises under it, the run proves nothing.

Only faults that the entry does not have under its defaults are reported, with the setting in the message and one level less
confidence. Limits: four runs per entry, and 1/25 of the fuel that the file's entries took, at least 800 statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dllint.ir.program import Op, Program, without_repetition
from dllint.ir.values import Arguments, ClassVal, FuncVal
from dllint.lower import entries, image_sizes, mro
from dllint.lower.entries import Entry
from dllint.lower.signatures import signature
from dllint.lower.state import Run
from dllint.lower.variants import settings
from dllint.lower.variants.variant import Variant
from dllint.source.lines import searchable

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.state import Identities
    from dllint.source.document import Document

#: Reruns of one entry at most.
_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Rerun:
    """One run to make: the entry, its variants, which arms of undecided branches are taken (true: the first)."""

    entry: Entry
    variants: tuple[Variant, ...]
    arms: tuple[tuple[int, bool], ...]
    text: str
    #: Places and kinds of the faults that the entry has anyway; ``None`` if it was not run.
    usual: frozenset[tuple[int, str]] | None
    #: Whether the setting is what the entry is made for.
    is_meant: bool = False


def after(known: Identities, program: Program, run: Run, entry: Entry) -> list[Rerun]:
    """The runs to make after an entry: first that with the images it is made for, then those that can settle its doubtful
    faults."""
    usual = faults_of(program)
    sized = image_sizes.variant(known, run, program, entry.subject[0] if entry.subject else None)
    out = [] if sized is None else [Rerun(entry, (sized,), (), sized.text, usual, is_meant=True)]
    out += _for_faults(program, run, entry, usual)
    asked = {rerun.text for rerun in out}
    out += [Rerun(entry, (t,), (), t.text, usual) for t in run.found.values() if t.text not in asked]
    return out[:_MOST]


def faults_of(program: Program) -> frozenset[tuple[int, str]]:
    """Places and kinds of a program's faults that are beyond doubt."""
    return frozenset((id(op.site.node), f.kind) for op in program.ops if op.faults and not op.doubtful for f in op.faults)


def _for_faults(program: Program, run: Run, entry: Entry, usual: frozenset[tuple[int, str]]) -> Iterator[Rerun]:
    seen: set[str] = set()
    for op in program.ops:
        if op.faults and op.doubtful:
            rerun = _for_fault(run, entry, op, usual)
            if rerun is not None and rerun.text not in seen:
                seen.add(rerun.text)
                yield rerun


def _for_fault(run: Run, entry: Entry, op: Op, usual: frozenset[tuple[int, str]]) -> Rerun | None:
    """The run in which a doubtful fault would be certain; ``None`` if its conditions cannot be brought about."""
    variants: dict[str, Variant] = {}
    arms: dict[int, bool] = {}
    texts: list[str] = []
    for condition in op.path:
        if condition.default is True:
            continue
        branch = run.branches.get(condition.key)
        if branch is None:
            return None
        if condition.default is None:
            arms[id(branch.test)] = condition.arm == 0
            texts.append(condition.text)
            continue
        variant = next((t for t in run.found.values() if t.source == branch.source), None)
        if variant is None:
            return None
        variants[variant.source] = variant
        texts.append(variant.text)
    return Rerun(entry, tuple(variants.values()), tuple(arms.items()), " and ".join(without_repetition(texts)), usual)


# --- classes that the document itself calls ---------------------------------------------------------------------------------


def of_called(m: Interpreter, run_already: Iterable[str]) -> Iterator[Rerun]:
    """Runs of the model classes that some call has run with a flag left at its default."""
    done = set(run_already)
    for cls in [c for c in m.trail.classes if c.document is m.document]:
        given = m.trail.default_arguments.get(id(cls))
        entry = entries.main_entry(m, cls)
        init = mro.lookup(cls, "__init__")
        if given is None or entry is None or entry.name in done or not isinstance(init, FuncVal):
            continue
        variants = list(_left_open(m.document, m.known, cls, init, given))
        for variant in variants[:_MOST]:
            yield Rerun(entry, (variant,), (), variant.text, None)


def _left_open(document: Document, known: Identities, cls: ClassVal, init: FuncVal, given: Arguments) -> Iterator[Variant]:
    """The other values of the parameters that a construction leaves to their defaults and that the class decides by."""
    names = signature(known, init.node).positional[1 : len(given.args) + 1]
    left = tuple(name for name in init.defaults if name not in names and name not in given.kwargs)
    for name, compared in document.answer(_decides_by, cls.name, left).items():
        default = init.defaults[name]
        if isinstance(default, str):
            yield from (settings.text_variant(name, option) for option in compared if option != default)
        else:
            yield from settings.variants_of(name, default)


def _decides_by(text: str, cls: str, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Those of some names that stand behind an ``if`` in the source text of a class at the top level of a document, with the
    texts that each is compared with."""
    pattern = rf"^class {re.escape(cls)}\b.*?(?=^[A-Za-z@]|\Z)"
    found = re.search(pattern, searchable(text), re.MULTILINE | re.DOTALL)
    own = found[0] if found is not None else ""
    return {
        name: tuple(dict.fromkeys(re.findall(rf"""\b{name} == ["'](\w+)["']""", own)))
        for name in names
        if re.search(rf"\bif\b[^\n]*\b{name}\b", own)
    }


# --- running ----------------------------------------------------------------------------------------------------------------


def begin(m: Interpreter, rerun: Rerun, opened: dict[int, frozenset[str]]) -> None:
    """Make the next run one under a setting, with some parameters left open (:func:`dllint.lower.confirming.opened`)."""
    values = {variant.source: variant.value for variant in rerun.variants}
    m.run = Run(values=values, arms=dict(rerun.arms), opened=opened)


def begin_usual(m: Interpreter) -> None:
    """Make the next run one as the defaults have it, with objects of its own."""
    m.run = Run(fresh=True, fixed=m.run.fixed)


def end(m: Interpreter) -> None:
    """No run is made any more."""
    m.run = Run()


def keep_own(program: Program, usual: frozenset[tuple[int, str]]) -> None:
    """Keep only the faults of a program that are due to its setting."""
    for op in program.ops:
        if op.faults:
            op.faults = tuple(f for f in op.faults if (id(op.site.node), f.kind) not in usual)
