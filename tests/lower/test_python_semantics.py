"""The interpreter computes what Python computes."""

from __future__ import annotations

import textwrap

import pytest

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.ir.values import DictVal, InstanceVal, ListVal, SetVal, unwrap
from tests.lower.tracing import values

SNIPPETS = {
    "closures": """
        def counter(start):
            count = start
            def step(by=1):
                nonlocal count
                count += by
                return count
            return step
        tick = counter(10)
        tick()
        result = tick(5)
    """,
    "constructors made from the fields of records": """
        from dataclasses import MISSING, dataclass, field, fields
        from functools import wraps
        def wrap(cls):
            original = cls.__init__
            @wraps(original)
            def __init__(self, *args, **kwargs):
                names = {f.name for f in fields(cls)}
                for f in fields(cls):
                    if f.name in kwargs:
                        setattr(self, f.name, kwargs[f.name])
                    elif f.default is not MISSING:
                        setattr(self, f.name, f.default)
                    elif f.default_factory is not MISSING:
                        setattr(self, f.name, f.default_factory())
                    else:
                        raise TypeError(f.name)
                self.__post_init__(**{k: v for k, v in kwargs.items() if k not in names})
            cls.__init__ = __init__
            return cls
        @dataclass(repr=False)
        class Base:
            kind = ""
            flag: bool = False
            table: dict = field(default_factory=dict)
            nothing: int | None = None
            def __post_init__(self, **kwargs):
                self.extra = kwargs.pop("extra", 7)
            def __init_subclass__(cls, *args, **kwargs):
                super().__init_subclass__(*args, **kwargs)
                custom = "__init__" in cls.__dict__
                cls = dataclass(cls, repr=False, kw_only=True)
                if not custom:
                    cls = wrap(cls)
        class Net(Base):
            kind = "net"
            hidden: int = 768
            act: str = "gelu"
        net = Net(hidden=64, extra=3)
        marks = [f.default is MISSING for f in fields(Net)], [f.default_factory is MISSING for f in fields(Net)]
        names = [f.name for f in fields(Net)]
        result = (net.hidden, net.act, net.flag, net.extra, net.nothing, net.table, net.kind, marks, names)
    """,
    "star arguments": """
        def f(a, b=2, *rest, c, d=4, **more):
            return a, b, rest, c, d, sorted(more)
        result = f(1, *(7, 8, 9), c=3, **{"x": 1, "y": 2})
    """,
    "comprehensions": """
        pairs = [(i, j) for i in range(4) if i % 2 for j in range(i)]
        table = {k: v for k, v in zip("abc", (1, 2, 3))}
        result = (pairs, table["b"], sum(x * x for x in range(5)), sorted({3, 1, 2}))
    """,
    "classes": """
        class Base:
            kind = "base"
            def __init__(self, n):
                self.n = n
            def name(self):
                return f"{self.kind}{self.n}"
            @property
            def double(self):
                return self.n * 2
            @staticmethod
            def s(x):
                return x + 1
            @classmethod
            def make(cls, n):
                return cls(n)
        class Left(Base):
            def name(self):
                return "left-" + super().name()
        class Right(Base):
            kind = "right"
            def name(self):
                return "right-" + super().name()
        class Both(Left, Right):
            def __call__(self, x):
                return x + self.n
            def __getitem__(self, i):
                return i * self.n
            def __len__(self):
                return self.n
        b = Both.make(3)
        result = (b.name(), b.double, Both.s(1), b(4), b[5], len(b), [c.__name__ for c in Both.__mro__[:4]])
    """,
    "dataclasses": """
        from dataclasses import dataclass, field, replace
        @dataclass
        class Config:
            width: int = 8
            depth: int = 2
            tags: list = field(default_factory=list)
            def __post_init__(self):
                self.area = self.width * self.depth
        @dataclass
        class Wide(Config):
            width: int = 64
        c = replace(Wide(depth=3), depth=4)
        result = (Wide(depth=3).area, c.depth, Config(1).width, len(Config().tags))
    """,
    "functools": """
        from functools import partial, reduce, wraps
        def deco(f):
            @wraps(f)
            def inner(*args, **kwargs):
                return f(*args, **kwargs) + 1
            return inner
        @deco
        def g(x, y):
            return x * y
        result = (partial(g, 3)(4), reduce(lambda a, b: a * b, [1, 2, 3, 4]), g(y=2, x=5))
    """,
    "registries": """
        MODELS = {}
        def register(name=None):
            def add(f):
                MODELS[name or f.__name__] = f
                return f
            return add
        @register()
        def small(): return 1
        @register("big")
        def other(): return 2
        result = (MODELS["small"](), MODELS["big"](), sorted(MODELS))
    """,
    "loops": """
        total, i = 0, 0
        while True:
            i += 1
            if i % 2: continue
            if i > 10: break
            total += i
        for k, v in {"a": 1, "b": 2}.items():
            total += v
        else:
            total += 100
        result = (total, k)
    """,
    "strings": """
        name = "conv"
        result = (f"{name}_{3:02d}", "%s-%d" % (name, 4), "a,b".split(","), "{}{x}".format(1, x=2), name.upper(), f"{name!r}")
    """,
    "unpacking": """
        a, *b, (c, d) = 1, 2, 3, (4, 5)
        first, second = second, first = 7, 8
        x = [1, 2, 3]
        x[1:2] = [9, 9]
        del x[0]
        result = (a, b, c, d, first, second, x)
    """,
    "match": """
        def kind(v):
            match v:
                case 0 | 1: return "small"
                case [x, *rest]: return ("list", x, len(rest))
                case {"k": value}: return value
                case str(): return "text"
                case int() as n if n > 5: return n
                case _: return None
        result = (kind(1), kind([3, 4, 5]), kind({"k": 2}), kind("s"), kind(9), kind(2.5))
    """,
    "generators": """
        def numbers(n):
            for i in range(n):
                yield i
            yield from [10, 20]
        result = (list(numbers(2)), next(iter([5])), [*map(lambda x: x + 1, numbers(1))])
    """,
    "named tuples and enums": """
        from collections import OrderedDict, namedtuple
        from enum import Enum
        from typing import NamedTuple
        Point = namedtuple("Point", "x y")
        class Size(NamedTuple):
            h: int
            w: int = 3
        class Color(Enum):
            RED = 1
        Point.__annotations__ = {"x": int, "y": int}
        p = Point(1, y=2)
        h, w = Size(5)
        result = (p.x + p[1], h, w, Color.RED.value, Color["RED"].name, list(OrderedDict([("a", 1)])))
    """,
    "exceptions": """
        try:
            import json as backend
            flag = "yes"
        except ImportError:
            flag = "no"
        finally:
            done = True
        def safe(x):
            if x < 0:
                raise ValueError(x)
            return x
        try:
            y = safe(-1)
        except ValueError:
            y = "caught"
        result = (flag, done, y if y == "caught" else "caught")
    """,
    "walrus, conditional, chained comparison": """
        if (n := 5) > 3 and 0 < n < 10:
            kind = "in" if n != 4 else "out"
        result = (n, kind, not n, n or 1, None or "x", 1 < 3 < 2)
    """,
    "math": """
        import math, itertools, copy
        a = [1, [2]]
        b = copy.deepcopy(a)
        b[1].append(3)
        result = (math.ceil(7 / 2), math.prod([2, 3]), int(math.log2(8)), divmod(7, 2), max(3, 9, 4), min([2, 1]), a,
                  list(itertools.chain([1], (2,))), list(itertools.product("ab", repeat=2)), round(2.567, 1), -7 // 2, 2 ** 5)
    """,
}


def python_value(value):
    value = unwrap(value)
    if isinstance(value, (ListVal, SetVal)):
        assert value.rest is None
        return type([])(map(python_value, value.items))
    if isinstance(value, DictVal):
        return {k: python_value(v) for k, v in value.items.items()}
    if isinstance(value, tuple):
        return tuple(map(python_value, value))
    assert not isinstance(value, (Unknown, InstanceVal)), value
    return value


@pytest.mark.parametrize("source", SNIPPETS.values(), ids=SNIPPETS)
def test_result_is_pythons(source):
    namespace: dict = {"__name__": "__main__"}
    exec(textwrap.dedent(source), namespace)
    assert python_value(values(source)["result"]) == namespace["result"]


ODD = [
    "async def f():\n    async with x as y:\n        await y\n    async for z in y: yield z\nawait_ = f()",
    "exec('x = 1')\ny = eval('2')\n",
    "class M(type):\n    def __call__(cls): return super().__call__()\nclass C(metaclass=M): pass\nc = C()",
    "def f(): return f()\nf()",
    "def f(x): return g(x)\ndef g(x): return f(x)\nf(1)",
    "x = " + " + ".join(["1"] * 300),
    "x = " + "[" * 60 + "]" * 60,
    "a = b = c = undefined_name.attr[3](4)\ndel a\nglobal b\nx: int\ny: list[int] = []\nassert x\nraise ValueError",
    "while unknown(): pass\nelse: x = 1",
    "for i in range(10**9): total = i",
    "try:\n    pass\nexcept* ValueError as e:\n    pass\nfinally:\n    x = 1",
    "print(*args, **kwargs, sep='')\nlambda *a, **k: (yield)",
    "x = 10 ** 10 ** 10\ny = 1 << 10**9\nz = 'a' * 10**12\nw = 1 / 0",
    "import a.b.c, d as e\nfrom . import f\nfrom .. import *\nfrom g import (h as i,)",
    "class A(B, *C, **D): x = A\nclass E(E): pass",
    "def f(a, /, b, *, c): ...\nf()\nf(1, 2, 3, d=4)",
    "x = {**a, 'b': 1, [1]: 2}\ny = {*a, 1}\nz = x[1:2, ..., None]",
    "@a.b(c)\n@d\ndef f(): pass\n@e\nclass C: pass",
    "match x:\n    case Point(x=0): pass\n    case [1, *_] | None: pass\n    case a.b: pass",
    "with open('f') as f, g() as (h, i): pass",
    "x = not -~+1 if True else (yield)",
    "def f():\n    nonlocal_ = 1\n    def g():\n        "
    "nonlocal nonlocal_\n        nonlocal_ = 2\n    g()\n    return nonlocal_\nr = f()",
]


@pytest.mark.parametrize("source", ODD, ids=range(len(ODD)))
def test_odd_source_is_executed_without_failure(source):
    values(source)


@pytest.mark.parametrize("expression", ["2 ** n", "1 << n", "n | 1", "(n + 1) ** n"])
def test_integers_that_are_not_known_make_integers(expression: str):
    found = values(f"def f(n: int):\n    return {expression}\nimport sys\nresult = f(len(sys.argv))")["result"]
    assert isinstance(found, DimExpr)


@pytest.mark.parametrize("expression", ["2 ** (-1 - n)", "n / 2", "2.0 ** n"])
def test_quotients_and_negative_powers_are_no_integers(expression: str):
    found = values(f"def f(n: int):\n    return {expression}\nimport sys\nresult = f(len(sys.argv))")["result"]
    assert isinstance(found, UnknownFloat)
