"""DLO112: a scheduler is never stepped, given to nothing, stepped in another unit than it is made for, or lacks its metric."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.typestate import idle_callbacks, schedules
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import quoted


class SchedulerProtocol(Rule[Program]):
    """A learning-rate scheduler is not used as it is made to be.

    ## What it finds
    - A scheduler of an optimizer that is trained with, bound to a name that nothing in the file mentions again, or to
      an attribute of an object that steps the optimizer itself.
    - A scheduler that the `configure_optimizers` of a Lightning module makes and does not return.
    - One made for a number of batches there, and returned without `"interval": "step"`: the trainer steps it once per epoch.
    - A schedule made for a number of batches (`OneCycleLR` with `steps_per_epoch`, or `total_steps`, `T_max` or the
      `num_training_steps` of transformers computed from the length of a loader), and stepped behind the loop over the batches.
    - `CosineAnnealingLR` whose `T_max` is the number of epochs that a loop counts to, stepped in the loop over the batches.
    - `ReduceLROnPlateau.step()` without a metric.
    - A callback or a schedule of Keras, bound to a name that nothing reads, in front of a `fit`.

    ## Why it is bad
    The rate stays what it was, hardly leaves the warm-up, or swings up and down within an epoch. `step()` without its metric
    raises a `TypeError`.

    ## Bad
    ```python
    import torch


    def train(model, optimizer, loader, epochs):
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
                scheduler.step()  # error: [DLO112]
    ```

    ```python
    import torch


    def train(model, optimizer, loader, epochs):
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
            scheduler.step()  # error: [DLO112]
    ```

    ```python
    import torch


    def train(model, optimizer, loader, epochs):
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
            scheduler.step()  # error: [DLO112]
    ```

    ```python
    import torch


    def train(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)  # error: [DLO112]
        for x in loader:
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
    ```

    ```python
    import lightning
    import torch
    from torch import nn


    class Classifier(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def training_step(self, batch, number):
            return self.layer(batch).square().mean()

        def configure_optimizers(self):
            optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)  # error: [DLO112]
            return optimizer
    ```

    ```python
    import numpy as np
    from tensorflow import keras

    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    slower = keras.callbacks.ReduceLROnPlateau()
    stop = keras.callbacks.EarlyStopping(patience=3)  # error: [DLO112]
    model.fit(np.zeros((8, 4)), np.zeros((8, 1)), validation_split=0.5, callbacks=[slower])
    ```

    ## Good
    ```python
    import torch


    def train(model, optimizer, loader, epochs):
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
            scheduler.step()
    ```

    ## When it stays silent
    Lengths in batches, schedulers that are handed on, and names that the file mentions anywhere in code; attributes of classes
    with a base, and of objects whose optimizer is stepped from outside.
    ```python
    import torch
    from engine import Trainer


    def in_batches(model, optimizer, loader, epochs):
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs * len(loader))
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
                scheduler.step()


    def handed_on(model, optimizer, loader):
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10)
        Trainer(model, optimizer, schedule).fit(loader)


    def in_epochs(model, optimizer, loader, epochs):
        one_cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs)
        for epoch in range(epochs):
            for x in loader:
                optimizer.zero_grad()
                model(x).square().mean().backward()
                optimizer.step()
            one_cycle.step()
    ```

    ## References
    - PyTorch documentation, `torch.optim.lr_scheduler`.
    - Found in public code: `sthalles/SimCLR` (`simclr.py`: `T_max` is the length of the loader, and the scheduler is stepped
      once per epoch).
    """

    code = "DLO112"
    name = "scheduler-protocol"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch", "keras")
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = (*TRAINS, "call:torch.optim.lr_scheduler.*", "call:transformers.*")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The schedulers of a program that are misused."""
        training = context.facts.training
        for place, name in schedules.not_returned(training):
            message = f"{quoted(name)} is not returned to the trainer, so that nothing steps it"
            yield context.finding(self, place, message, advice=f"return [optimizer], [{name}]", kind="hook")
        for place in schedules.of_steps_in_epochs(training):
            message = "this schedule counts batches, and the trainer steps it once per epoch"
            yield context.finding(self, place, message, advice='return it in a dict with "interval": "step"', kind="interval")
        if not training.trains:
            return
        for found in schedules.without_metric(training):
            message = f"{quoted(context.text(found.step))} lacks the metric whose plateau the scheduler waits for"
            yield self._reported(found, message, "pass the metric, such as the validation loss", context)
        for found in schedules.once_per_epoch(training):
            message = f"{quoted(context.text(found.step))} is called once per epoch, but the schedule counts batches"
            yield self._reported(found, message, "move the call into the loop over the batches", context)
        for found in schedules.once_per_batch(training):
            message = f"{quoted(context.text(found.step))} is called once per batch, but `T_max` is the number of epochs"
            yield self._reported(found, message, "move the call behind the loop over the batches", context)
        for place, name in schedules.never_stepped(training):
            message = f"{quoted(name)} is never stepped: the learning rate does not change"
            yield context.finding(self, place, message, advice=f"call {name}.step() at the end of each epoch")
        for place, name, is_callback in idle_callbacks.given_to_nothing(training):
            taker, then = ("`fit`", "does not run") if is_callback else ("optimizer", "changes no rate")
            message = f"{quoted(name)} is given to no {taker}, so that it {then}"
            advice = f"pass callbacks=[{name}] to fit" if is_callback else f"pass learning_rate={name} to the optimizer"
            yield context.finding(self, place, message, advice=advice, kind="keras", confidence=Confidence.MEDIUM)

    def _reported(self, found: schedules.Scheduled, message: str, advice: str, context: Context) -> Finding:
        related = context.related(found.construction, "the scheduler is made here")
        return context.finding(self, found.step, message, advice=advice, related=[related] if related else [])
