"""Every name, keyword and replacement that dllint can utter, run with the installed releases. The tables are enumerated."""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from dllint.analysis.old_keywords import old_keyword
from dllint.analysis.removed import removed
from dllint.dev.keyword_programs import old_keywords
from dllint.dev.release_names import is_present
from dllint.finding import Confidence
from dllint.frameworks import registry
from dllint.frameworks.history.record import history
from dllint.frameworks.keras import renames as keras_renames
from dllint.frameworks.keras.identifiers import METRIC_CLASSES, OPTIMIZERS
from dllint.frameworks.releases import CHECKED, keras_with, known
from dllint.frameworks.tensorflow import renames as tensorflow_renames
from dllint.frameworks.torch import renames as torch_renames
from dllint.rules.api.renamed_keyword import PLAIN_SIGNATURES
from tests.rules.harness import findings

pytestmark = pytest.mark.oracle
ROOT = Path(__file__).parents[2] / "dllint"
NO_KEYWORD = "no_function_has_this"


@pytest.fixture(scope="module", autouse=True)
def installed():
    for library, release in CHECKED.items():
        module = pytest.importorskip(library)
        if module.__version__.split("+")[0].split(".")[:2] != release.split(".")[:2]:
            pytest.skip(f"{library} {module.__version__} is installed, and the tables are for {release}")


def resolved(name: str) -> object:
    module, _, rest = name.partition(".")
    value: object = importlib.import_module(module)
    for part in rest.split("."):
        value = getattr(value, part)
    return value


def lacking(library: str) -> list[str]:
    return sorted(history(library).lacks)


@pytest.mark.parametrize("library", ["tensorflow", "keras"])
def test_what_is_said_to_be_gone_is_absent_and_what_is_new_is_there(library):
    record = history(library)
    assert [name for name in record.lacks if is_present(f"{library}.{name}")] == []
    assert [name for name in record.has if record.lacking(name) is None and not is_present(f"{library}.{name}")] == []
    assert set(record.lacks.values()) <= {f"{v.major}.{v.minor}" for v in known(library)}


def test_names_before_all_releases_are_absent():
    assert [name for name in tensorflow_renames.BEFORE_ALL if is_present(f"tensorflow.{name}")] == []


def test_what_compat_v1_is_said_to_keep_is_there():
    assert [name for name in history("tensorflow").kept if not is_present(f"tensorflow.compat.v1.{name}")] == []


@pytest.mark.parametrize("library", ["tensorflow", "keras"])
def test_replacements_and_advice_exist(library):
    wrong = []
    for name in lacking(library):
        gone = removed(f"{library}.{name}")
        assert gone is not None
        if gone.replacement and not is_present(gone.replacement):
            wrong.append((name, gone.replacement))
        wrong += [(name, told) for told in named(gone.advice) if not is_present(told)]
    assert wrong == []


@pytest.mark.parametrize("old", sorted(tensorflow_renames.MOVED))
def test_a_moved_function_is_the_same_one(old):
    before, after = resolved(f"tensorflow.compat.v1.{old}"), resolved(f"tensorflow.{tensorflow_renames.MOVED[old]}")
    if before is not after:
        assert parameters(before)[: len(parameters(after))] == parameters(after) or TAKES_THE_SAME[old]


#: Moved functions whose successor takes other parameters in today's release, but these in the same places.
TAKES_THE_SAME: dict[str, bool] = {}


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize("new", sorted({new for new in tensorflow_renames.ANCIENT.values() if new}))
def test_successors_of_ancient_names_exist(new):
    assert is_present(f"tensorflow.{new}")


@pytest.mark.parametrize("old", sorted(keras_renames.MOVED))
def test_moved_parts_of_keras_exist(old):
    assert not is_present(old)
    assert is_present(keras_renames.MOVED[old])


@pytest.mark.parametrize("name", [name for name, row in torch_renames.SYMBOLS.items() if row.checked])
def test_what_torch_lacks_is_absent_or_raises(name):
    torch = importlib.import_module("torch")
    assert is_present(name) == torch_renames.SYMBOLS[name].stub
    if is_present(name):
        matrix = torch.eye(2)
        function = resolved(name)
        with pytest.raises(RuntimeError, match="removed"):
            function(*([matrix, matrix] if name.endswith(("solve", "lstsq")) else [matrix]))  # type: ignore[operator]
    row = torch_renames.SYMBOLS[name]
    assert all(is_present(told) for told in (*named(row.advice), *([row.replacement] if row.replacement else [])))


@pytest.mark.parametrize("name", sorted(torch_renames.INTRODUCED))
def test_names_that_show_a_release_exist(name):
    assert is_present(name)


@pytest.mark.parametrize("name", [name for name, row in torch_renames.SYMBOLS.items() if not row.checked])
def test_what_is_only_read_is_told_with_low_confidence(name):
    module, _, last = name.rpartition(".")
    found = [finding for finding in findings(f"from {module} import {last}\n", today=True) if finding.code == "DLA102"]
    assert found == [] or {finding.confidence for finding in found} == {Confidence.LOW}
    gone = removed(name)
    assert gone is not None
    assert not gone.checked


SCHEDULERS = {
    "ReduceLROnPlateau": "",
    "StepLR": "3, ",
    "LambdaLR": "abs, ",
    "CosineAnnealingLR": "9, ",
    "ExponentialLR": "0.9, ",
}
OPTIMIZER = "optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)\n"


@pytest.mark.parametrize(("module", "keyword"), [(name, word) for name, row in torch_renames.KEYWORDS.items() for word in row])
def test_no_class_of_a_module_of_torch_takes_an_old_keyword(module, keyword):
    found = importlib.import_module(module)
    classes = [found.LRScheduler, *found.LRScheduler.__subclasses__()]
    assert len(classes) > 1
    assert not [one for one in classes if keyword in parameters(one)]


@pytest.mark.parametrize("today", [False, True])
@pytest.mark.parametrize("name", SCHEDULERS)
def test_an_old_keyword_of_a_scheduler_is_an_error_only_for_a_release_that_lacks_it(name, today):
    call = f"{name}(optimizer, {SCHEDULERS[name]}verbose=True)"
    for head, spelled in (
        (f"from torch.optim.lr_scheduler import {name}", call),
        ("from torch.optim import lr_scheduler", f"lr_scheduler.{call}"),
        ("", f"torch.optim.lr_scheduler.{call}"),
    ):
        found = findings(f"import torch\n{head}\n{OPTIMIZER}scheduler = {spelled}\n", today)
        told = [finding.severity.value for finding in found if finding.code == "DLA104"]
        assert told == ["error" if today else "info"]


def test_all_that_is_said_about_torchvision_is_only_read():
    assert all(row.source for name, row in torch_renames.SYMBOLS.items() if name.startswith("torchvision"))


def test_math_constants_of_torch_six():
    assert math.inf > 0
    assert {removed(f"torch._six.{name}").advice for name in ("inf", "nan")} == {"math.inf", "math.nan"}  # type: ignore[union-attr]


OLD_KEYWORDS = sorted(old_keywords(), key=lambda old: (old.callable, old.keyword))


@pytest.mark.parametrize("old", OLD_KEYWORDS, ids=lambda old: f"{old.callable}-{old.keyword}")
def test_an_old_keyword_is_rejected_and_the_new_one_taken(old):
    told = old_keyword(old.callable, old.keyword)
    if told is None:  # a common keyword that this layer has no successor for
        return
    with pytest.raises((TypeError, ValueError)):
        exec(old.program(old.keyword), {})
    if told.new:
        exec(old.program(told.new), {})


@pytest.mark.parametrize(("layer", "old"), [(layer, old) for layer, row in keras_renames.TAKEN.items() for old in row])
def test_old_keywords_that_are_still_taken(layer, old):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        resolved(f"keras.layers.{layer}")(**{old: 0.2})  # type: ignore[operator]
    assert old_keyword(f"keras.layers.{layer}", old) is None


def closed(prefixes: tuple[str, ...]) -> Iterator[str]:
    for library in ("torch", "keras"):
        registry.load(library)
    for name in sorted(registry._signatures):
        signature = registry.parameters(name) or ()
        if name.startswith(prefixes) and not any(p.kind in ("kwargs", "open") for p in signature):
            yield name


def test_a_keyword_that_is_said_to_be_unknown_is_rejected():
    assert [name for name in closed((*PLAIN_SIGNATURES, "keras.optimizers.")) if not is_closed(name)] == []


def is_closed(name: str) -> bool:
    """Whether what is called by a name rejects a keyword that nothing has, and for that reason."""
    value = resolved(name) if is_present(name) else None
    if not callable(value) or isinstance(value, property):
        return True  # what is not called takes no keyword
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        signature = None
    if signature is not None and not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        with pytest.raises(TypeError):
            signature.bind_partial(**{NO_KEYWORD: None})
        return True
    try:
        value(*given(name), **{NO_KEYWORD: None})
    except (TypeError, ValueError) as error:
        return signature is None or bool(re.search(f"unexpected keyword|not recognized|{NO_KEYWORD}", str(error)))
    return False


def given(name: str) -> list[object]:
    """A number for each required parameter, so that only the keyword is wrong; tensors for C functions."""
    torch = importlib.import_module("torch")
    required = [p for p in registry.parameters(name) or () if p.kind == "pos" and not isinstance(p.default, int | float | str)]
    if name.startswith("torch.nn.functional."):
        return [torch.ones(1, 1, 4, 4)][: len(required)]
    return [] if name == "keras.Sequential.add" else [1] * min(2, len(required))


#: Names in texts for people, as they are written.
_NAMED = re.compile(r"(?<![\w./])((?:torch|tf|tensorflow|keras|np|numpy|nn|F)\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
_SHORT = {"tf": "tensorflow", "np": "numpy", "nn": "torch.nn", "F": "torch.nn.functional"}
#: What texts speak of that exists only in older releases or by construction.
_PAST = re.compile(
    r"losses\.sigmoid_cross_entropy|compat\.v1|contrib|keras\.layers\.core|placeholder|Session|fit_generator|queue_runners|"
    r"GraphKeys"
)


def named(text: str) -> list[str]:
    """The qualified library names in a text."""
    found = (match.rstrip(".") for match in _NAMED.findall(text))
    return [_SHORT.get(name.partition(".")[0], name.partition(".")[0]) + "." + name.partition(".")[2] for name in found]


def told_in(path: Path) -> Iterator[str]:
    """The text constants of a module that are no docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    documentation = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


SPEAKING = sorted([*(ROOT / "rules").rglob("*.py"), *(ROOT / "ops").rglob("*.py"), *(ROOT / "fixes").rglob("*.py")])


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_in_texts_for_people_exist(path):
    names = {name for text in told_in(path) if " " in text for name in named(text) if not _PAST.search(name)}
    assert sorted(name for name in names if not is_present(name)) == []


def test_strings_that_keras_resolves():
    keras = importlib.import_module("keras")
    for name, class_name in OPTIMIZERS.items():
        assert type(keras.optimizers.get(name)).__name__ == class_name.rpartition(".")[2]
    assert [name for name in METRIC_CLASSES if not is_present(f"keras.metrics.{name}")] == []


def test_keras_and_tensorflow_go_together():
    assert str(keras_with([v for v in known("tensorflow") if str(v) == "2.15.1"])[0]) == "2.15.0"
    assert all(v.major >= 3 for v in keras_with([v for v in known("tensorflow") if str(v) == "2.16.1"]))
    assert all(v.major < 3 for v in keras_with([v for v in known("tensorflow") if v.major == 1]))
