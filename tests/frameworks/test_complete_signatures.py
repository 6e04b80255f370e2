"""The signatures that modelled functions are bound with lack no argument that the installed releases take: a call that does
not fit one raises."""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from dllint.frameworks import registry
from dllint.frameworks.binding import Param
from dllint.frameworks.fitting import is_function
from dllint.frameworks.machine import HANDLERS
from dllint.frameworks.releases import CHECKED

pytestmark = pytest.mark.oracle

LIBRARIES = ("torch", "keras", "numpy", "tensorflow")
NO_KEYWORD = "no_function_has_this"
ANY = frozenset({"kwargs", "open"})
#: Parameters of operators that none of the functions in Python takes.
INTERNAL = {
    "torch.nn.functional.elu_": {"scale", "input_scale"}, "torch.Tensor.copy_": {"src"}, "torch.where": {"self"},
    "torch.searchsorted": {"self"}, "torch.Tensor.to": {"layout", "pin_memory"},
    **{f"torch.Tensor.{name}": {"out_dtype"} for name in ("mm", "bmm", "addmm", "baddbmm")},
}  # fmt: skip
#: What must be given before keywords are looked at.
NEEDED = {"numpy.einsum": ("i", [1.0])}


@pytest.fixture(scope="module", autouse=True)
def installed():
    for library in LIBRARIES:
        module = pytest.importorskip(library)
        release = CHECKED.get(library, module.__version__)
        if module.__version__.split("+")[0].split(".")[:2] != release.split(".")[:2]:
            pytest.skip(f"{library} {module.__version__} is installed, and the signatures are those of {release}")


def modelled(library: str) -> Iterator[tuple[str, tuple[Param, ...], object]]:
    """The functions of a library that have a row or a handler, with what binds them and the function itself."""
    registry.load(library)
    for name in sorted(registry.signatures()):
        row = registry.function_row(name)
        if not name.startswith(f"{library}.") or not is_function(name) or (row is None and name not in HANDLERS):
            continue
        params = registry.parameters(name, row.params if row is not None else "") or ()
        function = resolved(name)
        if row is not None:
            params += tuple(Param(old, "also", None) for old in row.rename)
        if function is not None and not inspect.isclass(function) and not any(param.kind in ANY for param in params):
            yield name, params, function


def resolved(name: str) -> object:
    module, *parts = name.split(".")
    value: object = importlib.import_module(module)
    for part in parts:
        value = getattr(value, part, None)
    return value


def is_of_python(function: object) -> bool:
    try:
        inspect.signature(function)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        return False
    return True


def positions(params: tuple[Param, ...]) -> float:
    return float("inf") if any(p.kind == "args" for p in params) else sum(p.kind == "pos" for p in params)


@pytest.mark.parametrize("library", LIBRARIES)
def test_functions_of_python_take_no_more_than_their_signature_tells(library):
    lacking = []
    for name, params, function in modelled(library):
        if not is_of_python(function):
            continue
        real = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
        named = {p.name for p in real if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)} - {p.name for p in params}
        placed = sum(p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY) for p in real)
        if named or placed > positions(params):
            lacking.append((name, sorted(named), placed))
    assert lacking == []


def test_layers_of_torch_take_no_more_than_their_signature_tells():
    registry.load("torch")
    lacking = []
    for name in filter(registry.layer_row, sorted(registry.signatures())):
        row = registry.layer_row(name)
        layer = resolved(name)
        if not name.startswith("torch.nn.") or layer is None:
            continue
        real = inspect.signature(layer.__init__).parameters.values()  # type: ignore[misc]
        params = registry.parameters(name, row.params) or ()
        named = {p.name for p in real if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)} - {p.name for p in params}
        if named - {"self", *row.rename} and not any(p.kind in ANY for p in params):
            lacking.append((name, named))
    assert lacking == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_unknown_keyword_is_refused(library):
    taking = []
    for name, _, function in modelled(library):
        try:
            function(*NEEDED.get(name, ()), **{NO_KEYWORD: 1})  # type: ignore[operator]
        except TypeError:
            continue
        except Exception as error:
            taking.append((name, type(error).__name__))
        else:
            taking.append((name, "runs"))
    assert taking == []


def test_operators_of_torch_take_no_more_than_their_signature_tells():
    torch = importlib.import_module("torch")
    schemas: dict[str, list] = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::") and schema.arguments and str(schema.arguments[0].type).startswith("Tensor"):
            schemas.setdefault(schema.name[6:], []).append(schema)
    lacking = []
    for name, params, function in modelled("torch"):
        if is_of_python(function):
            continue
        known = {p.name for p in params} | INTERNAL.get(name, set())
        for schema in schemas.get(operator(name), ()):
            given = [a for a in schema.arguments[1:] if not (a.is_out or (a.alias_info and a.alias_info.is_write))]
            named = {a.name for a in given} - known
            if named:
                lacking.append((name, sorted(named), str(schema)))
    assert lacking == []


WORDS = {
    "memory_format": "torch.contiguous_format", "dtype": "torch.float32", "non_blocking": "False", "layout": "torch.strided",
    "device": "'cpu'", "pin_memory": "False", "requires_grad": "False", "generator": "None", "copy": "False", "names": "None",
    "size": "(1,)", "correction": "1", "alpha": "1", "value": "1", "decimals": "0", "stable": "True", "side": "'left'",
}  # fmt: skip
TRIED = ("m", "m, 1", "m, m", "3", "m, m, m", "m, (3, 3)", "[v]", "m, 0, 1")


def test_functions_of_torch_take_no_usual_keyword_that_their_signature_lacks():
    # In a process of its own: some of the calls change settings of torch, as those of printing.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        assert process.submit(functions_with_more_keywords).result() == []


def functions_with_more_keywords() -> list[tuple[str, str]]:
    """Functions of torch, and keywords that a call of them runs with and their signature lacks."""
    torch = importlib.import_module("torch")
    space = {"torch": torch, "m": torch.rand(3, 3), "v": torch.rand(3)}
    lacking = []
    for name, params, function in modelled("torch"):
        space["f"] = function
        fitting = next((call for call in TRIED if runs(f"f({call})", space)), None)
        words = WORDS.keys() - {param.name for param in params} if fitting is not None else ()
        lacking += [(name, word) for word in words if runs(f"f({fitting}, {word}={WORDS[word]})", space)]
    return lacking


def runs(call: str, space: dict) -> bool:
    try:
        eval(call, space)
    except Exception:
        return False
    return True


OPERANDS = (1, 2, 3)


def test_functions_of_torch_in_c_that_write_to_out_have_it_in_their_signature():
    torch = importlib.import_module("torch")
    lacking = []
    for name, params, function in modelled("torch"):
        if is_of_python(function) or name.startswith("torch.Tensor.") or "out" in {p.name for p in params}:
            continue
        calls = [[torch.rand(3, 3) for _ in range(count)] + [1] * numbers for count in OPERANDS for numbers in (0, 1)]
        if any(writes(function, call) for call in calls):
            lacking.append(name)
    assert lacking == []


def writes(function: object, call: list) -> bool:
    torch = importlib.import_module("torch")
    try:
        function(*call, out=torch.empty(0))  # type: ignore[operator]
    except Exception:
        return False
    return True


def operator(name: str) -> str:
    owner, _, last = name.rpartition(".")
    return {"torch.linalg": "linalg_", "torch.special": "special_", "torch.fft": "fft_"}.get(owner, "") + last
