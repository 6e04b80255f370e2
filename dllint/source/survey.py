"""A survey of tensor code in a text that is not parsed: its functions and how many tensor operations each seems to call,
its models, and frameworks unknown to dllint. It stands for what was not executed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from dllint.source.lines import searchable

#: Frameworks with tensors and layers of their own that dllint does not know, by the name they are imported by.
FOREIGN: Final = frozenset({
    "caffe", "caffe2", "chainer", "cntk", "dgl", "equinox", "flax", "haiku", "jax", "jittor", "lasagne", "megengine",
    "mindspore", "mlx", "mxnet", "oneflow", "optax", "paddle", "sonnet", "tensorlayer", "tflearn", "theano", "tinygrad",
    "torch_geometric", "trax",
})  # fmt: skip
_FOREIGN_IMPORT: Final = re.compile(rf"\b(?:import|from)[ \t][^\n]*\b(?:{'|'.join(sorted(FOREIGN))})\b")
#: Libraries whose functions are tensor operations.
_LIBRARIES: Final = ("torch", "tensorflow", "keras", "tf_keras", "torchvision", "einops")
#: Parts of these libraries that compute no tensors.
_NO_COMPUTATION: Final = frozenset({
    "autocast", "backends", "callbacks", "checkpoint", "compile", "config", "cuda", "data", "datasets", "device", "distributed",
    "enable_grad", "export", "flags", "get_logger", "gfile", "inference_mode", "is_tensor", "io", "jit", "load", "logging",
    "manual_seed", "no_grad", "onnx", "optim", "optimizers", "profiler", "save", "set_default_dtype", "set_grad_enabled",
    "set_num_threads", "summary", "train", "transforms", "use_deterministic_algorithms", "utils", "version", "xla",
})  # fmt: skip
#: Methods that only tensors have.
_METHODS: Final = (
    "argmax|argmin|backward|bmm|broadcast_to|chunk|clamp|contiguous|cumsum|einsum|expand|expand_as|flatten|gather|log_softmax"
    "|logsumexp|masked_fill|matmul|narrow|new_zeros|permute|relu|repeat_interleave|reshape|reshape_as|scatter|scatter_add|sigmoid"
    "|softmax|squeeze|tanh|transpose|tril|triu|unbind|unfold|unsqueeze|view|view_as"
)
TENSOR_METHODS: Final = frozenset(_METHODS.split("|"))
_STEPS: Final = frozenset({"forward", "call"})
_QUOTES: Final = ('"""', "'''")
_COMMENT: Final = re.compile(r"#[^\n]*")
_IMPORTS: Final = re.compile("import[ \t]")
_IMPORT: Final = re.compile(r"[ \t]*(?:import[ \t]+([^\n#;]+)|from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+))")
_DEFINITIONS: Final = (re.compile(r"def[ \t]+(\w+)"), re.compile(r"class[ \t]+(\w+)[ \t]*(\([ \t]*[\w.\[])?"))
_METHOD_CALL: Final = re.compile(rf"\.(?:{_METHODS})\(")
#: A layer of Keras applied where it is built, or added to a model.
_APPLIED: Final = re.compile(r"\)\(|\.add\(\s*(?:\w+\.)*[A-Z]\w*\(")
_LAYERED: Final = re.compile(r"keras|\blayers\b")
_PART: Final = re.compile(r"self\.(\w+)(?:[ \t]*(?::[^=\n]+)?=(?!=)|(\())")


@dataclass(frozen=True, slots=True)
class Function:
    """A function as traces name it (``Net.forward``, ``train``), where it starts, and how far it is indented; ``around`` is
    the one that it is defined in."""

    name: str
    start: int
    indent: int = -1
    around: Function | None = None


def foreign_frameworks(text: str) -> frozenset[str]:
    """The frameworks that a text imports and dllint does not know."""
    return Survey(text).foreign if _FOREIGN_IMPORT.search(text) else frozenset()


class Survey:
    """The survey of a module's text."""

    def __init__(self, text: str) -> None:
        self._code = _COMMENT.sub(_blank, _without_long_strings(searchable(text)))

    @cached_property
    def foreign(self) -> frozenset[str]:
        """The frameworks that the text imports and dllint does not know."""
        return FOREIGN & {root for root, _ in _imported(self._code)}

    @property
    def models(self) -> frozenset[str]:
        """The classes with bases that define the step of a model."""
        return self._outline[1]

    def function_at(self, offset: int) -> str:
        """The function that an offset lies in; empty at the top level."""
        functions, _, starts = self._outline
        function = functions[bisect_right(starts, offset) - 1]
        line = self._code.rfind("\n", 0, offset) + 1
        if function.start >= line:  # behind the colon of its header
            return function.name
        written = self._code[line : offset + 1].expandtabs()
        indent = len(written) - len(written.lstrip())
        while function.around is not None and function.indent >= indent:
            function = function.around
        return function.name

    @cached_property
    def calls(self) -> Counter[str]:
        """The number of tensor operations that each function seems to call."""
        return Counter(self.function_at(offset) for offset in self._calls())

    def _calls(self) -> Iterator[int]:
        code = self._code
        modules, names = self._library
        for pattern in map(_qualified, sorted(modules | names)):
            for match in pattern.finditer(code):
                if not _continues(code, match.start()) and (_computes(match[1][1:]) if match[1] else match[0][:-1] in names):
                    yield match.start()
        if modules or names:
            yield from (m.start() for m in _METHOD_CALL.finditer(code) if _root_before(code, m.start()) not in modules)
        if _LAYERED.search(code):
            yield from (match.start() for match in _APPLIED.finditer(code))
        found = list(_PART.finditer(code))
        parts = {match[1] for match in found if match[2] is None}
        yield from (match.start() for match in found if match[2] is not None and match[1] in parts)

    @cached_property
    def _library(self) -> tuple[frozenset[str], frozenset[str]]:
        """What calls the functions of tensor libraries: names of modules, and of functions imported from one."""
        modules, names = set[str](), set[str]()
        for root, bound in _imported(self._code):
            if root in _LIBRARIES:
                (names if bound.startswith(".") else modules).add(bound.removeprefix("."))
        computing = {name for name in names if name[:1].islower() and name not in _NO_COMPUTATION}
        return frozenset(modules | names), frozenset(computing)

    @cached_property
    def _outline(self) -> tuple[list[Function], frozenset[str], list[int]]:
        """The functions, in order (the top level first, without a name), the models, and where the functions start."""
        top = Function("", 0)
        functions, models = [top], set[str]()
        around: list[tuple[int, bool, str, bool, Function]] = []
        for start, indent, name, is_class, has_bases in _definitions(self._code):
            while around and around[-1][0] >= indent:
                around.pop()
            owner = around[-1] if around and around[-1][1] else None
            outer = around[-1][4] if around else top
            if not is_class:
                outer = Function(f"{owner[2]}.{name}" if owner else name, start, indent, outer)
                functions.append(outer)
                if owner and owner[3] and name in _STEPS:
                    models.add(owner[2])
            around.append((indent, is_class, name, has_bases, outer))
        return functions, frozenset(models), [function.start for function in functions]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_long_strings(text: str) -> str:
    """The text with blanks for strings in triple quotes, which may quote code."""
    if not any(quote in text for quote in _QUOTES):
        return text
    parts: list[str] = []
    at = 0
    places = {quote: text.find(quote) for quote in _QUOTES}
    while places:
        quote, start = min(places.items(), key=lambda item: item[1] if item[1] >= 0 else len(text))
        if start < 0:
            break
        end = text.find(quote, start + len(quote))
        end = len(text) if end < 0 else end + len(quote)
        parts += [text[at:start], " " * (end - start)]
        at = end
        places = {q: place if place < 0 or place >= at else text.find(q, at) for q, place in places.items()}
    return "".join((*parts, text[at:]))


def _definitions(code: str) -> Iterator[tuple[int, int, str, bool, bool]]:
    """Start, indentation, name, whether it is a class, and whether it has bases, of every definition in order."""
    found = [(m, number == 1) for number, pattern in enumerate(_DEFINITIONS) for m in pattern.finditer(code)]
    for match, is_class in sorted(found, key=lambda pair: pair[0].start()):
        line = code.rfind("\n", 0, match.start()) + 1
        before = code[line : match.start()]
        if before.strip() in ("", "async"):
            indent = (
                len(before.expandtabs()) - len(before.expandtabs().lstrip()) if before.strip() else len(before.expandtabs())
            )
            yield match.start(), indent, match[1], is_class, is_class and match[2] is not None


@lru_cache(maxsize=256)
def _qualified(name: str) -> re.Pattern[str]:
    """Calls of a name, or through it: ``torch.nn.functional.relu(``."""
    return re.compile(rf"{name}((?:\.\w+)*)\(")


def _computes(path: str) -> bool:
    """Whether a path below a tensor library names a function that computes: classes are built."""
    parts = path.split(".")
    return parts[-1][:1].islower() and _NO_COMPUTATION.isdisjoint(parts)


def _continues(code: str, start: int) -> bool:
    """Whether a name goes on to the left."""
    return start > 0 and (code[start - 1].isalnum() or code[start - 1] in "._")


def _root_before(code: str, dot: int) -> str:
    """The name that a dotted expression in front of an offset begins with; ``torch.softmax(`` is counted by its module."""
    begin = dot
    while _continues(code, begin):
        begin -= 1
    return code[begin:dot].partition(".")[0]


def _imported(code: str) -> Iterator[tuple[str, str]]:
    """The package of every import and the name that it binds, with a dot in front if it is taken from a module."""
    for place in _IMPORTS.finditer(code):
        match = _IMPORT.match(code, code.rfind("\n", 0, place.start()) + 1)
        if match is None:
            continue
        if match[1] is not None:
            for item in match[1].split(","):
                module, _, alias = item.strip().partition(" as ")
                root = module.strip().partition(".")[0]
                bound = alias.strip() or root
                if root.isidentifier() and bound.isidentifier():
                    yield root, bound
        else:
            for item in match[3].strip("() \t\n").split(","):
                name, _, alias = item.strip().partition(" as ")
                bound = alias.strip() or name.strip()
                if name.strip().isidentifier() and bound.isidentifier():
                    yield match[2].partition(".")[0], f".{bound}"
