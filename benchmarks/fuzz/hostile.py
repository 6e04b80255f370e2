"""Programs written to do harm to whoever analyses them: deep, large, circular, odd."""

# ruff: noqa: E501 (a program a line)

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

_HEAD: Final = "import torch\nfrom torch import nn\nimport numpy as np\nimport tensorflow as tf\n\n"
_NETWORK: Final = (
    "class Net(nn.Module):\n    def __init__(self, w=8):\n        super().__init__()\n        self.fc = nn.Linear(w, {n})\n"
    "    def forward(self, x):\n        return self.fc(x)\n\ny = Net()(torch.zeros(2, {n}))\n"
)
Generator = Callable[[Random], str]


def hostile(random: Random) -> tuple[str, str]:
    """The name of a kind of harm, and a program that does it."""
    name = random.choice(tuple(_GENERATORS))
    text = _HEAD + _GENERATORS[name](random) + "\n"
    if random.random() < 0.5:
        text += _NETWORK.format(n=random.randrange(1, 9))
    return name, text


def _size(random: Random) -> int:
    return random.choice((10, 60, 150, 400, 1000, 3000, 10_000))


def _small(random: Random) -> int:
    return random.choice((2, 3, 5, 8, 12, 20, 30))


def _brackets(random: Random) -> str:
    n = _size(random)
    left, right = random.choice(
        (("(", ")"), ("[", "]"), ("{'a': ", "}"), ("f(", ")"), ("torch.relu(", ")"), ("nn.Sequential(", ")"), ("-", ""))
    )
    core = random.choice(("1", "x", "", "torch.zeros(2, 3)", "nn.ReLU()"))
    return f"x = torch.zeros(3)\ny = {left * n}{core}{right * (n if random.random() < 0.9 else n - 1)}\n"


def _chains(random: Random) -> str:
    n = _size(random)
    link = random.choice(
        (
            " + x",
            " * 2",
            ".view(-1)",
            ".a",
            "[0]",
            "()",
            " and x",
            " if x else x",
            " < x",
            ".relu().abs()",
            " @ x",
            " ** 2",
            " % 7",
        )
    )
    return f"x = torch.zeros(3, 3)\ny = x{link * n}\n"


def _blocks(random: Random) -> str:
    n = min(_size(random), 95)
    heads = ("if x:", "for i in range(3):", "while x:", "with torch.no_grad():", "try:", "def f():", "class C:", "for i in x:")
    lines, tails = ["x = torch.zeros(3)"], []
    for depth in range(n):
        head = random.choice(heads)
        lines.append(" " * depth + head)
        if head == "try:":
            tails.append(" " * depth + "finally:\n" + " " * depth + " pass")
    return "\n".join([*lines, " " * n + "x = x.view(7)", *reversed(tails)]) + "\n"


def _literals(random: Random) -> str:
    n = 20 * _size(random)
    return random.choice((
        f"x = torch.tensor([{', '.join(['1.5'] * n)}])\n",
        f"x = '{'a' * n}'\ny = x * {n}\nz = y * {n}\n",
        f"x = {'9' * n}\ny = torch.zeros(x)\n",
        f"x = 1{'0' * n}\ny = x ** x\ntorch.zeros(y)\n",
        f"x = {{{', '.join(f'{k}: {k}' for k in range(n))}}}\nx[3].view(1)\n",
        f"x = 10 ** {n}\ny = [0] * x\nz = y * x\nlist(range(x))\n",
        f"\"\"\"{'x: (B, C, H, W) ' * n}\"\"\"\nx = torch.zeros(3)\n",
        f"x = b'{'a' * n}' * {n}\ny = f'{{x:{n}}}'\nz = '%{n}d' % 3\n",
        f"x = 1 << {n} << {n}\ny = torch.zeros(x >> {n})\n",
        f"# {'range: ' * n}\nx = torch.zeros(3)  # {'noqa ' * n}\n",
    ))  # fmt: skip


def _many(random: Random) -> str:
    n = _size(random)
    line = random.choice((
        "x{0} = torch.zeros({0}, 3)", "class C{0}(nn.Module):\n    def forward(self, x):\n        return x.view({0}, -1)",
        "def f{0}(x):\n    return f{1}(f{1}(x))", "import m{0}", "from .m{0} import *", "x = torch.zeros(2).view({0})", "if x{0}:\n    y = {0}",
        "class D{0}(D{1}):\n    pass", "x, y = y * {0}, x + y", "l{0} = nn.Linear({0}, {1})\nl{0}(torch.zeros({1}))", "global g{0}", "@f{0}\ndef h{0}(): pass",
        "try:\n    import a{0}\nexcept ImportError:\n    a{0} = None", "x = x + torch.zeros({0}, 1)", "for i{0} in range(x):\n    z = torch.zeros(i{0}, 2)",
    ))  # fmt: skip
    return "x = torch.zeros(3)\n" + "\n".join(line.format(k, k + 1) for k in range(n)) + "\n"


def _doubling(random: Random) -> str:
    n = _small(random)
    form = random.choice((
        "def f{0}(x):\n    return f{1}(x) + f{1}(x)\n", "def f{0}(x):\n    if x.sum() > {0}:\n        return f{1}(x)\n    return f{1}(x * 2)\n",
        "def f{0}(x):\n    for _ in range(3):\n        x = f{1}(x)\n    return x\n", "def f{0}(x):\n    return torch.cat([f{1}(x), f{1}(x)])\n",
        "class B{0}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = B{1}()\n        self.b = B{1}()\n"
        "    def forward(self, x):\n        return self.a(x) + self.b(x)\n",
        "f{0} = lambda x: (f{1}(x), f{1}(x))\n", "def f{0}(x):\n    return [f{1}(x) for _ in range({0} + 2)]\n",
    ))  # fmt: skip
    last = f"def f{n}(x):\n    return x\nclass B{n}(nn.Module):\n    def forward(self, x):\n        return x\n"
    use = "f0(torch.zeros(2))\n" + ("B0()(torch.zeros(2))\n" if "B{0}" in form else "")
    return "".join(form.format(k, k + 1) for k in range(n)) + last + use


def _growing(random: Random) -> str:
    n = random.choice((5, 10, 50, 1000, 10**6, 10**12))
    step = random.choice((
        "a, b = a*b + i, a + b*2", "a = a * b", "a = a ** 2", "a = a + a * i", "b = [b, b]", "b = b + b", "a = a // b + a % b", "s = s + s",
        "d[a] = dict(d)", "x = torch.cat([x, x])", "x = x.repeat(2, *x.shape)", "l.append(l)", "l += l", "a = f'{a}{a}'", "t = t + (t,)",
        "x = x.unsqueeze(0)", "a = (a << i) | b", "a = a // 2 + b; b = a * b", "l = [l[:] for _ in l]", "x = x.view(-1, a, b)", "f = (lambda g: lambda v: g(g(v)))(f)",
        "x = torch.zeros(a, b) @ torch.zeros(b, a)", "a = max(a, b) * min(a, b)", "x = x[:, None]", "s = s.replace('a', s)", "s = s.format(s)", "c = type('c', (c,), {})",
    ))  # fmt: skip
    loop = random.choice(
        (
            "for i in range({n}):",
            "while True:",
            "while a:",
            "for i in range(k):",
            "for i, _ in enumerate(iter(int, 1)):",
            "for i in l:",
        )
    )
    body = "a, b = k, k + 1; s = 'a'; l = [1, 2]; d = {}; t = (); x = torch.zeros(2, k); f = abs; c = object; i = 1"
    return (
        f"def grow(k):\n    {body}\n    {loop.format(n=n)}\n        {step}\n        {random.choice((step, 'pass', 'a, b = b, a', 'i += 1'))}\n"
        f"    return torch.zeros(a, b).view(b, a), x, s, l, d, t\ngrow({random.choice(('3', 'int(input())', '0', '10**9', '-1'))})\n"
    )


def _circular(random: Random) -> str:
    return random.choice((
        "class A(A):\n    pass\n", "class A(nn.Module):\n    pass\nA.__bases__ = (A,)\nclass B(A):\n    pass\nA = B\nclass B(A):\n    pass\nB()(torch.zeros(1))\n",
        "def f():\n    return f\nf()()()()().view(3)\n", "def f(x):\n    return f(f(x))\nf(torch.zeros(2))\n", "l = []\nl.append(l)\nprint(l == l, l[0][0], sorted(l), repr(l), torch.tensor(l))\n",
        "d = {}\nd['d'] = d\nd == d\nlist(d.items())\ntorch.zeros(**d)\n", "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.me = self\n        self.l = nn.ModuleList([self])\n"
        "    def forward(self, x):\n        return self.me(self.l[0](x))\nN()(torch.zeros(2))\n",
        "class P(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = C(self)\nclass C(nn.Module):\n    def __init__(self, p):\n        super().__init__()\n        self.p = p\n"
        "    def forward(self, x):\n        return self.p(x)\nP.forward = lambda self, x: self.c(x)\nP()(torch.zeros(2))\n",
        "from .circular import *\nfrom circular import x\nimport circular\ncircular.x.y.z\n", "def g():\n    yield from g()\nlist(g())\nfor x in g():\n    x.view(2)\n",
        "x = lambda: x()\nx()\n", "import functools\n@functools.cache\ndef f(n):\n    return f(n + 1) + f(n - 1)\nf(3)\n", "class M(type):\n    def __call__(cls, *a):\n        return cls(*a)\nclass A(metaclass=M):\n    pass\nA()\n",
        "class A:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return self\nfor a in A():\n    for b in a:\n        torch.zeros(b)\n",
        "class A:\n    def __add__(self, o):\n        return o + self\n    __radd__ = __add__\n    def __eq__(self, o):\n        return o == self\n    def __len__(self):\n        return len(self)\nA() + A()\nA() == A()\nlen(A())\n",
        "class A:\n    @property\n    def p(self):\n        return self.p\n    def __getattr__(self, n):\n        return getattr(self, n + 'x')\nA().p\nA().q\n",
        "class A:\n    def __contains__(self, x):\n        return x in self\n    def __getitem__(self, i):\n        return self[i]\n    def __bool__(self):\n        return bool(self)\n1 in A()\nA()[0]\nif A(): pass\na, *b = A()\n",
        "s = nn.Sequential()\ns.add_module('s', s)\ns(torch.zeros(2))\nlist(s.modules())\nfor m in s.children():\n    m.apply(print)\n",
        "m = tf.keras.Sequential()\nm.add(m)\nm(tf.zeros((2, 3)))\nm.summary()\n", "def a():\n    b()\ndef b():\n    a()\na()\n", "x = x\ny: y = y\ndel x\nx.view(2)\nglobals()['x'] = x\n",
    ))  # fmt: skip


def _classes(random: Random) -> str:
    methods = ["__init__", "forward", "__call__", "__getattr__", "__setattr__", "__getattribute__", "__new__", "__len__", "__iter__", "__getitem__", "__bool__", "__eq__",
               "__hash__", "__add__", "__radd__", "__enter__", "__exit__", "__del__", "__init_subclass__", "__class_getitem__", "__mro_entries__", "__get__", "__set__",
               "__set_name__", "__repr__", "__index__", "__int__", "__float__", "__array__", "__torch_function__", "__delattr__", "__dir__", "__next__", "__contains__"]  # fmt: skip
    bases = [
        "nn.Module",
        "object",
        "type",
        "dict",
        "list",
        "int",
        "str",
        "torch.Tensor",
        "nn.Linear",
        "tf.keras.layers.Layer",
        "A0",
        "A1",
        "Exception",
        "tuple",
        "np.ndarray",
        "nn.ModuleList",
        "float",
    ]
    bodies = ["return self", "return None", "return args[0]", "return self(*args)", "raise ValueError", "return super().{m}(*args)", "return -1", "self.x = args", "return torch.zeros(args)",
              "yield self", "return 'x'", "return self.__dict__", "setattr(self, 'a', self)", "return NotImplemented", "return type(self)", "return self.forward", "del self.x", "return len(self)",
              "return self[0]", "for a in self: pass", "return [self] * 3", "return lambda *a: self", "return self.{m}", "return 10 ** 30", "return self.__class__(*args)"]  # fmt: skip
    marks = [
        "",
        "",
        "",
        "@property\n    ",
        "@staticmethod\n    ",
        "@classmethod\n    ",
        "@torch.no_grad()\n    ",
        "@functools.wraps(3)\n    ",
        "@x.setter\n    ",
        "@tf.function\n    ",
    ]
    out = ["import functools"]
    for number in range(random.randrange(2, 7)):
        chosen = ", ".join(random.sample(bases, random.randrange(0, 3)) + (["metaclass=A0"] if random.random() < 0.15 else []))
        out.append(
            f"class A{number}({chosen}):\n    x = {random.choice(('3', 'nn.Linear(2, 3)', 'torch.zeros(2)', 'x', 'property()', '[]'))}"
        )
        for method in random.sample(methods, random.randrange(1, 7)):
            parameters = random.choice(("self, *args", "*args", "self, *args, **kwargs", "cls, *args", "self, x=1, *args"))
            body = random.choice(bodies).format(m=method)
            out.append(f"    {random.choice(marks)}def {method}({parameters}):\n        {body}")
    uses = ["a = A{n}()", "a(torch.zeros(2, 3))", "a + a", "a[0]", "len(a)", "for i in a: i(3)", "with a as b: b.view(2)", "a.x = a", "torch.zeros(a)", "a.x.y(a)", "nn.Sequential(a, a)(a)",
            "torch.cat([a, a])", "a == a", "f'{a}'", "sorted([a, a])", "isinstance(a, A{n})", "{a: 1}[a]", "a.forward(1).view(3)", "torch.zeros(3) + a", "super(A{n}, a).x", "A{n}[int]", "a @ a",
            "class Z(A{n}, A0): pass", "Z()(torch.zeros(2))", "max(a, 3)", "int(a)", "range(a)", "x, *y = a", "torch.nn.functional.linear(a, a.x)", "list(map(a, a))", "a.to('cuda').x", "a.__call__(a)"]  # fmt: skip
    for _ in range(random.randrange(3, 14)):
        use = random.choice(uses)
        out.append(use.replace("{n}", str(random.randrange(3))))
    return "\n".join(out) + "\n"


_LIMITS = (
    "2**31",
    "2**63",
    "-1",
    "0",
    "10**100",
    "1.5",
    "'a'",
    "None",
    "()",
    "float('nan')",
    "True",
    "10**9",
    "-2**70",
    "[]",
    "n",
    "torch.zeros(2)",
    "1j",
    "object()",
)


def _odd_calls(random: Random) -> str:
    """Calls of library functions with arguments at and beyond their limits."""
    calls = ("torch.zeros({}, {})", "torch.arange({}, {}, {})", "torch.linspace({}, {}, {})", "x.view({}, {})", "x.repeat({}, {})", "x.expand({}, {})", "nn.Conv2d({}, {}, {})(x)",
             "nn.Conv2d(3, 8, {}, stride={}, padding={})(torch.zeros(1, 3, {}, 32))", "nn.Linear({}, {})(x)", "nn.LSTM({}, {}, num_layers={})(x)", "torch.cat([x] * {}, dim={})", "x.permute({}, {})",
             "x[{}:{}:{}]", "x[{}, {}]", "torch.eye({})", "torch.randint({}, {}, ({}, 2))", "np.zeros(({}, {}))", "np.arange({}, {}, {})", "np.linspace({}, {}, {})", "x.reshape({}, -1, {})",
             "x.unfold({}, {}, {})", "nn.Upsample(scale_factor={})(x)", "nn.MaxPool2d({}, {}, {})(x)", "tf.zeros(({}, {}))", "tf.reshape(x, ({}, {}))", "tf.keras.layers.Dense({})(tf.zeros(({}, 3)))",
             "tf.keras.layers.Conv2D({}, {}, {})(tf.zeros((1, 8, 8, {})))", "tf.range({}, {}, {})", "tf.one_hot({}, {})", "x.split({}, {})", "x.chunk({}, {})", "torch.nn.functional.pad(x, ({}, {}, {}, 1))",
             "x.transpose({}, {})", "nn.Embedding({}, {})(torch.zeros(2).long())", "torch.einsum({}, x, {})", "x.sum({}, keepdim={})", "nn.MultiheadAttention({}, {})(x, x, x)", "range({}, {}, {})",
             "list(range({}))[{}]", "'a' * {} * {}", "[1] * {} * {}", "({}) ** ({})", "round({}, {})", "int({}, {})", "x.flatten({}, {})", "x.as_strided(({}, {}), ({}, 1))", "torch.full(({},), {})", "pow({}, {}, {})",
             "torch.meshgrid(torch.arange({}), torch.arange({}))", "x.unsqueeze({}).squeeze({})", "nn.GroupNorm({}, {})(x)", "nn.PixelShuffle({})(x)", "x.roll({}, {})", "x.gather({}, {})", "x.scatter({}, {}, {})",
             "torch.triu_indices({}, {})", "torch.combinations(torch.arange({}), {})", "torch.nn.functional.interpolate(x, ({}, {}))", "{} << {}", "{} // {} % {}", "divmod({}, {})", "'{:>{}}'.format({}, {})", "bytes({})")  # fmt: skip
    out = ["n = int(input())", f"x = torch.zeros({random.choice(('2, 3', 'n, n', '1, 3, 8, 8', '2', '', '0, 3'))})"]
    for _ in range(random.randrange(3, 30)):
        call = re.sub(r"\{\}", lambda _: random.choice((*_LIMITS, "2", "3", "1")), random.choice(calls))
        out.append(f"try:\n    y = {call}\nexcept Exception: pass")
    return "\n".join(out) + "\n"


def _strange_syntax(random: Random) -> str:
    n = _small(random)
    return "\n".join(random.sample((
        "x = [y for a in range(9) if a for b in range(a) for y in [lambda: (yield)]]" if random.random() < 0.2 else "x = [y for a in range(9) for y in range(a)]",
        "def f(a, /, b, *, c, **d): return torch.zeros(a, b, c)", "f(*[1], **{'c': 2}, b=3)", "match torch.zeros(2, 3).shape:\n    case (a, b) if a > b: torch.zeros(a).view(b)\n    case torch.Size([*r]): r\n    case _: pass",
        "(lambda *a, k=(z := 3): z)(1)", "async def g():\n    async with a as b, c: pass\n    async for i in b: yield i\n    return await c" if random.random() < 0.3 else "async def g():\n    async for i in b: await i",
        "a = b = c = d = torch.zeros(3); a += b; b @= c; c //= 2; d **= d", "a: 'int' = 3; b: list[a] = []; c: nn.Linear(3, 4) = nn.Linear(3, 4)", "print(f'{x!r:>{10}} {x=} {f\"{x}\"}')", "x[...] = x[:, None, ..., 1:2:3] if x else x[()]",
        "try:\n    raise\nexcept (A, B) as e: e\nelse: pass\nfinally: del e", "while 1:\n    if x: break\n    else: continue\nelse: x = 3", "global x, y", "nonlocal q" if random.random() < 0.1 else "pass", "assert x.shape == (3, 4), x.view(3)",
        "del x, y[0], z.a", "with (open('a') as a, open('b') as b): pass", "import a.b.c as d, e.f", "from . import x", "from .. import *" , "@(lambda f: f)\n@torch.jit.script\nclass Q(nn.Module, metaclass=type): x: int = 3; forward = lambda s, x: x.view(7)",
        "(a, [b, *c], (d, e)) = 1, [2, 3], torch.zeros(2, 2)", "for x.a, y[0] in zip(x, y): pass", "return 3" if random.random() < 0.1 else "...", f"x = {'not ' * n}x {'if x else x ' * n}", f"x = {'lambda: ' * n}x", f"x = x{'[0]' * n}{'()' * n}",
        "def outer():\n    x = torch.zeros(3)\n    def inner():\n        nonlocal x\n        x = x.view(7)\n        return inner\n    return inner\nouter()()()", "type X[T] = list[T]" if random.random() < 0.2 else "X = list", "x = yield" if random.random() < 0.1 else "x = 1",
        "def d(x=torch.zeros(3).view(7), *, y=[x for x in range(3)]) -> x: ...", "x = {**{'a': 1}, 'b': 2}['a']; y = {*x, *y}; z = [*x, *y]; w = (*x,)", "print(*x, sep='', **y)", "if (x := torch.zeros(3)) is not None and (y := x.view(3)).sum(): y.view(2)",
    ), random.randrange(4, 16))) + "\n"  # fmt: skip


_GENERATORS: Final[dict[str, Generator]] = {
    "brackets": _brackets,
    "chains": _chains,
    "blocks": _blocks,
    "literals": _literals,
    "many": _many,
    "doubling": _doubling,
    "growing": _growing,
    "circular": _circular,
    "classes": _classes,
    "calls": _odd_calls,
    "syntax": _strange_syntax,
}
