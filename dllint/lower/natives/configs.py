"""Libraries of configurations: OmegaConf and Hydra, and dicts whose entries are attributes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import paths, registry
from dllint.ir.values import Arguments, DictVal, FuncVal, LibSymbol, ListVal, NativeVal, PartialVal, Value, unwrap
from dllint.lower import data_files, imports, modules
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.scopes import MISSING
from dllint.lower.signatures import signature
from dllint.source.data import hydra, interpolation
from dllint.source.data.plain import Plain, UnreadableError

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Composes, Reads

_OMEGACONF = "omegaconf.OmegaConf"
#: Containers inside each other that are copied or merged.
_DEEPEST: Final = 32


@native(
    "easydict.EasyDict", "munch.munchify", "munch.Munch", "addict.Dict", "ml_collections.ConfigDict", "box.Box", "dotmap.DotMap"
)
def _named(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    given = argument(arguments, 0, default=DictVal())
    if not isinstance(given, DictVal) or arguments.star is not None or arguments.double_star is not None:
        return Unknown("unmodelled-call", "attribute dict")
    out = _with_names(m, given)
    if isinstance(out, DictVal):
        out.items.update({name: _with_names(m, value) for name, value in arguments.kwargs.items()})
    return out


def _with_names(m: Reads, value: Value, depth: int = 0, *, named: bool = True) -> Value:
    """A copy in which the entries of all dicts are attributes, too, or are none."""
    if depth > _DEEPEST:
        return Unknown("large-object")
    if isinstance(value, DictVal):
        m.pay(len(value.items) // 4)
        items = {key: _with_names(m, inner, depth + 1, named=named) for key, inner in value.items.items()}
        return DictVal(items, value.rest, read=value.read, named=named)
    if isinstance(value, ListVal) and any(isinstance(inner, (DictVal, ListVal)) for inner in value.items):
        return ListVal([_with_names(m, inner, depth + 1, named=named) for inner in value.items], value.rest)
    return value


# --- OmegaConf ------------------------------------------------------------------------------------------------------------


@native(f"{_OMEGACONF}.load")
def _load(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    return data_files.loaded(m, argument(arguments, 0, "file_"), "omegaconf", named=True, change=interpolation.resolved)


@native(f"{_OMEGACONF}.create")
def _create(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    given = argument(arguments, 0, "obj")
    if given is None:
        return DictVal(read=True, named=True)
    return _with_names(m, given) if isinstance(given, (DictVal, ListVal)) else Unknown("data-file", "omegaconf")


@native(f"{_OMEGACONF}.from_cli", f"{_OMEGACONF}.from_dotlist")
def _from_cli(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    """Nothing is given on the command line, as with argparse."""
    return Unknown("data-file", "arguments") if arguments.args else DictVal(read=True, named=True)


@native(f"{_OMEGACONF}.merge", f"{_OMEGACONF}.unsafe_merge")
def _merged(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    parts = [_with_names(m, unwrap(part)) for part in arguments.args]
    if not parts or arguments.star is not None or not all(isinstance(part, DictVal) and part.rest is None for part in parts):
        return Unknown("data-file", "merge")
    out = DictVal(read=True, named=True)
    for part in parts:
        if isinstance(part, DictVal):
            _merge(out, part)
    return out


def _merge(into: DictVal, other: DictVal) -> None:
    for key, value in other.items.items():
        old = into.items.get(key)
        if isinstance(old, DictVal) and isinstance(value, DictVal):
            _merge(old, value)
        else:
            into.items[key] = value


@native(f"{_OMEGACONF}.to_container", f"{_OMEGACONF}.to_object")
def _to_container(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    return _with_names(m, argument(arguments, 0, "cfg"), named=False)


@native(f"{_OMEGACONF}.set_struct", f"{_OMEGACONF}.set_readonly", f"{_OMEGACONF}.resolve", "omegaconf.open_dict")
def _nothing(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return None


# --- Hydra ----------------------------------------------------------------------------------------------------------------


@native("hydra.main")
def _main(m: Composes, _receiver: Value, arguments: Arguments) -> Value:
    """The decorated function gets the configuration that is composed of the files."""
    directory = paths.path_of(argument(arguments, 0, "config_path"))
    name = argument(arguments, 1, "config_name")
    config = _composed(m, directory, name) if directory is not None and isinstance(name, str) else Unknown("data-file", "hydra")
    return NativeVal("hydra.main", partial(_given_to, config))


def _given_to(config: Value, m: Composes, arguments: Arguments) -> Value:
    func = argument(arguments, 0)
    if not isinstance(func, FuncVal) or not isinstance(config, DictVal):
        return PartialVal(func, (config,), {}) if isinstance(func, FuncVal) else func
    names = signature(m.known, func.node).positional
    if len(names) == 1:
        func.defaults = {**func.defaults, names[0]: config}
    return func


def _composed(m: Composes, directory: str, primary: str) -> Value:
    """The configuration of a directory that is given relative to the file."""
    place = os.path.join(os.path.dirname(os.path.abspath(m.frame.document.path)), directory)

    def load(path: str) -> hydra.File | None:
        for ending in (".yaml", ".yml"):
            found = data_files.looked(m, os.path.join(place, f"{path}{ending}"), "omegaconf")
            if found is not None and found.path is not None:
                return hydra.File(found.text, found.data)
        return None

    try:
        data: Plain = hydra.composed(load, primary.removesuffix(".yaml").removesuffix(".yml"))
    except UnreadableError:
        return Unknown("data-file", primary)
    return data_files.values(m, data, primary, named=True)


@native("hydra.utils.instantiate", "hydra.utils.call")
def _instantiate(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    config = argument(arguments, 0, "config")
    args, given = tuple(arguments.args[1:]), {k: v for k, v in arguments.kwargs.items() if k != "config"}
    return _made(m, config, Arguments(args, given, arguments.star, arguments.double_star), 0)


def _made(m: Interpreter, config: Value, more: Arguments, depth: int) -> Value:
    """The object that a configuration with ``_target_`` describes, and those in it."""
    config = unwrap(config)
    if isinstance(config, ListVal) and depth < _DEEPEST:
        return ListVal([_made(m, inner, Arguments(), depth + 1) for inner in config.items], config.rest)
    if not isinstance(config, DictVal) or depth >= _DEEPEST:
        return config
    entries = config.items | more.kwargs
    target = unwrap(entries.get("_target_"))
    recursive = unwrap(entries.get("_recursive_", True)) is not False
    plain = {k: v for k, v in entries.items() if isinstance(k, str) and k not in _OWN}
    kwargs = {k: _made(m, v, Arguments(), depth + 1) if recursive and k not in more.kwargs else v for k, v in plain.items()}
    if target is None and "_target_" not in entries:
        return DictVal(kwargs, config.rest, read=config.read, named=config.named)
    callee = _named_object(m, target) if isinstance(target, str) else Unknown("data-file", "_target_")
    if config.rest is not None:
        return Unknown("data-file", "_target_")
    if unwrap(entries.get("_partial_")) is True:
        return PartialVal(callee, more.args, kwargs)
    return m.call(callee, Arguments(more.args, kwargs, more.star, more.double_star))


_OWN: Final = frozenset({"_target_", "_recursive_", "_partial_", "_convert_", "_args_"})


@native("hydra.utils.get_class", "hydra.utils.get_method", "hydra.utils.get_object")
def _get_object(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    name = argument(arguments, 0, "path")
    return _named_object(m, name) if isinstance(name, str) else Unknown("data-file", "hydra")


def _named_object(m: Interpreter, name: str) -> Value:
    """What a dotted name stands for: in a module of the workspace, or in a library."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return Unknown("data-file", "name")
    for length in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:length])
        path = imports.resolve(m.frame, m.workspace, module, 0)
        if path is None:
            continue
        found = modules.module_attribute(m, modules.load(m, path, module), parts[length])
        if found is MISSING:
            return Unknown("undefined-name", name)
        for part in parts[length + 1 :]:
            found = m.getattr(found, part)
        return found
    registry.load(parts[0])
    return LibSymbol(registry.canonical(name))
