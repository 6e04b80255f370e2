"""DLO105: a context that switches gradients or precision is made and not entered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.own_statements import is_own_statement
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import call
from dllint.ir.events import CONTEXTS, ContextEdge, LibraryCall
from dllint.ir.values import LibSymbol
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: The context that takes effect where it is made, too.
_AT_ONCE: Final = "torch.set_grad_enabled"
#: Those that cannot be made without an argument.
_ASKING: Final = frozenset({_AT_ONCE, "torch.autocast"})


class NoGradNotEntered(Rule[LibraryCall | ContextEdge]):
    """`torch.no_grad()`, `inference_mode()`, `autocast()` or `GradientTape()` is made, and nothing runs inside it.

    ## What it finds
    Such a context as a statement of its own, and `with torch.no_grad:`, which gives `with` the class in place of an object.

    ## Why it is bad
    A context holds for the block of its `with`. As a statement it does nothing: gradients are recorded all the same. `with` and
    the class raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.eval()
    torch.no_grad()  # error: [DLO105]
    print(model(torch.randn(4, 8)).mean().item())
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.eval()
    with torch.no_grad:  # error: [DLO105]
        print(model(torch.randn(4, 8)).mean().item())
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.eval()
    with torch.no_grad():
        print(model(torch.randn(4, 8)).mean().item())
    ```

    ## When it stays silent
    Contexts that are kept and entered later or by hand, decorators, and `torch.set_grad_enabled(False)`, which takes effect
    without `with`.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    quiet = torch.no_grad()
    with quiet:
        model(torch.randn(4, 8))
    torch.no_grad().__enter__()
    torch.set_grad_enabled(False)


    @torch.no_grad()
    def evaluate(x):
        return model(x)


    evaluate(torch.randn(4, 8))
    ```

    ## References
    - PyTorch documentation, `torch.no_grad` and locally disabling gradient computation.
    - Found in public code: `kuprel/min-dalle` (pull request 24).
    """

    code = "DLO105"
    name = "no-grad-not-entered"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("torch", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:call", "event:context")
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(CONTEXTS))

    def check(self, item: LibraryCall | ContextEdge, context: Context) -> Iterator[Finding]:
        """A context that is made as a statement, or a class that ``with`` is given."""
        if isinstance(item, ContextEdge):
            yield from self._entered(item, context)
        elif item.name in CONTEXTS and item.name != _AT_ONCE and is_own_statement(item.site):
            made = context.text(item)
            message = f"{quoted(made)} is made and not entered, so that it changes nothing"
            yield context.finding(self, item, message, advice=f"move what it is for into {quoted(f'with {made}:')}")

    def _entered(self, item: ContextEdge, context: Context) -> Iterator[Finding]:
        if item.phase == "exit" or not isinstance(item.manager, LibSymbol):
            return
        name = context.text(item)
        edits = () if item.name in _ASKING else call(item.site, item.site.node)
        yield context.finding(
            self,
            item,
            f"`with` is given {quoted(name)} itself, which is no context until it is called",
            advice=f"write {quoted(f'with {name}():')}",
            severity=Severity.ERROR,
            fixes=offer(context, "Call it", edits, Applicability.SAFE),
        )
