"""Shapes that people write about parameters, in docstrings and comments: ``x (Tensor): input of shape (B, C, H, W)``.

Only text is read here. What is ambiguous (two ranks in one description, an ellipsis) is left out. What is written may be wrong;
who uses it must not rely on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: The sizes of a shape as they are written: names, numbers, arithmetic.
Sizes = tuple[str, ...]

_SIZE: Final = r"[A-Za-z_][\w']*(?:\.[A-Za-z_]\w*)*|\d+"
_TERM: Final = rf"(?:{_SIZE})(?:\s*(?://|[*/+-])\s*(?:{_SIZE}))*"
_LISTED: Final = re.compile(rf"[(\[]\s*({_TERM}(?:\s*,\s*{_TERM})+|{_TERM}\s*,)\s*,?\s*[)\]]")
_CROSSED: Final = re.compile(rf"(?<![\w*])((?:{_SIZE})(?:\s+[xX×]\s+(?:{_SIZE})){{1,5}}|[A-Z](?:x[A-Z]){{1,4}})(?![\w*])")
_OPEN: Final = re.compile(r"[(\[][^()\[\]]*(?:\.\.\.|\*\s*[,)\]]|…)[^()\[\]]*[)\]]?")
#: Words that make a list in parentheses something else than a shape.
_NO_SIZES: Final = frozenset({
    "optional", "default", "tensor", "torch", "float", "int", "bool", "str", "none", "list", "tuple", "dict", "array",
    "ndarray", "callable", "true", "false", "or", "and", "e.g", "i.e", "torch.tensor", "torch.floattensor", "long",
    "torch.longtensor", "np.ndarray", "numpy.ndarray", "tf.tensor", "inputs", "outputs",
})  # fmt: skip
_TELLING: Final = re.compile(r"\b(?:shape[sd]?|size[sd]?|dim(?:ension)?s?)\b", re.IGNORECASE)
_LIKE_SIZES: Final = re.compile(
    r"[A-Z][A-Za-z]?\d?|[a-z]|\d+|.*(?:batch|seq|len|chan|height|width|dim|num_|n_|hidden|feat|size|embed|head|time|token|class|node|frame|bs|bsz).*"
)


def in_docstring(text: str, names: Iterable[str]) -> dict[str, Sizes]:
    """The shapes that a docstring gives to parameters (Google, numpy and Sphinx styles, plain lists)."""
    lines = text.expandtabs().splitlines()
    heads = {
        name: re.compile(
            rf"\s*(?:[-*]\s+)?(?::param(?:\s+[\w.]+)?\s+)?[`*]*{re.escape(name)}[`*]*\s*(?:\(.*\)\s*)?(?::|=|--? )"
        )
        for name in names
    }
    found: dict[str, Sizes] = {}
    for number, line in enumerate(lines):
        for name, head in heads.items():
            match = head.match(line)
            if match is not None and name not in found:
                sizes = shape_in(line[line.index(name) + len(name) :] + " " + _continued(lines, number))
                if sizes is not None:
                    found[name] = sizes
    return found


def _continued(lines: list[str], number: int) -> str:
    """The lines below one that are indented more."""
    depth = _indent(lines[number])
    out: list[str] = []
    for line in lines[number + 1 :]:
        if not line.strip() or (_indent(line) <= depth):
            break
        out.append(line.strip())
    return " ".join(out)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def in_comment(text: str, names: Iterable[str]) -> dict[str, Sizes]:
    """The shape that a comment gives to a parameter it names first: ``# x: (B, T, C)``."""
    body = text.lstrip("#: ")
    for name in names:
        match = re.match(
            rf"[`\"]*{re.escape(name)}(?:\.shape|\.size\(\))?[`\"]*(?:\s+(?:is|has|shape|size|of|in|with))*\s*[:=\-]*\s*(?=[(\[`]|[A-Za-z]\w*\s*[xX×]\s|[A-Z]x[A-Z])",
            body,
        )
        if match is not None:
            sizes = shape_in("shape " + body[match.end() :])
            return {name: sizes} if sizes is not None else {}
    return {}


def shape_in(text: str) -> Sizes | None:
    """The shape that a description gives; ``None`` if it gives none, or shapes of different ranks."""
    if _OPEN.search(text):
        return None
    listed = [match for match in (*_LISTED.finditer(text), *_CROSSED.finditer(text)) if _is_shape(text, match)]
    shapes = [_parts(match[1]) for match in listed]
    return shapes[0] if shapes and len({len(shape) for shape in shapes}) == 1 else None


def _parts(text: str) -> Sizes:
    parts = text.split(",") if "," in text else re.split(r"\s*[xX×]\s*", text)
    return tuple(part.strip() for part in parts if part.strip())


def _is_shape(text: str, match: re.Match[str]) -> bool:
    parts = _parts(match[1])
    if any(part.lower() in _NO_SIZES for part in parts):
        return False
    likely = sum(_LIKE_SIZES.fullmatch(part) is not None or not part.isidentifier() for part in parts)
    return 2 * likely >= len(parts) + (_TELLING.search(text[: match.start()]) is None)
