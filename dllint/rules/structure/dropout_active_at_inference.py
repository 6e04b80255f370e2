"""DLS209: functional dropout that is never switched off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.modules import is_module, user_classes
from dllint.analysis.own_statements import enclosing
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import add_keyword
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_TRAINING: Final = "training"
#: The reason for which nothing is known of the mode of a module.
_MODE: Final = "training-mode"
#: Words of conditions that tell training from other uses.
_OF_MODE: Final = re.compile(r"train|eval|infer|predict|test|sampl", re.IGNORECASE)
#: Names of functions and classes that draw at inference on purpose (MC dropout, catalogue DLS209).
_ON_PURPOSE: Final = re.compile(r"(?i:(?:^|_)mc(?:_|$)|monte_?carlo|bayes|uncert)|M[Cc](?=[A-Z]|$)")
#: The rate that is left out (torch 2.13).
_USUAL: Final = 0.5
#: The functions whose parameter ``training`` is true unless it is given (torch 2.13).
_ACTIVE: Final = frozenset(f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d"))


class DropoutActiveAtInference(Rule[LibraryCall]):
    """A module applies functional dropout without `training=self.training`, so that it also drops values in evaluation.

    ## What it finds
    `F.dropout`, `F.dropout1d`, `F.dropout2d` and `F.dropout3d` without `training`, in a method of a module or in a function
    that such a method calls; `F.dropout(x, self.training)`, which passes the mode for the rate.

    ## Why it is bad
    The functions know nothing of `model.eval()`: their `training` is true unless it is given. Predictions are random, and worse
    than the model's.

    ## Bad
    ```python
    import torch.nn.functional as F
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden, self.head = nn.Linear(16, 32), nn.Linear(32, 4)

        def forward(self, x):
            return self.head(F.dropout(F.relu(self.hidden(x)), 0.5))  # error: [DLS209]
    ```

    ## Good
    ```python
    import torch.nn.functional as F
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden, self.head = nn.Linear(16, 32), nn.Linear(32, 4)

        def forward(self, x):
            return self.head(F.dropout(F.relu(self.hidden(x)), 0.5, training=self.training))
    ```

    ## When it stays silent
    `training=True`, which says that dropout is wanted in evaluation, functions and classes that are named for it (MC dropout,
    Bayesian layers, uncertainty), a rate that is 0 or may be 0 in evaluation, and code that runs in training only.
    ```python
    import torch.nn.functional as F
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden, self.head = nn.Linear(16, 32), nn.Linear(32, 4)

        def forward(self, x):
            x = F.dropout(F.relu(self.hidden(x)), 0.5, training=True)
            if self.training:
                x = F.dropout(x, 0.1)
            rate = 0.3 if self.training else 0.0
            x = F.dropout(F.dropout(x, rate), 0.5 * self.training)
            return self.head(F.dropout(x, 0.0))
    ```

    ## References
    - PyTorch documentation, `torch.nn.functional.dropout`.
    """

    code = "DLS209"
    name = "dropout-active-at-inference"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(_ACTIVE))

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A call of a functional dropout."""
        if item.name not in _ACTIVE or _TRAINING in item.bound or not is_module(item.owner):
            return
        rate = unwrap(item.bound.get("p", _USUAL))
        if type(rate) is Unknown and rate.reason == _MODE:
            yield self._confused(item, context)
            return
        if not _stays(rate) or any(map(_OF_MODE.search, _conditions(item, context))) or _is_meant(item):
            return
        node = item.site.node
        in_method = _has_self(item) and isinstance(node, cst.Call)
        edits = add_keyword(item.site, node, _TRAINING, "self.training") if in_method else ()
        yield context.finding(
            self,
            item,
            f"{quoted(context.text(node))} also drops values in evaluation: `training` is true unless it is given",
            advice="pass `training=self.training`",
            fixes=offer(context, "Pass `training=self.training`", edits, Applicability.UNSAFE),
        )

    def _confused(self, item: LibraryCall, context: Context) -> Finding:
        """``F.dropout(x, self.training)``: the second parameter is the rate."""
        node = item.nodes.get("p")
        return context.finding(
            self,
            item,
            f"{quoted(context.text(node))} is taken for the rate `p`: 1 in training, which leaves nothing but zeros",
            advice="pass it by name: `training=self.training`",
        )


def _conditions(item: LibraryCall, context: Context) -> Iterator[str]:
    """What may decide about a call: its rate, the conditions around it, and those by which others have left before."""
    yield context.text(item.nodes.get("p"))
    yield from (condition.text for condition in item.path)
    op = item.result.producer if isinstance(item.result, TensorVal) else None
    yield from (context.program.questions.get(number, "") for number in (op.tested if op is not None else ()))


def _is_meant(item: LibraryCall) -> bool:
    """Whether a function or class around the call, or one that leads to it, says by its name that it draws on purpose."""
    owner = item.owner.cls if isinstance(item.owner, InstanceVal) else None
    names = [owner.name] if isinstance(owner, ClassVal) else []
    for frame in item.site.stack():
        names += [part.name.value for part in enclosing(frame) if isinstance(part, (cst.FunctionDef, cst.ClassDef))]
    return any(map(_ON_PURPOSE.search, names))


def _stays(rate: Value) -> bool:
    """Whether values are dropped at a rate above 0 that does not change: a number, or what a constructor was given. A rate that
    is chosen or computed may be 0 in evaluation."""
    if isinstance(rate, (int, float)):
        return rate != 0
    return type(rate) is Unknown and rate.reason == "parameter"


def _has_self(item: LibraryCall) -> bool:
    """Whether the call stands in a method of the module whose mode it is: of its class or of one that this derives from, not of
    another object or in a function that the module calls."""
    home, _, method = item.scope.rpartition(".")
    owner = item.owner.cls if isinstance(item.owner, InstanceVal) else None
    return bool(method) and isinstance(owner, ClassVal) and home in {cls.name for cls in user_classes(owner)}
