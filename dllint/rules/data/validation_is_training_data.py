"""DLD107: the data that validate a model are those it is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.data_parts import named_part
from dllint.analysis.folders import have_same_samples, read_from, without_steps
from dllint.analysis.typestate.loaders import gone_over, same_data, trained_from
from dllint.domains.lattice import Unknown
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit, LibraryCall
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import quoted, received_name

_TRAINERS: Final = frozenset({"transformers.Trainer", "transformers.Seq2SeqTrainer"})
_DATASETS: Final = ("train_dataset", "eval_dataset")


class ValidationIsTrainingData(Rule[Fit | LibraryCall | Program]):
    """The data that a model is validated with are the very data it is trained on.

    ## What it finds
    - Keras: `validation_data` that holds the arrays, or is the generator, that `fit` trains on.
    - Transformers: a `Trainer` with one data set for training and for evaluation.
    - PyTorch: a loader whose name says that it validates or tests, over the data set object that the training loader has, both
      without a sampler.

    ## Why it is bad
    The score says how well the model remembers, not how well it does on new data: overfitting cannot be seen, and early
    stopping never stops.

    ## Bad
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, validation_data=(x, y))  # error: [DLD107]
    ```

    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.MNIST("data", train=True, transform=transforms.ToTensor())
    train_loader = DataLoader(data, batch_size=32, shuffle=True)
    test_loader = DataLoader(data, batch_size=32)  # error: [DLD107]
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(10):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        for x, y in test_loader:
            print((model(x).argmax(1) == y).sum().item())
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x[:800], y[:800], validation_data=(x[800:], y[800:]))
    ```

    ## When it stays silent
    Autoencoders, whose targets are their inputs, a loader that evaluates the training data by name, and samplers that take
    different samples of one data set.
    ```python
    import keras
    import numpy as np

    x = np.loadtxt("x.txt")
    model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(8)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, x, validation_data=(x, x))
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing validation set, incorrect split.
    """

    code = "DLD107"
    name = "validation-is-training-data"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras", "torch")
    topics: ClassVar[tuple[str, ...]] = ("event:fit", "event:call", "program")
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(_TRAINERS))
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Fit | LibraryCall | Program, context: Context) -> Iterator[Finding]:
        """A call of ``fit``, or the loaders of a program."""
        if isinstance(item, Program):
            yield from self._loaders(context)
        elif isinstance(item, LibraryCall):
            yield from self._trainer(item, context)
        elif item.validation is not None and _is_trained_on(item, context):
            node = item.nodes.get("validation_data")
            text = quoted(context.text(node))
            message = f"{text} are the data that the model is trained on: the score says nothing about new ones"
            yield context.finding(self, item, message, advice="pass data that are held out, or `validation_split`", node=node)
        elif (read := _read_twice(item, context)) is not None:
            trained, evaluated = read
            related = context.related(trained, "the model is trained on what is read here")
            folder = evaluated.nodes.get("directory")
            text = quoted(context.text(folder.value if isinstance(folder, cst.Arg) else folder))
            yield context.finding(
                self,
                evaluated,
                f"{text} is the folder that the model is trained on, read again",
                advice="read another folder, or pass `validation_split` and `subset` to both",
                related=[related] if related else [],
            )

    def _trainer(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """``Trainer(train_dataset=data, eval_dataset=data)``."""
        if item.name not in _TRAINERS:
            return
        trained, evaluated = (item.bound.get(name) for name in _DATASETS)
        written, node = (item.nodes.get(name) for name in _DATASETS)
        text = context.text(node.value if isinstance(node, cst.Arg) else node)
        same_text = text != "" and text == context.text(written.value if isinstance(written, cst.Arg) else written)
        if trained is None or evaluated is None or not (_is_one(trained, evaluated) or (same_text and "(" not in text)):
            return
        message = f"{quoted(text)} are the data that the model is trained on: the score says nothing about new ones"
        yield context.finding(self, item, message, advice="pass data that are held out", node=node)

    def _loaders(self, context: Context) -> Iterator[Finding]:
        training = context.facts.training
        if not training.trains:
            return
        for trained in trained_from(training):
            dataset = trained.loader.bound.get("dataset")
            for other in gone_over(training):
                if other is trained.loader or not same_data(dataset, other.bound.get("dataset")):
                    continue
                name = received_name(other.site, context) or ""
                if named_part(name) is True and not any("sampler" in call.bound for call in (trained.loader, other)):
                    related = context.related(trained.loader, "the model is trained from the same object here")
                    yield context.finding(
                        self,
                        other,
                        f"{quoted(name)} gives the samples that the model is trained on: both loaders have one data object",
                        advice="hold samples out with `random_split`, or load the other part of the data",
                        related=[related] if related else [],
                    )
                    break


def _read_twice(fit: Fit, context: Context) -> tuple[LibraryCall, LibraryCall] | None:
    """The calls that read one folder for training and for validation."""
    if not isinstance(fit.validation, InstanceVal):
        return None
    trained, evaluated = (read_from(data, context.facts) for data in (fit.values.get("x"), fit.validation))
    if trained is None or evaluated is None or trained is evaluated or not have_same_samples(trained, evaluated):
        return None
    return trained, evaluated


def _is_trained_on(fit: Fit, context: Context) -> bool:
    """Whether all that validates is what ``fit`` trains on."""
    validation, x, y = fit.validation, fit.values.get("x"), fit.values.get("y")
    parts = validation.items if isinstance(validation, ListVal) else validation
    if isinstance(parts, (tuple, list)):
        given = [unwrap(part) for part in parts[:2]]
        return len(given) == 2 and not _is_one(x, y) and _is_one(given[0], x) and _is_one(given[1], y)
    source = without_steps(validation, context.facts)
    return isinstance(source, InstanceVal) and source is without_steps(x, context.facts)


def _is_one(first: Value, second: Value) -> bool:
    """Whether two values are one object that holds data."""
    if isinstance(first, TensorVal) and isinstance(second, TensorVal):
        return first.id == second.id
    return isinstance(first, (Unknown, InstanceVal, ListVal)) and first is second
