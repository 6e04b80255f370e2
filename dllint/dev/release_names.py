"""Which public names a release of a library has. Run with the interpreter that has the release; any Python from 3.6 on.

    PYTHON release_names.py list tensorflow > names.json       # candidates: what this release has
    PYTHON release_names.py present candidates.json > RELEASE.json   # which of some names it has
    PYTHON release_names.py run programs.json > RELEASE.json         # which of some programs do not raise

:mod:`dllint.dev.history` makes tables in ``dllint/frameworks/history`` of what several releases say. This file stands alone,
because old releases need old interpreters.
"""

import importlib
import inspect
import json
import os
import sys
import warnings
from types import ModuleType

#: Parts of a library that are not its interface.
_SKIPPED = {"compat", "contrib", "python", "core", "tools", "raw_ops", "src", "api", "legacy_tf_layers"}
#: Classes whose methods count as names, too.
_CLASSES = ("Model", "Sequential", "Layer", "Tokenizer", "ImageDataGenerator", "Dataset", "Tensor", "Variable")
_DEPTH = 3
_modules: "dict[str, ModuleType | None]" = {}


def listed(root: str) -> "dict[str, object]":
    """The public names below a library, some modules deep."""
    module = importlib.import_module(root)
    out = set()  # type: set[str]
    _collect(module, root, _DEPTH, out)
    return {"versions": {root: _version(module)}, "names": sorted(out)}


def _collect(module: ModuleType, prefix: str, depth: int, out: "set[str]") -> None:
    for name in sorted(set(dir(module)) | set(vars(module))):
        if name.startswith("_") or name in _SKIPPED:
            continue
        value = _attribute(module, name)
        full = prefix + "." + name
        if inspect.ismodule(value):
            if value.__name__.partition(".")[0] in ("tensorflow", "tensorflow_core", "keras", "tensorflow_estimator"):
                out.add(full)
                if depth:
                    _collect(value, full, depth - 1, out)
        elif value is not None:
            out.add(full)
            if inspect.isclass(value) and name in _CLASSES:
                out.update(full + "." + member for member in dir(value) if not member.startswith("_"))


def present(names: "list[str]") -> "dict[str, object]":
    """Which of some qualified names can be reached."""
    roots = sorted({name.partition(".")[0] for name in names})
    versions = {root: _version(_imported(root)) for root in roots}
    return {"versions": versions, "names": [name for name in names if is_present(name)]}


def passing(programs: "dict[str, str]") -> "dict[str, object]":
    """Which of some programs (text by name) run to their end."""
    out = []
    for name in sorted(programs):
        try:
            exec(programs[name], {})
        except BaseException:  # whatever an old release says to it
            continue
        out.append(name)
    return {"versions": {"keras": _version(_imported("keras"))}, "names": out}


def is_present(name: str) -> bool:
    """Whether a qualified name can be reached by imports and attributes."""
    parts = name.split(".")
    value: object = _imported(parts[0])
    for end, part in enumerate(parts[1:], 2):
        if value is None:
            return False
        found = _attribute(value, part)
        value = found if found is not None else _imported(".".join(parts[:end]))
    return value is not None


def _attribute(owner: object, name: str) -> object:
    try:
        return getattr(owner, name, None)
    except BaseException:  # lazy modules raise what they like
        return None


def _imported(name: str) -> "ModuleType | None":
    if name not in _modules:
        try:
            _modules[name] = importlib.import_module(name)
        except BaseException:  # lazy modules raise what they like
            _modules[name] = None
    return _modules[name]


def _version(module: object) -> object:
    return getattr(module, "__version__", None)


def main(arguments: "list[str]") -> None:
    """Print what was asked for as JSON."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    warnings.simplefilter("ignore")
    mode, subject = arguments
    if mode == "list":
        found = listed(subject)
    else:
        with open(subject) as stream:
            subjects = json.load(stream)
        found = present(subjects) if mode == "present" else passing(subjects)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
