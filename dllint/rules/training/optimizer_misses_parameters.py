"""DLO113: an optimizer lacks the weights of a layer that replaces another one, or has none that any loss depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.typestate import frozen, frozen_before, groups, rebuilt
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_after
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import site_in_common_function
from dllint.rules.wording import assigned_name, quoted
from dllint.source.walk import small_statements


class OptimizerMissesParameters(Rule[Program]):
    """An optimizer does not have the parameters that are to be trained.

    ## What it finds
    - A layer with weights becomes part of a module after an optimizer was made for the parameters of the module, and a loss
      that is differentiated depends on it.
    - An optimizer is stepped, and no loss that is differentiated depends on the modules whose parameters it has.
    - A loss that is differentiated depends on a module with weights of which no optimizer has any part.
    - The model is made a second time after the optimizer was made for the first one, which nothing uses any more.
    - All parameters that an optimizer has are frozen, before it is made or between that and its first step, and nothing thaws
      them: often a layer is replaced first, and the loop that freezes the others then freezes it, too.

    ## Why it is bad
    An optimizer keeps the parameters that the module has when it is made. A head that is replaced afterwards stays at its
    random values, and the optimizer goes on with the weights of the old one, which nothing uses.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # error: [DLO113]
    model.add_module("head", nn.Linear(16, 3))
    for _ in range(100):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 3, (4,))).backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    student, teacher = nn.Linear(8, 2), nn.Linear(8, 2)
    optimizer = torch.optim.SGD(teacher.parameters(), lr=0.1)  # error: [DLO113]
    for _ in range(100):
        optimizer.zero_grad()
        nn.functional.cross_entropy(student(torch.randn(4, 8)), torch.randint(0, 2, (4,))).backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    encoder, decoder = nn.Linear(8, 4), nn.Linear(4, 8)
    of_encoder = torch.optim.Adam(decoder.parameters())
    of_decoder = torch.optim.Adam(decoder.parameters())  # error: [DLO113]
    for _ in range(100):
        of_encoder.zero_grad()
        of_decoder.zero_grad()
        x = torch.randn(4, 8)
        nn.functional.mse_loss(decoder(encoder(x)), x).backward()
        of_encoder.step()
        of_decoder.step()
    ```

    ```python
    import torch
    from backbones import make

    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # error: [DLO113]
    for parameter in model.parameters():
        parameter.requires_grad = False
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # error: [DLO113]
    model = nn.Linear(8, 2)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    encoder, decoder = nn.Linear(8, 2), nn.Linear(2, 8)
    optimizer = torch.optim.Adam(encoder.parameters())  # error: [DLO113]
    for _ in range(100):
        x = torch.randn(4, 8)
        optimizer.zero_grad()
        nn.functional.mse_loss(decoder(encoder(x)), x).backward()
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
    model.add_module("head", nn.Linear(16, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 3, (4,))).backward()
        optimizer.step()
    ```

    ## When it stays silent
    The new layer has an optimizer of its own or is added as a group, a part of a model is frozen on purpose or thawed
    somewhere, and modules and losses of which it is not known what they consist of.
    ```python
    import torch
    from backbones import make
    from torch import nn


    def added(loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model.add_module("head", nn.Linear(16, 3))
        optimizer.add_param_group({"params": model.head.parameters()})
        train(model, optimizer, loader)


    def of_its_own(loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model.add_module("head", nn.Linear(16, 3))
        of_head = torch.optim.SGD(model.head.parameters(), lr=1.0)
        for x, y in loader:
            optimizer.zero_grad()
            of_head.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            of_head.step()


    def two_of_one_model(loader):
        model = nn.Linear(8, 8)
        slow, fast = torch.optim.SGD(model.parameters(), lr=0.1), torch.optim.SGD(model.parameters(), lr=1.0)
        for x, y in loader:
            for optimizer in (slow, fast):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()


    def target_network(loader):
        model, target = nn.Linear(8, 8), nn.Linear(8, 8)
        target.load_state_dict(model.state_dict())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, _ in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), target(x)).backward()
            optimizer.step()


    def teacher_is_frozen(loader):
        teacher, model = nn.Linear(8, 8).requires_grad_(False), nn.Linear(8, 8)
        slow, fast = torch.optim.SGD(model.parameters(), lr=0.1), torch.optim.SGD(model.parameters(), lr=1.0)
        for x, _ in loader:
            slow.zero_grad()
            fast.zero_grad()
            nn.functional.mse_loss(model(x), teacher(x)).backward()
            slow.step()
            fast.step()


    def head_alone(loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
        train(model, torch.optim.SGD(model[2].parameters(), lr=0.1), loader)


    def not_known(loader):
        model, other = make(), nn.Linear(8, 2)
        optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


    def partly_known(loader):
        model, other = make(), nn.Linear(8, 2)
        optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            (nn.functional.cross_entropy(x, y) + nn.functional.mse_loss(model(x), y)).backward()
            optimizer.step()


    def train(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    ```

    ## References
    - PyTorch documentation, `torch.optim`: constructing an optimizer.
    """

    code = "DLO113"
    name = "optimizer-misses-parameters"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The optimizers of a program that do not have what is trained."""
        facts = context.facts
        if not facts.training.trains:
            return
        others = list(self._misused(context))
        yield from others or self._left_out(context)

    def _left_out(self, context: Context) -> Iterator[Finding]:
        """Modules that no optimizer has, where the optimizers are all right by themselves."""
        for lacking in groups.left_out(context.facts):
            name = assigned_name(lacking.module.site, context) or context.text(lacking.module)
            related = context.related(lacking.module, "the module is made here")
            yield context.finding(
                self,
                lacking.group.construction,
                f"no optimizer has the weights of {quoted(name)}, which the loss depends on: they stay as they were drawn",
                advice="add its parameters to the optimizer",
                related=[related] if related else [],
            )

    def _misused(self, context: Context) -> Iterator[Finding]:
        """Optimizers that have other parameters than what is trained."""
        facts = context.facts
        for found in groups.replaced(facts):
            layer = assigned_name(found.layer.site, context) or context.text(found.layer)
            related = context.related(found.layer, "the layer is made here")
            yield context.finding(
                self,
                site_in_common_function(found.group.construction, found.layer),
                f"the optimizer lacks the weights of {quoted(layer)}, which is made after it",
                advice="move the construction of the optimizer behind that of the layer",
                related=[related] if related else [],
                fixes=_fixes(found, context),
            )
        for twice in groups.doubled(facts):
            places = (
                context.related(twice.other.construction, "they are trained here, too"),
                context.related(twice.missing, "no optimizer has the weights of this layer"),
            )
            yield context.finding(
                self,
                twice.group.construction,
                "two optimizers train the same parameters, and none trains another part of what the losses depend on",
                advice="pass each optimizer the parameters of a model of its own",
                related=[place for place in places if place],
                confidence=Confidence.MEDIUM,
            )
        for group in groups.training_nothing(facts):
            node = group.construction.nodes.get("params")
            whose = context.text(getattr(node, "value", None)) if node is not None else ""
            yield context.finding(
                self,
                group.construction,
                f"no loss depends on {quoted(whose or 'the parameters')}, which this optimizer trains",
                advice="pass the parameters of the module that the loss is computed with",
            )
        for again in rebuilt.rebuilt(facts):
            place = context.related(again.again, "the model that is trained is made here")
            yield context.finding(
                self,
                site_in_common_function(again.construction, again.again),
                "nothing uses the model of this optimizer, as it is made again behind it",
                advice="make the optimizer for the model that is trained",
                related=[place] if place else [],
            )
        yield from self._frozen(context)

    def _frozen(self, context: Context) -> Iterator[Finding]:
        """Optimizers whose parameters are all frozen."""
        for early in frozen_before.frozen_before(context.facts):
            place = context.related(early.freezing, "they are frozen here")
            yield context.finding(
                self,
                early.construction,
                "all parameters of what this optimizer is made for are frozen: it trains nothing, or raises for an empty list",
                advice="freeze the parameters before the layers are replaced that are to be trained, or thaw those",
                related=[place] if place else [],
            )
        for one in frozen.frozen(context.facts):
            place = context.related(one.freezing, "they are frozen here")
            yield context.finding(
                self,
                one.construction,
                "all parameters of this optimizer are frozen before it is stepped, so that it trains nothing",
                advice="leave the parameters that are to be trained as they are, or thaw them",
                related=[place] if place else [],
            )


@builder
def _fixes(found: groups.Replaced, context: Context) -> tuple[Fix, ...]:
    """Make the optimizer behind the layer, if both stand in one block."""
    optimizer, layer = found.group.construction.site, found.layer.site
    alone = len(small_statements(optimizer.statement)) == 1
    if optimizer.document is not layer.document or found.group.construction.scope != found.layer.scope or not alone:
        return ()
    edits = (*delete(optimizer), *insert_after(layer, context.text(optimizer.statement)))
    return tuple(offer(context, "Make the optimizer behind the layer", edits, Applicability.UNSAFE))
