"""Functions that are not followed and give a view of their argument: what is written to it is written to the argument."""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Iterator

import pytest

from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.frameworks.views import VIEWS
from tests.lower.against_runs import refuted

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")
pytestmark = pytest.mark.oracle

HOMES = ("torch", "torch.linalg", "torch.Tensor", "numpy", "numpy.linalg", "numpy.ndarray")
SHAPES = ((2, 3), (4,), (3, 3), (2, 3, 4), ())
MORE = ((), (0,), (1,), (0, 1), ((3, 2),))
#: Functions of state, files and devices, and those that give several views.
SKIPPED = ("set_", "save", "load", "compile", "seed", "manual", "use_", "cuda", "xpu", "hpu", "ipu", "mtia", "module_load")


def resolved(name: str) -> object:
    root, *parts = name.split(".")
    value: object = importlib.import_module(root)
    for part in parts:
        value = getattr(value, part, None)
    return value


def unfollowed(home: str) -> Iterator[str]:
    registry.load(home)
    for last in dir(resolved(home)):
        name = f"{home}.{last}"
        if last.startswith(("_", *SKIPPED)) or last.endswith("_") or name in HANDLERS or registry.function_row(name):
            continue
        if callable(function := resolved(name)) and not isinstance(function, type):
            yield name


def shares(given: object, result: object) -> bool:
    if isinstance(result, np.ndarray):
        return isinstance(given, np.ndarray) and bool(result.size) and np.shares_memory(given, result)
    try:
        return isinstance(result, torch.Tensor) and given.untyped_storage().data_ptr() == result.untyped_storage().data_ptr()
    except (AttributeError, NotImplementedError, RuntimeError):
        return False


def gives_view(name: str) -> bool:
    is_torch = name.startswith("torch")
    types = (torch.float32, torch.complex64) if is_torch else (np.float32, np.complex64)
    for shape, dtype, more in ((shape, dtype, more) for shape in SHAPES for dtype in types for more in MORE):
        given = torch.ones(shape, dtype=dtype) if is_torch else np.ones(shape, dtype)
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            if shares(given, resolved(name)(given, *more)):  # type: ignore[operator]
                return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("home", HOMES)
def test_all_of_them_are_listed(home):
    assert {name for name in unfollowed(home) if gives_view(name)} <= VIEWS


CALLS = {"torch.Tensor": "x.{}()", "numpy.ndarray": "x.{}()"}
WRITES = ("y[...] = 5", "y += 5", "y *= 2")
#: What some of them have to be given.
GIVEN = {
    "rollaxis": "1",
    "permute_dims": "(1, 0)",
    "index": "0",
    "matrix_power": "1",
    "polyder": "0",
    "polyint": "0",
    "resize": "2, 2",
}


#: It reads the elements as those of another type, and so does what is written to it.
BYTES = "numpy.frombuffer"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(VIEWS - {BYTES}))
@pytest.mark.parametrize("write", WRITES)
def test_writes_to_the_result_are_writes_to_the_argument(name, write):
    home, _, last = name.rpartition(".")
    made = "torch.full((2, 2), 3.0)" if home.startswith("torch") else "np.full((2, 2), 3.0, dtype=np.float32)"
    more = GIVEN.get(last, "")
    call = f"x.{last}({more})" if home in CALLS else f"{name.replace('numpy', 'np')}(x{', ' * bool(more)}{more})"
    assert refuted(f"import numpy as np\nimport torch\nx = {made}\nz = x\ny = {call}\n{write}\nw = x + 0\nv = z * 1\n") == []


NORMS = ("instance_norm(x, {0}, {1})", "batch_norm(x, {0}, {1}, training=True)", "batch_norm(x, {0}, {1})",
         "instance_norm(x, running_mean={0}, running_var={1})", "batch_norm(x, {0}, {1}, None, None, True)",
         "instance_norm(x, {0}, {1}, use_input_stats=False)")  # fmt: skip


@pytest.mark.parametrize("call", NORMS)
@pytest.mark.parametrize("names", [("mean", "var"), ("a", "b"), ("kept[0]", "kept[1]")])
def test_running_statistics_move(call, names):
    first, second = names
    made = "import torch\nimport torch.nn.functional as F\nx = torch.rand(4, 2, 5, 5) * 9 + 3\nkept = [None, None]\n"
    kept = f"{first} = torch.zeros(2)\n{second} = torch.tensor([2.5, 3.5])\n"
    assert refuted(f"{made}{kept}y = F.{call.format(first, second)}\nz = {first} + {second}\n") == []
