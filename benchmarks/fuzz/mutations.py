"""Mutations of Python files: of characters, tokens, statements and expressions. Most results are still Python."""

# ruff: noqa: E501 (a program a line)

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

#: One mutation: a text and another file's text to the mutated text; it may give the text back where nothing fits.
Mutation = Callable[[str, str, Random], str]

_NUMBERS: Final = (
    "0", "-1", "1", "2", "3.5", "-0.0", "1e308", "1e-320", "10**9", "2**63", "2**64", "-2**63", "10**400", "0x7fffffff", "1j",
    "float('nan')", "float('inf')", "True", "None", "'3'", "()", "[]", "{}", "...", "(1, 2)", "[3, -1]", "range(5)", "slice(1, None)",
    "1_000_000_007", "9" * 50, "1.0", "'x' * 3", "b'1'", "type", "int", "lambda: 3",
)  # fmt: skip
_NAMES: Final = (
    "torch", "nn", "F", "np", "tf", "keras", "self", "x", "len", "range", "list", "dict", "print", "super", "type", "object", "zip",
    "map", "sum", "max", "isinstance", "getattr", "setattr", "__class__", "__dict__", "shape", "forward", "call", "view", "reshape",
    "size", "Linear", "Module", "Tensor", "cat", "stack", "zeros", "ones", "None", "True", "NotImplemented", "Ellipsis", "_", "__init__",
    "eval", "exec", "vars", "globals", "property", "staticmethod", "classmethod", "numpy", "detach", "item", "T", "dtype",
)  # fmt: skip
_OPERATORS: Final = (
    "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "<", ">", "==", "!=", "<=", ">=", "in", "not in", "is", "and",
    "or", "=", "+=", "@=", ":=", ".", ",", ":", "->", "**", ";",
)  # fmt: skip
_ODD: Final = (
    "\0", "\f", "\v", "\r", "\r\n", "\t", "\x1a", "\x1b[31m", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\u200b", "\u202e",
    "é", "Ω", "ﬁ", "𝐱", "𝔽", "中", "😀", "e\u0301", "\U0010ffff", "\ud800", "'", '"', '"""', "'''", "\\", "\\\n", "#", "`", "$", "?", "!",
    "(", ")", "[", "]", "{", "}", "f'{", "f'{x!r:>{y}}'", "rb'", "0777", "1_", "0x", "1e", "%%", "@", "...", "# type: ignore",
    "# dllint: ignore[", "# dllint: ignore[DLT101]\n", "# noqa: DLT", "# range: x in [0, 1]", "# fmt: off", "# coding: latin-1\n",
    "\n\n\n", "    ", "        ",
)  # fmt: skip
_WRAPPERS: Final = (
    "while True:", "for _ in range(10**9):", "for i in range(len(x)):", "if True:", "if x:", "if 0:", "try:\n{i}pass\n{o}finally:",
    "with torch.no_grad():", "with a, b as c:", "def f(self, *a, x=1, **k):", "class C(C):", "class Meta(type):", "async def g():",
    "for x in x:", "while x := f():", "try:\n{i}1/0\n{o}except* ValueError:", "def f[T: int](x: T) -> T:", "for a, *b in c:",
    "match x:\n{i}case {{'a': [1, *_]}} if y:\n{i}    pass\n{o}if 1:", "with (yield):", "if (n := 10) > 5:", "else:", "except:", "lambda:",
)  # fmt: skip
_ENCODINGS: Final = (
    "latin-1",
    "cp1252",
    "utf-16",
    "koi8-r",
    "shift_jis",
    "utf-7",
    "idna",
    "rot13",
    "no-such",
    "utf-8-sig",
    "ascii",
)


def mutant(text: str, other: str, random: Random) -> bytes:
    """A file made of a text (with parts of another) by a few mutations, sometimes of its bytes."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        changed = random.choice(_WEIGHTED)(text, other, random)
        text = changed if len(changed) < 4 * len(text) + 20_000 else text
    data = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.08:
        data = _bytes(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    way = random.randrange(6)
    at = random.randrange(len(data) + 1)
    if way == 0:
        return b"\xef\xbb\xbf" + data
    if way == 1:
        return f"# -*- coding: {random.choice(_ENCODINGS)} -*-\n".encode() + data
    if way == 2:
        return data[:at] + bytes(random.randrange(256) for _ in range(random.randrange(1, 5))) + data[at:]
    if way == 3:
        return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\r", b"\x0c\n")))
    if way == 4:
        return data[:at]
    return data.decode("utf-8", "replace").encode(random.choice(("utf-16", "latin-1", "utf-8-sig")), "replace")


# Characters and lines


def _truncated(text: str, _other: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)]


def _odd_characters(text: str, _other: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(_ODD) + text[at + random.choice((0, 0, 1)) :]


def _bracket_lost(text: str, _other: str, random: Random) -> str:
    places = [match.start() for match in re.finditer(r"[][(){}'\":,]", text)]
    if not places:
        return text
    at = random.choice(places)
    return text[:at] + text[at + 1 :]


def _indentation(text: str, _other: str, random: Random) -> str:
    lines = text.split("\n")
    first = random.randrange(len(lines))
    shift = random.choice(("    ", "\t", " ", "  "))
    for number in range(first, min(len(lines), first + random.randrange(1, 12))):
        lines[number] = lines[number].removeprefix(shift) if random.random() < 0.4 else shift + lines[number]
    return "\n".join(lines)


def _lines_moved(text: str, _other: str, random: Random) -> str:
    lines = text.split("\n")
    first = random.randrange(len(lines))
    taken = lines[first : first + random.randrange(1, 8)]
    if random.random() < 0.6:
        del lines[first : first + len(taken)]
    at = random.randrange(len(lines) + 1)
    return "\n".join((*lines[:at], *taken, *lines[at:]))


# Tokens


def _tokens(text: str) -> list[tuple[int, int, int]]:
    """The kind and extent of the tokens that a text begins with."""
    starts = [0]
    for line in io.StringIO(text):
        starts.append(starts[-1] + len(line))
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING):
                start = starts[token.start[0] - 1] + token.start[1]
                found.append((token.type, start, starts[token.end[0] - 1] + token.end[1]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return found


def _put(text: str, extent: tuple[int, int], new: str) -> str:
    return text[: extent[0]] + new + text[extent[1] :]


def _replaced(kind: int, news: Sequence[str]) -> Mutation:
    def mutation(text: str, _other: str, random: Random) -> str:
        places = [(start, end) for found, start, end in _tokens(text) if found == kind]
        return _put(text, random.choice(places), random.choice(news)) if places else text

    return mutation


def _token_moved(text: str, _other: str, random: Random) -> str:
    tokens = _tokens(text)
    if len(tokens) < 2:
        return text
    (_, a, b), (_, c, d) = sorted(random.sample(tokens, 2), key=lambda token: token[1])
    way = random.randrange(4)
    if way == 0:
        return text[:a] + text[b:]
    if way == 1:
        return text[:b] + " " + text[a:b] + text[b:]
    if way == 2:
        return text[:a] + text[c:d] + text[b:]
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _name_taken(text: str, _other: str, random: Random) -> str:
    """All uses of one name become another name of the file."""
    names = sorted({text[a:b] for kind, a, b in _tokens(text) if kind == tokenize.NAME and not keyword.iskeyword(text[a:b])})
    if not names:
        return text
    old, new = random.choice(names), random.choice((*names, *_NAMES))
    return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text)


# Statements and expressions


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statements(text: str) -> list[ast.stmt]:
    tree = _parsed(text)
    return [] if tree is None else [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)]) - 1, statement.end_lineno or statement.lineno


def _indented(lines: Sequence[str], to: str) -> list[str]:
    own = re.match(r"\s*", lines[0])
    width = len(own[0]) if own else 0
    return [to + line[width:] if line[:width].isspace() or not width else line for line in lines]


def _statement_moved(text: str, other: str, random: Random) -> str:
    """A statement is deleted, repeated, put elsewhere, or comes from the other file."""
    statements = _statements(text)
    if not statements:
        return text
    lines, target = text.split("\n"), random.choice(statements)
    first, last = _lines_of(target)
    way = random.randrange(5)
    if way == 0:
        return "\n".join(lines[:first] + lines[last:])
    if way == 1:
        return "\n".join(lines[:last] + lines[first:])
    strange = other if way >= 3 else text
    source = random.choice(_statements(strange) or statements)
    if source in statements:
        strange = text
    begin, end = _lines_of(source)
    indent = re.match(r"\s*", lines[first])
    taken = _indented(strange.split("\n")[begin:end] or ["pass"], indent[0] if indent else "")
    return "\n".join(lines[:first] + taken + lines[first if way % 2 else last :])


def _wrapped(text: str, _other: str, random: Random) -> str:
    statements = _statements(text)
    if not statements:
        return text
    lines = text.split("\n")
    first, last = _lines_of(random.choice(statements))
    found = re.match(r"\s*", lines[first])
    outer = found[0] if found else ""
    head = random.choice(_WRAPPERS).format(i=outer + "    ", o=outer)
    return "\n".join([*lines[:first], outer + head, *("    " + line for line in lines[first:last]), *lines[last:]])


def _expressions(text: str) -> list[tuple[int, int]]:
    """The extents of the expressions of a text that lie in one line."""
    tree = _parsed(text)
    starts = [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", text))]
    found = []
    for node in ast.walk(tree) if tree is not None and text.isascii() else ():
        if isinstance(node, ast.expr) and node.lineno == node.end_lineno and node.end_col_offset:
            start = starts[node.lineno - 1]
            found.append((start + node.col_offset, start + node.end_col_offset))
    return found


def _expression_moved(text: str, other: str, random: Random) -> str:
    """An expression takes the place of another one, of this file or of the other."""
    places = _expressions(text)
    if not places:
        return text
    place = random.choice(places)
    source = other if random.random() < 0.3 else text
    start, end = random.choice(_expressions(source) or [(0, 0)])
    forms = ("{}", "({})", "[{0}, {0}]", "-{}", "{}.shape", "{}[0]", "*{}", "(await {})", "({} if {} else {})", "lambda: {}",
             "[{} for x in {}]", "{}()", "{0}({0})", "{0}[{0}]", "f'{{{}}}'", "(yield {})", "{0} @ {0}", "{0} ** {0}")  # fmt: skip
    form = random.choice(forms) if random.random() < 0.5 else "{}"
    return _put(text, place, form.format(*[source[start:end]] * 3))


def _arguments_swapped(text: str, _other: str, random: Random) -> str:
    """Arguments of a call change places, go or come twice."""
    tree = _parsed(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args] if tree is not None else []
    if not calls:
        return text
    call = random.choice(calls)
    parts = [ast.get_source_segment(text, one) or "None" for one in call.args]
    parts += [f"{one.arg}={ast.get_source_segment(text, one.value)}" for one in call.keywords if one.arg]
    way = random.randrange(4)
    if way == 0:
        random.shuffle(parts)
    elif way == 1:
        parts.remove(random.choice(parts))
    else:
        parts.insert(
            random.randrange(len(parts) + 1), random.choice((*parts, "*args", "**kwargs", "None", "self", "x=1", "-1"))
        )
    old, function = ast.get_source_segment(text, call), ast.get_source_segment(text, call.func)
    return text.replace(old, f"{function}({', '.join(parts)})", 1) if old else text


def _class_changed(text: str, _other: str, random: Random) -> str:
    """A class gets other bases, a metaclass or odd methods."""
    heads = list(re.finditer(r"^([ \t]*)class (\w+)(\([^)\n]*\))?:", text, re.MULTILINE))
    if not heads:
        return text
    head = random.choice(heads)
    own, indent = head[2], head[1]
    names = [found[2] for found in heads]
    way = random.randrange(4)
    if way < 2:
        bases = (own, random.choice(names), f"{own}, {random.choice(names)}", "metaclass=Meta", "type", "*bases", "dict, list", "torch.Tensor",
                 "nn.Module, nn.Module", "nn.Sequential", "tf.keras.Model, nn.Module", "int", "object", "(lambda: nn.Module)()", "Generic[T]")  # fmt: skip
        return _put(text, head.span(), f"{indent}class {own}({random.choice(bases)}):")
    methods = ("def __getattr__(self, name):\n{i}    return getattr(self, name)", "def __new__(cls, *a):\n{i}    return cls(*a)",
               "def __call__(self, *a):\n{i}    return self(*a)", "__slots__ = ('a',)", "@property\n{i}def forward(self):\n{i}    return self.forward",
               "def __len__(self):\n{i}    return -1", "def __iter__(self):\n{i}    yield from self", "__getitem__ = forward = call = None",
               "def __eq__(self, o):\n{i}    raise self", "def __init_subclass__(cls):\n{i}    cls.x = cls", "def __setattr__(self, n, v):\n{i}    self.n = v",
               "__call__ = property(lambda self: self)", "def __getattribute__(self, n):\n{i}    return self.n", "def __hash__(self):\n{i}    return []",
               "def __bool__(self):\n{i}    return self", "class {own}:\n{i}    pass", "forward = staticmethod(lambda: 0)")  # fmt: skip
    body = random.choice(methods).replace("{own}", own).replace("{i}", indent + "    ")
    return text[: head.end()] + f"\n{indent}    {body}" + text[head.end() :]


_WEIGHTED: Final[tuple[Mutation, ...]] = (
    _truncated, _odd_characters, _odd_characters, _bracket_lost, _indentation, _lines_moved,
    _replaced(tokenize.NUMBER, _NUMBERS), _replaced(tokenize.NUMBER, _NUMBERS), _replaced(tokenize.NUMBER, _NUMBERS),
    _replaced(tokenize.NAME, (*_NAMES, *keyword.kwlist)), _replaced(tokenize.NAME, _NAMES), _replaced(tokenize.OP, _OPERATORS),
    _replaced(tokenize.STRING, _NUMBERS), _token_moved, _token_moved, _name_taken, _name_taken,
    _statement_moved, _statement_moved, _statement_moved, _wrapped, _wrapped,
    _expression_moved, _expression_moved, _expression_moved, _expression_moved,
    _arguments_swapped, _arguments_swapped, _class_changed, _class_changed,
)  # fmt: skip
