"""The optimizer was not given all parameters: a part of the model was left out, or fell out of all groups."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import TrackRecord
from dllint.edit import Edit

#: Expressions that are tried for the model.
_MOST_MODELS: Final = 3


class OptimizerParameters(Hypothesis):
    """Weights that no optimizer has belong to a model whose name is known from the source, or that stands among the
    optimizer's arguments."""

    kind = "optimizer-parameters"
    supports: ClassVar = {"unchanged weight": 1.0, "loss not decreasing": 0.8, "accuracy not increasing": 0.6}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Give it those of the whole model."""
        run = case.run
        left = {parameter.layer for parameter in run.parameters if parameter.trainable and parameter.optimizer is None}
        if not left or (case.symptom.layer is not None and case.symptom.layer not in left):
            return
        models = {layer.model for layer in run.layers if layer.name in left}
        bound = [case.bound(layer) for layer in run.layers if layer.name == layer.model and layer.model in models]
        wanted = dict(entry for entry in bound if entry is not None)
        for track, spot in case.optimizers():
            given = spot.call.args[0] if spot.call.args else keyword(spot.call, "params")
            if given is None or spot.code.name(spot.call.func).startswith("keras."):
                continue
            if wanted and not _are_groups(track, given):
                is_used = any(parameter.optimizer == track.key for parameter in run.parameters)
                text = _all_parameters(spot.code, given, list(wanted), keep=is_used)
                yield f"Give the optimizer all parameters: `{text}`", _edits(spot, given, text, wanted.values()), 1.0
            for strength, edit in _rest(spot, given):
                yield "Give the optimizer the parameters that no group has", (edit,), strength


def _are_groups(track: TrackRecord, given: ast.expr) -> bool:
    """Whether an optimizer is given groups of parameters, which cannot stand in one list with parameters."""
    is_made = isinstance(given, ast.Call) and not (isinstance(given.func, ast.Attribute) and given.func.attr == "parameters")
    return len(track.optimizer.groups) > 1 or is_made or any(isinstance(node, ast.Dict) for node in ast.walk(given))


def _rest(spot: Spot, given: ast.expr) -> Iterator[tuple[float, Edit]]:
    """The edits that give an optimizer what it lacks after it is built, for each expression that may be the model."""
    code = spot.code
    name, statement = code.assigned_to(spot.call), code.statement(spot.call)
    if name is None or not isinstance(statement, ast.Assign | ast.AnnAssign):
        return
    for index, model in enumerate(_models(code, given)):
        held = f"{{id(p) for group in {name}.param_groups for p in group['params']}}"
        wanted = f"[p for p in {model}.parameters() if p.requires_grad and id(p) not in {held}]"
        yield 0.95 - 0.01 * index, code.insert_after(statement, f'{name}.add_param_group({{"params": {wanted}}})')


def _models(code: Code, given: ast.expr) -> list[str]:
    """The expressions in an optimizer's parameters that may be a model: what gives parameters, or is an argument of what does;
    of a name, what it is bound to."""
    found: list[str] = []
    for node in ast.walk(code.value(given) or given):
        if isinstance(node, ast.Attribute) and node.attr in ("parameters", "named_parameters"):
            found += reversed([code.source(part) for part in _chain(node.value)])
        elif isinstance(node, ast.Call):
            found += [code.source(one) for one in node.args if isinstance(one, ast.Name | ast.Attribute)]
    return [name for name in dict.fromkeys(found) if name != "self"][:_MOST_MODELS]


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    """``a.b.c`` and what stands before each dot: ``a.b`` and ``a``."""
    while isinstance(node, ast.Attribute):
        yield node
        node = node.value
    if isinstance(node, ast.Name):
        yield node


def _edits(optimizer: Spot, given: ast.expr, text: str, models: Iterable[Spot]) -> tuple[Edit, ...]:
    """Other parameters for an optimizer; if it is built before one of the models, it is built after it."""
    code, statement = optimizer.code, optimizer.code.statement(optimizer.call)
    in_file = [model.code.statement(model.call) for model in models if model.code is code]
    late = [model for model in in_file if code.function(model) is code.function(statement) and model.lineno > statement.lineno]
    if not late:
        return (code.replace(given, text),)
    start, (first, last) = code.span(statement)[0], code.span(given)
    source = code.source(statement)
    moved = f"{source[: first - start]}{text}{source[last - start :]}"
    return code.remove(statement), code.insert_after(max(late, key=lambda model: model.lineno), moved)


def _all_parameters(code: Code, given: ast.expr, models: list[str], *, keep: bool) -> str:
    """The parameters of models; what the optimizer already has of other models that are used stays."""
    source = code.source(given)
    whole = [f"{model}.parameters()" for model in models]
    others = isinstance(given, ast.Call) and not any(source.startswith((f"{model}.", f"{model}[")) for model in models)
    parts = [source, *whole] if others and keep else whole
    return parts[0] if len(parts) == 1 else f"[{', '.join(f'*{part}' for part in parts)}]"
