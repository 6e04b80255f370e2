"""einops patterns: rearrange, reduce, repeat."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dllint.domains.dim import Dim, differs, exact_quotient, floordiv, is_known, mod, opaque, product, show
from dllint.domains.dtype import INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.join import listed, stack
from dllint.ops.letters import Sizes
from dllint.ops.promotion import refuse
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait

_TOKEN = re.compile(r"\.\.\.|…|[A-Za-z_]\w*|\d+|[()]|->|\S")
_NAME = re.compile(r"\.\.\.|…|[A-Za-z_]\w*|\d+")
#: An axis of a pattern side: the names merged into it.
Group = tuple[str, ...]


def _groups(text: str) -> list[Group] | None:
    """``"b (h w) c"`` as [("b",), ("h", "w", "1"), ("c",)], or ``None`` if it is no pattern. The 1 tells ``(...)``, one
    axis, from ``...``."""
    out: list[Group] = []
    inner: list[str] | None = None
    for token in _TOKEN.findall(text):
        if token == "(" and inner is None:
            inner = []
        elif token == ")" and inner is not None:
            out.append((*inner, "1"))
            inner = None
        elif not _NAME.fullmatch(token):
            return None
        elif inner is not None:
            inner.append("..." if token == "…" else token)
        else:
            out.append(("..." if token == "…" else token,))
    return None if inner is not None else out


def _sides(call: Call, pattern: Value) -> tuple[list[Group], list[Group]] | None:
    if not isinstance(pattern, str):
        return None
    left, arrow, right = pattern.partition("->")
    sides = _groups(left), _groups(right)
    if not arrow or sides[0] is None or sides[1] is None:
        why = "is not an einops pattern" if arrow else "has no `->`"
        advice = "write both sides, as in `b c h w -> b h w c`"
        call.fault(faults.ARGUMENT, operand="pattern", detail=f"`{pattern}` {why}", advice=advice)
        return None
    return sides[0], sides[1]


def _names(groups: list[Group]) -> set[str]:
    return {name for group in groups for name in group if not name.isdigit()}


def _known_names(call: Call, left: list[Group], right: list[Group], sizes: Mapping[str, Value], new: bool, lost: bool) -> bool:
    """Names on both sides must agree, unless axes may be made (repeat) or reduced."""
    made = _names(right) - _names(left) - (set(sizes) if new else set())
    gone = set() if lost else _names(left) - _names(right)
    for name in sorted(made | gone):
        side = "right" if name in made else "left"
        call.fault(faults.ARGUMENT, operand="pattern", detail=f"axis `{name}` is on the {side} side of the pattern only")
        return False
    return True


def _match(call: Call, x: TensorType, left: list[Group], sizes: Mapping[str, Value]) -> tuple[Sizes, Shape] | None:
    """Bind the names of the left side; returns them with the axes of the ellipsis."""
    if isinstance(x.shape, Unknown):
        return None
    dots = next((i for i, group in enumerate(left) if "..." in group), None)
    rank, named = len(x.shape), len(left) - (dots is not None)
    if rank < named or (dots is None and rank != named):
        detail = f"the pattern names {named} axes"
        call.fault(faults.RANK, operand="x", expected=(named,), actual=rank, shapes=(x.shape,), detail=detail)
        return None
    found = Sizes(call, (x.shape,), broadcast=False)
    for name, size in sizes.items():
        found.bind(name, size if is_dim(size) else opaque(name))
    rest = rank - named
    axis, extra = 0, x.shape[:0]
    for place, group in enumerate(left):
        if place == dots:
            extra = x.shape[axis : axis + rest]
            axis += rest
        else:
            _bind_group(call, found, group, x.shape, axis)
            axis += 1
    return found, extra


def _bind_group(call: Call, found: Sizes, group: Group, shape: Shape, axis: int) -> None:
    """Bind the one name of a group whose size is not known yet, or compare the product."""
    size = shape[axis]
    free = [name for name in group if not name.isdigit() and name not in found.found]
    known = product(int(name) if name.isdigit() else found.found[name] for name in group if name not in free)
    if len(free) > 1:
        detail = f"the sizes of `{'` and `'.join(free)}` are not given"
        call.fault(faults.ARGUMENT, operand="pattern", axis=axis, actual=size, shapes=(shape,), detail=detail)
    elif len(free) == 1:
        found.bind(free[0], _part(call, shape, axis, known, group))
    elif not free and differs(known, size):
        detail = f"`{_shown(group)}` stands for {show(known)} but axis {axis} has size {show(size)}"
        call.fault(faults.OPERATOR_SHAPE, operand="x", axis=axis, expected=known, actual=size, shapes=(shape,), detail=detail)


def _shown(group: Group) -> str:
    return " ".join(name for name in group if name != "1") or "1"


def _part(call: Call, shape: Shape, axis: int, known: Dim, group: Group) -> Dim:
    size = shape[axis]
    if (exact := exact_quotient(size, known)) is not None:
        return exact
    if differs(mod(size, known), 0):
        detail = f"size {show(size)} on axis {axis} does not divide by {show(known)} for `({_shown(group)})`"
        call.fault(faults.OPERATOR_SHAPE, operand="x", axis=axis, expected=known, actual=size, shapes=(shape,), detail=detail)
    return floordiv(size, known) if is_known(known) else opaque("part")


def _built(found: Sizes, extra: Shape, right: list[Group]) -> Shape:
    out: list[Dim] = []
    for group in right:
        if group == ("...",):
            out.extend(extra)
        else:
            parts = [product(extra) if n == "..." else int(n) if n.isdigit() else found.size(n) for n in group]
            out.append(product(parts))
    return tuple(out)


def _apply(call: Call, x: Value, pattern: Value, sizes: Value, new: bool, lost: bool) -> TensorType | Unknown:
    given = x
    if isinstance(x, tuple):
        items = listed(call, x)
        given = stack(call, x, 0) if isinstance(items, list) else items
    if not isinstance(given, TensorType):
        return given if isinstance(given, Unknown) else Unknown("no-argument", "einops")
    sides = _sides(call, pattern)
    named = sizes if isinstance(sizes, Mapping) else {}
    unknown = TensorType(Unknown("no-argument", "pattern"), given.dtype, Unknown("layout", "einops"))
    if sides is None or not _known_names(call, *sides, named, new, lost):
        return unknown
    matched = _match(call, given, sides[0], named)
    if matched is None:
        return unknown
    return TensorType(_built(*matched, sides[1]), given.dtype, Unknown("layout", "einops"))


@op("rearrange", traits=Trait.KEEPS_VALUES | Trait.MAY_VIEW | Trait.OWN_ORDER)
def rearrange(call: Call, x: Value, pattern: Value, sizes: Value = None) -> Result:
    """Axes reordered, split and merged by a pattern; ``sizes`` are the named sizes. A sequence of tensors is stacked."""
    return _apply(call, x, pattern, sizes, new=False, lost=False)


@op("einops_repeat", traits=Trait.REPEATS)
def einops_repeat(call: Call, x: Value, pattern: Value, sizes: Value = None) -> Result:
    """``rearrange`` that may make new axes, whose sizes are given."""
    return _apply(call, x, pattern, sizes, new=True, lost=False)


@op("einops_reduce", traits=Trait.REDUCES)
def einops_reduce(call: Call, x: Value, pattern: Value, reduction: Value = "mean", sizes: Value = None) -> Result:
    """``rearrange`` that reduces the axes missing on the right."""
    found = _apply(call, x, pattern, sizes, new=False, lost=True)
    if not isinstance(found, TensorType) or not isinstance(found.dtype, DType) or found.dtype.kind != "int":
        return found
    if reduction == "mean":
        refuse(call, found)
    return found.with_dtype(INT64) if reduction in ("sum", "prod") and call.framework == "torch" else found
