"""Rewritings of a program that keep what it does: names, helpers, methods, classes, files, imports, contexts, decorators."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import indent
from typing import Final

from tests.rules.rewriting.blocks import INDENT, Statement, bound, joined, statements, substituted, taken
from tests.rules.rewriting.program import Parts, parts

MAIN: Final = "main.py"
OTHER: Final = "parts.py"
Files = dict[str, str]
PASSES_ON = """def passed_on(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner

"""


def _call(name: str, names: Sequence[str]) -> str:
    return f"{name}({', '.join(names)})"


def _assigned(names: Sequence[str], call: str) -> str:
    return f"{', '.join(names)} = {call}\n" if names else f"{call}\n"


def _returned(names: Sequence[str]) -> str:
    return f"{INDENT}return {', '.join(names)}\n" if names else ""


def _splits(program: Parts) -> Iterator[tuple[list[Statement], list[Statement], list[str], str]]:
    """Each place that divides the block: what is before and after it, the names that the second part takes, and the word with
    which its last value is given on."""
    for place in range(1, 0 if program.is_tied else len(program.block)):
        before, after = list(program.block[:place]), list(program.block[place:])
        if any(one.ends_its_function for one in before):
            break
        names = taken(after, [*program.given, *bound(before)])
        yield before, after, names, "return " if any(one.ends_its_function for one in after) else ""


def renamed(program: Parts) -> Iterator[Files]:
    """Variables, functions and classes under other names; parameters, which calls may name, keep theirs."""
    text = program.with_block(joined(program.block))
    own = {name for one in (*program.definitions, *program.block) for name in one.bound}
    nodes = list(ast.walk(ast.parse(text)))
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    kept = {node.arg for node in nodes if isinstance(node, ast.arg)}
    new = {name: f"my_{name}_1" for name in sorted(own - kept)}
    changed = substituted(text, lambda node: new.get(node.id) if isinstance(node, ast.Name) else None)
    for name in {one.node.name for one in program.definitions if isinstance(one.node, ast.FunctionDef | ast.ClassDef)}:
        changed = re.sub(rf"^(class|def) {name}\b", rf"\1 {new[name]}", changed, flags=re.M)
    yield {MAIN: changed}


def aliased(program: Parts) -> Iterator[Files]:
    """Modules and functions imported under other names."""
    text = program.with_block(joined(program.block))
    found = {}
    lines = []
    for one in program.imports:
        assert isinstance(one.node, ast.Import | ast.ImportFrom)
        for alias in one.node.names:
            name = alias.asname or alias.name
            if "." in name and not alias.asname:
                lines.append(f"import {alias.name}")
                continue
            found[name] = f"the_{name}"
            source = f"from {one.node.module} " if isinstance(one.node, ast.ImportFrom) else ""
            lines.append(f"{source}import {alias.name} as the_{name}")
    body = text.removeprefix(program.head())
    changed = substituted(body, lambda node: found.get(node.id) if isinstance(node, ast.Name) else None)
    yield {MAIN: "\n".join(lines) + "\n" + changed}


def in_main(program: Parts) -> Iterator[Files]:
    """All statements of the top level in a function that a guard calls."""
    if program.owner is None and program.block and not program.is_tied:
        guard = 'if __name__ == "__main__":\n    main()\n'
        yield {MAIN: program.with_block(guard, f"def main():\n{joined(program.block, 1)}")}


def end_in_helper(program: Parts) -> Iterator[Files]:
    for before, after, names, word in _splits(program):
        helper = f"def finish({', '.join(names)}):\n{joined(after, 1)}"
        yield {MAIN: program.with_block(f"{joined(before)}{word}{_call('finish', names)}\n", helper)}


def end_in_decorated_helper(program: Parts) -> Iterator[Files]:
    for before, after, names, word in _splits(program):
        helper = f"{PASSES_ON}\n@passed_on\ndef finish({', '.join(names)}):\n{joined(after, 1)}"
        text = f"{joined(before)}{word}{_call('finish', names)}\n"
        yield {MAIN: program.with_block(text, helper, "import functools\n")}


def end_in_other_file(program: Parts) -> Iterator[Files]:
    for before, after, names, word in _splits(program):
        helper = f"def finish({', '.join(names)}):\n{joined(after, 1)}"
        yield _across(program, before, f"{word}{_call('finish', names)}\n", helper, "finish", first=False)


def start_in_helper(program: Parts) -> Iterator[Files]:
    for before, after, names, _ in _splits(program):
        made = [name for name in names if name in bound(before)]
        given = taken(before, program.given)
        helper = f"def prepared({', '.join(given)}):\n{joined(before, 1)}{_returned(made)}"
        yield {MAIN: program.with_block(_assigned(made, _call("prepared", given)) + joined(after), helper)}


def start_in_other_file(program: Parts) -> Iterator[Files]:
    for before, after, names, _ in _splits(program):
        made = [name for name in names if name in bound(before)]
        given = taken(before, program.given)
        helper = f"def prepared({', '.join(given)}):\n{joined(before, 1)}{_returned(made)}"
        yield _across(program, after, _assigned(made, _call("prepared", given)), helper, "prepared", first=True)


def _across(program: Parts, here: Sequence[Statement], call: str, helper: str, name: str, first: bool) -> Files:
    """The helper with all definitions in a file of its own."""
    own = [one.node.name for one in program.definitions if isinstance(one.node, ast.FunctionDef | ast.ClassDef)]
    shared = "".join(f"\n\n{one.text}\n" for one in program.definitions)
    text = call + joined(here) if first else joined(here) + call
    return {
        OTHER: f"{program.head()}{shared}\n\n{helper}",
        MAIN: f"{program.head()}from parts import {', '.join([name, *own])}\n\n\n{program.around(text)}",
    }


def definitions_in_other_file(program: Parts) -> Iterator[Files]:
    """All classes and functions in a file that the program imports."""
    own = [one.node.name for one in program.definitions if isinstance(one.node, ast.FunctionDef | ast.ClassDef)]
    if own and not program.is_tied:
        shared = "".join(f"\n\n{one.text}\n" for one in program.definitions)
        main = f"{program.head()}from parts import {', '.join(own)}\n\n\n{program.around(joined(program.block))}"
        yield {OTHER: f"{program.head()}{shared}", MAIN: main}


def _on_self(block: Sequence[Statement], names: Sequence[str]) -> str | None:
    """The statements with ``self.name`` for each of the names; None if one is bound by a comprehension or function in them."""
    for one in block:
        for node in ast.walk(one.node):
            if isinstance(node, ast.arg) and node.arg in names:
                return None
            if isinstance(node, ast.comprehension) and any(
                isinstance(part, ast.Name) and part.id in names for part in ast.walk(node.target)
            ):
                return None
    return (
        substituted(joined(block), lambda node: f"self.{node.id}" if isinstance(node, ast.Name) and node.id in names else None)
        if block
        else ""
    )


def end_in_method(program: Parts) -> Iterator[Files]:
    """What follows a place in a method of an object that keeps what it takes."""
    for before, after, names, word in _splits(program):
        body = _on_self(after, names)
        if body is None or not names:
            continue
        kept = "".join(f"self.{name} = {name}\n" for name in names)
        cls = f"class Work:\n    def __init__(self, {', '.join(names)}):\n{indent(kept, INDENT * 2)}\n"
        cls += f"    def run(self):\n{indent(body, INDENT * 2)}"
        yield {MAIN: program.with_block(f"{joined(before)}{word}{_call('Work', names)}.run()\n", cls)}


def in_class(program: Parts) -> Iterator[Files]:
    """The objects made in a constructor and used in a method."""
    for before, after, _, word in _splits(program):
        names = [name for name in bound(before) if name in taken(after, bound(before))]
        given = taken(program.block, program.given)
        first, second = _on_self(before, names), _on_self(after, [*names, *given])
        if first is None or second is None:
            continue
        kept = "".join(f"self.{name} = {name}\n" for name in given)
        cls = f"class Work:\n    def __init__({', '.join(['self', *given])}):\n{indent(kept + first, INDENT * 2)}\n"
        cls += f"    def run(self):\n{indent(second, INDENT * 2)}"
        yield {MAIN: program.with_block(f"work = {_call('Work', given)}\n{word}work.run()\n", cls)}


def in_class_of_other_file(program: Parts) -> Iterator[Files]:
    for files in in_class(program):
        text = files[MAIN]
        start = text.index("class Work:")
        end = start + re.search(r"^(?=\S)(?!class Work)", text[start:], re.M).start()  # type: ignore[union-attr]
        own = [one.node.name for one in program.definitions if isinstance(one.node, ast.FunctionDef | ast.ClassDef)]
        head = program.head()
        main = f"{head}from parts import {', '.join(['Work', *own])}\n\n\n{text[end:]}"
        yield {OTHER: text[:end], MAIN: main}


def under_with(program: Parts) -> Iterator[Files]:
    """What follows a place under a context that does nothing with it."""
    for before, after, _, _ in _splits(program):
        yield {MAIN: program.with_block(f"{joined(before)}with open('log.txt', 'w') as log:\n{joined(after, 1)}")}


def steps_in_helpers(program: Parts) -> Iterator[Files]:
    """Each statement within a loop or another block in a function of its own."""
    yield from _outlined(program, lambda name, names, text: (f"def {name}({', '.join(names)}):\n{text}", _call(name, names)))


def steps_in_other_file(program: Parts) -> Iterator[Files]:
    for files in () if program.is_tied else steps_in_helpers(program):
        text = files[MAIN]
        start = text.index("def one_step(")
        end = start + re.search(r"^(?=\S)(?!def one_step)", text[start:], re.M).start()  # type: ignore[union-attr]
        own = [one.node.name for one in program.definitions if isinstance(one.node, ast.FunctionDef | ast.ClassDef)]
        yield {
            OTHER: text[:end],
            MAIN: f"{program.head()}from parts import {', '.join(['one_step', *own])}\n\n\n{text[end:]}",
        }


def steps_in_static_methods(program: Parts) -> Iterator[Files]:
    def made(name: str, names: Sequence[str], text: str) -> tuple[str, str]:
        method = f"    @staticmethod\n    def {name}({', '.join(names)}):\n{indent(text, INDENT)}"
        return f"class Steps:\n{method}", _call(f"Steps.{name}", names)

    yield from _outlined(program, made)


def _outlined(program: Parts, made: Callable[[str, Sequence[str], str], tuple[str, str]]) -> Iterator[Files]:
    source = joined(program.block)
    lines, tree = source.split("\n"), ast.parse(f"def f():\n{indent(source, INDENT)}") if program.owner else ast.parse(source)
    top = tree.body[0].body if program.owner else tree.body  # type: ignore[attr-defined]
    if program.owner:
        lines = ["", *indent(source, INDENT).split("\n")]
    known = [*program.given, *bound(program.block)]
    for block in _inner_blocks(top):
        for one in statements(lines, block):
            if one.ends_its_function or one.leaves_its_loop:
                continue
            names = taken([one], known)
            later = _read_elsewhere(tree, one.node)
            given_back = [name for name in sorted(one.bound) if name in later]
            body = indent(one.text + "\n", INDENT) + _returned(given_back)
            definition, call = made("one_step", names, body)
            new = _assigned(given_back, call)
            node = one.node
            margin = " " * node.col_offset
            text = "\n".join([*lines[: node.lineno - 1], margin + new.rstrip("\n"), *lines[node.end_lineno :]])  # type: ignore[misc]
            if program.owner:
                text = "\n".join(line.removeprefix(INDENT) for line in text.split("\n")[1:])
            yield {MAIN: program.with_block(text.rstrip("\n") + "\n", definition)}


def _inner_blocks(block: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    for one in block:
        if isinstance(one, ast.For | ast.While | ast.If | ast.With):
            yield one.body
            yield from _inner_blocks(one.body)


def _read_elsewhere(tree: ast.AST, node: ast.stmt) -> set[str]:
    inside = set(ast.walk(node))
    changed = {one.target.id for one in inside if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)}
    read = {
        one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and one not in inside and isinstance(one.ctx, ast.Load)
    }
    return read | changed


def numbers_in_options(program: Parts) -> Iterator[Files]:
    """Numbers, words and truths among the arguments by name come from a dictionary."""

    def made(values: Sequence[tuple[str, str]]) -> str:
        return "options = {" + ", ".join(f'"{key}": {value}' for key, value in values) + "}\n"

    yield from _settings(program, lambda key: f'options["{key}"]', made)


def numbers_in_constants(program: Parts) -> Iterator[Files]:
    yield from _settings(program, lambda key: key.upper(), lambda values: "".join(f"{k.upper()} = {v}\n" for k, v in values))


def numbers_in_namespace(program: Parts) -> Iterator[Files]:
    def made(values: Sequence[tuple[str, str]]) -> str:
        return f"options = argparse.Namespace({', '.join(f'{k}={v}' for k, v in values)})\n"

    for files in _settings(program, lambda key: f"options.{key}", made):
        yield {MAIN: f"import argparse\n{files[MAIN]}"}


def _settings(program: Parts, read: Callable[[str], str], made: Callable[[Sequence[tuple[str, str]]], str]) -> Iterator[Files]:
    text = program.with_block(joined(program.block))
    lines = text.split("\n")
    places, values = [], []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.arg:
            key = f"{node.arg}_{len(values)}"
            values.append((key, ast.unparse(node.value)))
            places.append((node.value.lineno - 1, node.value.col_offset, node.value.end_col_offset, read(key)))
    if not values:
        return
    for line, start, end, word in sorted(places, reverse=True):
        lines[line] = lines[line][:start] + word + lines[line][end:]
    head = program.head()
    yield {MAIN: f"{head}\n{made(values)}\n" + "\n".join(lines).removeprefix(head)}


def unpacked_options(program: Parts) -> Iterator[Files]:
    """The arguments by name of each call come from an unpacked dictionary."""
    text = program.with_block(joined(program.block))
    head = program.head()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.keywords or node.lineno != node.end_lineno:
            continue
        if not all(one.arg and isinstance(one.value, ast.Constant) for one in node.keywords):
            continue
        lines = text.split("\n")
        first, last = node.keywords[0], node.keywords[-1]
        line = lines[first.lineno - 1]
        lines[first.lineno - 1] = line[: first.col_offset] + "**options" + line[last.end_col_offset :]
        options = ", ".join(f'"{one.arg}": {ast.unparse(one.value)}' for one in node.keywords)
        yield {MAIN: f"{head}\noptions = {{{options}}}\n" + "\n".join(lines).removeprefix(head)}


def partial_calls(program: Parts) -> Iterator[Files]:
    """A call with arguments by name is made by a `functools.partial` that has them."""
    text = program.with_block(joined(program.block))
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.keywords or node.lineno != node.end_lineno:
            continue
        if not all(one.arg and isinstance(one.value, ast.Constant) for one in node.keywords):
            continue
        lines = text.split("\n")
        line = lines[node.lineno - 1]
        keywords = ", ".join(ast.unparse(one) for one in node.keywords)
        arguments = ", ".join(ast.unparse(one) for one in node.args)
        made = f"functools.partial({ast.unparse(node.func)}, {keywords})({arguments})"
        lines[node.lineno - 1] = line[: node.col_offset] + made + line[node.end_col_offset :]
        yield {MAIN: "import functools\n" + "\n".join(lines)}


FORMS: Final[dict[str, Callable[[Parts], Iterator[Files]]]] = {
    form.__name__: form
    for form in (
        renamed, aliased, in_main, end_in_helper, end_in_decorated_helper, end_in_other_file, start_in_helper,
        start_in_other_file, definitions_in_other_file, end_in_method, in_class, in_class_of_other_file, under_with,
        steps_in_helpers, steps_in_other_file, steps_in_static_methods, numbers_in_options, numbers_in_constants,
        numbers_in_namespace, unpacked_options, partial_calls,
    )
}  # fmt: skip


def rewritten(text: str) -> Iterator[tuple[str, Files]]:
    """Each form of a program, with its name."""
    program = parts(text)
    for name, form in FORMS.items():
        for files in form(program):
            yield name, files
