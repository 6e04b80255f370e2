"""DLR103: the workers of a loader draw numbers that no seed of the program reaches, or all the same ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.statements import insert_before
from dllint.ir.events import LibraryCall
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_LOADER: Final = "torch.utils.data.DataLoader"
#: What seeds the generators of Python and numpy, and what seeds that of torch.
_SEEDS: Final = frozenset({"numpy.random.seed", "random.seed"})
_SEEDS_TORCH: Final = frozenset({"torch.manual_seed", "torch.random.manual_seed", "torch.seed"})
#: Generators that an object may keep.
_GENERATORS: Final = frozenset({"numpy.random.Generator", "numpy.random.RandomState", "random.Random", "torch.Generator"})
#: Code of a dataset that asks in which worker it is.
_ASKS: Final = re.compile(r"worker_info|worker_id|initial_seed|worker_init")
_DRAWING: Final = ("numpy.random.", "random.")


class WorkerSeeding(Rule[LibraryCall]):
    """The samples of a loader with workers are drawn from generators that are seeded elsewhere, or copied into each worker.

    ## What it finds
    - A `DataLoader` with workers whose dataset draws from `numpy.random` or `random` in `__getitem__`, in a program that seeds
      these generators and not that of torch, without `worker_init_fn` and `generator`.
    - One whose dataset draws in `__getitem__` from a generator that it keeps (`self.rng = np.random.default_rng(0)`).

    ## Why it is bad
    A generator that the dataset keeps is copied into each worker process: all of them draw the same numbers. Otherwise each
    worker process seeds its generators anew, from a number that torch's generator draws (since PyTorch 1.9; before, all
    workers draw the same numbers from numpy). The seed of the program does not reach them: two runs differ.

    ## Bad
    ```python
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset


    class Noisy(Dataset):
        def __len__(self):
            return 100

        def __getitem__(self, index):
            return torch.ones(8) * np.random.rand()


    np.random.seed(0)
    loader = DataLoader(Noisy(), batch_size=4, num_workers=2)  # hint: [DLR103]
    for batch in loader:
        print(batch)
    ```

    ```python
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset


    class Shifted(Dataset):
        def __init__(self):
            self.rng = np.random.default_rng(0)

        def __len__(self):
            return 100

        def __getitem__(self, index):
            return torch.ones(8) * self.rng.integers(4)


    loader = DataLoader(Shifted(), batch_size=4, num_workers=2)  # hint: [DLR103]
    for batch in loader:
        print(batch)
    ```

    ## Good
    ```python
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset


    class Noisy(Dataset):
        def __len__(self):
            return 100

        def __getitem__(self, index):
            return torch.ones(8) * np.random.rand()


    np.random.seed(0)
    torch.manual_seed(0)
    loader = DataLoader(Noisy(), batch_size=4, num_workers=2)
    for batch in loader:
        print(batch)
    ```

    ## When it stays silent
    Programs that seed nothing or torch, too; loaders without workers or with a function that seeds them; and datasets that draw
    nothing, or from torch.
    ```python
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset


    class Noisy(Dataset):
        def __len__(self):
            return 100

        def __getitem__(self, index):
            return torch.ones(8) * np.random.rand()


    np.random.seed(0)
    for batch in DataLoader(Noisy(), batch_size=4):
        print(batch)
    for batch in DataLoader(Noisy(), num_workers=2, worker_init_fn=lambda number: np.random.seed(number)):
        print(batch)
    ```

    ## References
    - PyTorch documentation, "Reproducibility": DataLoader.
    """

    code = "DLR103"
    name = "worker-seeding"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (_LOADER,)
    default = "hint"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction of a loader."""
        if item.name != _LOADER or not _has_workers(item):
            return
        calls = context.facts.events(LibraryCall)
        dataset = unwrap(item.bound.get("dataset"))
        if (copied := next((call for call in calls if _draws_from_copy(call, dataset)), None)) is not None:
            yield self._copied(item, copied, context)
            return
        names = {call.name for call in calls}
        if not names & _SEEDS or names & _SEEDS_TORCH or any("seed_everything" in name or "set_seed" in name for name in names):
            return
        draw = next((call for call in calls if call.name.startswith(_DRAWING) and _is_sample(call, dataset)), None)
        if draw is None:
            return
        drawn = context.related(draw, "the workers draw here")
        seed = next(call for call in calls if call.name in _SEEDS)
        edits = insert_before(seed.site, "torch.manual_seed(0)") if "import torch\n" in seed.site.document.text else ()
        yield context.finding(
            self,
            item,
            f"{quoted(seed.name)} does not reach the workers of this loader, which torch seeds",
            advice="call `torch.manual_seed` as well, or pass `worker_init_fn`",
            related=[drawn] if drawn else [],
            fixes=offer(context, "Seed torch", edits, Applicability.UNSAFE),
        )

    def _copied(self, item: LibraryCall, draw: LibraryCall, context: Context) -> Finding:
        drawn = context.related(draw, "the workers draw here")
        return context.finding(
            self,
            item,
            "each worker of this loader has a copy of the generator that the dataset keeps, so that all draw the same numbers",
            advice="make the generator in `worker_init_fn`, from `torch.initial_seed()`",
            related=[drawn] if drawn else [],
            kind="copied",
        )


def _draws_from_copy(call: LibraryCall, dataset: Value) -> bool:
    """Whether a dataset draws in the method that gives one sample from a generator that it keeps, and whose code does not ask
    in which worker it is."""
    if not isinstance(dataset, InstanceVal) or not _is_sample(call, dataset) or not isinstance(dataset.cls, ClassVal):
        return False
    classes = [base.node for base in dataset.cls.mro if isinstance(base, ClassVal) and isinstance(base.node, cst.CSTNode)]
    if any(_ASKS.search(cst.Module([]).code_for_node(node)) for node in classes):
        return False
    drawn_from = (call.receiver, unwrap(call.bound.get("generator")))
    kept = {id(value) for value in map(unwrap, dataset.attrs.values()) if isinstance(value, InstanceVal)}
    return any(id(value) in kept and _is_generator(value) for value in drawn_from)


def _is_generator(value: Value) -> bool:
    return isinstance(value, InstanceVal) and isinstance(value.cls, LibSymbol) and value.cls.name in _GENERATORS


def _has_workers(item: LibraryCall) -> bool:
    workers = unwrap(item.bound.get("num_workers"))
    given = ("worker_init_fn", "generator")
    return isinstance(workers, int) and workers > 0 and all(unwrap(item.bound.get(name)) is None for name in given)


def _is_sample(call: LibraryCall, dataset: object) -> bool:
    """Whether a call stands in the method of a dataset that gives one sample."""
    return isinstance(dataset, InstanceVal) and call.owner is dataset and call.scope.endswith("__getitem__")
