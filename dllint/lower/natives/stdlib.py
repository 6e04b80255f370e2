"""The rest of the standard library: typing no-ops, and modules whose results are quietly unknown."""

from __future__ import annotations

from typing import Any

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS, handler
from dllint.ir.values import Arguments, NativeVal, Value
from dllint.lower.iteration import element
from dllint.lower.natives.arguments import argument

#: Functions that return nothing worth knowing and do nothing to what they are given.
_QUIET = (
    "os.makedirs", "os.mkdir", "random.seed", "time.sleep", "warnings.warn", "warnings.filterwarnings", "warnings.simplefilter",
    "sys.exit", "gc.collect", "logging.info", "logging.debug", "logging.warning", "logging.error", "logging.basicConfig",
    "pprint.pprint",
)  # fmt: skip


def _nothing(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return None


for _name in _QUIET:
    HANDLERS.setdefault(_name, _nothing)


@handler("typing.cast")
def _cast(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return arguments.args[1] if len(arguments.args) > 1 else Unknown("missing-argument")


@handler("typing.TypeVar", "typing.NewType", "typing.ParamSpec")
def _type_variable(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("type-variable")


@handler("os.path.join")
def _path_join(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    parts = [argument(arguments, i) for i in range(len(arguments.args))]
    return "/".join(parts) if all(isinstance(p, str) for p in parts) else Unknown("unknown-string")


@handler("random.random", "random.uniform", "random.gauss", "time.time", "time.perf_counter", "time.monotonic")
def _number(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("random-number")


@handler("random.randint", "random.randrange", "os.cpu_count")
def _integer(m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return m.fresh_size("random")


@handler("random.choice")
def _choice(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return element(m, argument(arguments, 0))


@handler("collections.OrderedDict.fromkeys")
def _fromkeys(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    return HANDLERS["builtins.dict.fromkeys"](m, None, arguments)


@handler("atexit.register", "typing.dataclass_transform")
def _register(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    first = argument(arguments, 0)
    return first if first is not None else NativeVal("identity", lambda _machine, a: argument(a, 0))
