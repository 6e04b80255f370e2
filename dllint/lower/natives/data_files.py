"""Opening data files, paths to them, and the functions that read JSON, YAML and TOML."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.values import Arguments, InstanceVal, IterVal, Value, unwrap
from dllint.lower import data_files
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import Method, native

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.parts import Imports

_FILE = data_files.FILE.name
_PATH = data_files.PATH.name

LIBRARY_BASES.update({_FILE: (), _PATH: ()})


# --- files ----------------------------------------------------------------------------------------------------------------


@native("builtins.open", "io.open", "codecs.open")
def _open(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    name = data_files.path_of(argument(arguments, 0, "file"))
    mode = argument(arguments, 1, "mode", "r")
    if name is None or mode not in ("r", "rt", "rb"):
        return Unknown("dynamic")
    return data_files.opened(name, m)


@native(f"{_FILE}.__enter__", on=InstanceVal)
def _enter(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    return receiver


@native(f"{_FILE}.__exit__", f"{_FILE}.close", on=InstanceVal)
def _close(_m: Machine, _receiver: InstanceVal, _arguments: Arguments) -> Value:
    return None


@native(f"{_FILE}.read", on=InstanceVal)
def _read(m: Imports, receiver: InstanceVal, arguments: Arguments) -> Value:
    name = data_files.path_of(receiver)
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
def _absolute(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    """What the program's own file stands for is known; other relative paths depend on where it is started."""
    name = argument(arguments, 0, "path")
    if isinstance(name, str) and (os.path.isabs(name) or name == str(m.frame.document.path)):
        return os.path.abspath(name)
    return Unknown("unknown-string")


@native(_PATH, "pathlib.PurePath", "pathlib.PosixPath")
def _path(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    parts = [data_files.path_of(part) for part in given(arguments)]
    known = [part for part in parts if part is not None]
    if arguments.star is not None or len(known) < len(parts):
        return InstanceVal(data_files.PATH, site=m.site, open=Unknown("run-time", "path"))
    return data_files.path(posixpath.join(*known) if known else ".", m)


@native(f"{_PATH}.__truediv__", f"{_PATH}.joinpath", on=InstanceVal)
def _joined(m: Imports, receiver: InstanceVal, arguments: Arguments) -> Value:
    return _path(m, None, Arguments((receiver, *arguments.args), star=arguments.star))


@native(f"{_PATH}.resolve", f"{_PATH}.absolute", on=InstanceVal)
def _resolved(m: Imports, receiver: InstanceVal, _arguments: Arguments) -> Value:
    """The same file, so far as it is looked for."""
    name = data_files.path_of(receiver)
    own = name is not None and name == str(m.frame.document.path)
    return data_files.path(os.path.abspath(name), m) if name is not None and own else receiver


@native(f"{_PATH}.open", on=InstanceVal)
def _open_path(m: Imports, receiver: InstanceVal, arguments: Arguments) -> Value:
    return _open(m, None, Arguments((receiver, *arguments.args), arguments.kwargs))


@native(f"{_PATH}.read_text", on=InstanceVal)
def _text(m: Imports, receiver: InstanceVal, _arguments: Arguments) -> Value:
    name = data_files.path_of(receiver)
    return Unknown("run-time", "path") if name is None else data_files.text_of(m, name)


@native(f"{_PATH}.__str__", f"{_PATH}.__fspath__", f"{_PATH}.as_posix", on=InstanceVal)
def _as_text(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    name = data_files.path_of(receiver)
    return Unknown("unknown-string") if name is None else name


# --- JSON, YAML, TOML -----------------------------------------------------------------------------------------------------


def _reader(form: str, read: Callable[[Imports, Value, str], Value]) -> Method[Value]:
    def reader(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
        first = ("stream", "fp", "f", "s") if not arguments.args else ()
        source = next((arguments.kwargs[name] for name in first if name in arguments.kwargs), argument(arguments, 0))
        if any(name.startswith(("object_", "parse_", "cls")) for name in arguments.kwargs):
            return Unknown("data-file", form)
        return read(m, source, form)

    return reader


def _of_text(m: Imports, source: Value, form: str) -> Value:
    return data_files.parsed(m, source, form) if isinstance(unwrap(source), str) else Unknown("data-file", form)


for _module, _form in (("json", "json"), ("simplejson", "json"), ("toml", "toml"), ("tomllib", "toml"), ("tomli", "toml")):
    native(f"{_module}.load")(_reader(_form, data_files.loaded))
    native(f"{_module}.loads")(_reader(_form, _of_text))
for _name in ("safe_load", "load", "full_load", "unsafe_load"):
    native(f"yaml.{_name}")(_reader("yaml", data_files.parsed))

