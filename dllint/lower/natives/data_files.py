"""Opening data files, paths to them, and the functions that read JSON, YAML and TOML."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks import paths
from dllint.frameworks.machine import LIBRARY_BASES, prop
from dllint.ir.values import Arguments, InstanceVal, IterVal, Value, unwrap
from dllint.lower import data_files
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import Method, native

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.parts import Reads

_FILE = paths.FILE.name
_PATH = paths.PATH.name

_MOST_PARENTS = 16

LIBRARY_BASES.update({_FILE: (), _PATH: ()})


# --- files ----------------------------------------------------------------------------------------------------------------


@native("builtins.open", "io.open", "codecs.open")
def _open(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    return _opened(m, arguments)


def _opened(m: Reads, arguments: Arguments) -> Value:
    name = paths.path_of(argument(arguments, 0, "file"))
    mode = argument(arguments, 1, "mode", "r")
    if name is None:
        return Unknown("dynamic")
    if isinstance(mode, str) and mode in ("r", "rt", "rb"):
        return data_files.opened(name, m.site)
    data_files.note_written(m, name)
    return Unknown("dynamic")


@native(f"{_FILE}.__enter__", on=InstanceVal)
def _enter(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    return receiver


@native(f"{_FILE}.__exit__", f"{_FILE}.close", on=InstanceVal)
def _close(_m: Machine, _receiver: InstanceVal, _arguments: Arguments) -> Value:
    return None


@native(f"{_FILE}.read", on=InstanceVal)
def _read(m: Reads, receiver: InstanceVal, arguments: Arguments) -> Value:
    name = paths.path_of(receiver)
    return Unknown("dynamic") if name is None or arguments.args else data_files.text_of(m, name)


@native(f"{_FILE}.readlines", f"{_FILE}.readline", f"{_FILE}.seek", f"{_FILE}.tell", on=InstanceVal)
def _part(_m: Machine, _receiver: InstanceVal, _arguments: Arguments) -> Value:
    return Unknown("dynamic")


@native(f"{_FILE}.__iter__", on=InstanceVal)
def _lines(_m: Machine, _receiver: InstanceVal, _arguments: Arguments) -> Value:
    return IterVal([], Unknown("dynamic"))


# --- paths ----------------------------------------------------------------------------------------------------------------


@native("os.path.dirname")
def _directory(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    name = argument(arguments, 0, "p")
    return posixpath.dirname(name) if isinstance(name, str) else Unknown("unknown-string")


@native("os.path.abspath", "os.path.realpath")
def _absolute(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    """What the program's own file stands for is known; other relative paths depend on where it is started."""
    name = argument(arguments, 0, "path")
    if isinstance(name, str) and (os.path.isabs(name) or name == str(m.frame.document.path)):
        return os.path.abspath(name)
    return Unknown("unknown-string")


@native(_PATH, "pathlib.PurePath", "pathlib.PosixPath")
def _path(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
    return _of_parts(m, arguments)


@native(f"{_PATH}.__truediv__", f"{_PATH}.joinpath", on=InstanceVal)
def _joined(m: Reads, receiver: InstanceVal, arguments: Arguments) -> Value:
    return _of_parts(m, Arguments((receiver, *arguments.args), star=arguments.star))


def _of_parts(m: Reads, arguments: Arguments) -> Value:
    parts = [paths.path_of(part) for part in given(arguments)]
    known = [part for part in parts if part is not None]
    if arguments.star is not None or len(known) < len(parts):
        return InstanceVal(paths.PATH, site=m.site, open=Unknown("run-time", "path"))
    return data_files.path(posixpath.join(*known) if known else ".", m.site)


@prop(f"{_PATH}.parent", on=InstanceVal)
def _parent(m: Machine, receiver: InstanceVal) -> Value:
    name = paths.path_of(receiver)
    return Unknown("run-time", "path") if name is None else data_files.path(posixpath.dirname(name), m.site)


@prop(f"{_PATH}.name", on=InstanceVal)
def _name(_m: Machine, receiver: InstanceVal) -> Value:
    name = paths.path_of(receiver)
    return Unknown("unknown-string") if name is None else posixpath.basename(name)


@prop(f"{_PATH}.stem", on=InstanceVal)
def _stem(_m: Machine, receiver: InstanceVal) -> Value:
    name = paths.path_of(receiver)
    return Unknown("unknown-string") if name is None else posixpath.splitext(posixpath.basename(name))[0]


@prop(f"{_PATH}.parents", on=InstanceVal)
def _parents(m: Machine, receiver: InstanceVal) -> Value:
    name = paths.path_of(receiver)
    if name is None:
        return Unknown("run-time", "path")
    found: list[Value] = []
    while name not in ("", "/") and len(found) < _MOST_PARENTS:
        name = posixpath.dirname(name)
        found.append(data_files.path(name, m.site))
    return tuple(found)


@native(f"{_PATH}.resolve", f"{_PATH}.absolute", on=InstanceVal)
def _resolved(m: Reads, receiver: InstanceVal, _arguments: Arguments) -> Value:
    """The same file, so far as it is looked for."""
    name = paths.path_of(receiver)
    own = name is not None and name == str(m.frame.document.path)
    return data_files.path(os.path.abspath(name), m.site) if name is not None and own else receiver


@native(f"{_PATH}.open", on=InstanceVal)
def _open_path(m: Reads, receiver: InstanceVal, arguments: Arguments) -> Value:
    return _opened(m, Arguments((receiver, *arguments.args), arguments.kwargs))


@native(f"{_PATH}.read_text", on=InstanceVal)
def _text(m: Reads, receiver: InstanceVal, _arguments: Arguments) -> Value:
    name = paths.path_of(receiver)
    return Unknown("run-time", "path") if name is None else data_files.text_of(m, name)


@native(f"{_PATH}.write_text", f"{_PATH}.write_bytes", on=InstanceVal)
def _write(m: Reads, receiver: InstanceVal, _arguments: Arguments) -> Value:
    name = paths.path_of(receiver)
    if name is not None:
        data_files.note_written(m, name)
    return Unknown("dynamic")


@native(f"{_PATH}.__str__", f"{_PATH}.__fspath__", f"{_PATH}.as_posix", on=InstanceVal)
def _as_text(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    name = paths.path_of(receiver)
    return Unknown("unknown-string") if name is None else name


# --- JSON, YAML, TOML -----------------------------------------------------------------------------------------------------


def _reader(form: str, read: Callable[[Reads, Value, str], Value]) -> Method[Value]:
    def reader(m: Reads, _receiver: Value, arguments: Arguments) -> Value:
        first = ("stream", "fp", "f", "s") if not arguments.args else ()
        source = next((arguments.kwargs[name] for name in first if name in arguments.kwargs), argument(arguments, 0))
        if any(name.startswith(("object_", "parse_", "cls")) for name in arguments.kwargs):
            return Unknown("data-file", form)
        return read(m, source, form)

    return reader


def _of_text(m: Reads, source: Value, form: str) -> Value:
    return data_files.parsed(m, source, form) if isinstance(unwrap(source), str) else Unknown("data-file", form)


for _module, _form in (("json", "json"), ("simplejson", "json"), ("toml", "toml"), ("tomllib", "toml"), ("tomli", "toml")):
    native(f"{_module}.load")(_reader(_form, data_files.loaded))
    native(f"{_module}.loads")(_reader(_form, _of_text))
for _function in ("safe_load", "load", "full_load", "unsafe_load"):
    native(f"yaml.{_function}")(_reader("yaml", data_files.parsed))
