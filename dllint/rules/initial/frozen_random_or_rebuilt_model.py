"""DLI107: a model with random weights stands where a trained one is meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.rebuilt_each_epoch import RebuiltEachEpoch, rebuilt_each_epoch
from dllint.analysis.untrained import Dropped, FrozenRandom, dropped, frozen_random
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.training_places import site_in_common_function
from dllint.rules.wording import quoted


class FrozenRandomOrRebuiltModel(Rule[Program]):
    """A random model is frozen, or is evaluated in the place of the one that was trained.

    ## What it finds
    - A model of `torchvision.models` or `keras.applications` that is made without trained weights and whose parameters are all
      frozen, in a program that trains and loads no weights.
    - A model that is made by the same class or function as a trained one, after the training, and that is evaluated although
      nothing has given it weights, while the trained one is not used any more.
    - A model that is made in each pass of a loop over epochs, by the name of its variable, and trained there.

    ## Why it is bad
    The features of a random network are noise, and nothing changes them. A model that is made anew knows nothing of the
    training: what is measured is chance.

    ## Bad
    ```python
    import torch
    import torchvision
    from torch import nn

    backbone = torchvision.models.resnet18()  # error: [DLI107]
    for parameter in backbone.parameters():
        parameter.requires_grad = False
    backbone.fc = nn.Linear(512, 2)
    optimizer = torch.optim.SGD(backbone.fc.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        backbone(torch.randn(2, 3, 64, 64)).square().mean().backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            return self.layer(x)


    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    model = Net()  # error: [DLI107]
    model.eval()
    print(model(torch.randn(4, 8)))
    ```

    ## Good
    ```python
    import torch
    import torchvision
    from torch import nn

    backbone = torchvision.models.resnet18(weights="DEFAULT")
    for parameter in backbone.parameters():
        parameter.requires_grad = False
    backbone.fc = nn.Linear(512, 2)
    optimizer = torch.optim.SGD(backbone.fc.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        backbone(torch.randn(2, 3, 64, 64)).square().mean().backward()
        optimizer.step()
    ```

    ## When it stays silent
    Models that get weights from a file or another model, that are handed to code which is not followed, or that are compared
    with the trained one; and frozen parts that are trained later.
    ```python
    import keras
    import numpy as np
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            return self.layer(x)


    x = torch.randn(4, 8)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    untrained = Net()
    print(model(x), untrained(x))

    base = keras.applications.ResNet50(weights=None, include_top=False, pooling="avg")
    base.trainable = False
    whole = keras.Sequential([base, keras.layers.Dense(1)])
    whole.compile("adam", "mse")
    whole.load_weights("best.weights.h5")
    whole.fit(np.zeros((2, 64, 64, 3)), np.zeros(2))
    ```

    ## References
    - Keras guide, "Transfer learning and fine-tuning".
    """

    code = "DLI107"
    name = "frozen-random-or-rebuilt-model"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability: ClassVar[Applicability | None] = None
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The models of a program whose weights are random, each place once."""
        seen = set[int]()
        if not context.facts.training.trains:
            return
        for frozen in frozen_random(context.facts):
            if id(frozen.construction.site.node) not in seen:
                seen.add(id(frozen.construction.site.node))
                yield self._frozen(frozen, context)
        for anew in dropped(context.facts):
            if id(anew.construction.site.node) not in seen:
                seen.add(id(anew.construction.site.node))
                yield self._dropped(anew, context)

        for again in rebuilt_each_epoch(context.facts):
            if id(again.construction.site.node) not in seen:
                seen.add(id(again.construction.site.node))
                yield self._again(again, context)

    def _again(self, found: RebuiltEachEpoch, context: Context) -> Finding:
        places = (
            context.related(found.loop, "this loop goes over the epochs"),
            context.related(found.trained, "the model is trained here"),
        )
        return context.finding(
            self,
            found.place,
            f"{quoted(context.text(found.place))} makes a new model in each epoch, and what was learned before is lost",
            advice="make the model, and its optimizer, in front of the loop",
            related=[place for place in places if place],
            kind="each epoch",
        )

    def _frozen(self, found: FrozenRandom, context: Context) -> Finding:
        place = context.related(found.frozen, "its parameters are frozen here")
        return context.finding(
            self,
            found.construction,
            f"{quoted(context.text(found.construction))} starts with random weights, and they are frozen",
            advice="pass `weights=`, the trained weights to start from",
            node=found.construction.nodes.get("weights"),
            related=[place] if place else [],
            kind="frozen",
        )

    def _dropped(self, found: Dropped, context: Context) -> Finding:
        related = context.related(found.trained, "a model like it is trained here, and not used afterwards")
        place = site_in_common_function(found.construction, found.trained)
        return context.finding(
            self,
            place,
            f"{quoted(context.text(place))} is a new model with random weights, and nothing trains it",
            advice="keep the trained model, or load its weights into the new one",
            related=[related] if related else [],
            kind="dropped",
        )
