"""Command lines that are declared by decorators, by defaults or by classes of fields: click, typer, tyro and others.

What such a library passes is what the user types. A program is analysed as it runs when nothing is typed: an option has its
default, and what has none is a parameter without a value. (Those of argparse stand in ``natives/records.py``, those of absl in
``frameworks/absl``.) A function that click decorates stays the function that it is; nothing calls it, so that it is an entry.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.values import Arguments, ClassVal, FuncVal, InstanceVal, LibSymbol, ListVal, NativeVal, Value, unwrap
from dllint.lower import seeding
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.signatures import signature

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.parts import Declares

_HF_PARSER: Final = "transformers.HfArgumentParser"
LIBRARY_BASES.update({_HF_PARSER: ()})

# --- click ----------------------------------------------------------------------------------------------------------------


@native("click.option", "click.argument")
def _option(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return NativeVal("click.option", partial(_declared, arguments))


def _declared(option: Arguments, m: Declares, arguments: Arguments) -> Value:
    """The function that a declaration decorates, whose parameter of that name has its default."""
    func = argument(arguments, 0)
    name = _parameter_of([v for v in map(unwrap, option.args) if isinstance(v, str)])
    if isinstance(func, FuncVal) and name in signature(m.known, func.node).names:
        func.defaults = {**func.defaults, name: _default(m, name, option)}
    return func


@native("click.pass_context", "click.pass_obj")
def _handed_on(m: Declares, _receiver: Value, arguments: Arguments) -> Value:
    """The function gets the context, or what it holds, as its first argument."""
    func = argument(arguments, 0)
    names = signature(m.known, func.node).positional if isinstance(func, FuncVal) else ()
    if isinstance(func, FuncVal) and names:
        func.defaults = {names[0]: Unknown("parameter", names[0]), **func.defaults}
    return func


def _parameter_of(declared: list[str]) -> str:
    """The parameter that click passes an option as: one that is declared as a name, else the longest spelling with dashes
    (documentation of click, "Options", name of the parameter)."""
    name = next((text for text in declared if text.isidentifier()), None)
    if name is None:
        first = [text.partition("/")[0].strip() for text in declared]
        longest = max(first, key=lambda text: len(text) - len(text.lstrip("-")), default="")
        name = longest.lstrip("-").replace("-", "_").lower()
    return name


def _default(m: Declares, name: str, option: Arguments) -> Value:
    given = option.kwargs
    is_plain = option.double_star is None and not {"multiple", "nargs", "callback", "cls", "count"} & given.keys()
    default = unwrap(given.get("default"))
    if not is_plain or isinstance(default, (Unknown, FuncVal, NativeVal)):
        return Unknown("parameter", name)
    if "default" not in given:
        return m.setting(name, False) if unwrap(given.get("is_flag")) is True else Unknown("parameter", name)
    kind = unwrap(given.get("type"))
    if isinstance(default, str) and isinstance(kind, LibSymbol):
        default = m.call(_CONVERTS.get(kind.name, kind), Arguments((default,)))
    return m.setting(name, default)


#: The types of click by which a text becomes a number.
_CONVERTS: Final = {"click.INT": LibSymbol("builtins.int"), "click.FLOAT": LibSymbol("builtins.float")}

# --- typer ----------------------------------------------------------------------------------------------------------------


@native("typer.Option", "typer.Argument")
def _typer(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    """The default of a parameter is the first argument; ``...`` asks the user for a value."""
    default = unwrap(argument(arguments, 0, "default", default=Unknown("parameter", "option")))
    if default is ... or isinstance(default, (Unknown, FuncVal, NativeVal)) or "default_factory" in arguments.kwargs:
        return Unknown("parameter", "option")
    return default


# --- classes whose fields are options -------------------------------------------------------------------------------------


@native("tyro.cli", "simple_parsing.parse", "pyrallis.parse", "draccus.parse")
def _fields(m: Declares, _receiver: Value, arguments: Arguments) -> Value:
    asked = argument(arguments, 0) if arguments.args else arguments.kwargs.get("config_class")
    if isinstance(asked, FuncVal):
        # What such a function does stands in the entry that it is.
        return Unknown("parameter", asked.name)
    return _made(m, asked)


def _made(m: Declares, cls: Value) -> Value:
    return seeding.default_instance(m, cls, cls.name) if isinstance(cls, ClassVal) else Unknown("parameter", "options")


@native(_HF_PARSER)
def _parser(m: Declares, _receiver: Value, arguments: Arguments) -> Value:
    return InstanceVal(LibSymbol(_HF_PARSER), {}, m.site, state={"classes": argument(arguments, 0, "dataclass_types")})


@native(f"{_HF_PARSER}.parse_args_into_dataclasses", on=InstanceVal)
def _into_dataclasses(m: Declares, receiver: InstanceVal, arguments: Arguments) -> Value:
    """An object of each class, and the texts that are left if they are asked for."""
    asked = receiver.state.get("classes")
    classes = [asked] if isinstance(asked, ClassVal) else m.iterate(asked)
    if isinstance(classes, Unknown) or not all(isinstance(cls, ClassVal) for cls in classes):
        return Unknown("parameter", "options")
    rest = unwrap(arguments.kwargs.get("return_remaining_strings", False))
    if not isinstance(rest, bool):
        return Unknown("parameter", "options")
    left: tuple[Value, ...] = (ListVal([], Unknown("argv")),) if rest else ()
    return (*(_made(m, cls) for cls in classes), *left)


@native(f"{_HF_PARSER}.parse_json_file", f"{_HF_PARSER}.parse_yaml_file", f"{_HF_PARSER}.parse_dict", on=InstanceVal)
def _from_file(_m: Machine, _receiver: InstanceVal, _arguments: Arguments) -> Value:
    return Unknown("parameter", "options")
