"""Objects of classes derived from ``dict`` and ``list``, and namespaces, against Python itself."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.ir.values import unwrap
from tests.lower.tracing import lower, values

CLASSES = {
    "reads itself": """
class {0}(dict):
    def __getattr__(self, k):
        return self[k]
    def __setattr__(self, k, v):
        self[k] = v
""",
    "methods of dict": """
class {0}(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
""",
    "own dict": """
class {0}(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self
""",
    "both": """
class {0}(dict):
    def __init__(self, d=None, **kwargs):
        for k, v in {{**(d or {{}}), **kwargs}}.items():
            setattr(self, k, v)
    def __setattr__(self, k, v):
        super().__setattr__(k, v)
        super().__setitem__(k, v)
    __setitem__ = __setattr__
""",
    "raising": """
class {0}(dict):
    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k)
    def __setattr__(self, k, v):
        self[k] = v
""",
    "ordered": """
from collections import OrderedDict
class {0}(OrderedDict):
    def __getattr__(self, k):
        return self[k]
    def __setattr__(self, k, v):
        self[k] = v
""",
    "derived": """
class Base(dict):
    def __getattr__(self, k):
        return self[k]
    def __setattr__(self, k, v):
        self[k] = v
class {0}(Base):
    pass
""",
}
USES = {
    "keywords": """
c = {0}(width=3, depth=4)
out = c.width, c['depth'], len(c)
""",
    "a dict": """
c = {0}({{'width': 3}})
out = c.width
""",
    "set": """
c = {0}()
c.width = 3
c['depth'] = c.width + 1
out = c['width'], c.depth
""",
    "nested": """
c = {0}(model={0}(width=3))
c.model.width += 2
out = c.model.width, c['model']['width']
""",
    "methods": """
c = {0}(a=3, b=4)
out = [k for k in c], sorted(c.values()), c.get('z', 9), 'a' in c, 'z' in c
""",
    "spread": """
def f(a, b):
    return a * b
c = {0}(a=3, b=4)
out = f(**c), {{**c, 'x': 1}}, dict(c)
""",
    "helper": """
def make(**given):
    return {0}(given)
def read(c):
    return c.a - c['b']
out = read(make(a=3, b=4))
""",
    "update": """
c = {0}(a=3)
c.update(b=4)
c.update({{'a': 5}})
out = c['a'], c['b'], bool(c), bool({0}())
""",
}
OTHERS = {
    "a list": """
class L(list):
    def first(self):
        return self[0]
l = L([3, 4])
l.append(5)
out = l.first(), len(l), [x + 1 for x in l], l[-1]
""",
    "a list without a call": """
class L(list):
    def __init__(self):
        self.n = 2
l = L()
l.append(5)
out = l.n, l[0]
""",
    "user dict": """
from collections import UserDict
class U(UserDict):
    def __getattr__(self, k):
        return self.data[k]
u = U(n=3)
out = u['n'], u.data['n'], list(u)
""",
    "namespace": """
import argparse
class N(argparse.Namespace):
    pass
out = N(n=3).n, vars(N(k=4))
""",
    "own items": """
class D(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k, v * 2)
d = D(a=1)
d['b'] = 3
out = dict(d)
""",
    "own get": """
class D(dict):
    def __missing__(self, k):
        return 7
    def __getitem__(self, k):
        return super().__getitem__(k) if k in self else 7
d = D(a=1)
out = d['a'], d['q']
""",
    "replaced": """
class D(dict):
    pass
d = D(a=1)
e = D(d)
e['a'] = 2
out = d['a'], e['a'], isinstance(e, dict)
""",
}


def plain(value):
    from dllint.ir.values import DictVal, ListVal

    value = unwrap(value)
    if isinstance(value, ListVal):
        return [plain(item) for item in value.items]
    if isinstance(value, DictVal):
        return {key: plain(item) for key, item in value.items.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def agrees(program):
    names: dict = {}
    exec(program, names)
    assert plain(values(program)["out"]) == names["out"]


@pytest.mark.parametrize(("cls", "use", "name"), list(product(CLASSES, USES, ["Config", "AttrDict"])))
def test_dicts_with_attributes(cls, use, name):
    agrees((CLASSES[cls] + USES[use]).format(name))


@pytest.mark.parametrize("program", OTHERS.values(), ids=OTHERS)
def test_other_containers(program):
    agrees(program)


@pytest.mark.parametrize("cls", CLASSES)
def test_what_is_given_elsewhere_is_not_known(cls):
    program = "from elsewhere import given\n" + CLASSES[cls].format("C") + "c = C(**given)\nout = c.width\nhas = 'a' in c\n"
    lowered = lower(program)
    found = lowered.module.attrs
    assert not isinstance(unwrap(found["out"]), (int, str, type(None)))
    assert found["has"] not in (True, False)
