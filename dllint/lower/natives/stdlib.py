"""The rest of the standard library: typing helpers without effect, and modules whose results are unknown without a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.dim import counted, drawn
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.frameworks.machine import HANDLERS
from dllint.ir.values import Arguments, ListVal, Value, unwrap
from dllint.lower.iteration import element
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.functions import decorating
from dllint.lower.natives.native import native

#: The elements of which one is taken stand for each other if there are no more than this.
_MOST_DRAWN_FROM: Final = 256

#: Functions that return nothing worth knowing and do nothing to what they are given.
_QUIET = (
    "os.makedirs", "os.mkdir", "random.seed", "time.sleep", "warnings.warn", "warnings.filterwarnings", "warnings.simplefilter",
    "sys.exit", "gc.collect", "logging.info", "logging.debug", "logging.warning", "logging.error", "logging.basicConfig",
    "pprint.pprint",
)  # fmt: skip

#: The part of a program's text that shows that it sets or reads variables.
_ENVIRONMENT = "environ"

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Imports


@native(*(name for name in _QUIET if name not in HANDLERS))
def _nothing(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return None


@native("typing.cast")
def _cast(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return arguments.args[1] if len(arguments.args) > 1 else Unknown("missing-argument")


@native("typing.TypeVar", "typing.NewType", "typing.ParamSpec")
def _type_variable(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("type-variable")


@native("os.path.join")
def _path_join(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    parts = [part for part in given(arguments) if isinstance(part, str)]
    known = arguments.star is None and len(parts) == len(arguments.args)
    return "/".join(parts) if known else Unknown("unknown-string")


@native("os.environ.get", "os.getenv")
def _variable(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    """A variable of the environment. What a package asks it for is not set, unless the program itself deals with variables."""
    name = argument(arguments, 0)
    if not isinstance(name, str) or not m.budget.in_installed or _ENVIRONMENT in m.document.text:
        return Unknown("run-time", f"os.environ.{name}" if isinstance(name, str) else "os.environ")
    return argument(arguments, 1, "default") if len(arguments.args) > 1 or arguments.kwargs else None


@native(
    *(f"random.{name}" for name in ("random", "uniform", "gauss", "normalvariate", "triangular", "betavariate", "expovariate")),
    *(f"time.{name}" for name in ("time", "perf_counter", "monotonic", "process_time")),
)
def _number(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return UnknownFloat("random-number")


@native("os.cpu_count")
def _integer(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return counted("cpus")


@native("random.randint")
def _between(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return drawn(argument(arguments, 0, "a"), argument(arguments, 1, "b"))


@native("random.randrange")
def _below(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    start, stop = argument(arguments, 0, "start"), argument(arguments, 1, "stop")
    if argument(arguments, 2, "step") is not None:
        return drawn(None, None)
    low, high = (0, start) if stop is None else (start, stop)
    return drawn(low, high - 1 if isinstance(high, int) else None)


@native("random.choice")
def _choice(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return element(m, argument(arguments, 0))


@native("random.sample", "random.choices")
def _several(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """A list of elements, each of which is any; of very many known ones nothing is said."""
    population = unwrap(argument(arguments, 0, "population"))
    if "weights" in arguments.kwargs:  # what was drawn by probabilities is not any element
        return ListVal([], Unknown("drawn", "random.choices"))
    if isinstance(population, ListVal) and len(population.items) > _MOST_DRAWN_FROM:
        return ListVal([], Unknown("large-sequence", "random.sample"))
    return ListVal([], element(m, population))


@native("collections.OrderedDict.fromkeys")
def _fromkeys(m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return HANDLERS["builtins.dict.fromkeys"](m, None, arguments)


@native("atexit.register", "typing.dataclass_transform")
def _register(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return decorating(argument(arguments, 0))
