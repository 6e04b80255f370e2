"""Layers that stand in the place of others, that are forgotten, or that have another option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.fixes.arguments import keyword_argument
from dllint.fixes.calls import wrap
from dllint.fixes.operations import constructor, rename_attribute, set_option
from dllint.fixes.repairs.flow import Candidate, Faulty, class_around, sites
from dllint.fixes.repairs.operands import operands
from dllint.ir.program import Site
from dllint.ops.faults import RANK
from dllint.source.walk import dotted, walk

#: Operations in front of a fault that another layer may perform.
_STEPS: Final = 5
#: ``Conv1d``, ``BatchNorm2d``: the number of axes that a class is for.
_AXES: Final = re.compile(r"([1-3])d$")
_FLAGS: Final = ("batch_first", "bidirectional")


def siblings(found: Faulty) -> Iterator[Candidate]:
    """``self.conv2(x)`` for ``self.conv1(x)``, a layer that is built alike and that nobody applies."""
    for distance, op in enumerate(found.flow[:_STEPS]):
        for site in sites(op):
            function = site.node.func if isinstance(site.node, cst.Call) else None
            name = dotted(function) if isinstance(function, cst.Attribute) else None
            built = _built(site) if name is not None and name.startswith("self.") else {}
            own = built.get((name or "").removeprefix("self."))
            for other, callee in built.items():
                if own == callee and f"self.{other}" != name and function is not None and not _mentions(site, other):
                    yield Candidate(f"Apply `self.{other}`", rename_attribute(site, function, other), 1 + distance)


def forgotten(found: Faulty) -> Iterator[Candidate]:
    """A layer that is built and that nobody applies, around an operand."""
    for distance, op in enumerate(found.flow[:_STEPS]):
        for site in sites(op):
            idle = [name for name in _built(site) if not _mentions(site, name)]
            for name in idle[:3]:
                for node in operands(site):
                    yield Candidate(f"Apply `self.{name}`", wrap(site, node, f"self.{name}"), 2 + distance)


def options(found: Faulty) -> Iterator[Candidate]:
    """The other answer of a flag, and the class for another number of axes."""
    for distance, layer in enumerate(found.layers[:_STEPS]):
        built = constructor(layer)
        if built is None:
            continue
        site, call = built
        for flag in _FLAGS:
            arg = keyword_argument(call, flag)
            if arg is not None and isinstance(arg.value, cst.Name) and arg.value.value in ("True", "False"):
                other = "False" if arg.value.value == "True" else "True"
                yield Candidate(f"Set {flag} to {other}", set_option(layer, flag, other), 2 + distance)
        axes = _AXES.search(call.func.attr.value) if isinstance(call.func, cst.Attribute) else None
        if axes is not None and isinstance(call.func, cst.Attribute) and found.fault.kind == RANK:
            for number in "123":
                if number != axes[1]:
                    name = _AXES.sub(f"{number}d", call.func.attr.value)
                    yield Candidate(f"Build a {name}", rename_attribute(site, call.func, name), 3 + distance)


def _built(site: Site) -> dict[str, str]:
    """The attributes that the class around a site sets to new objects, with what makes each."""
    around, out = class_around(site), dict[str, str]()
    for part in walk(around) if around is not None else ():
        if isinstance(part, cst.Assign) and len(part.targets) == 1 and isinstance(part.value, cst.Call):
            name, callee = dotted(part.targets[0].target), dotted(part.value.func)
            if name is not None and name.startswith("self.") and callee is not None and _is_class(callee):
                out[name.removeprefix("self.")] = callee
    return out


def _is_class(callee: str) -> bool:
    return callee.rpartition(".")[2][:1].isupper()


def _mentions(site: Site, name: str) -> bool:
    """Whether the class around a site reads an attribute."""
    around = class_around(site)
    parts = list(walk(around)) if around is not None else []
    targets = {id(part.target) for part in parts if isinstance(part, cst.AssignTarget)}
    return any(dotted(part) == f"self.{name}" for part in parts if isinstance(part, cst.Attribute) and id(part) not in targets)
