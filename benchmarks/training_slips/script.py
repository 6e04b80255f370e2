"""A training script as a tree: its statements with the loops and functions around them, and how a changed text is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from dllint.source.walk import walk

#: What becomes of a part of the tree, which is given with the changes inside it made.
Change = Callable[[cst.CSTNode], "cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]"]
Loop = cst.For | cst.While
_EMPTY: Final = cst.Module([])


@dataclass(frozen=True, slots=True)
class Line:
    """A statement: the ``index``-th of those in a ``block``, with the ``loops`` and ``functions`` around it, the inner ones
    last. ``number`` is its line in the text."""

    node: cst.BaseStatement
    block: cst.IndentedBlock | cst.Module
    index: int
    number: int
    loops: tuple[Loop, ...]
    functions: tuple[cst.FunctionDef, ...]
    #: All statements that it is a part of.
    around: tuple[cst.BaseStatement, ...]

    @property
    def loop(self) -> Loop | None:
        """The innermost loop of its own function around it."""
        return self.loops[-1] if self.loops else None

    @property
    def small(self) -> cst.BaseSmallStatement | None:
        """What stands on the line, if that is a single simple statement."""
        if isinstance(self.node, cst.SimpleStatementLine) and len(self.node.body) == 1:
            return self.node.body[0]
        return None


@dataclass(frozen=True, slots=True)
class Called:
    """A line that is one call of a method: ``receiver.method(…)``, with nothing done with its result."""

    line: Line
    receiver: str
    method: str
    call: cst.Call


@dataclass(frozen=True, slots=True)
class Bound:
    """A line that binds one name or attribute: ``name = value``."""

    line: Line
    name: str
    value: cst.BaseExpression


class Script:
    """The text of a script, and those of the files of its repository that it imports.

    :raises libcst.ParserSyntaxError: if the text cannot be parsed.
    """

    def __init__(self, text: str, imported: str = "") -> None:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.text = text
        #: Its text and those of the files that it imports.
        self.with_imports = f"{text}\n{imported}"
        self.module = wrapper.module
        self._places = wrapper.resolve(PositionProvider)

    @cached_property
    def lines(self) -> list[Line]:
        """All statements, outer ones before what is in them."""
        return list(self._walk(self.module, ()))

    def _walk(self, block: cst.IndentedBlock | cst.Module, around: tuple[cst.BaseStatement, ...]) -> Iterator[Line]:
        functions = tuple(node for node in around if isinstance(node, cst.FunctionDef))
        own = around[next((at + 1 for at in range(len(around) - 1, -1, -1) if around[at] in functions[-1:]), 0) :]
        loops = tuple(node for node in own if isinstance(node, (cst.For, cst.While)))
        for index, node in enumerate(block.body):
            if isinstance(node, cst.BaseStatement):
                yield Line(node, block, index, self._places[node].start.line, loops, functions, around)
                for inner in blocks(node):
                    yield from self._walk(inner, (*around, node))

    @cached_property
    def calls(self) -> list[Called]:
        """The lines that are one call of a method."""
        found = []
        for line in self.lines:
            small = line.small
            if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
                function = small.value.func
                if isinstance(function, cst.Attribute):
                    found.append(Called(line, code(function.value), function.attr.value, small.value))
        return found

    @cached_property
    def bindings(self) -> list[Bound]:
        """The lines that bind one name or attribute."""
        found = []
        for line in self.lines:
            small = line.small
            if isinstance(small, cst.Assign) and len(small.targets) == 1:
                target = small.targets[0].target
                if isinstance(target, (cst.Name, cst.Attribute)):
                    found.append(Bound(line, code(target), small.value))
        return found

    def called(self, *methods: str) -> list[Called]:
        """The lines that call a method of such a name."""
        return [called for called in self.calls if called.method in methods]

    def inside(self, node: cst.CSTNode) -> list[Line]:
        """The statements in a statement, at any depth; in the module, all."""
        return [line for line in self.lines if node is self.module or any(outer is node for outer in line.around)]

    def number(self, node: cst.CSTNode) -> int:
        """The line on which a part of the tree begins, from 1."""
        return self._places[node].start.line

    def has_name(self, name: str) -> bool:
        """Whether a name is imported or bound in the script, or may be by a star import: the other ones raise an error."""
        return "*" in self._names or name in self._names

    @cached_property
    def _names(self) -> set[str]:
        found = {"*"} if "import *" in self.text else set()
        for part in walk(self.module):
            if isinstance(part, cst.ImportAlias):
                whole = part.evaluated_alias or part.evaluated_name
                found.add(whole.partition(".")[0])
            elif isinstance(part, (cst.FunctionDef, cst.ClassDef)):
                found.add(part.name.value)
            elif isinstance(part, (cst.Param, cst.AssignTarget)):
                found.add(code(part.name if isinstance(part, cst.Param) else part.target))
        return found

    # --- what the objects of a script are ------------------------------------------------------------------------------

    @cached_property
    def optimizers(self) -> set[str]:
        """The names of objects whose gradients are cleared and that make steps."""
        return {each.receiver for each in self.called("zero_grad")} & {each.receiver for each in self.called("step")}

    @cached_property
    def schedulers(self) -> dict[str, str]:
        """The names of objects that classes or functions of schedulers make, with these."""
        found = {}
        for bound in self.bindings:
            if isinstance(bound.value, cst.Call):
                maker = code(bound.value.func)
                last = maker.rpartition(".")[2]
                makes = (
                    "lr_scheduler" in maker or last.endswith(("LR", "LROnPlateau")) or last.startswith("get_linear_schedule")
                )
                if makes and self.has_name(maker.partition(".")[0]):
                    found[bound.name] = last
        return found

    @cached_property
    def makers(self) -> list[tuple[Bound, str]]:
        """The lines that make a torch optimizer for the parameters of one model, with the name of that."""
        found = []
        for bound in self.bindings:
            call = bound.value
            if isinstance(call, cst.Call) and call.args and "optim" in code(call.func).lower() + bound.name.lower():
                given, known = call.args[0].value, self.has_name(code(call.func).partition(".")[0])
                if known and isinstance(given, cst.Call) and not given.args and code(given.func).endswith(".parameters"):
                    found.append((bound, code(given.func).removesuffix(".parameters")))
        return found

    @cached_property
    def backwards(self) -> list[Called]:
        """The lines that differentiate."""
        return [called for called in self.called("backward") if called.receiver != "torch.autograd"]

    # --- a changed text -----------------------------------------------------------------------------------------------------

    def changed(self, changes: Mapping[cst.CSTNode, Change]) -> str:
        """The text with parts replaced; a block that loses all statements gets ``pass``."""
        changer = _Changer({id(node): change for node, change in changes.items()})
        wanted = {id(node) for node in changes}
        body: list[cst.CSTNode] = []
        for node in self.module.body:
            new = node.visit(changer) if any(id(part) in wanted for part in walk(node)) else node
            body += new if isinstance(new, cst.FlattenSentinel) else [new] if isinstance(new, cst.CSTNode) else []
        return self.module.with_changes(body=body).code


class _Changer(cst.CSTTransformer):
    def __init__(self, changes: Mapping[int, Change]) -> None:
        super().__init__()
        self._changes = changes

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        if isinstance(updated_node, cst.IndentedBlock) and not updated_node.body:
            updated_node = updated_node.with_changes(body=[cst.SimpleStatementLine([cst.Pass()])])
        change = self._changes.get(id(original_node))
        return updated_node if change is None else change(updated_node)


def blocks(node: cst.CSTNode) -> Iterator[cst.IndentedBlock]:
    """The blocks of a compound statement, those of its ``else`` and ``except`` parts included."""
    for child in node.children:
        if isinstance(child, cst.IndentedBlock):
            yield child
        elif isinstance(child, (cst.If, cst.Else, cst.ExceptHandler, cst.Finally)):
            yield from blocks(child)


def code(node: cst.CSTNode) -> str:
    """A part of the tree as text."""
    return _EMPTY.code_for_node(node)


def statement(text: str) -> cst.BaseStatement:
    """A statement written as text, its block indented by four blanks."""
    return cst.parse_statement(text)


def expression(text: str) -> cst.BaseExpression:
    """An expression written as text."""
    return cst.parse_expression(text)


# --- changes ----------------------------------------------------------------------------------------------------------------


def removed(_: cst.CSTNode) -> cst.RemovalSentinel:
    """A statement is taken out."""
    return cst.RemovalSentinel.REMOVE


def replaced(new: cst.CSTNode) -> Change:
    """Something else stands there."""
    return lambda _: new


def followed(*new: cst.CSTNode) -> Change:
    """Statements are put behind one."""
    return lambda node: cst.FlattenSentinel([node, *new])


def preceded(*new: cst.CSTNode) -> Change:
    """Statements are put in front of one."""
    return lambda node: cst.FlattenSentinel([*new, node])


def ending(*new: cst.BaseStatement) -> Change:
    """Statements are put at the end of the body of a loop."""

    def change(node: cst.CSTNode) -> cst.CSTNode:
        if not isinstance(node, cst.IndentedBlock):
            raise TypeError(type(node).__name__)
        return node.with_changes(body=[*node.body, *new])

    return change


def without_comments(node: cst.BaseStatement) -> cst.BaseStatement:
    """A statement as it stands elsewhere: without the empty lines and comments in front of it."""
    return node.with_changes(leading_lines=[]) if isinstance(node, (cst.SimpleStatementLine, cst.With)) else node


def all_removed(lines: Iterable[Line]) -> dict[cst.CSTNode, Change]:
    """Statements are taken out."""
    return {line.node: removed for line in lines}


def between(block: cst.IndentedBlock | cst.Module, start: int, end: int) -> Sequence[cst.CSTNode]:
    """The statements of a block from one place up to, without, another."""
    return block.body[start:end]
