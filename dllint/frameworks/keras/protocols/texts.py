"""Texts: tokenizers, padded sequences, text data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.domains.dim import Dim, DimExpr, counted, opaque, symbol
from dllint.domains.dtype import FLOAT32, INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.protocols.images import batches
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import BATCH
from dllint.frameworks.machine import Machine, constructor, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, Value, unwrap

TOKENIZER: Final = "keras.preprocessing.text.Tokenizer"
#: Up to so many texts, the list of their sequences is written out.
_FEW: Final = 64


@constructor(TOKENIZER)
def construct_tokenizer(machine: Machine, tokenizer: InstanceVal, arguments: Arguments) -> None:
    """``Tokenizer(num_words=None)``."""
    machine.write(tokenizer.state, "num_words", argument(arguments, "num_words", 0))
    machine.write(tokenizer.state, "words", counted("words", 1))


@handler(f"{TOKENIZER}.fit_on_texts", f"{TOKENIZER}.fit_on_sequences")
def fit(machine: Machine, tokenizer: Value, arguments: Arguments) -> Value:
    """Counts words."""
    return None


def _words(machine: Machine, tokenizer: Value) -> Value:
    """All words, also those beyond ``num_words``; their numbers start at 1."""
    words = tokenizer.state.get("words") if isinstance(tokenizer, InstanceVal) else None
    return DictVal(rest=Unknown("unknown-data", "word"), others=words)


for _name in ("word_index", "index_word", "word_counts", "word_docs"):
    prop(f"{TOKENIZER}.{_name}")(_words)


def rows_of(value: Value) -> Dim:
    """The number of texts or sequences."""
    if isinstance(value, TensorVal) and not isinstance(value.shape, Unknown) and value.shape:
        return value.shape[0]
    return len(value) if isinstance(value, tuple) else counted("rows", 1)


@dataclass(frozen=True, slots=True, eq=False)
class WordNumbers(Unknown):
    """A list of numbers of words, the largest of which is known."""

    largest: Dim = 0


def _numbers(tokenizer: Value) -> Unknown:
    """One sequence: numbers below ``num_words``, or up to the number of words."""
    state = tokenizer.state if isinstance(tokenizer, InstanceVal) else {}
    limit, words = plain(state.get("num_words")), state.get("words")
    if limit is None and isinstance(words, DimExpr):
        return WordNumbers("unknown-data", "sequence", words)
    return WordNumbers("unknown-data", "sequence", limit - 1) if is_size(limit) else Unknown("unknown-data", "sequence")


@handler(f"{TOKENIZER}.texts_to_sequences")
def texts_to_sequences(machine: Machine, tokenizer: Value, arguments: Arguments) -> Value:
    """One list of word numbers per text, of its own length."""
    rows, one = rows_of(argument(arguments, "texts", 0)), _numbers(tokenizer)
    return ListVal([one] * rows) if isinstance(rows, int) and rows <= _FEW else ListVal([], one)


@handler(f"{TOKENIZER}.sequences_to_texts")
def sequences_to_texts(machine: Machine, tokenizer: Value, arguments: Arguments) -> Value:
    """A list of texts."""
    return ListVal([], Unknown("unknown-data", "text"))


@handler(f"{TOKENIZER}.texts_to_matrix", f"{TOKENIZER}.sequences_to_matrix", on=InstanceVal)
def to_matrix(machine: Machine, tokenizer: InstanceVal, arguments: Arguments) -> Value:
    """(texts, ``num_words``) values."""
    given, width = argument(arguments, "texts", 0, argument(arguments, "sequences", 0)), tokenizer.state.get("num_words")
    type_ = TensorType((rows_of(given), width if is_size(width) else counted("words", 1)), FLOAT32)
    return machine.tensor(type_, framework="numpy", name="texts")


@handler("keras.utils.pad_sequences")
def pad_sequences(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(number of sequences, ``maxlen``) integers; the number is the length of an array or list given. What a sequence holds
    besides numbers adds its own axes."""
    sequences, length = argument(arguments, "sequences", 0), argument(arguments, "maxlen", 1)
    given = arguments.args[0] if arguments.args else arguments.kwargs.get("sequences")
    further = _element_shape(given)
    leading = (rows_of(sequences), length if is_size(length) else opaque("length", 1))
    type_ = TensorType(further if isinstance(further, Unknown) else (*leading, *further), INT32)
    padded = machine.tensor(type_, framework="numpy", name="pad_sequences")
    largest = _largest(given)
    if isinstance(largest, int):
        padded.low, padded.high = 0, largest
    else:
        padded.reach = largest
    return padded


def _element_shape(sequences: Value) -> Shape | Unknown:
    """The shape of what sequences hold: none for numbers. It is that of the first sequence that is known."""
    if isinstance(sequences, TensorVal):
        return () if sequences.reach is not None else _beyond_rows(sequences.shape)
    for sequence in _members(unwrap(sequences)):
        if isinstance(sequence, WordNumbers):
            return ()
        if isinstance(sequence, TensorVal):
            return sequence.shape if isinstance(sequence.shape, Unknown) else sequence.shape[1:]
        if any(isinstance(element, (int, DimExpr, float)) for element in _members(sequence)):
            return ()
    return Unknown("unknown-data", "sequence")


def _beyond_rows(shape: Shape | Unknown) -> Shape | Unknown:
    """What is left of an array's shape; nothing is known of the objects that a vector holds."""
    if isinstance(shape, Unknown) or len(shape) < 2:
        return Unknown("unknown-data", "sequence")
    return shape[2:]


def _members(value: Value) -> Iterator[Value]:
    """The members of a list or tuple, as far as they are known."""
    if isinstance(value, ListVal):
        yield from (unwrap(item) for item in value.items)
        yield unwrap(value.rest)
    elif isinstance(value, tuple):
        yield from map(unwrap, value)


def _largest(sequences: Value) -> Dim | None:
    """The largest number in some sequences; padding is 0."""
    if isinstance(sequences, TensorVal):
        return sequences.reach
    if not isinstance(sequences, (ListVal, tuple)):
        return None
    members = list(sequences) if isinstance(sequences, tuple) else [*sequences.items, sequences.rest]
    members = [member for member in members if member is not None]
    found = {member.largest for member in members if isinstance(member, WordNumbers)}
    return found.pop() if len(found) == 1 and all(isinstance(member, WordNumbers) for member in members) else None


TIMESERIES: Final = "keras.preprocessing.sequence.TimeseriesGenerator"


@handler(TIMESERIES, "keras.utils.timeseries_dataset_from_array")
def windows(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Windows of a series, by batch unless there is no batch size: (steps, features) and one target per window."""
    data, targets = argument(arguments, "data", 0), argument(arguments, "targets", 1)
    length, rate = argument(arguments, "length", 2), plain(arguments.kwargs.get("sampling_rate", 1))
    if "sequence_length" in arguments.kwargs:
        length, rate = plain(arguments.kwargs["sequence_length"]), 1
    if not isinstance(data, TensorVal) or isinstance(data.shape, Unknown) or not data.shape:
        return machine.unknown("unknown-data", "TimeseriesGenerator")
    steps = -(-length // rate) if isinstance(length, int) and isinstance(rate, int) else symbol("steps", "opaque")
    leading = () if plain(arguments.kwargs.get("batch_size", BATCH)) is None else (BATCH,)
    x = data.redrawn(data.type.with_shape((*leading, steps, *data.shape[1:])))
    if not isinstance(targets, TensorVal) or isinstance(targets.shape, Unknown) or not targets.shape:
        return batches(machine, x) if targets is None else batches(machine, x, targets)
    return batches(machine, x, targets.redrawn(targets.type.with_shape((*leading, *targets.shape[1:]))))


def element_of(machine: Machine, data: Value) -> Value:
    """One batch of a user's own ``Sequence`` or ``PyDataset``."""
    if isinstance(data, InstanceVal) and machine.find_method(data.cls, "__getitem__") is not None:
        return machine.call_method(data, "__getitem__", counted("i"))
    return None
