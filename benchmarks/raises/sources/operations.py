"""Programs of one operation each on values of Python's own types: methods, functions, operators, subscripts, unpacking."""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

from benchmarks.raises.running import silent
from benchmarks.raises.sources import values

#: Lines in a program, each of which runs.
_LINES: Final = 40
_OPERATORS: Final = (
    "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", "<", "<=", "==", "!=", "in", "is", "and", "or", "not in",
)  # fmt: skip
_UNARY: Final = (
    "-{}", "+{}", "~{}", "not {}", "[*{}]", "dict({})", "dict(**{})", "len({})", "list({})", "tuple({})", "set({})",
    "sorted({})", "sum({})", "max({})", "min({})", "any({})", "all({})", "iter({})", "next(iter({}))", "reversed({})",
    "enumerate({})", "str({})", "repr({})", "int({})", "float({})", "bool({})", "abs({})", "round({})", "hash({})",
    "type({})", "callable({})", "{}()", "[i for i in {}]", "{{i: 1 for i in {}}}", "f'{{{}}}'", "{}[0]", "{}[-1]", "{}[1:]",
    "{}[::-1]", "{}[:]", "{}['a']", "{}[0, 0]", "{}[...]", "zip({}, {})", "copy.copy({})", "copy.deepcopy({})",
    "operator.itemgetter(0)({})", "functools.reduce(lambda a, b: b, {})", "list(itertools.chain(*{}))",
    "isinstance({}, (int, str))", "list(map(str, {}))", "list(filter(None, {}))", "vars({})", "id({})", "format({})",
    "bytes({})", "range({})", "complex({})", "divmod({}, 2)", "pow({}, 2)", "chr({})", "ord({})", "hex({})",
    "math.floor({})", "math.prod({})", "np.array({})", "np.asarray({}).shape", "dataclasses.replace({})",
    "dataclasses.asdict({})", "json.dumps({})", "collections.Counter({})", "collections.deque({})",
    "collections.OrderedDict({})", "itertools.product({}, repeat=2)", "os.fspath({})", "pathlib.Path({})",
    "operator.attrgetter('real')({})", "string.capwords({})", "'-'.join({})", "functools.partial({}, 1)()",
    "statistics.mean({})", "heapq.nlargest(1, {})", "list(zip(*{}))", "math.sqrt({})",
)  # fmt: skip
_TARGETS: Final = (
    "p, q = {}", "p, *q = {}", "*p, q = {}", "(p, q), r = {}", "p, q, r = {}", "[p, q] = {}", "for p in {}: q = p",
    "for p, q in {}: r = p", "for p, (q, r) in enumerate({}): s = r", "x = {}; x += {}", "x = {}; x[0] = {}",
    "x = {}; x['a'] = {}", "x = {}; x.n = {}", "x = {}; del x[0]", "x = {}; del x['a']", "x = {}; del x.n",
    "x = {}; x[1:2] = {}", "x = {}; x |= {}", "x = {}; x *= 2", "p, q = q, p = {}", "x = {}; x['a'] += 1",
    "x = {}; x[0] += 1", "x = {}; x.n += 1", "with {} as p: q = p",
)  # fmt: skip
#: What methods are given.
_ARGUMENTS: Final = (
    "0", "1", "-1", "2", "'a'", "'b'", "'c'", "','", "None", "[1]", "['x', 'y']", "{'a': 5}", "(1, 2)", "b'a'", "True",
    "1.5", "set()", "{1, 9}", "[('a', 1)]", "'utf-8'", "str", "lambda v: v", "'{}'", "range(2)", "'n'",
)  # fmt: skip
#: Methods that wait, write files or end the program.
_LEFT_OUT: Final = (
    "system", "popen", "fork", "exec", "kill", "abort", "exit", "_exit", "sleep", "wait", "unlink", "rmdir", "rmtree",
    "mkdir", "touch", "rename", "replace", "symlink", "hardlink", "link", "write", "chmod", "chdir", "remove", "clear",
    "tofile", "dump",
)  # fmt: skip


def programs(seed: int) -> Iterator[str]:
    """Programs of :data:`_LINES` lines without end; each line has been run and has raised nothing."""
    yield from _programs(seed, raising=False)


def failing(seed: int) -> Iterator[str]:
    """Programs of one line without end; each has been run and has raised what programs are wont to catch."""
    yield from _programs(seed, raising=True)


def _programs(seed: int, *, raising: bool) -> Iterator[str]:
    source = random.Random(seed)
    known: dict[str, Any] = {"__name__": "__main__"}
    exec(values.HEADER, known)
    while True:
        lines: list[str] = []
        while len(lines) < (1 if raising else _LINES):
            line = source.choice(_FORMS)(source, known)
            if line is not None and _raises(line, dict(known)) is raising:
                lines.append(line)
        yield values.HEADER + "\n".join(f"{line}\n" if line.startswith(("for ", "with ")) else line for line in lines) + "\n"


def _raises(line: str, known: dict[str, Any]) -> bool | None:
    """Whether a line raises; ``None`` for one that is no Python, or raises what no program would catch."""
    try:
        with silent():
            exec(compile(line, "line", "exec"), known)
    except (SyntaxError, MemoryError, RecursionError, SystemExit):
        return None
    except (LookupError, ValueError, StopIteration, ZeroDivisionError):
        return True
    except Exception:
        return None
    return False


def _value(source: random.Random) -> str:
    return source.choice(_USABLE)


def _operand(source: random.Random) -> str:
    value = _value(source)
    return f"({value})"


def _binary(source: random.Random, _known: dict[str, Any]) -> str:
    return f"y = {_operand(source)} {source.choice(_OPERATORS)} {_operand(source)}"


def _unary(source: random.Random, _known: dict[str, Any]) -> str:
    operand = _operand(source)
    return "y = " + source.choice(_UNARY).format(*[operand] * 2)


def _target(source: random.Random, _known: dict[str, Any]) -> str:
    return source.choice(_TARGETS).format(_operand(source), _operand(source))


def _subscript(source: random.Random, _known: dict[str, Any]) -> str:
    return f"y = {_operand(source)}[{source.choice(_ARGUMENTS)}]"


def _method(source: random.Random, known: dict[str, Any]) -> str | None:
    """A call of a method with a few arguments."""
    receiver = _operand(source)
    value = eval(receiver, known)
    if isinstance(value, types.ModuleType) or value is known["os"].environ:
        return None
    names = [name for name in dir(value) if not name.startswith("_") and name not in _LEFT_OUT]
    if not names:
        return None
    arguments = ", ".join(source.choice(_ARGUMENTS) for _ in range(source.choice((0, 0, 1, 1, 1, 2))))
    return f"x = {receiver}; y = x.{source.choice(names)}({arguments}); z = x"


#: Values that do not go on for ever.
_ENDLESS: Final = ("itertools.count(3)", "os.path", "math", "os.environ", "10**20")
_USABLE: Final = tuple(text for text in values.PYTHON if text not in _ENDLESS)
_FORMS: Final[tuple[Callable[[random.Random, dict[str, Any]], str | None], ...]] = (
    _method, _method, _method, _method, _binary, _unary, _unary, _target, _target, _subscript,
)  # fmt: skip
