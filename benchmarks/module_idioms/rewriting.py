"""Classes and functions written otherwise: changes of form that leave what a program does as it is."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from random import Random
from typing import Final

#: Functions that give back what they are given, in the ways in which code passes tensors through helpers.
_HELPERS: Final = (
    "def {name}(value):\n    return value\n",
    "def {name}(value, *others, **options):\n    return (value, *others)[0]\n",
    "def {name}(value, scale=None):\n    if scale is not None:\n        value = value * scale\n    return value\n",
    "def {name}(value, verbose=False):\n    if verbose:\n        print(type(value))\n    return value\n",
    "def {name}(value):\n    if isinstance(value, torch.Tensor):\n        return value.contiguous()\n    return value\n",
    "def {name}(value):\n    if torch.is_tensor(value):\n        value = value.clone()\n"
    "    elif isinstance(value, (list, tuple)):\n        value = type(value)({name}(item) for item in value)\n"
    "    return value\n",
    "def {name}(value):\n    try:\n        return value.to(value.device)\n    except AttributeError:\n        return value\n",
    "{name} = lambda value: value\n",
    "{name} = nn.Identity()\n",
    "class {name}:\n    def __new__(cls, value):\n        return value\n",
    "def {name}(value):\n    kept = {{'value': value}}\n    return kept.pop('value')\n",
    "def {name}(value):\n    kept = []\n    kept.append(value)\n    kept.append(None)\n    kept.pop()\n    return kept[-1]\n",
)  # fmt: skip
_DECORATORS: Final = (
    "def {name}(function):\n    @functools.wraps(function)\n    def wrapped(*args, **kwargs):\n"
    "        return function(*args, **kwargs)\n    return wrapped\n",
    "def {name}(function):\n    def wrapped(self, *args, **kwargs):\n        result = function(self, *args, **kwargs)\n"
    "        return result\n    return wrapped\n",
)  # fmt: skip
_FORWARDS: Final = ("forward",)
#: How many changes are made.
_MOST: Final = 4


def rewritten(text: str, random: Random) -> str:
    """A text of classes and functions in another form."""
    tree = ast.parse(text)
    changes: list[Callable[[ast.Module, Random], None]] = [
        _through_helper, _through_helper, _decorated, _split_class, _delegated, _built_elsewhere, _optional_input,
        _flagged, _by_name, _in_context, _once_in_loop, _nested_again,
    ]  # fmt: skip
    for change in random.sample(changes, random.randint(1, _MOST)):
        change(tree, random)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _fresh(tree: ast.Module, start: str) -> str:
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    return next(name for name in (start, *(f"{start}{number}" for number in range(99))) if name not in used)


def _classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [node for node in tree.body if isinstance(node, ast.ClassDef)]


def _methods(tree: ast.Module, names: tuple[str, ...]) -> list[tuple[ast.ClassDef, ast.FunctionDef]]:
    return [
        (cls, node) for cls in _classes(tree) for node in cls.body if isinstance(node, ast.FunctionDef) and node.name in names
    ]


def _assignments(function: ast.FunctionDef) -> list[ast.Assign]:
    """Assignments to one name whose value is a call or an arithmetic expression."""
    return [node for node in ast.walk(function) if isinstance(node, ast.Assign) and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call | ast.BinOp)]  # fmt: skip


def _any_assignment(tree: ast.Module, random: Random) -> ast.Assign | None:
    found = [assignment for _, method in _methods(tree, _FORWARDS) for assignment in _assignments(method)]
    return random.choice(found) if found else None


def _insert_before(tree: ast.Module, text: str) -> None:
    """Put definitions before the first class."""
    first = next((index for index, node in enumerate(tree.body) if isinstance(node, ast.ClassDef)), 0)
    tree.body[first:first] = ast.parse(text).body


def _through_helper(tree: ast.Module, random: Random) -> None:
    """Values go through a function that gives them back."""
    name = _fresh(tree, random.choice(["prepared", "checked", "identity", "pass_on"]))
    targets = [_any_assignment(tree, random) for _ in range(random.randint(1, 3))]
    for node in dict.fromkeys(target for target in targets if target is not None):
        node.value = ast.Call(ast.Name(name, ast.Load()), [node.value], [])
    _insert_before(tree, random.choice(_HELPERS).format(name=name))


def _decorated(tree: ast.Module, random: Random) -> None:
    """A forward has a decorator."""
    name = _fresh(tree, "logged")
    methods = _methods(tree, _FORWARDS)
    if methods:
        random.choice(methods)[1].decorator_list.append(ast.Name(name, ast.Load()))
        _insert_before(tree, random.choice(_DECORATORS).format(name=name))


def _split_class(tree: ast.Module, random: Random) -> None:
    """A class gets some of its methods from a base of its own."""
    cls = random.choice(_classes(tree) or [None])  # type: ignore[list-item]
    if cls is None or f"super({cls.name}" in ast.unparse(cls) or f"{cls.name}." in ast.unparse(cls):
        return
    late = [node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == "forward"]
    rest = [node for node in cls.body if node not in late]
    if not late or not rest or "super()" in ast.unparse(late[0]):
        return
    name = _fresh(tree, f"{cls.name}Base")
    hook = ast.parse("def forward(self, *args):\n    raise NotImplementedError\n").body
    base = ast.ClassDef(name, cls.bases, cls.keywords, [*rest, *(hook if random.random() < 0.5 else [])], [])
    cls.bases, cls.keywords, cls.body = [ast.Name(name, ast.Load())], [], [*late]
    tree.body.insert(tree.body.index(cls), base)


def _delegated(tree: ast.Module, random: Random) -> None:
    """A forward hands on to a method that does the work."""
    methods = _methods(tree, _FORWARDS)
    if not methods:
        return
    cls, method = random.choice(methods)
    inner = copy.deepcopy(method)
    inner.name = _fresh(tree, random.choice(["_forward", "forward_features", "run"]))
    inner.decorator_list = []
    head = ast.parse(f"def forward(self, *args, **kwargs):\n    return self.{inner.name}(*args, **kwargs)\n").body
    cls.body[cls.body.index(method)] = inner
    cls.body += head


def _built_elsewhere(tree: ast.Module, random: Random) -> None:
    """A constructor leaves the building to a method."""
    methods = [
        (cls, m) for cls, m in _methods(tree, ("__init__",)) if "super(" not in ast.unparse(m.body[1:]) and len(m.body) > 2
    ]  # type: ignore[arg-type]
    methods = [
        (cls, m) for cls, m in methods if m.args.kwarg is None and m.args.vararg is None and "super" in ast.unparse(m.body[0])
    ]
    if not methods:
        return
    cls, method = random.choice(methods)
    name = random.choice(["build", "_build", "init_layers", "setup"])
    if any(isinstance(node, ast.FunctionDef) and node.name == name for node in cls.body):
        return
    given = [argument.arg for argument in (*method.args.args[1:], *method.args.kwonlyargs)]
    build = ast.parse(f"def {name}(self, {', '.join(given)}):\n    pass\n").body[0]
    assert isinstance(build, ast.FunctionDef)
    build.body = method.body[1:]
    method.body = [method.body[0], *ast.parse(f"self.{name}({', '.join(given)})").body]
    cls.body.insert(cls.body.index(method) + 1, build)


def _optional_input(tree: ast.Module, random: Random) -> None:
    """A forward takes something more that nobody gives."""
    methods = [
        (cls, m) for cls, m in _methods(tree, _FORWARDS) if len(m.args.args) > 1 and not m.args.vararg and not m.args.kwonlyargs
    ]
    if not methods:
        return
    _, method = random.choice(methods)
    first = method.args.args[1].arg
    name, use = random.choice([
        ("extra", f"{first} = {first} + extra"), ("mask", f"{first} = {first} * mask"), ("scale", f"{first} = {first} * scale"),
        ("context", f"{first} = torch.cat([{first}, context], dim=1)"),
        ("return_shape", f"return {first}.shape"),
    ])  # fmt: skip
    if any(argument.arg == name for argument in method.args.args):
        return
    method.args.args.append(ast.arg(name))
    method.args.defaults.append(ast.Constant(None))
    method.body[:0] = ast.parse(f"if {name} is not None:\n    {use}").body


def _flagged(tree: ast.Module, random: Random) -> None:
    """A value is computed in both arms of a branch that nothing decides."""
    node = _any_assignment(tree, random)
    if node is None:
        return
    condition = random.choice(["os.environ.get('FAST') == '1'", "'FAST' not in os.environ"])
    value = ast.unparse(node.value)
    node.value = ast.parse(f"({value}) if {condition} else ({value})", mode="eval").body


def _by_name(tree: ast.Module, random: Random) -> None:
    """Layers are asked for by name."""

    class Named(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            func = node.func
            if (
                isinstance(func, ast.Attribute)
                and isinstance(func.value, ast.Name)
                and func.value.id == "self"
                and random.random() < 0.5
            ):
                node.func = ast.Call(ast.Name("getattr", ast.Load()), [func.value, ast.Constant(func.attr)], [])
            return node

    methods = _methods(tree, _FORWARDS)
    if methods:
        Named().visit(random.choice(methods)[1])


def _replace(tree: ast.Module, old: ast.stmt, new: list[ast.stmt]) -> None:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and old in block:
                index = block.index(old)
                block[index : index + 1] = new
                return


def _in_context(tree: ast.Module, random: Random) -> None:
    """A value is computed inside of a context manager."""
    node = _any_assignment(tree, random)
    if node is None:
        return
    head = random.choice(
        ["torch.enable_grad()", "torch.autocast('cpu', enabled=False)", "contextlib.nullcontext()", "suppress()"]
    )
    block = ast.parse(f"with {head}:\n    pass").body[0]
    assert isinstance(block, ast.With)
    block.body = [node]
    _replace(tree, node, [block])


def _once_in_loop(tree: ast.Module, random: Random) -> None:
    """A value is computed by a loop of one pass."""
    node = _any_assignment(tree, random)
    if node is None:
        return
    head = random.choice(["for _once in range(1):", "for _once in [None]:", "while True:"])
    block = ast.parse(f"{head}\n    {'break' if head.startswith('while') else 'pass'}").body[0]
    assert isinstance(block, ast.For | ast.While)
    block.body = [node, *(block.body if head.startswith("while") else [])]
    _replace(tree, node, [block])


def _nested_again(tree: ast.Module, random: Random) -> None:
    """A value is computed by a function inside of the method."""
    node = _any_assignment(tree, random)
    if node is None:
        return
    name = _fresh(tree, "compute")
    value = ast.unparse(node.value)
    function = ast.parse(f"def {name}():\n    return {value}").body
    node.value = ast.Call(ast.Name(name, ast.Load()), [], [])
    _replace(tree, node, [*function, node])
