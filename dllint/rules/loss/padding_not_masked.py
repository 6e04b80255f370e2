"""DLL116: the padding of sequences counts like data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.padded_sequences import unmasked
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class PaddingNotMasked(Rule[Program]):
    """The padding of sequences counts like data.

    ## What it finds
    - PyTorch: a cross entropy of class numbers that `pad_sequence` has padded, which leaves out another number than that of the
      padding.
    - Keras: a recurrent layer that gives its last state, over an `Embedding` without `mask_zero`, fitted to sequences that
      `pad_sequences` pads at the end.

    Off unless it is selected.

    ## Why it is bad
    Most steps of a short sequence are padding. A loss over them is small for whoever predicts padding, and a state that goes
    through them has forgotten the words.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pad_sequence

    tags = pad_sequence([torch.randint(0, 9, (n,)) for n in (5, 7)], batch_first=True)
    scores = torch.randn(2, 7, 9, requires_grad=True)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())  # hint: [DLL116]
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pad_sequence

    tags = pad_sequence([torch.randint(0, 9, (n,)) for n in (5, 7)], batch_first=True, padding_value=-100)
    scores = torch.randn(2, 7, 9, requires_grad=True)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())
    ```

    ## When it stays silent
    Padding that the loss is told to leave out, losses of each step, which a mask may follow, and steps that a mask has chosen.
    ```python
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pad_sequence

    tags = pad_sequence([torch.randint(1, 9, (n,)) for n in (5, 7)], batch_first=True)
    scores = torch.randn(2, 7, 9, requires_grad=True)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten(), ignore_index=0)
    each = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten(), reduction="none")
    kept = tags != 0
    chosen = nn.functional.cross_entropy(scores[kept], tags[kept])
    ```

    ## References
    - PyTorch documentation, `CrossEntropyLoss`: `ignore_index`. Keras guide, "Understanding masking & padding".
    - Humbatova et al., ICSE 2020: missing masking of invalid values.
    """

    code = "DLL116"
    name = "padding-not-masked"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The padded sequences of a program."""
        for found in unmasked(context.facts):
            related = context.related(found.padding, "the sequences are padded here")
            what = operation(found.op, context)
            if found.kind == "targets":
                message = f"{what} takes the padding, which is {found.filled:g}, for class {found.filled:g}"
                advice = f"pass `ignore_index={found.filled:g}`, or pad with -100"
            else:
                message = f"{what} goes on through the padding at the end, which is 0, before it gives its state"
                advice = "pass `mask_zero=True` to the embedding, or pad in front"
            yield context.finding(self, found.op, message, advice=advice, related=[related] if related else [])
