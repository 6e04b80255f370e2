"""DLL115: a loss that a minus is missing in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.loss_signs import LIKELIHOOD, REWARD, UNBOUNDED, reversed_losses
from dllint.analysis.negated_losses import negated_losses
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import operation

_WHY: Final = {
    LIKELIHOOD: "is minimised: what is true becomes improbable, and the loss falls without end",
    UNBOUNDED: "has a minus in the loss, which falls without end as the layer's outputs grow",
    REWARD: "times the reward is minimised: the agent learns to avoid rewards",
}
_ADVICE: Final = {
    LIKELIHOOD: "put a minus before it: the loss is the negative log-likelihood",
    UNBOUNDED: "turn the sign of this term",
    REWARD: "put a minus before it: rewards are to grow",
}


class LossSign(Rule[Program]):
    """A loss that is minimised has the sign of something that is to be maximised.

    ## What it finds
    In a loss that is differentiated: the logarithm of a softmax or sigmoid with a plus; the square or exponential of a layer's
    output with a minus; nothing but the negative of a loss between predictions and data; the log-probability of an action
    times a reward, return or advantage (by name) with a plus.

    ## Why it is bad
    The optimizer makes the loss smaller: it drives the probability of what is true to 0, outputs to infinity, or the agent away
    from rewards. The loss falls all the while, so that training looks fine.

    ## Bad
    ```python
    import torch
    from torch import nn

    net = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        x, y = torch.randn(4, 8), torch.randint(0, 3, (4,))
        scores = net(x).log_softmax(dim=1)  # error: [DLL115]
        loss = scores[torch.arange(4), y].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    net, criterion = nn.Linear(8, 3), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        x, y = torch.randn(4, 8), torch.randint(0, 3, (4,))
        loss = -criterion(net(x), y)  # error: [DLL115]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    net = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        x, y = torch.randn(4, 8), torch.randint(0, 3, (4,))
        scores = net(x).log_softmax(dim=1)
        loss = -scores[torch.arange(4), y].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Entropies, factors whose sign is not known, `maximize=True`, and the logarithm of 1 - p, which generators of a GAN lower;
    negative losses of attacks and opponents, with several optimizers or by their names, and where no step of an optimizer
    uses the gradients of that loss alone and as they are; with models that are not known, all but losses of classes.
    ```python
    import torch
    from torch import nn

    net, weight = nn.Linear(8, 3), torch.randn(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        logs = net(torch.randn(4, 8)).log_softmax(dim=1)
        entropy = (logs.exp() * logs).sum(dim=1).mean()
        others = (weight * logs).mean()
        fooled = nn.functional.logsigmoid(-net(torch.randn(4, 8))).mean()
        optimizer.zero_grad()
        (entropy + others + fooled).backward()
        optimizer.step()
    ```

    ## References
    - Nikanjam et al., TheDeepChecker: flipped sign of the loss.
    - Williams, Machine Learning 1992: REINFORCE ascends the gradient of the expected reward.
    """

    code = "DLL115"
    name = "loss-sign"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The losses that a program differentiates."""
        if not context.facts.training.trains:
            return
        for negated in negated_losses(context.facts):
            related = context.related(negated.backward, "its negative is differentiated here")
            yield context.finding(
                self,
                negated.loss,
                f"the negative of {operation(negated.loss, context)} is minimised: the predictions are driven away from what "
                f"is true{context.condition_note(negated.loss)}",
                advice="leave the minus out",
                related=[related] if related else [],
            )
        for found in reversed_losses(context.facts):
            related = context.related(found.backward, "the loss is differentiated here")
            yield context.finding(
                self,
                found.part,
                f"{operation(found.part, context)} {_WHY[found.reason]}{context.condition_note(found.part)}",
                advice=_ADVICE[found.reason],
                related=[related] if related else [],
            )
