"""``dllint summary --output-format json``, and its schema, published as ``docs/schema/summary.schema.json``.

Sizes and counts are numbers, or texts where they are symbolic (``"2304*B*H*W"``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dllint.analysis.architecture.marking import Marks
from dllint.analysis.architecture.shapes import activations, type_of
from dllint.analysis.architecture.tree import Call, Module
from dllint.domains.dim import Dim, show


def described(root: Module, place: str, asked: Sequence[str], marks: Marks) -> dict[str, Any]:
    """A model: its totals, what its parameters have to fulfil (``asked``), and its tree of modules with what is wrong."""
    weights = root.weights
    memory, is_memory_open = activations(root)
    is_cost_open = root.has_open_cost
    return {
        "model": root.kind,
        "place": place,
        "parameters": _number(weights.total),
        "trainable": _number(weights.trainable),
        "parameters_complete": not weights.is_open,
        "mult_adds": _number(root.cost) if root.calls else None,
        "mult_adds_complete": bool(root.calls) and not is_cost_open,
        "activation_bytes": _number(memory) if root.calls else None,
        "activation_bytes_complete": bool(root.calls) and not is_memory_open,
        "preconditions": list(asked),
        "tree": _module(root, marks),
    }


def _module(module: Module, marks: Marks) -> dict[str, Any]:
    weights = module.weights
    return {
        "name": module.name,
        "path": module.path,
        "kind": module.kind,
        "again": module.is_again,
        "calls": [_call(call) for call in module.calls],
        "own_parameters": _number(module.own.total),
        "parameters": _number(weights.total),
        "trainable": _number(weights.trainable),
        "parameters_complete": not weights.is_open,
        "mult_adds": _number(module.cost),
        "mult_adds_complete": not module.has_open_cost,
        "not_followed": list(module.gaps),
        "wrong": [{"code": mark.code, "message": mark.message} for mark in marks.get(id(module), ())],
        "children": [_module(child, marks) for child in module.children],
    }


def _call(call: Call) -> dict[str, Any]:
    return {"inputs": [text for value in call.inputs if (text := type_of(value))], "output": type_of(call.output)}


def _number(value: Dim) -> int | str:
    return value if isinstance(value, int) else show(value)


_COUNT: Final = {"type": ["integer", "string"], "description": "A number, or an expression of symbols."}
_WRONG: Final = {"code": {"type": "string"}, "message": {"type": "string"}}
_COMPLETE: Final = {"type": "boolean", "description": "False: the number is a lower bound."}
_TEXT: Final = {"type": "string"}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def summary_schema() -> dict[str, Any]:
    """The schema of the whole output: an array of models."""
    optional = {**_COUNT, "type": ["integer", "string", "null"], "description": f"{_COUNT['description']} Null: not called."}
    model = {
        "model": {**_TEXT, "description": "The name of its class."},
        "place": {**_TEXT, "description": "Where it is made."},
        "parameters": _COUNT,
        "trainable": _COUNT,
        "parameters_complete": _COMPLETE,
        "mult_adds": optional,
        "mult_adds_complete": _COMPLETE,
        "activation_bytes": optional,
        "activation_bytes_complete": _COMPLETE,
        "preconditions": {
            "type": "array",
            "items": _TEXT,
            "description": "Relations of its parameters without which it does not run (`dim % heads == 0`).",
        },
        "tree": {"$ref": "#/$defs/module"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Models of dllint summary --output-format json",
        "type": "array",
        "items": _object(model),
        "$defs": {"module": _object(_module_properties()), "call": _object(_call_properties()), "wrong": _object(_WRONG)},
    }


def _module_properties() -> dict[str, Any]:
    return {
        "name": {**_TEXT, "description": "What its holder calls it; empty for the model."},
        "path": {**_TEXT, "description": "The way to it from the model (`encoder.layers.0`)."},
        "kind": {**_TEXT, "description": "The name of its class."},
        "again": {"type": "boolean", "description": "It stands in the tree before; nothing of it is counted here."},
        "calls": {"type": "array", "items": {"$ref": "#/$defs/call"}},
        "own_parameters": {**_COUNT, "description": "Of the module itself, without its parts."},
        "parameters": _COUNT,
        "trainable": _COUNT,
        "parameters_complete": _COMPLETE,
        "mult_adds": {**_COUNT, "description": "Multiplications with an addition, in all its calls."},
        "mult_adds_complete": _COMPLETE,
        "not_followed": {"type": "array", "items": _TEXT},
        "wrong": {
            "type": "array",
            "items": {"$ref": "#/$defs/wrong"},
            "description": "Errors and warnings where it is built, or at operations that it performs itself.",
        },
        "children": {"type": "array", "items": {"$ref": "#/$defs/module"}},
    }


def _call_properties() -> dict[str, Any]:
    return {
        "inputs": {"type": "array", "items": {**_TEXT, "description": "A type, such as `f32[1, 3, 224, 224]`."}},
        "output": _TEXT,
    }
