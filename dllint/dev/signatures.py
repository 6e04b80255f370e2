"""Generate ``dllint/frameworks/signatures/<library>.json`` from the installed libraries.

Each line of the file is one public name: ``"torch.cat": [["tensors", "pos"], ["dim", "pos", 0], ["out", "only", null]]``.
A parameter is ``[name, kind]`` or ``[name, kind, default]``; kinds are those of :class:`dllint.frameworks.binding.Param`; a
default that is no literal is ``{"?": text}``. Overloads are one signature for binding, with the keywords of the others as
``also``; what takes keywords at run time that no signature tells is ``open``. Methods have ``self``; classes are listed by
their constructor, without it.

Run as ``python -m dllint.dev.signatures torch``. This is a developer's tool: it imports the libraries it describes.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_overloads

from dllint.dev.stubs import Signature, json_literal, merge, of_text

FOLDER: Final = Path(__file__).parents[1] / "frameworks" / "signatures"
#: A keyword that no function has.
_NO_KEYWORD: Final = "no_function_has_this"
_KINDS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: "pos",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "pos",
    inspect.Parameter.KEYWORD_ONLY: "only",
    inspect.Parameter.VAR_POSITIONAL: "args",
    inspect.Parameter.VAR_KEYWORD: "kwargs",
}
#: Library → the module with ``names()`` (qualified name → object), ``stubs()`` (qualified name → signature where Python tells
#: none) and maybe ``closed()`` (signatures that win over what Python tells, because its ``**kwargs`` takes nothing) and
#: ``more()`` (keywords that no signature tells, or that older releases took).
LIBRARIES: Final = {
    "torch": "dllint.dev.libraries.torch_names",
    "torchvision": "dllint.dev.libraries.torchvision_names",
    "einops": "dllint.dev.libraries.einops_names",
    "keras": "dllint.dev.libraries.keras_names",
    "numpy": "dllint.dev.libraries.numpy_names",
    "tensorflow": "dllint.dev.libraries.tensorflow_names",
}


def of_object(value: Any, stub: Signature | None = None) -> Signature | None:
    """The signature of a callable: from Python unless that is a mere ``*args, **kwargs``, then from ``typing.overload``, a
    stub or the docstring; ``None`` if none of them tells."""
    found = _inspected(value)
    if found is not None and not any(p[1] == "args" for p in found):
        return found
    overloads = _overloads(value)
    documented = merge(overloads) if overloads else stub or found
    documented = documented or (of_text(value.__doc__) if isinstance(value.__doc__, str) else None)
    return documented if documented is None or not _is_open(value, found, documented) else [*documented, ["kwargs", "open"]]


def _is_open(value: Any, found: Signature | None, documented: Signature) -> bool:
    """Whether a callable takes keywords at run time that its signature lacks: its ``**kwargs`` does not turn down what no
    function has."""
    kinds = {kind for _, kind, *_ in documented}
    if found is None or "kwargs" in kinds or not any(kind == "kwargs" for _, kind, *_ in found):
        return False
    needed = [1 for _, kind, *default in documented if kind == "pos" and not default]
    try:
        value(*needed, **{_NO_KEYWORD: None})
    except TypeError as error:
        return "unexpected keyword" not in str(error)
    except Exception:  # whatever else is wrong with such a call, the keyword has passed
        return True
    return True


def _inspected(value: Any) -> Signature | None:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (ValueError, TypeError):
        return None
    return [
        [p.name, _KINDS[p.kind]] if p.default is inspect.Parameter.empty else [p.name, _KINDS[p.kind], json_literal(p.default)]
        for p in parameters
    ]


def _overloads(value: Any) -> list[Signature]:
    """The overloads of a function or of a class's constructor (without ``self``)."""
    function, skipped = (value.__init__, 1) if inspect.isclass(value) else (value, 0)
    if not inspect.isfunction(function):
        return []
    found = (signature[skipped:] for each in get_overloads(function) if (signature := _inspected(each)) is not None)
    return [signature for signature in found if {kind for _, kind, *_ in signature} != {"args", "kwargs"}]


def public(module: Any, prefix: str, wanted: Callable[[Any], bool] = callable) -> Iterator[tuple[str, Any]]:
    """The public callables of a module or class, by qualified name."""
    for name in sorted(dir(module)):
        if not name.startswith("_"):
            value = getattr(module, name, None)
            if wanted(value):
                yield f"{prefix}.{name}", value


def generate(library: str) -> dict[str, Signature]:
    """All signatures of one library, sorted by name."""
    description = importlib.import_module(LIBRARIES[library])
    stubs: Mapping[str, Signature] = description.stubs()
    closed: Mapping[str, Signature] = description.closed() if hasattr(description, "closed") else {}
    more: Mapping[str, Signature] = description.more() if hasattr(description, "more") else {}
    found: dict[str, Signature] = {}
    for name, value in description.names():
        signature = closed.get(name) or of_object(value, stubs.get(name))
        if signature is not None:
            found[name] = extended(found[name], signature) if name in found else signature
    found.update({name: [*found[name], *keywords] for name, keywords in more.items()})
    return dict(sorted(found.items()))


def extended(today: Signature, old: Signature) -> Signature:
    """A signature that also takes the keywords of an older one of the same function; its order is today's."""
    known = {parameter[0] for parameter in today}
    if any(kind in ("kwargs", "open") for _, kind, *_ in today):
        return today
    return today + [[name, "only", None] for name, kind, *_ in old if name not in known and kind in ("pos", "only")]


def dump(signatures: Mapping[str, Signature]) -> str:
    """The file's text: JSON with one name per line."""
    lines = (f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in signatures.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(libraries: list[str]) -> None:
    """Write the files of the given libraries."""
    for library in libraries:
        path = FOLDER / f"{library}.json"
        signatures = generate(library)
        path.write_text(dump(signatures), encoding="utf-8")
        print(f"{path.name}: {len(signatures)} names")


if __name__ == "__main__":
    main(sys.argv[1:] or list(LIBRARIES))
