"""YAML by the events of PyYAML's parser: nothing is constructed but plain data, and every event is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from dllint.source.data.plain import DEEPEST, MOST_VALUES, Opaque, Plain, UnreadableError

_TAG: Final = "tag:yaml.org,2002:"
_CONTAINERS: Final = ("", f"{_TAG}map", f"{_TAG}seq", "!")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Without the parser in C, shorter texts are read.
_LONGEST: Final = 2**18 if hasattr(yaml, "CSafeLoader") else 2**14
#: Numbers of more characters are none that anybody writes; those to the base of 60 take time.
_LONGEST_NUMBER: Final = 64
_RESOLVER: Final = Resolver()
_CONSTRUCTOR: Final = SafeConstructor()
#: What OmegaConf takes for a number with a fraction and YAML 1.1 does not (``1e-3``).
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)|[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?")


def read(text: str, *, omegaconf: bool) -> Plain:
    """The data of the only document of a text; ``omegaconf``: with the numbers that OmegaConf knows. Raises UnreadableError."""
    if len(text) > _LONGEST:
        raise UnreadableError("too long")
    reader = _Reader(yaml.parse(text, Loader=_LOADER), omegaconf)
    try:
        return reader.document()
    except (yaml.YAMLError, ValueError, RecursionError, StopIteration, TypeError) as error:
        raise UnreadableError(str(error)) from error


@dataclass(slots=True)
class _Reader:
    """Makes data of events; ``sizes`` and ``anchors`` tell what an alias stands for and how many values that is."""

    events: Iterator[yaml.Event]
    omegaconf: bool
    anchors: dict[str, tuple[Plain, int]] = field(default_factory=dict)
    left: int = MOST_VALUES

    def document(self) -> Plain:
        next(self.events)  # the stream begins
        if isinstance(next(self.events), yaml.StreamEndEvent):
            return None
        value = self.value(next(self.events), 0)
        next(self.events)  # the document ends
        if not isinstance(next(self.events), yaml.StreamEndEvent):
            raise UnreadableError("several documents")
        return value

    def value(self, event: yaml.Event, depth: int) -> Plain:
        """The value that begins with an event."""
        before = self.left
        self.pay(1)
        if depth > DEEPEST:
            raise UnreadableError("too deep")
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:  # also that of a container that holds itself
                raise UnreadableError("unknown alias")
            found, size = self.anchors[event.anchor]
            self.pay(size)
            return found
        out: Plain
        if isinstance(event, yaml.ScalarEvent):
            out = self.scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            out = self.sequence(depth)
        elif isinstance(event, yaml.MappingStartEvent):
            out = self.mapping(depth)
        else:
            raise UnreadableError("unexpected event")
        if not isinstance(event, yaml.ScalarEvent) and (event.tag or "") not in _CONTAINERS:
            out = Opaque(str(event.tag))
        if event.anchor is not None:
            self.anchors[event.anchor] = out, before - self.left
        return out

    def pay(self, values: int) -> None:
        """Count values."""
        self.left -= values
        if self.left < 0:
            raise UnreadableError("too many values")

    def sequence(self, depth: int) -> Plain:
        out: list[Plain] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            out.append(self.value(event, depth + 1))
        return out

    def mapping(self, depth: int) -> Plain:
        own: dict[Plain, Plain] = {}
        merged: dict[Plain, Plain] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            merges = isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]
            key = self.value(event, depth + 1)
            value = self.value(next(self.events), depth + 1)
            if merges:
                self.merge(merged, value)
            elif isinstance(key, (list, dict, Opaque)):
                raise UnreadableError("a key is no plain value")
            else:
                own[key] = value
        return {**merged, **own}

    def merge(self, into: dict[Plain, Plain], value: Plain) -> None:
        """``<<: value``: the entries of a mapping, or of several, of which the first counts."""
        for one in reversed(value) if isinstance(value, list) else (value,):
            if not isinstance(one, dict):
                raise UnreadableError("what is merged is no mapping")
            self.pay(len(one))
            into.update(one)

    def scalar(self, event: yaml.ScalarEvent) -> Plain:
        tag = event.tag
        if tag is None or tag == "!":
            tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)
            if self.omegaconf and event.implicit[0] and _FLOAT.fullmatch(event.value) is not None:
                tag = f"{_TAG}float"
        node = yaml.ScalarNode(tag, event.value)
        match tag.removeprefix(_TAG):
            case "null":
                return None
            case "str" | "merge":
                return str(event.value)
            case "bool":
                return bool(_CONSTRUCTOR.construct_yaml_bool(node))
            case "int" if len(event.value) <= _LONGEST_NUMBER:
                return int(_CONSTRUCTOR.construct_yaml_int(node))
            case "float" if len(event.value) <= _LONGEST_NUMBER:
                return float(_CONSTRUCTOR.construct_yaml_float(node))
            case "timestamp" if self.omegaconf:
                return str(event.value)
        return Opaque(str(tag))
