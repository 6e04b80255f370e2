"""What is said to be deprecated is, and what is written in its place computes the same: run with the installed release."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import warnings
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.release_names import is_present
from dllint.engine.session import Session
from dllint.frameworks.history.record import legacy_weights
from dllint.frameworks.torch.deprecated import EXPECTED, PRIVATE, SYMBOLS
from tests.rules.harness import findings

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
#: Calls of functions that say only when they run that they are deprecated.
RUN = {"torch.range": "torch.range(0, 2)"}
#: The installed build of torchvision may lack the operators that its import asks for.
RUNNABLE = [name for name in SYMBOLS if not name.startswith("torchvision.")]
SQUARE = "torch.tensor([[4.0, 1.0], [1.0, 3.0]])"


def resolved(name: str) -> object:
    module, _, rest = name.partition(".")
    value: object = importlib.import_module(module)
    parts = [module]
    for part in rest.split("."):
        parts.append(part)
        value = getattr(value, part) if hasattr(value, part) else importlib.import_module(".".join(parts))
    return value


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_release_says_that_the_name_is_deprecated(name):
    value = resolved(name)
    said = f"{getattr(value, '__deprecated__', '')} {inspect.getdoc(value)} {inspect.getdoc(getattr(value, '__init__', None))}"
    assert "deprecated" in said.lower() or "renamed" in said.lower()


@pytest.mark.parametrize("name", [name for name in RUNNABLE if SYMBOLS[name].replacement])
def test_what_stands_in_its_place_exists(name):
    assert is_present(SYMBOLS[name].replacement)


@pytest.mark.parametrize("name", sorted(PRIVATE))
def test_the_public_name_is_the_same_object(name):
    assert resolved(name) is resolved(PRIVATE[name].replacement)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_what_is_to_be_given_can_be_given_and_is_asked_for(name):
    keyword, _ = EXPECTED[name]
    function = resolved(name)
    assert keyword in inspect.signature(function).parameters
    with pytest.warns(match=keyword):
        function(torch.sin, torch.ones(2, requires_grad=True))


REWRITTEN = [
    f"result = torch.qr({SQUARE})",
    "result = torch.ger(torch.ones(2), torch.arange(3.0))",
    f"result = torch.chain_matmul({SQUARE}, {SQUARE}, {SQUARE})",
    f"result = torch.cholesky({SQUARE})",
    "result = torch.nn.functional.upsample(torch.ones(1, 1, 2, 2), scale_factor=2)",
    "result = torch.nn.init.constant(torch.zeros(2, 2), 3.0)",
    "result = torch.nn.utils.clip_grad_norm([torch.nn.Parameter(torch.ones(2))], 1.0)",
    "import functorch\nresult = functorch.vmap(torch.sin)(torch.ones(2))",
    "import functorch\nresult = functorch.grad(torch.sin)(torch.tensor(1.0))",
    "result = torch.cpu.amp.GradScaler(enabled=False).get_scale()",
    "with torch.cpu.amp.autocast(dtype=torch.bfloat16):\n    result = torch.ones(2, 2) @ torch.ones(2, 2)",
    *(
        f"result = torch.nn.functional.{loss}(torch.arange(3.0), torch.ones(3), {keyword}={value})"
        for loss, keyword, value in itertools.product(
            ("mse_loss", "l1_loss", "smooth_l1_loss"), ("size_average", "reduce"), (True, False)
        )
    ),
]


@pytest.mark.parametrize("program", REWRITTEN)
def test_a_fix_computes_the_same(program):
    text = f"import torch\n\n{program}\n"
    session = Session(Configuration(isolated=True, overrides={"select": ("DLA103",)}))
    result = session.check_bytes(Path("/snippet/a.py"), text.encode(), fix=True).after
    assert result != text
    assert not [f for f in findings(result) if f.code == "DLA103"]
    before, after = value_of(text), value_of(result)
    flat = [torch.as_tensor(part) for part in (before if isinstance(before, tuple) else (before,))]
    again = [torch.as_tensor(part) for part in (after if isinstance(after, tuple) else (after,))]
    assert all(a.dtype == b.dtype and torch.equal(a, b) for a, b in zip(flat, again, strict=True))


def value_of(text: str) -> object:
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(text, names)
    return names["result"]


def test_the_weights_of_builders_are_those_of_the_sources():
    spec = importlib.util.find_spec("torchvision")
    if spec is None or spec.origin is None:
        pytest.skip("torchvision is not installed")
    members: dict[str, set[str]] = {}
    for path in (Path(spec.origin).parent / "models").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                assigned = (part for part in node.body if isinstance(part, ast.Assign))
                members[node.name] = {target.id for part in assigned for target in part.targets if isinstance(target, ast.Name)}
    known = set().union(*members.values())
    assert len(legacy_weights()) > 150
    assert {weights for row in legacy_weights().values() for _, weights in row.values() if weights} <= known
