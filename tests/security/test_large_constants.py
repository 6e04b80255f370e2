"""A program that makes numbers, texts and containers grow without end costs little time and memory, and what stands behind it
is still looked at."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Final

import pytest

#: What a value is made of → what is done to it again and again.
GROWING: Final = {
    "a = [1]": ("a = a + a", "a += a", "a.extend(a)", "a = [*a, *a]", "a[:0] = a", "a = a * 2", "a = sum([a, a], [])",
                "a = list(itertools.chain(a, a))", "a = reduce(operator.add, [a, a])", "a = list(a) + list(a)",
                "a = [a, a]", "a = [y for x in a for y in (x, x)]"),
    "a = (1,)": ("a = a + a", "a = (*a, *a)", "a = a * 2", "a = tuple([*a, *a])", "a = (a, a)"),
    "a = 'x'": ("a = a + a", "a += a", "a = f'{a}{a}'", "a = '{}{}'.format(a, a)", "a = '%s%s' % (a, a)", "a = ''.join([a, a])",
                "a = a.replace('x', 'xx')", "a = a.join([a, a, a])", "a = a * 2", "a = a.center(2 * len(a))",
                "a = f'{a:>{2 * len(a)}}'", "a = (a + a).encode().decode()", "a = repr(a + a)"),
    "a = b'x'": ("a = a + a", "a = a * 2"),
    "a = 10": ("a = a * a", "a = a << 4000", "a = a ** 2", "a = math.prod([a, a])", "a = pow(a, 3)",
               "a = math.lcm(a, a + 1) * a"),
    "a = torch.ones(2).shape": ("a = a + a",),
    "a = {1: 1}": ("a = {**a, **{(k, 1): v for k, v in a.items()}}", "a = {1: a, 2: a}",
                 "a = a | {len(a) + i: i for i in range(40)}"),
    "a = {1}": ("a = a | {(k, 1) for k in a}", "a.update({len(a) + i for i in range(40)})"),
    "a = np.array([1, 2])": ("a = np.kron(a, a)", "a = np.concatenate([a, a])"),
    "a = [1, 2]": ("a = [a, a]; np.array(a)", "a = list(itertools.product(a, a))"),
}  # fmt: skip
LARGE: Final = (
    "f'{1:10000000000d}'", "f'{1:<{10**10}}'", "'{:10000000000d}'.format(1)", "'{:{}}'.format(1, 10**10)",
    "'%10000000000d' % 1",    "format(1, '10000000000d')", "'%*d' % (10**10, 1)", "'%.10000000000f' % 1.0",
    "'x'.zfill(10**10)", "'x'.ljust(10**10)",
    "'x'.rjust(10**10)", "'x'.center(10**10)", "'\\t'.expandtabs(10**10)", "'x' * 10**10", "10**10 * [1]", "(1,) * 10**10",
    "math.factorial(10**7)", "math.comb(10**7, 5 * 10**6)", "math.perm(10**6, 10**6)", "math.prod([10**1000] * 20000)",
    "1 << 10**10", "10 ** 10**10", "(10**4000) ** 4000", "pow(3, 10**4000, 10**4000 + 7)", "round(1, -10**10)",
    "np.array([[1] * 5000] * 5000)", "torch.tensor([[1] * 5000] * 5000)", "np.array([[[1] * 500] * 500] * 500)",
    "torch.ones(10**8).unbind()", "torch.ones(10**8).split(1)", "torch.ones(10**8).chunk(10**8)",
    "np.array_split(np.ones(10**8), 10**8)", "torch.ones(2).expand([2] * 20000)", "torch.ones([1] * 20000)",
    "list(range(10**8))", "set(range(10**8))", "[i for i in range(10**8)]", "{i: i for i in range(10**8)}", "sum(range(10**9))",
    "list(itertools.islice(itertools.count(), 10**9))", "list(itertools.permutations(range(20)))",
    "[i for i in range(10**4000)]", "range(10**4000)[10**3999]",
    "set(list(range(4000)) + list(range(5000, 9000)))", "sum([[1] * 20000] * 20000, [])",
    "str([[0] * 20000] * 20000)", "f'{[[0] * 20000] * 20000}'", "[[0] * 20000] * 20000 == [[1] * 20000] * 20000",
    "{((0,) * 20000,) * 20000: 1}", "sorted([[0] * 20000] * 20000)", "('{0}' * 1000).format('x' * 20000)",
    "'%(a)s' * 1000 % {'a': 'x' * 20000}", "('x' * 4000).replace('x', 'y' * 20000)",
    "reduce(lambda a, b: a + a, range(60), [1])", "torch.ones(2) * 10**4000",
    "torch.nn.Sequential(*[torch.nn.Linear(2, 2)] * 20000)",
)  # fmt: skip
CONTAINING_ITSELF: Final = (
    "a = []; a.append(a)", "a = {}; a['a'] = a", "a = [[]]; a[0].append(a)", "a = [1]; a += [a, a]", "a = {}; a[1] = [a, (a,)]",
    "class A: pass\na = A(); a.a = [a]", "a = []; b = [a]; a.append(b)",
)  # fmt: skip
USES: Final = (
    "str(a)", "f'{a}'", "'%s' % (a,)", "a == a", "[a] == [a]", "print(a)", "torch.tensor(a)", "np.array(a)", "sorted([a, a])",
    "copy.deepcopy(a)", "{(1, str(a)): a}", "torch.nn.Linear(a, 2)", "a if input() else [a]", "hash((a,))",
    "isinstance(a, list)",
)  # fmt: skip
BEFORE: Final = "import copy, itertools, math, operator\nfrom functools import reduce\nimport numpy as np\nimport torch\n"
AFTER: Final = "torch.ones(3).view(7)\n"
#: Bytes of address space and seconds of CPU time for a program, which takes a small part of that.
MEMORY: Final = 2 << 30
SECONDS: Final = 60

#: Checks each program that it is sent in a fork of a process that has imported what it needs, and tells how that ended.
_SERVER: Final = """
import json, os, resource, sys
from pathlib import Path
from dllint.config.discovery import Configuration
from dllint.engine.session import Session

def check(text):
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/example.py"), text.encode())
    reached = any(finding.location.span.first.line == text.count("\\n") for finding in result.findings)
    return [notice.message for notice in result.notices], reached

check({warm!r})
for line in sys.stdin:
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
        resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
        print(json.dumps(check(json.loads(line))), flush=True)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        print(json.dumps([f"status {{status}}"]), flush=True)
"""

Told = Callable[[str], list[object]]


@pytest.fixture(scope="module")
def told() -> Iterator[Told]:
    """Gives the notices about a program, and whether its last line was looked at; or the status of a process that did not end
    well."""
    server = _SERVER.format(warm=BEFORE + AFTER, memory=MEMORY, seconds=SECONDS)
    command = [sys.executable, "-P", "-c", server]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        wanted, answers = process.stdin, process.stdout

        def answer(program: str) -> list[object]:
            print(json.dumps(f"{BEFORE}{program}\n{AFTER}"), file=wanted, flush=True)
            found: list[object] = json.loads(answers.readline())
            return found

        yield answer


SOUND: Final = [[], True]
PLACES: Final = {
    "in a row": lambda made, step: f"{made}\n" + f"{step}\n" * 36,
    "in a loop": lambda made, step: f"{made}\nfor _ in range(40):\n    {step}\n",
    "in a function": lambda made, step: "\n    ".join(["def grow():", made, *([step] * 36), "return a"]) + "\ngrow()\n",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("made", GROWING)
@pytest.mark.parametrize("place", PLACES)
def test_what_grows_ends(told: Told, made: str, place: str) -> None:
    assert told("".join(PLACES[place](made, step) for step in GROWING[made])) == SOUND


#: What burns all of the fuel, so that nothing behind it is looked at.
ENDLESS: Final = (
    "a = lambda: 1\n" + "a = (lambda g: lambda: (g(), g()))(a); a()\n" * 36, "list(zip(*[[1] * 20000] * 20000))",
    "list(itertools.chain(*[[1] * 20000] * 20000))", "[list(b) for a in range(500) for b in [[1] * 20000] * 500]",
    "def f0(x): return x\n" + "".join(f"def f{i}(x): return f{i - 1}(f{i - 1}(x))\n" for i in range(1, 40)) + "f39(1)",
    "".join(f"{'  ' * i}for i{i} in range(10):\n" for i in range(18)) + "  " * 18 + "x = 1",
)  # fmt: skip


@pytest.mark.parametrize("program", ENDLESS)
def test_what_does_not_end_is_cut_short(told: Told, program: str) -> None:
    assert told(program) == [[], False]


@pytest.mark.parametrize("start", range(0, len(LARGE), 10))
def test_what_is_large_at_once_ends(told: Told, start: int) -> None:
    assert told("\n".join(f"a = {expression}" for expression in LARGE[start : start + 10])) == SOUND


@pytest.mark.parametrize("made", CONTAINING_ITSELF)
def test_what_contains_itself_is_looked_at(told: Told, made: str) -> None:
    assert told("\n".join([made, *(f"b = {use}" for use in USES)])) == SOUND


@pytest.mark.parametrize("step", ["[a]", "(a,)", "{1: a}", "[a, 1]", "(1, (a,))"])
def test_what_lies_deep_is_looked_at(told: Told, step: str) -> None:
    assert told("\n".join(["a = []", *([f"a = {step}"] * 400), *(f"b = {use}" for use in USES)])) == SOUND
