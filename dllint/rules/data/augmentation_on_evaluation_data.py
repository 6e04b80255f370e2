"""DLD114: the data that a model is evaluated with are changed at random."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.image_generators import Flow, flows
from dllint.analysis.random_transforms import augmented_evaluations
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.ir.program import Program
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import assigned_name, quoted, received_name

_EVALUATES = frozenset({"evaluate", "evaluate_generator", "predict", "predict_generator"})


class AugmentationOnEvaluationData(Rule[Fit | Program]):
    """Pictures that a model is validated or tested with are rotated, shifted or flipped at random.

    ## What it finds
    `validation_data`, `evaluate` and `predict` with a flow of an `ImageDataGenerator` that augments (`rotation_range`,
    `zoom_range`, `horizontal_flip` and the like); in PyTorch, a loader that validates or tests, by its name or by
    `train=False`, over a data set of its own with transforms that draw what they do (`RandomHorizontalFlip`, `ColorJitter`),
    in a loop that does not train.

    ## Why it is bad
    The score is that of changed pictures, and another one each time. It is worse than that of the pictures the model will meet,
    and two models are compared by chance.

    ## Bad
    ```python
    import keras
    from keras.preprocessing.image import ImageDataGenerator

    generator = ImageDataGenerator(rescale=1 / 255, rotation_range=30, horizontal_flip=True)
    train, test = generator.flow_from_directory("train"), generator.flow_from_directory("test")
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    model.fit(train, epochs=10, validation_data=test)  # error: [DLD114]
    ```

    ```python
    import torch
    from torch import nn
    from torchvision import datasets, transforms

    change = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    train = datasets.CIFAR10("data", train=True, transform=change)
    test = datasets.CIFAR10("data", train=False, transform=change)
    train_loader = torch.utils.data.DataLoader(train, batch_size=64, shuffle=True)
    test_loader = torch.utils.data.DataLoader(test, batch_size=64)  # error: [DLD114]
    model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    right = 0
    with torch.no_grad():
        for x, y in test_loader:
            right += (model(x).argmax(1) == y).sum().item()
    ```

    ## Good
    ```python
    import keras
    from keras.preprocessing.image import ImageDataGenerator

    augmenting = ImageDataGenerator(rescale=1 / 255, rotation_range=30, horizontal_flip=True)
    train = augmenting.flow_from_directory("train")
    test = ImageDataGenerator(rescale=1 / 255).flow_from_directory("test")
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    model.fit(train, epochs=10, validation_data=test)
    ```

    ## When it stays silent
    Predictions in a loop, which are averaged over several changes, and generators that change nothing at random; transforms
    that are done always or never, and loops that apply no model.
    ```python
    import keras
    from keras.preprocessing.image import ImageDataGenerator

    flow = ImageDataGenerator(rescale=1 / 255, horizontal_flip=True).flow_from_directory("test", shuffle=False)
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    total = 0
    for _ in range(5):
        total = total + model.predict(flow)
    ```

    ## References
    - Humbatova et al., ICSE 2020; Pham et al.: augmentation of the validation data.
    """

    code = "DLD114"
    name = "augmentation-on-evaluation-data"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras", "torch")
    topics: ClassVar[tuple[str, ...]] = ("event:fit", "program")
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Fit | Program, context: Context) -> Iterator[Finding]:
        """Data that a model is validated or tested with."""
        if isinstance(item, Program):
            yield from self._loaders(context)
            return
        evaluated = _evaluated(item)
        flow = flows(context.facts).get(id(evaluated)) if evaluated is not None else None
        if flow is None or not flow.augments or (context.facts.training.around(item) and item.method in _EVALUATES):
            return
        fits = context.facts.events(Fit)
        is_first = next(fit for fit in fits if _evaluated(fit) is evaluated) is item
        if is_first and not any(fit.values.get("x") is evaluated for fit in fits if fit.method not in _EVALUATES):
            yield self._reported(item, flow, context)

    def _loaders(self, context: Context) -> Iterator[Finding]:
        for found in augmented_evaluations(context.facts, lambda call: received_name(call.site, context)):
            names = " and ".join(f"`{one.name.rpartition('.')[2]}`" for one in found.transforms[:2])
            related = context.related(found.transforms[0], "the change is made here")
            yield context.finding(
                self,
                found.loader,
                f"{quoted(found.name)}, which the model is evaluated with, gives pictures that are changed at random ({names})",
                advice="give this data set transforms that draw nothing",
                related=[related] if related else [],
            )

    def _reported(self, item: Fit, flow: Flow, context: Context) -> Finding:
        name = quoted(assigned_name(flow.call.site, context) or context.text(flow.call.site.node))
        changes = " and ".join(f"`{parameter}`" for parameter in flow.augments[:2])
        related = context.related(flow.generator, "the generator is made here")
        node = item.nodes.get("validation_data") if item.method not in _EVALUATES else None
        return context.finding(
            self,
            item,
            f"{name}, which the model is {'tested' if node is None else 'validated'} with, is changed at random ({changes})",
            advice="take these pictures from a generator that only rescales",
            node=node,
            related=[related] if related else [],
        )


def _evaluated(fit: Fit) -> Value:
    """The data that a model is validated or tested with there."""
    return fit.values.get("x") if fit.method in _EVALUATES else fit.validation
