"""DLR101: a script trains, and no seed reaches the random numbers that it depends on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Backward, Construction, Fit, LibraryCall, OpaqueCall, Step
from dllint.ir.program import SCRIPT, Event, Op, Program, Site
from dllint.ir.values import unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule

#: What sets a seed, or tells that one is set elsewhere (a parameter, a setting, a function).
_SEEDS: Final = re.compile(r"seed|random_state|Generator|PRNGKey|deterministic", re.IGNORECASE)
#: How a file says that it is a script.
_GUARD: Final = re.compile(r"(?:^|[\r\n])if __name__ ==")
#: Seeds of other generators than those that draw the weights, by what draws them.
_OTHERS: Final = frozenset({"numpy.random.seed", "random.seed"})
#: What makes a generator with a seed of its own.
_OWN_GENERATORS: Final = frozenset({"numpy.random.default_rng", "numpy.random.RandomState", "random.Random"})
_OF_LIBRARIES: Final = {
    "torch": frozenset({"torch.manual_seed", "torch.random.manual_seed", "torch.cuda.manual_seed_all", "torch.seed"}),
    "keras": frozenset({
        "keras.utils.set_random_seed", "tensorflow.random.set_seed", "tensorflow.set_random_seed",
        "tensorflow.random.set_random_seed",
    }),
}  # fmt: skip


#: What seeds the generators of several libraries at once, by a part of its name.
_SEEDS_ALL: Final = re.compile(
    r"seed_everything|set_random_seed|transformers.*set_seed|accelerate.*set_seed|full_determinism", re.I
)
#: How the generators that draw weights are seeded, or code is asked to do so.
_SEEDS_LIBRARIES: Final = re.compile(
    r"manual_seed|seed_everything|set_random_seed|random\.set_seed|torch\.seed|rng_state|fork_rng|deterministic"
    r"|(?<!np\.random\.)(?<!numpy\.random\.)\bGenerator|PRNGKey|import .*seed",
    re.IGNORECASE,
)
#: Functions of generators that draw nothing.
_DRAWS_NONE: Final = frozenset({
    "seed", "Random", "SystemRandom", "getstate", "setstate", "default_rng", "RandomState", "Generator", "SeedSequence",
    "get_state", "set_state", "PCG64", "MT19937",
})  # fmt: skip
#: The functions of a generator → what seeds it.
_GENERATORS: Final = {"numpy.random.": "numpy.random.seed", "random.": "random.seed"}
#: Functions that draw from the generator of numpy, unless a seed is given to them → the parameter for that.
_SPLITS: Final = dict.fromkeys(
    ("sklearn.model_selection.train_test_split", "sklearn.utils.shuffle", "sklearn.utils.resample"), "random_state"
)
#: What takes data for training, so that a file is more than a few lines to show something.
_DATA: Final = frozenset({"torch.utils.data.DataLoader"})


class RandomnessUncontrolled(Rule[Program]):
    """A script trains without a seed, or seeds generators that do not draw the weights.

    ## What it finds
    A script with a main guard, or a loader of data, that trains and in which nothing speaks of a seed; any that seeds `random`
    or `numpy.random` alone; and any that seeds the library, and draws numbers from `random` or `numpy.random` unseeded. One
    report per file.

    ## Why it is bad
    Weights, dropout and the order of batches are random. Without a seed no run can be repeated, so that nobody knows whether a
    change or chance made the difference. `torch` and Keras have generators of their own, which other seeds do not reach.

    ## Bad
    ```python
    import numpy as np
    import torch
    from torch import nn

    np.random.seed(0)
    model = nn.Linear(8, 2)  # hint: [DLR101]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
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
    needs: ClassVar[tuple[str, ...]] = TRAINS
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
        seeded, seed = _speaks_of_seeds(context.facts, context.document.text), _SEED_OF[library]
        where = _first_drawn(first, context.facts)
        if not seeded and (_GUARD.search(context.document.text) or calls & _DATA):
            message = "this script trains, and nothing in it sets a seed"
        elif seeded and calls & _OTHERS and not calls & _OF_LIBRARIES[library] and _are_all(context):
            message = f"this script trains, and seeds other generators than that of {library}, which draws the weights"
            where = _first_drawn(first, context.facts, library)
        elif (drawn := _drawn_beside(context.facts)) is not None:
            where, seed = drawn.site, f"{_seed_for(drawn)}(0)"
            which = "that {} makes" if drawn.name in _OWN_GENERATORS else "from which {} draws"
            message = f"this script seeds its generators, but not the one {which.format(f'`{drawn.name}`')}"
        else:
            return
        yield context.finding(self, where, message, advice=f"call `{seed}` first")


_SEED_OF: Final = {"keras": "keras.utils.set_random_seed(0)", "torch": "torch.manual_seed(0)"}


def _first_drawn(training: Event, facts: Facts, library: str | None = None) -> Site:
    """Where a script that trains first builds a layer or draws numbers, of one library if that is given, in a function that
    leads to the training; else where it trains."""
    callers = {id(place.caller) for place in training.site.stack()}
    for item in facts.program.trace:
        builds = isinstance(item, Construction) and item.instance.layer is not None and item.instance.layer.row.trainable
        if builds or (isinstance(item, Op) and does(item, Trait.DRAWS) and library in (None, item.framework)):
            return next((place for place in item.site.stack() if id(place.caller) in callers), training.site)
    return training.site


def _drawn_beside(facts: Facts) -> LibraryCall | None:
    """The first call that draws from a generator of Python or numpy that nothing seeds, where the others are seeded."""
    calls = facts.events(LibraryCall)
    names = {call.name for call in calls} | {call.name for call in facts.events(OpaqueCall)}
    if not any(names & seeds for seeds in _OF_LIBRARIES.values()) or any(map(_SEEDS_ALL.search, names)):
        return None
    texts = {place.document.text for call in calls for place in call.site.stack() if place.document is not None}
    for call in calls:
        if _is_made_without_seed(call):
            return call
        seed = _seed_for(call)
        if seed and seed not in names and not any(_may_seed(text, seed) for text in texts):
            return call
    return None


def _is_made_without_seed(call: LibraryCall) -> bool:
    """Whether a generator of its own is made that starts anew in each run."""
    return call.name in _OWN_GENERATORS and not call.given and not call.unbound and not _has_open_keywords(call)


def _seed_for(call: LibraryCall) -> str:
    """What seeds the generator from which a call draws; empty for what draws from none, or from one of its own."""
    module, _, function = call.name.rpartition(".")
    if call.name in _OWN_GENERATORS:
        return call.name if _is_made_without_seed(call) else ""
    if call.name in _SPLITS:
        if _has_open_keywords(call):
            return ""
        given = {**call.bound, **call.unbound}
        is_drawn = unwrap(given.get(_SPLITS[call.name])) is None and unwrap(given.get("shuffle", True)) is True
        return "numpy.random.seed" if is_drawn else ""
    return _GENERATORS.get(f"{module}.", "") if function not in _DRAWS_NONE else ""


def _has_open_keywords(call: LibraryCall) -> bool:
    """Whether a dict gives keywords to a call (``**options``), the seed possibly among them."""
    node = call.site.node
    return isinstance(node, cst.Call) and any(argument.star == "**" for argument in node.args)


#: Functions of the code itself that are named after seeds, where they are defined, imported and called: these are followed.
_OWN_NAMES: Final = re.compile(r"\b(?:set_)?seed(?:_all)?\b")
#: What seeds a generator → how that is written.
_WRITTEN: Final = {
    "numpy.random.seed": re.compile(r"\b(?:np|numpy)\.random\.seed|from numpy\.random import"),
    "random.seed": re.compile(r"(?<![\w.])random\.seed|from random import"),
}


def _may_seed(text: str, seed: str) -> bool:
    """Whether a text may seed a generator in code that was not followed."""
    return _WRITTEN[seed].search(text) is not None or _SEEDS_ALL.search(_OWN_NAMES.sub("", text)) is not None


def _speaks_of_seeds(facts: Facts, text: str) -> bool:
    """Whether a script, or what it calls, may set a seed."""
    if _SEEDS.search(text):
        return True
    called = {call.name for call in facts.events(LibraryCall)} | {call.name for call in facts.events(OpaqueCall)}
    texts = {call.site.document.text for call in facts.events(LibraryCall)}
    return any(map(_SEEDS.search, called | texts))


def _are_all(context: Context) -> bool:
    """Whether the program was followed, and nothing that its files say or that it calls may seed more than those generators."""
    facts = context.facts
    calls = [event for event in facts.program.events if isinstance(event, (LibraryCall, OpaqueCall))]
    texts = {call.site.document.text for call in calls} | {context.document.text}
    others = (call.name for call in calls if call.name not in _OTHERS)
    unknown = any(_SEEDS.search(name.rpartition(".")[2]) for name in others)
    return facts.training.is_whole and not unknown and not any(map(_SEEDS_LIBRARIES.search, texts))
