"""DLR103: the workers of a loader draw numbers that no seed of the program reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.statements import insert_before
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_LOADER: Final = "torch.utils.data.DataLoader"
#: What seeds the generators of Python and numpy, and what seeds that of torch.
_SEEDS: Final = frozenset({"numpy.random.seed", "random.seed"})
_SEEDS_TORCH: Final = frozenset({"torch.manual_seed", "torch.random.manual_seed", "torch.seed"})
_DRAWING: Final = ("numpy.random.", "random.")


class WorkerSeeding(Rule[LibraryCall]):
    """The program seeds numpy or Python, and its loader draws in worker processes, which torch seeds.

    ## What it finds
    A `DataLoader` with workers whose dataset draws from `numpy.random` or `random` in `__getitem__`, in a program that seeds
    these generators and not that of torch, without `worker_init_fn` and `generator`.

    ## Why it is bad
    Each worker process seeds its generators anew, from a number that torch's generator draws (since PyTorch 1.9; before, all
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
    default = "hint"

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """As of a rule."""
        return name == _LOADER

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction of a loader."""
        if item.name != _LOADER or not _has_workers(item):
            return
        calls = context.facts.events(LibraryCall)
        names = {call.name for call in calls}
        if not names & _SEEDS or names & _SEEDS_TORCH or any("seed_everything" in name or "set_seed" in name for name in names):
            return
        dataset = unwrap(item.bound.get("dataset"))
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


def _has_workers(item: LibraryCall) -> bool:
    workers = unwrap(item.bound.get("num_workers"))
    given = ("worker_init_fn", "generator")
    return isinstance(workers, int) and workers > 0 and all(unwrap(item.bound.get(name)) is None for name in given)


def _is_sample(call: LibraryCall, dataset: object) -> bool:
    """Whether a call stands in the method of a dataset that gives one sample."""
    return isinstance(dataset, InstanceVal) and call.owner is dataset and call.scope.endswith("__getitem__")
