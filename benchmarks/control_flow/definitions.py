"""Statements, classes and functions about Python objects, as templates of the kinds that ``expressions`` names.

``<#>`` is a number of its own for every use of a template, ``<*n>`` the target of an assignment to a variable of a kind.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final


def _templates(name: str) -> tuple[str, ...]:
    """The templates of a file, between lines of dashes."""
    text = (Path(__file__).parent / "templates" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(text.removesuffix("\n").split("\n---\n"))


SIMPLE: Final = (
    "<*n> = <n>", "<*n> = <n>", "<*n> = <n>", "<*x> = <x>", "<*s> = <s>", "<*s> = <s>", "<*b> = <b>", "<*b> = <b>",
    "<*c> = <c>", "<*g> = <g>", "<*m> = <m>", "<*u> = <u>", "<*v> = <v>", "<*q> = <q>", "<*k> = <k>", "<*k> = <k>",
    "<*t> = <t>", "<*t> = <t>", "<*n> += <n>", "<*n> -= <i>", "<*n> //= <j>", "<*n> %= <j>", "<*x> *= <x>", "<*s> += <s>",
    "<*n> = <*n> = <n>", "<*b> = <*b> = <b>", "<B>.append(<n>)", "<B>.append(<n>)", "<B>.extend(<b>)", "<B>.insert(<n>, <n>)",
    "<B>.pop(<i>)", "<*n> = <B>.pop()", "<B>.remove(<n>)", "<B>.sort()", "<B>.sort(key=lambda i: -i)",
    "<B>.sort(reverse=<q>)", "<B>.reverse()", "<B>[<i>] = <n>", "<B>[-1] = <n>", "<B>[<i>:<j>] = <b>",
    "<B>[::2] = [<n>] * len(<B>[::2])", "del <B>[<i>]", "del <B>[<i>:]", "<B> += <b>", "<B> *= 2", "<B>[<i>] += <n>",
    "<B>.clear()", "<*b> = <B>", "<M>[<w>] = <n>", "<M>.update(<m>)", "<M>.update(a=<n>)", "<M>.setdefault(<w>, <n>)",
    "del <M>[<w>]", "<*n> = <M>.pop(<w>)", "<M>[<w>] += 1", "<M> |= <m>", "<M>.popitem()", "<M>.clear()",
    "<M>.update(zip(<c>, <b>))", "<*s>, <*n> = <M>.popitem()", "<*m> = <M>", "<V>.add(<n>)", "<V>.discard(<n>)", "<V> |= <v>",
    "<V> -= <v>", "<V>.remove(<n>)", "<V>.update(<b>)", "<V> &= <v>", "<C>.append(<s>)", "<*n>, <*n> = <n>, <n>",
    "<*n>, *<*b> = <b>", "*<*b>, <*n> = <u>", "(<*n>, <*n>), <*s> = (<n>, <n>), <s>", "<*n>, <*n> = <N>, <N>",
    "<B>[0], <B>[1] = <B>[1], <B>[0]", "<*n>, <*n> = <u>", "<*n>, <*n> = divmod(<n>, <j>)", "[<*n>, (<*n>, *_)] = <n>, <b>",
    "<*s>, *<*c> = <s>", "<G>[<i>].append(<n>)", "<G>[0][0] = <n>", "<*b> = <G>[<i>]", "<G>.append(<B>)", "<G>[<i>] = <b>",
    "<G>[-1] += <b>", "<G>.append([])", "<K>.n = <n>", "<K>.n += <n>", "setattr(<K>, <w>, <n>)",
    "setattr(<K>, f'n_{<N>}', <n>)", "<K>.b.append(<n>)", "<K>.m[<w>] = <n>", "<K>.__dict__.update(<m>)",
    "vars(<K>)[<w>] = <n>", "del <K>.n", "delattr(<K>, 's')", "<K>.b = <b>", "<K>.b = <B>", "<K>.b += <b>",
    "type(<K>).n = <n>", "K0.count += 1", "K1.n = <n>", "<K>.linked = <K>", "<K>.put(<n>)", "<K>.put(<n>)",
    "<*n> = <K>.put(<n>)", "<K>[<i>] = <n>", "<K>.s = <s>", "<K>.m = <m>", "<K>.m.update(<m>)", "<K>.value = <n>",
    "<*n> = <K>.value", "K0.items.append(<n>)", "<*b> = <K>.b", "K1.step = lambda self, n: n + <i>",
    "<K>.step = lambda n: n * <i>", "<K>.half = <n>", "<*k> = <K> + <k>", "<*k>, <*k> = <K>, <K>",
    "<*b> = [k.n for k in (k0, k1, k2)]", "<*n> = sum(k.n for k in {id(k): k for k in (k0, k1, k2)}.values())", "assert <q>",
    "for k in [<K>, <K>]: k.n += <i>", "for name in ('n', 'p', 'q'): setattr(<K>, name, <n>)",
    "for i, name in enumerate(<c>): setattr(<K>, f'n_{i}', i)", "for name, value in <m>.items(): setattr(<K>, name, value)",
    "<*b> = [getattr(<K>, f'n_{i}', i) for i in range(4)]", "<K>.rate = <x>", "with <K> as n: <*n> = n",
    "with suppress(AttributeError): <*n> = <K>.zz", "print(*<b>, sep=<s>)", "<T>[0] = 1", "if (n := <n>) > <i>: <*n> = n",
    "while (n := len(<B>)) > 3: <B>.pop()", "<*n> = n0 if (n := <n>) else n",
    "d = defaultdict(list); [d[i % 2].append(i) for i in <b>]; <*g> = list(d.values())",
    "d = defaultdict(int)\nfor i in <s>:\n    d[i] += 1\n<*m> = dict(d)",
    "d = {}\nfor i in <b>:\n    d.setdefault(i % 2, []).append(i)\n<*g> = list(d.values())",
    "d = defaultdict(lambda: <n>); d['a'] += 1; <*m> = dict(d)",
    "d = deque(<b>); d.appendleft(<n>); d.rotate(1); <*b> = list(d)",
    "c = Counter(<s>); c.update('ab'); c['a'] -= 1; <*m> = dict(c)", "it = iter(<b>); <*n> = next(it); <*b> = list(it)",
    "it = iter(<b>); <*g> = [list(i) for i in zip(it, it)]",
    "it = (i * <i> for i in <b>); <*n> = next(it, 0); <*n> = sum(it)", "it = map(abs, <b>); <*b> = list(it); <*b> = list(it)",
    "it = zip(<b>, <b>); <*n> = len(list(it)) + len(list(it))", "it = reversed(<B>); <*n> = next(it); <*b> = list(it)",
    "it = enumerate(<B>); next(it, None); <*b> = [i for i, _ in it]", "it = iter(<B>); <*b> = [i + next(it, 0) for i in it]",
    "<*b> = []\nfor i in <b>:\n    if i % 2: continue\n    <B>.append(i)",
    "a, b = itertools.tee(<b>); next(b, None); <*b> = [i + j for i, j in zip(a, b)]",
    "items = [<K>, <K>]; items[0].n = <n>; <*n> = items[1].n",
    "layers = []\nfor i in <b>[:3]:\n    layers.append(torch.zeros(i % 3, <j>))\n<*t> = torch.cat(layers)",
    "o = D1(<n>); o.b.append(<n>); <*b> = o.b + D1(<n>).b", "a = b = D1(<n>); b.n = <n>; <*n> = a.n",
    "fs = [lambda: i for i in <b>]; <*b> = [f() for f in fs]",
    "fs = []\nfor i in <b>:\n    fs.append(lambda j=i: i - j)\n<*b> = [f() for f in fs]",
    "a, b = copy.copy(<G>), copy.deepcopy(<G>); a[0].append(<n>); b[0].append(<n>); <*g> = [a[0], b[0]]",
    "f = <K>.step; <*n> = f(<n>)", "f = K0.step; <*n> = f(<K>, <n>)", "f = getattr(<K>, 'st' + 'ep'); <*n> = f(<n>)",
    "<*b> = list(map(<K>.step, <b>))", "f = operator.attrgetter('n'); <*n> = f(<K>)",
    "f = operator.methodcaller('step', <n>); <*n> = f(<K>)",
    "f = {'a': abs, 'b': lambda n: n - 1}.get(<w>, int); <*n> = f(<n>)", "cls = [K0, K1][<q>]; <*k> = cls(<n>)",
    "cls = {'a': K0}.get(<w>, K1); <*k> = cls(<n>)", "cls = globals()[f'K{<N> % 2}']; <*k> = cls(<n>)",
    "cls = type('K9', (K1,), {'n': <n>, 'step': lambda self, n: n}); <*n> = cls().step(<n>)",
    "o = SimpleNamespace(**<m>, z=<n>); <*n> = o.z; <*m> = vars(o)", "<*n> = eval('<N> + 1')",
    "locals_ = dict(a=<n>); <*n> = '{a}'.format(**locals_) and locals_['a']", "<*m> = json.loads(json.dumps(<m>))",
)  # fmt: skip
#: Parts of statements with blocks, one block after each.
BLOCKS: Final = (
    ("if <q>:",), ("if <q>:", "else:"), ("if <q>:", "elif <q>:", "else:"), ("if <q>:",), ("for i in <b>:",),
    ("for i in range(<n> % 4):",), ("for i, s in enumerate(<c>):", "else:"), ("for name, i in <m>.items():",),
    ("for i, j in zip(<b>, <u>):",), ("for k in (<K>, <K>):",), ("for i in sorted(<v>):",), ("for i in list(<B>):",),
    ("for i in <k>:",), ("for i, (name, j) in enumerate(<m>.items()):",), ("for i in reversed(<b>[:]):",), ("for row in <g>:",),
    ("for i in E1:",), ("for i in <b>[:2]:", "else:"), ("try:", "except Exception:"),
    ("try:", "except (KeyError, IndexError):"), ("try:", "finally:"),
    ("try:", "except (AttributeError, TypeError, ValueError):", "else:"), ("try:", "except Exception as error:", "finally:"),
    ("with suppress(KeyError, IndexError, ValueError):",), ("with entered(<n>) as i:",), ("with <K> as i:",),
    ("with entered(<n>), suppress(ValueError):",), ("for i in itertools.count(<i>):\n    if i > 4: break",),
    ("for i in map(abs, <b>):",), ("for i in (j for j in <b> if j > <i>):",), ("for _ in range(<j>):",),
    ("for i in range(<j>):\n    if i == <n>: break", "else:"), ("for i in range(4):\n    if <q>: continue",),
)  # fmt: skip
#: Subjects of ``match``, and their cases.
MATCHES: Final = (
    ("<n>", ("case 0:", "case 1 | 2:", "case i if i > 3:", "case int():", "case _:")),
    ("<b>", ("case []:", "case [i]:", "case [i, *_] if i > 2:", "case [_, i, *rest]:", "case _:")),
    ("<m>", ("case {'a': i}:", "case {'b': 1 | 2 as i, **rest}:", "case {}:")),
    ("(<n>, <s>)", ("case (0, _):", "case (i, 'ab'):", "case (int() as i, str()):")),
    ("<k>", ("case K1(n=1):", "case K1(n=i):", "case K0(n=i) if i > 2:", "case _:")),
    ("D1(<n>)", ("case D1(1):", "case D1(n=2 | 3):", "case D1(i, 'd'):")),
    ("<s>", ("case 'a' | 'b':", "case 'ab':", "case str():")),
    ("E1(<i>)", ("case E1.low:", "case E1.mid | E1.high:")),
)  # fmt: skip
#: What functions are called with stands behind their definitions.
FUNCTIONS: Final = _templates("functions")
#: How the first class comes to its attributes, and one derived from it.
STARTS: Final = _templates("starts")
CONTINUED: Final = ("", *_templates("continued"))
#: The same of a dataclass.
RECORD: Final = (
    "n: int = <i>\n"
    "s: str = 'da'\n"
    "b: list = field(default_factory=list)\n"
    "m: dict = field(default_factory=lambda: {'a': <i>})\n"
    "\n"
    "def __post_init__(self):\n"
    "    self.b.append(self.n)"
)
#: The methods of the classes, of which the first class has one version each, and those derived have some.
METHODS: Final[dict[str, tuple[str, ...]]] = {
    "__len__": ("return len(self.b)", "return abs(self.n) % 5 + 1", "return len(self.b) + len(self.m)"),
    "__iter__": (
        "return iter(self.b)", "yield from self.b", "for i in self.b:\n    yield i + 1", "return (i * 2 for i in self.b)",
        "yield self.n\nyield from self.b",
    ),
    "__getitem__(self, i)": (
        "return self.b[i]", "return [self.n, *self.b][i]",
        "if isinstance(i, str):\n    return self.m[i]\nreturn self.b[i] + 1",
    ),
    "__setitem__(self, i, value)": ("self.b[i] = value", "self.b[i % len(self.b)] = value - 1"),
    "__call__(self, n, *args, **kwargs)": (
        "return n + self.n", "return self.step(n, *args, **kwargs)", "self.n += n\nreturn self.n", "return sum(args, n)",
    ),
    "step(self, n)": (
        "return self.n + n", "self.n += n\nreturn self.n", "return n * <i> + len(self.b)",
        "return self.b[n % len(self.b)] if self.b else n", "if n > 3:\n    return self.step(n - 2)\nreturn n", "return <n>",
    ),
    "put(self, n)": (
        "self.b.append(n)\nreturn len(self.b)", "self.items.append(n)\nself.count += 1\nreturn self.count",
        "self.m[str(n)] = n", "self.b = [*self.b, n]", "type(self).count += n\nreturn K0.count", "self.n = n\nreturn self",
        "self.items = self.items + [n]",
    ),
    "@property half": (
        "return self.n // 2", "return -self.n // 2", "return sum(self.b)",
        "return self._half if hasattr(self, '_half') else 0",
    ),
    "@property value": ("return self.m.get('v', self.n)", "return getattr(self, '_value', <i>)"),
    "@value.setter value(self, value)": ("self.m['v'] = value", "self._value = value * 2"),
    "@property is_odd": ("return self.n % 2 == 1", "return bool(self.b)"),
    "@property rate": ("return self.n / 4", "return self.n * 0.5"),
    "@property mean": ("return sum(self.b) / (len(self.b) or 1)",),
    "@property pair": ("return self.n, len(self.b)", "return (self.n, *self.b)"),
    "@property label": (
        "return f'{self.s}-{self.n}'", "return self.s * 2", "return type(self).__name__ + self.s",
        "return '%s%02d' % (self.s, self.n)",
    ),
    "@staticmethod base(n)": ("return n + 2", "return n * 3 % 7"),
    "@staticmethod scale(n, by=2)": ("return n * by", "return n // by"),
    "@classmethod make(cls, n)": (
        "return cls(n)", "cls.count += 1\nreturn cls(n + cls.count)", "self = cls()\nself.n = n\nreturn self",
        "return cls(cls.limit + n)",
    ),
    "all": (
        "yield self.n\nyield from self.b",
        "for name in ('a', 'b'):\n    if name in self.m:\n        yield self.m[name]\nyield 1",
        "return [*self.b, *self.m.values()]",
    ),
    "named(self, s)": ("return self.s + s", "return s.join([self.s, self.label])", "return getattr(self, 'label') + s"),
    "__enter__": ("self.n += 1\nreturn self.n", "return self.n"),
    "__exit__(self, *error)": ("self.n -= 1", "self.b.append(len(error))\nreturn False", "return True"),
    "__add__(self, other)": (
        "return type(self)(self.n + other.n)", "out = copy.copy(self)\nout.n = self.n + other.n\nreturn out",
    ),
    "__contains__(self, n)": ("return n in self.b",),
    "__str__": ("return f'{self.s}:{self.n}'", "return 'K' + str(self.b)"),
    "__repr__": ("return f'{type(self).__name__}({self.n})'", "return f'<{self.n!r} {self.s!r}>'"),
    "__eq__(self, other)": ("return self.n == other.n", "return isinstance(other, K0) and self.b == other.b"),
    "__bool__": ("return self.n > 2",),
}  # fmt: skip
#: Methods that derived classes have.
FURTHER: Final[dict[str, tuple[str, ...]]] = {
    "step(self, n)": (
        "return super().step(n) + 1", "return super().step(super().step(n))", "self.b.append(n)\nreturn super().step(n)",
        "return super(K1, self).step(n=n)",
    ),
    "__len__": ("return super().__len__() + 1",),
    "@property half": ("return super().half + 1",),
    "@property label": ("return super().label.upper()",),
    "@classmethod make(cls, n)": ("return super().make(n + 1)",),
    "all": ("yield from super().all()\nyield 0",),
    "__getattr__(self, name)": ("if name.startswith('n_'):\n    return int(name[2:])\nraise AttributeError(name)",),
    "put(self, n)": ("super().put(n)\nreturn self",),
    "__str__": ("return super().__str__() + '!'",),
}  # fmt: skip
#: Methods that not every class has.
RARE: Final = ("__bool__", "__eq__(self, other)", "__str__", "__contains__(self, n)")
