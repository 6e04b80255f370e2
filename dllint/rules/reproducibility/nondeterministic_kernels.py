"""DLR102: a script sets seeds, and lets the library choose among kernels by their speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import replace_expression
from dllint.ir.events import LibraryCall
from dllint.ir.program import SCRIPT, Program, Site
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.document import Document
from dllint.source.walk import walk

_SEEDS: Final = frozenset({"torch.manual_seed", "torch.random.manual_seed", "torch.cuda.manual_seed_all"})
#: The last part of the name of functions that seed every library.
_SEEDS_ALL: Final = (".seed_everything",)
_BENCHMARK: Final = "cudnn.benchmark"
_DETERMINISTIC: Final = "cudnn.deterministic"


class NondeterministicKernels(Rule[Program]):
    """`cudnn.benchmark` stands beside seeds and `cudnn.deterministic`.

    ## What it finds
    `torch.backends.cudnn.benchmark = True` in a script that sets a seed and asks for deterministic kernels as well, in this
    file or in another one that sets a seed.
    It is off unless it is selected.

    ## Why it is bad
    With `benchmark`, cuDNN measures several kernels and takes the fastest. Which one that is may differ from run to run, and
    with it the rounding: two runs with one seed come to different results, although determinism was asked for.

    ## Bad
    ```python
    import torch

    torch.manual_seed(0)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True  # info: [DLR102]
    ```

    ## Good
    ```python
    import torch

    torch.manual_seed(0)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    ```

    ## When it stays silent
    Scripts without a seed, or that do not ask for determinism.
    ```python
    import torch

    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    ```

    ## References
    - PyTorch documentation, "Reproducibility": CUDA convolution benchmarking.
    """

    code = "DLR102"
    name = "nondeterministic-kernels"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The settings of cuDNN in the file of a script, and in those that set its seeds."""
        calls = context.facts.events(LibraryCall)
        seeds = [call for call in calls if call.name in _SEEDS or call.name.endswith(_SEEDS_ALL)]
        if item.entry != SCRIPT or not seeds:
            return
        documents = {call.site.document.path: call.site.document for call in seeds}
        documents |= {place.document.path: place.document for call in seeds for place in call.site.stack()}
        documents[context.document.path] = context.document
        settings = [(name, site) for document in documents.values() for name, site in _settings(document, context)]
        if not any(name == _DETERMINISTIC for name, _ in settings):
            return
        for site in (site for name, site in settings if name == _BENCHMARK):
            edits = replace_expression(site, site.node.value, "False")
            yield context.finding(
                self,
                site,
                "cuDNN takes the fastest kernel, which may be another one in each run",
                advice="set it to False",
                fixes=offer(context, "Take the same kernel in each run", edits, Applicability.UNSAFE),
            )


def _settings(document: Document, context: Context) -> Iterator[tuple[str, Site]]:
    """The settings of cuDNN that a document switches on: the name, and the place of the assignment."""
    if "cudnn" not in document.text:
        return
    for statement in (part for top in document.body for part in walk(top) if isinstance(part, cst.SimpleStatementLine)):
        for small in statement.body:
            if isinstance(small, cst.Assign) and isinstance(small.value, cst.Name) and small.value.value == "True":
                for target in small.targets:
                    name = ".".join(context.text(target.target).split(".")[-2:])
                    if name in (_BENCHMARK, _DETERMINISTIC):
                        yield name, Site(document, statement, small)
