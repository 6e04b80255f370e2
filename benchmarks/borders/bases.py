"""Calls that make sense, as far as the names of parameters tell: in them, one argument after the other is replaced."""

from __future__ import annotations

from random import Random
from typing import Final

from benchmarks.borders.kinds import KNOWN, B, N, tensor
from benchmarks.borders.subjects import RECEIVER, Given, Subject, arguments, names_of, owner_of
from benchmarks.borders.workshop import Outcome, Workshop
from dllint.domains.dtype import BOOL, FLOAT64, INT64
from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, DictVal, InstanceVal, IterVal, LibSymbol, ListVal, RangeVal, SetVal, SliceVal, Value
from dllint.lower.lazy import ShapeVal

#: So many calls are tried to find one that gives something.
_TRIALS: Final = 8
_SHAPES: Final = ((B, 3), (B, 3, 8), (B, 3, 8, 8), (3,), (4, 5), (B, 3, 4, 8, 8))

#: Parameter → the names of known values that suit it.
_BY_NAME: Final = {
    "dim": ("1", "-1", "0"),
    "axis": ("1", "-1", "0"),
    "dim0": ("0",),
    "dim1": ("1",),
    "dims": ("(2, 3)", "(2,)"),
    "shape": ("(2, 3)", "(4, 5, 6)"),
    "size": ("(2, 3)", "2"),
    "sizes": ("(2, 3)",),
    "dtype": ("float32", "int64"),
    "kernel_size": ("2",),
    "stride": ("1", "2"),
    "strides": ("1",),
    "padding": ("0", "1", "'same'"),
    "dilation": ("1",),
    "groups": ("1",),
    "in_channels": ("1", "2"),
    "out_channels": ("5",),
    "in_features": ("2",),
    "out_features": ("5",),
    "units": ("5",),
    "filters": ("5",),
    "keepdim": ("False", "True"),
    "keepdims": ("False", "True"),
    "spatial": ("2", "1"),
    "index": ("0", "slice(1, 2)", "i64[3]"),
    "indices": ("i64[3]",),
    "sections": ("2", "(2, 3)"),
    "tensors": ("(x, x)", "[x, x]"),
    "num_classes": ("5",),
    "num_embeddings": ("5",),
    "embedding_dim": ("5",),
    "hidden_size": ("5",),
    "input_size": ("2", "(2, 3)"),
    "batch_size": ("2",),
    "data": ("[2, 3]", "[[1, 2], [3, 4]]", "f32[B, 3]"),
    "object": ("[2, 3]",),
    "low": ("0",),
    "high": ("5",),
    "start": ("0",),
    "end": ("5",),
    "stop": ("5",),
    "step": ("1",),
    "n": ("2",),
    "k": ("1",),
    "p": ("0.5",),
    "repeats": ("2", "(2, 3)"),
    "pattern": ("'a'",),
    "mask": ("bool[B, 3]",),
    "condition": ("bool[B, 3]",),
    "target": ("i64[3]", "f32[B, 3]"),
    "name": ("'a'",),
    "kind": ("'a'",),
    "value": ("2", "0.5"),
    "pad": ("(2, 3)",),
    "weight": ("None", "f32[B, 3]"),
    "num_heads": ("1",),
    "num_layers": ("1",),
    "equation": ("'a'",),
}


def base_calls(w: Workshop, subject: Subject, rng: Random, count: int) -> list[Given]:
    """Calls of a subject, those first that give something without a fault."""
    tried = [_call(w, subject, rng) for _ in range(_TRIALS)]
    ranked = sorted(tried, key=lambda given: _worth(w.run(lambda: subject.call(w, given, Arguments()))))
    return ranked[:count]


def _worth(outcome: Outcome) -> int:
    if outcome.error or outcome.failed:
        return 0
    return 2 if outcome.faults else 3 if isinstance(outcome.value, Unknown) or outcome.value is None else 1


def _call(w: Workshop, subject: Subject, rng: Random) -> Given:
    given = {}
    for name in subject.parameters:
        if name in subject.required or rng.random() < 0.25:
            given[name] = receiver(w, subject, rng) if name == RECEIVER else argument(w, subject, name, rng)
    return given


def argument(w: Workshop, subject: Subject, name: str, rng: Random) -> Value:
    """A value that suits a parameter of this name."""
    names = _BY_NAME.get(name)
    if names is not None and rng.random() < 0.9:
        return KNOWN[rng.choice(names)](w)
    if rng.random() < 0.75:
        framework = next((f for f in ("keras", "tensorflow", "numpy") if f in subject.name), "torch")
        dtype = rng.choice((None, None, None, INT64, BOOL, FLOAT64)) if name not in ("x", "input") else None
        shape = rng.choice(_SHAPES)
        return tensor(shape, framework=framework) if dtype is None else tensor(shape, dtype, framework)
    return KNOWN[rng.choice(tuple(KNOWN))](w)


def receiver(w: Workshop, subject: Subject, rng: Random) -> Value:
    """Something that a method or property is meant for."""
    owner = owner_of(subject.name.split()[1]) or ""
    framework = next((f for f in ("keras", "tensorflow", "numpy") if owner.startswith(f)), "torch")
    if owner in ("torch.Tensor", "numpy.ndarray", "tensorflow.Tensor", "keras.KerasTensor") or not owner:
        return tensor(rng.choice(_SHAPES), framework=framework)
    if owner in _NATIVE:
        return rng.choice(_NATIVE[owner])()
    made = w.machine.call(LibSymbol(owner), _constructor_arguments(w, subject, owner, rng)) if rng.random() < 0.8 else None
    return made if isinstance(made, InstanceVal) else InstanceVal(LibSymbol(owner), site=w.machine.site)


def _constructor_arguments(w: Workshop, subject: Subject, owner: str, rng: Random) -> Arguments:
    names, required = names_of(owner)
    given = {name: argument(w, subject, name, rng) for name in names if name in required or rng.random() < 0.15}
    return arguments(given, Arguments())


_NATIVE: Final = {
    "builtins.str": (lambda: "a b",),
    "builtins.bytes": (lambda: b"a",),
    "builtins.int": (lambda: 3, lambda: N),
    "builtins.float": (lambda: 0.5,),
    "builtins.complex": (lambda: 2j,),
    "builtins.tuple": (lambda: (2, 3), lambda: (B, 3)),
    "builtins.list": (lambda: ListVal([1, 2, 3]), lambda: ListVal([], 2)),
    "builtins.dict": (lambda: DictVal({"a": 1}), lambda: DictVal({}, 1)),
    "builtins.set": (lambda: SetVal([1, 2]),),
    "builtins.range": (lambda: RangeVal(0, 3, 1),),
    "builtins.slice": (lambda: SliceVal(1, 2, None),),
    "builtins.iterator": (lambda: IterVal([1, 2]),),
    "builtins.shape": (lambda: ShapeVal(tensor(Unknown("rank"))),),
    "builtins.dtype": (lambda: FLOAT64,),
    "collections.deque": (lambda: ListVal([1, 2]),),
    "collections.OrderedDict": (lambda: DictVal({"a": 1}),),
    "collections.defaultdict": (lambda: DictVal({}, factory=LibSymbol("builtins.list")),),
}
