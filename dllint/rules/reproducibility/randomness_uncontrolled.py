"""DLR101: a script trains, and no seed reaches the random numbers that it depends on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Backward, Fit, LibraryCall, OpaqueCall, Step
from dllint.ir.program import SCRIPT, Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule

#: What sets a seed, or tells that one is set elsewhere (a parameter, a setting, a function).
_SEEDS: Final = re.compile(r"seed|random_state|Generator|PRNGKey|deterministic", re.IGNORECASE)
#: How a file says that it is a script.
_GUARD: Final = re.compile(r"(?:^|[\r\n])if __name__ ==")
#: Seeds of other generators than those that draw the weights, by what draws them.
_OTHERS: Final = frozenset({"numpy.random.seed", "random.seed"})
_OF_LIBRARIES: Final = {
    "torch": frozenset({"torch.manual_seed", "torch.random.manual_seed", "torch.cuda.manual_seed_all", "torch.seed"}),
    "keras": frozenset({
        "keras.utils.set_random_seed", "tensorflow.random.set_seed", "tensorflow.set_random_seed",
        "tensorflow.random.set_random_seed",
    }),
}  # fmt: skip


class RandomnessUncontrolled(Rule[Program]):
    """A script trains without a seed, or seeds generators that do not draw the weights.

    ## What it finds
    A script with a main guard that trains and in which nothing speaks of a seed; and any that seeds `random` or `numpy.random`
    alone. One report per file.

    ## Why it is bad
    Weights, dropout and the order of batches are random. Without a seed no run can be repeated, so that nobody knows whether a
    change or chance made the difference. `torch` and Keras have generators of their own, which other seeds do not reach.

    ## Bad
    ```python
    import numpy as np
    import torch
    from torch import nn

    np.random.seed(0)
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()  # hint: [DLR101]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    torch.manual_seed(0)
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    ```

    ## When it stays silent
    Modules that train nothing by themselves, a few lines without a main guard, and everything that speaks of a seed: settings,
    parameters, functions.
    ```python
    import torch
    from settings import seed_everything
    from torch import nn


    def train(model, batches):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in batches:
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()


    seed_everything(3)
    train(nn.Linear(8, 2), [torch.randn(4, 8)])
    ```

    ## References
    - PyTorch documentation, "Reproducibility". Keras examples, "Reproducibility in Keras Models".
    """

    code = "DLR101"
    name = "randomness-uncontrolled"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """A script, at the first place where it trains."""
        if item.entry != SCRIPT or not context.facts.training.trains:
            return
        first = next((event for event in item.events if isinstance(event, (Backward, Fit, Step))), None)
        if first is None or (isinstance(first, Fit) and first.method not in ("fit", "train_on_batch")):
            return
        library = "keras" if isinstance(first, Fit) else "torch"
        calls = {event.name for event in context.facts.events(LibraryCall)}
        seeded = _speaks_of_seeds(context.facts, context.document.text)
        if not seeded and _GUARD.search(context.document.text):
            message = "this script trains, and nothing in it sets a seed"
        elif seeded and calls & _OTHERS and not calls & _OF_LIBRARIES[library] and _are_all(context):
            message = f"this script trains, and seeds other generators than that of {library}, which draws the weights"
        else:
            return
        seed = {"keras": "keras.utils.set_random_seed(…)", "torch": "torch.manual_seed(…)"}[library]
        yield context.finding(self, first, message, advice=f"call `{seed.replace('…', '0')}` first")


def _speaks_of_seeds(facts: Facts, text: str) -> bool:
    """Whether a script, or what it calls, may set a seed."""
    if _SEEDS.search(text):
        return True
    called = {call.name for call in facts.events(LibraryCall)} | {call.name for call in facts.events(OpaqueCall)}
    texts = {call.site.document.text for call in facts.events(LibraryCall)}
    return any(map(_SEEDS.search, called | texts))


def _are_all(context: Context) -> bool:
    """Whether the seeds of other generators are all that the files of the program say of seeds."""
    texts = {event.site.document.text for event in context.facts.events(LibraryCall)} | {context.document.text}
    other = re.compile(r"\b(np|numpy)\.random\.seed\(|\brandom\.seed\(")
    return all(len(_SEEDS.findall(text)) == len(other.findall(text)) for text in texts)
