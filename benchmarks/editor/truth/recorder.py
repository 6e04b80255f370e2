"""Runs a program and writes down what its names hold: ``python recorder.py PROGRAM ROOT OUT SECONDS``.

The program's tree is changed before it runs: every name and attribute that is read passes its value to a recorder, and so does
every name after it was assigned to. The program runs as ``__main__`` with ``ROOT`` on the path.
"""

from __future__ import annotations

import ast
import json
import resource
import signal
import sys
import types
from pathlib import Path
from typing import Any

_MOST_SEEN = 60
_MOST_ITEMS = 32
_MOST_FRAMES = 400
_SECONDS_OF_PROCESSOR = 90
_BYTES = 9 << 30
_NOT_WRAPPED = frozenset({"super", "locals", "vars", "dir", "eval", "exec", "__class__"})


class Recorder:
    """Values by place; a place is a number, ``places`` tells where and what it is."""

    def __init__(self) -> None:
        self.places: list[dict[str, Any]] = []
        self.seen: list[dict[str, int]] = []
        #: Per call of a function, what its assignments gave: ``[place, description]``.
        self.frames: dict[int, list[tuple[int, Any]]] = {}
        self.ended = 0

    def place(self, **about: Any) -> int:
        self.places.append(about)
        self.seen.append({})
        return len(self.places) - 1

    def read(self, place: int, value: Any) -> Any:
        """Note a value that is read, and give it."""
        self.note(place, value)
        return value

    def note(self, place: int, value: Any) -> Any:
        """Note a value; what it was described as."""
        seen = self.seen[place]
        if len(seen) >= _MOST_SEEN:
            return None
        found = described(value)
        if found is not None:
            text = json.dumps(found)
            seen[text] = seen.get(text, 0) + 1
        return found

    def stored(self, place: int, value: Any) -> None:
        """Note what a name holds after an assignment."""
        found = self.note(place, value)
        frame = id(sys._getframe(1))
        if found is not None and (frame in self.frames or len(self.frames) < _MOST_FRAMES):
            self.frames.setdefault(frame, []).append((place, found))

    def entered(self) -> None:
        """A function was called: its frame is another than that of an earlier call with the same address."""
        frame = id(sys._getframe(1))
        if frame in self.frames:
            self.ended -= 1
            self.frames[self.ended] = self.frames.pop(frame)


def described(value: Any, depth: int = 0) -> Any:
    """``["tensor", sizes, type]``, ``["module", class]``, ``["tuple", items]``; None for everything else."""
    cls = type(value)
    if isinstance(value, (tuple, list)):
        if depth or not value or len(value) > _MOST_ITEMS:
            return None
        items = [described(item, 1) for item in value]
        kind = "list" if isinstance(value, list) else "tuple"
        return [kind, items] if items[0] is not None and items[0][0] in ("tensor", "array") else None
    if isinstance(value, type):
        return None
    bases = {f"{base.__module__}.{base.__name__}" for base in cls.__mro__}
    if bases & {"torch.Tensor", "torch._tensor.Tensor"}:
        return ["tensor", [int(size) for size in value.shape], str(value.dtype)]
    if any(base.endswith((".KerasTensor", "EagerTensor", ".SymbolicTensor", "ResourceVariable")) for base in bases):
        if value.shape is None or getattr(value.shape, "rank", 0) is None:
            return None
        sizes = [None if size is None else int(size) for size in tuple(value.shape)]
        return ["tensor", sizes, getattr(value.dtype, "name", str(value.dtype))]
    if "numpy.ndarray" in bases:
        return ["array", [int(size) for size in value.shape], str(value.dtype)]
    if any(base.endswith(("torch.nn.modules.module.Module", "layers.layer.Layer")) for base in bases):
        return ["module", cls.__name__]
    return None


class _Watched(ast.NodeTransformer):
    """The tree of a program, with the calls of the recorder in it."""

    def __init__(self, recorder: Recorder, lines: list[str]) -> None:
        self.recorder, self.lines = recorder, lines
        self.scopes: list[str] = []

    def _at(self, line: int, offset: int) -> int:
        return len(self.lines[line - 1].encode()[:offset].decode())

    def _place(self, node: Any, kind: str, name: str) -> int:
        line, end = node.lineno, node.end_col_offset
        start = node.col_offset
        if isinstance(node, ast.Attribute):
            line, start = node.end_lineno, end - len(node.attr.encode())
        elif isinstance(node, ast.arg):
            end = start + len(node.arg.encode())
        return self.recorder.place(
            line=line, start=self._at(line, start), end=self._at(line, end), kind=kind, name=name, scope=".".join(self.scopes)
        )

    def _call(self, what: str, place: int, value: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(what, ast.Load()), [ast.Constant(place), value], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or node.id in _NOT_WRAPPED:
            return node
        return ast.copy_location(self._call("__read__", self._place(node, "read", node.id), node), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        plain = _is_plain(node)
        where = self._place(node, "attribute", node.attr) if plain and isinstance(node.ctx, ast.Load) else None
        self.generic_visit(node)
        return node if where is None else ast.copy_location(self._call("__read__", where, node), node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        return self._followed(node, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        targets = [node.target]
        node.value = self.visit(node.value)
        return [node, *self._stores(targets, "store")]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        return [node, *self._stores([node.target], "augmented")]

    def visit_For(self, node: ast.For) -> Any:
        stores = self._stores([node.target], "loop")
        node.iter = self.visit(node.iter)
        node.body = [*stores, *self._body(node.body)]
        node.orelse = self._body(node.orelse)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.scopes.append(node.name)
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        begin: list[ast.stmt] = [ast.Expr(ast.Call(ast.Name("__entered__", ast.Load()), [], []))]
        for argument in given:
            place = self._place(argument, "self" if argument.arg == "self" else "parameter", argument.arg)
            begin.append(ast.Expr(self._call("__stored__", place, ast.Name(argument.arg, ast.Load()))))
        body = self._body(node.body)
        docs = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [*body[:docs], *[ast.copy_location(one, node.body[0]) for one in begin], *body[docs:]]
        self.scopes.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.scopes.append(node.name)
        node.body = self._body(node.body)
        self.scopes.pop()
        return node

    def visit_Global(self, node: ast.Global) -> Any:
        return node

    def visit(self, node: ast.AST) -> Any:
        """Change a node; what these statements name is left alone."""
        return node if isinstance(node, (ast.Match, ast.Delete, ast.Import, ast.ImportFrom)) else super().visit(node)

    def _followed(self, node: Any, targets: list[ast.expr]) -> list[ast.stmt]:
        stores = self._stores(targets, "store")
        self.generic_visit(node)
        return [node, *stores]

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            changed = self.visit(statement)
            found += changed if isinstance(changed, list) else [changed]
        return found

    def _stores(self, targets: list[Any], kind: str) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for target in targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                found += self._stores(target.elts, "unpacked" if kind == "store" else kind)
            elif isinstance(target, ast.Name):
                call = self._call("__stored__", self._place(target, kind, target.id), ast.Name(target.id, ast.Load()))
                found.append(ast.copy_location(ast.Expr(call), target))
            elif isinstance(target, ast.Attribute) and _is_plain(target) and kind == "store":
                again = ast.parse(ast.unparse(target), mode="eval").body
                found.append(
                    ast.copy_location(
                        ast.Expr(self._call("__stored__", self._place(target, "member", target.attr), again)), target
                    )
                )
        return found


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _tests(tree: ast.Module) -> list[str]:
    """Functions that the program defines to be started by hand: without parameters, with the word ``test`` in their names.

    None if the program has a main part.
    """
    if any(isinstance(one, ast.If) and "__name__" in ast.unparse(one.test) for one in tree.body):
        return []
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    return [
        one.name for one in functions if "test" in one.name.lower() and not ast.unparse(one.args) and not one.decorator_list
    ]


def main() -> None:
    """Run the program, then write what was seen."""
    program, root, out, seconds = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS_OF_PROCESSOR, _SECONDS_OF_PROCESSOR + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    recorder = Recorder()
    text = program.read_text(encoding="utf-8")
    tests = _tests(ast.parse(text))
    tree = ast.fix_missing_locations(_Watched(recorder, text.splitlines()).visit(ast.parse(text)))
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __file__=str(program), __read__=recorder.read, __stored__=recorder.stored, __entered__=recorder.entered
    )
    if "torchvision" in text:
        from dllint.dev.libraries.torchvision_import import (
            import_torchvision,
        )  # its own import fails beside some builds of torch

        import_torchvision()
    sys.argv = [str(program)]
    sys.path[:1] = [str(program.parent), root]
    sys.modules["__main__"] = module
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(seconds)
    ended = ""
    try:
        exec(compile(tree, str(program), "exec"), module.__dict__)
        for name in tests:
            module.__dict__[name]()
    except BaseException as error:
        ended = "" if isinstance(error, SystemExit) and not error.code else f"{type(error).__name__}: {error}"[:300]
    signal.alarm(0)
    seen = [[json.loads(text) for text in seen] for seen in recorder.seen]
    places = [{**about, "seen": found} for about, found in zip(recorder.places, seen, strict=True)]
    out.write_text(json.dumps({"ended": ended, "places": places, "frames": list(recorder.frames.values())}), encoding="utf-8")
    sys.stdout.flush()
    import os

    os._exit(0)


def _late(*_args: object) -> None:
    raise TimeoutError("the program runs too long")


if __name__ == "__main__":
    main()
