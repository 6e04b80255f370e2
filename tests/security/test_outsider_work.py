"""Attacks of an outsider: programs, small to read, that would take for ever, or all memory, or break what follows them."""

# ruff: noqa: E501 - what is sent or written stands on one line
from __future__ import annotations

from pathlib import Path

import pytest

from tests.security.outsider import FAULTY, check, project, sound

H = "import torch\nfrom torch import nn\nimport numpy as np\n"
#: Programs by what they attack. All are checked in one run, from which nothing may be lost.
A: dict[str, str | bytes] = {}

A["deep_parens"] = "x = " + "(" * 3000 + "1" + ")" * 3000 + "\n"
A["deep_list"] = "x = " + "[" * 90 + "1" + "]" * 90 + "\n"
A["long_binop"] = H + "x = torch.ones(3)" + " + torch.ones(3)" * 5000 + "\n"
A["long_attr"] = H + "x = torch" + ".a" * 20000 + "\n"
A["long_call"] = H + "x = torch.ones(3)" + ".relu()" * 5000 + "\n"
A["long_subscript"] = "x = y" + "[0]" * 5000 + "\n"
A["unary"] = "x = " + "-" * 5000 + "1\n"
A["nots"] = "x = " + "not " * 5000 + "1\n"
A["elif"] = H + "if a == 0:\n    x = 0\n" + "".join(f"elif a == {i}:\n    x = torch.ones({i})\n" for i in range(2000))
A["nested_if"] = H + "".join(" " * i + f"if a{i}:\n" for i in range(95)) + " " * 95 + "x=torch.ones(3)\n"
A["nested_def"] = H + "".join(" " * i + f"def f{i}():\n" for i in range(95)) + " " * 95 + "x=torch.ones(3)\n"
A["nested_class"] = H + "".join(" " * i + f"class C{i}(nn.Module):\n" for i in range(95)) + " " * 95 + "x=torch.ones(3)\n"
A["nested_lambda"] = H + "f = " + "lambda x: " * 90 + "torch.ones(x)\nf(3)\n"
A["exp_decor"] = (
    H
    + "def d(f):\n    def g(x):\n        return f(f(x))\n    return g\n"
    + "@d\n" * 60
    + "def f(x):\n    return x.relu()\nf(torch.ones(3))\n"
)
A["ackermann"] = (
    "def a(m,n):\n    if m==0: return n+1\n    if n==0: return a(m-1,1)\n    return a(m-1,a(m,n-1))\nimport torch\ntorch.ones(a(4,4)).view(7)\n"
)
A["pow"] = H + "x=9**9**9**9\ntorch.ones(x)\ny=2**(10**7)\ntorch.ones(y)\nz=str(y)\nw=int('9'*100000)\n"
A["shift"] = H + "x=1<<(1<<62)\ny=1<<10**10\nz=10**5000\nprint(z, f'{z}', '%d'%z, str(z), z//3, -z>>3)\ntorch.ones(z)\n"
A["strrep"] = (
    H
    + "s='a'*10**12\nt=s*10**12\nl=[0]*10**12\nm=(0,)*10**11\nb=b'x'*10**13\nr=list(range(10**12))\nq=' '.join(map(str,range(10**9)))\n"
)
A["strfmt"] = (
    "a='%*d'%(10**10,1)\nb=f'{1:{10**10}}'\nc='{:>10000000000}'.format(1)\nd='x'.ljust(10**11)\ne='x'.center(10**11)\nf='\\t'.expandtabs(10**11)\ng='x'.zfill(10**11)\nh=f'{1:>99999999999}'\ni=format(1,'99999999999')\nj='{0:{1}}'.format(1,10**11)\nk=f'{1.0:.99999999999f}'\nl='%.9999999999f'%1.0\nm=f'{1:09999999999d}'\nimport torch\n"
)
A["strdouble"] = (
    "s='a'\nfor i in range(100):\n    s=s+s\nfor i in range(100):\n    s=s.replace('a','aa')\nl=[1]\nfor i in range(100):\n    l=l+l\n    l.extend(l)\nd={}\nwhile True:\n    d[len(d)]=d\n    if len(d)>10**9: break\nimport torch\n"
)
A["strjoin"] = "s='a'*1000\nfor i in range(12):\n    s=s.join(s)\nimport torch\n"
A["strsplit"] = "s=','*10**6\nl=s.split(',')\nm=[l]*1000\nn=[x for y in m for x in y for z in y]\nimport torch\n"
A["strtranslate"] = "s='a'*10**4\nt={97:'a'*10**4}\nfor i in range(9):\n    s=s.translate(t)\nimport torch\n"
A["comp_exp"] = (
    "x=["
    + " ".join(f"for a{i} in range(10)".join(["", ""]) for i in range(0))
    + "1 "
    + " ".join(f"for a{i} in range(10)" for i in range(15))
    + "]\nimport torch\n"
)
A["comp_big"] = (
    "x=[i for i in range(10**9)]\ny={i:j for i in range(10**5) for j in range(10**5)}\nz=sum(i for i in range(10**10))\nimport torch\n"
)
A["fstring_nest"] = "x = 1\ny = " + "f'{x}'" * 20000 + "\nz = f'" + "{x}" * 20000 + "'\n"
A["fstring_deep"] = "y = f'{" * 1 + "x:" + "{x}" * 500 + "}'\n"
A["implicit_concat"] = "y = (" + "'a'\n" * 30000 + ")\n"
A["annot_deep"] = (
    H + "def f(x: " + "list[" * 90 + "int" + "]" * 90 + "): ...\nx: " + "dict[int, " * 90 + "int" + "]" * 90 + "\n"
)
A["annot_union"] = H + "def f(x: " + " | ".join(["int"] * 3000) + "):\n    return torch.ones(x)\n"
A["match_exp"] = (
    H
    + "match x:\n"
    + "".join(f"    case {{'a':[{','.join('1|2|3' for _ in range(60))}]}}:\n        y=torch.ones({i})\n" for i in range(100))
)
A["match_deep"] = (
    H
    + "match x:\n    case "
    + "[" * 80
    + "1"
    + "]" * 80
    + ":\n        y=torch.ones(3)\n    case "
    + "|".join(str(i) for i in range(5000))
    + ":\n        pass\n"
)
A["if_paths"] = (
    H
    + "x=torch.ones(3)\n"
    + "".join(f"if c{i}:\n    x=torch.cat([x,x])\nelse:\n    x=x.relu()\n" for i in range(300))
    + "x.view(7)\n"
)
A["if_tuples"] = (
    H
    + "def f(a):\n"
    + "    s=1\n"
    + "".join(
        f"    if a[{i}]:\n        s=s*{p}\n"
        for i, p in enumerate([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71] * 5)
    )
    + "    return torch.ones(s).view(s+1)\nf(u)\n"
)
A["dimarith"] = (
    H
    + "def f(x):\n    b,c,h,w=x.shape\n"
    + "".join(f"    h=(h*w+{i})//2; w=(w*h+b)//3; c=(c+h)*(w+b); b=(b*c+h*w)\n" for i in range(60))
    + "    return x.view(b,c,h,w)\nf(torch.ones(p,q,r,s))\nf(u)\n"
)
A["dimpow"] = H + "def f(x):\n    n=x.shape[0]\n" + "    n=(n+1)*(n+2)\n" * 60 + "    return torch.ones(n).view(n+1)\nf(u)\n"
A["dimsum"] = (
    H
    + "def f("
    + ",".join(f"a{i}" for i in range(250))
    + "):\n    n="
    + "*".join(f"(a{i}.shape[0]+{i})" for i in range(250))
    + "\n    return torch.ones(n).view(n+1)\n"
)
A["manydims"] = (
    H
    + "x=torch.ones("
    + ",".join("2" for i in range(5000))
    + ")\ny=x.permute(*range(4999,-1,-1))\nz=x+y\nw=x.reshape(-1).view(7)\n"
)
A["einsum"] = (
    H + "x=torch.einsum('" + ",".join("abcdefghijklmnopqrstuvwxyz" for _ in range(3000)) + "->a',*[torch.ones(*[2]*26)]*3000)\n"
)
A["einops"] = (
    "from einops import rearrange\nimport torch\nx=rearrange(torch.ones(3),'"
    + "(" * 5000
    + "a"
    + ")" * 5000
    + " -> a')\ny=rearrange(torch.ones(2,3),'"
    + "(a " * 3000
    + "')\n"
)
A["starargs"] = H + "def f(*a,**k):\n    return f(*a,*a,**k)\nf(torch.ones(3))\n"
A["selfcontain"] = (
    H + "l=[]\nl.append(l)\nl==l\nprint(l)\nt=(l,l)\nd={'a':l}\nd['d']=d\nl.extend(l)\nnn.Sequential(*l)\nnn.ModuleList(l)\n"
)
A["mro"] = (
    H
    + "class A(nn.Module): pass\nclass B(A): pass\nclass C(A,B): pass\nclass D(D): pass\nclass E(C,B,A,C): pass\nclass F(type): pass\nclass G(metaclass=F): pass\nclass X(Y): pass\nclass Y(X): pass\nx=C();x(torch.ones(3));D()();X()(3)\nclass Y(X): pass\nclass X(Y): pass\nX()(torch.ones(3))\n"
)
A["mro_diamond"] = (
    H
    + "class A0(nn.Module): pass\nclass B0(nn.Module): pass\n"
    + "".join(f"class A{i}(A{i - 1},B{i - 1}): pass\nclass B{i}(A{i - 1},B{i - 1}): pass\n" for i in range(1, 60))
    + "A59()(torch.ones(3))\nB59().forward(1)\n"
)
A["mro_chain"] = (
    H
    + "class A0(nn.Module):\n    def forward(self,x): return x\n"
    + "".join(
        f"class A{i}(A{i - 1}):\n    def forward(self,x): return super().forward(super().forward(x))\n" for i in range(1, 300)
    )
    + "A299()(torch.ones(3))\n"
)
A["bases_many"] = (
    H
    + "".join(f"class A{i}: pass\n" for i in range(2000))
    + "class B("
    + ",".join(f"A{i}" for i in range(2000))
    + ",nn.Module): pass\nB()(torch.ones(3))\n"
)
A["getattr_rec"] = (
    H
    + "class A(nn.Module):\n    def __getattr__(self,n): return getattr(self,n+n)\n    def __call__(self,x): return self(x)\n    def __len__(self): return len(self)\n    def __add__(self,o): return o+self\n    __radd__=__add__\n    @property\n    def p(self): return self.p\n    def __iter__(self): return iter(self)\n    def __getitem__(self,i): return self[i]\n    def __eq__(self,o): return o==self\n    def __hash__(self): return hash(self)\n    def __bool__(self): return bool(self)\na=A()\na.x;a(1);len(a);a+a;a.p;list(a);a[0];a==a;hash(a);{a:1};bool(a);not a\nfor i in a: pass\nx,*y=a\n"
)
A["seqbig"] = (
    H
    + "m=nn.Sequential(*[nn.Linear(10,10) for _ in range(10**6)])\nm(torch.ones(3,10))\nn=nn.ModuleList([m]*1000)\nfor a in n:\n    for b in a: b(torch.ones(3,11))\n"
)
A["seqnest2"] = H + "def mk(n):\n    return nn.Sequential(mk(n-1),mk(n-1)) if n else nn.Linear(3,3)\nmk(60)(torch.ones(3,3))\n"
A["line_long"] = H + "x=torch.ones(3).view(7) #" + "a" * 1900000 + "\n"
A["line_long_finding"] = H + "x=['" + "a" * 900000 + "',torch.ones(3).view(7),'" + "b" * 900000 + "']\n"
A["semis"] = ";".join(["x=1"] * 200000) + "\n"
A["newlines"] = "\n" * 49000 + "import torch\n"
A["backslashes"] = "x = \\\n" * 20000 + "1\n"
A["tabs"] = "if 1:\n\tif 1:\n        \tx=1\n"
A["globals"] = (
    H
    + "".join(
        f"def f{i}():\n    global g{(i + 1) % 400}\n    g{(i + 1) % 400}=f{(i + 1) % 400}()\n    return g{i}\n"
        for i in range(400)
    )
    + "f0()\n"
)
A["noqa_many"] = H + "x=1  " + "# noqa: DLT101 " * 20000 + "\n" + "y=1 # dllint: ignore[" + ",".join(["DLT101"] * 50000) + "]\n"
A["noqa_spaces"] = (
    H
    + "x=1 # dllint:"
    + " " * 300000
    + "ignore"
    + " " * 300000
    + "[\n"
    + "y=1 #"
    + " noqa" * 100000
    + "\n"
    + "z=1 # noqa:"
    + " " * 200000
    + "x\n"
    + "z=1 #"
    + " " * 200000
    + "\n"
)
A["range_comment"] = (
    H
    + "x=torch.ones(3) # dllint: range x in ["
    + "(" * 50000
    + "\n"
    + "".join(f"y{i}=torch.ones(3) # dllint: range y{i} in [1e{10**k},1e-{10**k}]\n" for i, k in enumerate(range(1, 8)))
    + "def f(x): # dllint: range "
    + "; ".join(f"x in [0,{i}]" for i in range(20000))
    + "\n    return x\n"
    + "z=1 # dllint: range z in ["
    + "9" * 100000
    + ", 1]\n"
)
A["range_digits"] = (
    H + "x=torch.ones(3) # dllint: range x in [0, " + "9" * 5000 + "]\ny=torch.log(x) # dllint: range y in [1e999999999, nan]\n"
)
A["bigint_literal"] = H + "x=" + "9" * 5000 + "\ntorch.ones(" + "9" * 4301 + ")\n"
A["bigint_fact"] = (
    H
    + "import math\nmath.factorial(10**7)\nmath.comb(10**7,5*10**6)\nmath.perm(10**7)\npow(3,10**9)\npow(3,10**18,10**18+1)\nmath.gcd(*[10**4000]*1000)\nmath.prod(range(1,10**7))\nmath.isqrt(10**1000000)\nmath.lcm(*range(1,10**6))\nsum([10**1000]*10**6)\nint('1'*10**6,7)\nx=10**4000\nfor i in range(30): x=x*x\ntorch.ones(x)\n"
)
A["walrus"] = "x = " + "".join("(y:=" for _ in range(80)) + "1" + ")" * 80 + "\n"
A["decor_long"] = H + "@" + "a." * 5000 + "b\ndef f(): pass\n"
A["del_all"] = (
    H
    + "import builtins\ndel torch, nn, np\nbuiltins.range=None\nglobals().clear()\nlocals()['x']=1\nimport sys\nsys.setrecursionlimit(10**9)\nsys.modules.clear()\nexit()\nraise SystemExit\n"
)
A["try_nest"] = (
    H
    + "".join(" " * i + "try:\n" for i in range(19))
    + " " * 19
    + "torch.ones(3).view(7)\n"
    + "".join(" " * i + "finally:\n" + " " * (i + 1) + "x=torch.ones(3)\n" for i in range(18, -1, -1))
)
A["try_nest_calls"] = (
    H
    + "def f():\n"
    + "".join(" " * (i + 1) + "try:\n" for i in range(19))
    + " " * 20
    + "torch.ones(3)\n"
    + "".join(" " * (i + 1) + "finally:\n" + " " * (i + 2) + "f()\n" for i in range(18, -1, -1))
    + "f()\n"
)
A["while_exp"] = (
    H
    + "x=torch.ones(1)\n"
    + "".join(" " * i + "while x.sum()>0:\n" + " " * (i + 1) + "x=torch.cat([x,x])\n" for i in range(18))
    + " " * 18
    + "x=x[1:]\n"
)
A["closure"] = (
    H
    + "def f(n):\n    return lambda x: f(n+1)(f(n+2)(x))\nf(0)(torch.ones(3))\nY=lambda g:(lambda x:x(x))(lambda x:g(lambda *a:x(x)(*a)))\nY(lambda s:lambda x:s(s(x)))(torch.ones(3))\n(lambda x:x(x))(lambda x:x(x))\n"
)
A["slices"] = (
    H
    + "x=torch.ones(10)\n"
    + "x=x["
    + "::," * 3000
    + "]\n"
    + "y=torch.ones(3)["
    + "None," * 3000
    + "]\nz=y"
    + "[...,None]" * 500
    + "\n"
)
A["reprs"] = (
    H
    + "x=[1]\nfor i in range(60): x=[x,x]\ny=str(x)\nz=repr(x)\nhash(tuple(x))\nx==x\nimport copy\ncopy.deepcopy(x)\nf'{x}'\nprint(x)\ntorch.tensor(x)\nnp.array(x)\nsorted(x)\n"
)
A["sortself"] = "x=list(range(10**6))\nfor i in range(1000):\n    x=sorted(x,key=lambda a:-a)\nimport torch\n"
A["unicode_ident"] = "import torch as 𝐭\n𝐭.ones(3).view(7)\nﬁ=1\nfi=ﬁ\n" + "".join(f"{'ａ' * 500}{i}=1\n" for i in range(500))
A["encoding_lie"] = b"# -*- coding: utf-7 -*-\nimport torch\n+AGEAYg-\n"
A["encoding_rot"] = b"# -*- coding: rot13 -*-\nvzcbeg gbepu\n"
A["encoding_idna"] = b"# coding: idna\n" + b"a" * 1000000
A["encoding_hex"] = b"# coding: hex\n61\n"
A["encoding_path"] = b"# coding: ../../etc/passwd\nimport torch\n"
A["encoding_null"] = b"# coding: a\x00b\nimport torch\n"
A["encoding_undefined"] = b"# coding: undefined\nimport torch\n"
A["encoding_mbcs"] = b"# coding: mbcs\nimport torch\n"
A["encoding_unicode_escape"] = b"# coding: unicode_escape\nimport torch\\n\\ud800\n"
A["encoding_utf16"] = "import torch\ntorch.ones(3).view(7)\n".encode("utf-16")
A["encoding_utf32"] = "import torch\ntorch.ones(3).view(7)\n".encode("utf-32")
A["bom2"] = b"\xef\xbb\xbf\xef\xbb\xbfimport torch\n"
A["nul"] = b"import torch\n\x00\ntorch.ones(3)\n"
A["formfeed"] = H + "\x0ctorch.ones(3).view(7)\x0c\n\x0b\n"
A["seps"] = H + "s='\u2028\u2029\x85\x1c\x1d'; torch.ones(3).view(7) # \u2028 x\n# \x0c a\r\r\n"
A["cr"] = "import torch\rtorch.ones(3).view(7)\r\n\rx=1\n\r"
A["surrogate"] = b"x='\xed\xa0\x80'\n"
A["surrogate_esc"] = (
    H
    + "x='\\ud800'\ntorch.ones(3).view(x)\ny={'\\udc80':nn.Linear(3,4)}\nm=nn.ModuleDict(y)\nm['\\udc80'](torch.ones(5,6))\nsetattr(m,'\\ud800',nn.Linear(3,4))\ngetattr(m,'\\ud800')(torch.ones(5,6))\nkeras=1\nnn.Linear(3,4)(torch.ones(3,5)) # \ud800\n".replace(
        "\ud800", ""
    )
)
A["nan"] = (
    H
    + "x=float('nan')\ntorch.ones(3)*x\ninf=float('inf')\ntorch.ones(int(1e308))\nint(inf)\nint(x)\nround(x)\n1/0\n1%0\n0**-1\n(-1)**.5\ntorch.ones(x).view(inf)\nrange(0,10,0)\nnn.Linear(inf,x)\nnn.Conv2d(-1,0,-5)(torch.ones(1,-1,0,0))\n1e308*10\n10**400/1.0\nfloat(10**400)\n-1<<-1\n1<<-1\ncomplex(1,x)//1 if 0 else 0\n"
)
A["format_attrs"] = (
    "x='{0.__class__.__mro__[1].__subclasses__}'.format(1)\ny='{'*100000\nz=y.format(1)\nw='%'*100000%()\nimport torch\n"
)
A["regex"] = (
    "import re\nx=re.match('(a+)+$','a'*100+'b')\ny=re.sub('(a|a)*b','', 'a'*1000)\nre.compile('('*1000)\nre.split('x*',('y'*10**6))\nimport torch\n"
)
A["many_params"] = (
    H
    + "def f("
    + ",".join(f"a{i}=torch.ones({i})" for i in range(3000))
    + "):\n    return a0\nf("
    + ",".join(f"a{i}=1" for i in range(2999, -1, -1))
    + ")\n"
)
A["loop_unpack"] = H + "a,b=1,2\nfor i in range(10**9):\n    a,b=b,(a,b)\n    x=torch.ones(3)\n"
A["set_ops"] = "s=set(range(10**8))\nt=frozenset(range(10**8))|s\nimport torch\n"
A["bytes_big"] = (
    "b=bytes(10**11)\nc=bytearray(10**11)\nd=b'a'.ljust(10**11)\nimport numpy as np\ne=np.arange(10**12)\nf=np.zeros((10**6,10**6)).tolist()\ng=np.ones(10**11).tobytes()\nimport torch\ntorch.arange(10**12).tolist()\nfor x in torch.arange(10**10): pass\nlist(torch.ones(10**10))\ntorch.ones(10**9).split(1)\ntorch.ones(10**9).unbind()\ntorch.ones(10**9).chunk(10**9)\n*a,=torch.ones(10**9)\n"
)
A["meshgrid"] = (
    H
    + "torch.meshgrid(*[torch.ones(10)]*100000)\ntorch.cartesian_prod(*[torch.ones(10)]*1000)\ntorch.broadcast_tensors(*[torch.ones(10)]*100000)\ntorch.tensor([[[0]*1000]*1000]*1000)\ntorch.eye(10**6).tolist()\nnp.array([[0]*10**5]*10**5)\nnp.pad(np.ones(3),10**12)\ntorch.ones(3).repeat(*[10]*1000)\ntorch.ones([2]*100000)\n"
)
A["dict_collide"] = (
    "d={}\nfor i in range(20000):\n    d[i*(2**61-1)]=1\nd={"
    + ",".join(f"{i * (2**61 - 1)}:1" for i in range(2000))
    + "}\nimport torch\n"
)
A["cat"] = H + "x=torch.ones(1)\nfor i in range(10):\n    x=torch.cat([x]*1000)\n    x=torch.stack([x]*10)\ny=x.view(7)\n"
A["fib"] = H + "def fib(n):\n    return fib(n-1)+fib(n-2) if n>1 else torch.ones(3)\nfib(200)\n"
A["names_many"] = H + "".join(f"v{i}=torch.ones({i % 7 + 1})\n" for i in range(1000))
A["findings_many"] = H + "torch.ones(3).view(7)\n" * 300
A["line_findings"] = H + ";".join(["torch.ones(3).view(7)"] * 300) + "\n"
for number, code in enumerate(
    (
        "def g():\n    yield from g()\n    while True: yield torch.ones(3)\nlist(g())", "list(itertools.product(range(100), repeat=10))",
        "list(itertools.permutations(range(100)))", "list(itertools.count())", "list(itertools.cycle([1]))", "list(itertools.repeat(1))",
        "list(itertools.combinations(range(60), 30))", "for i, j in enumerate(itertools.count()): pass",
    )
):  # fmt: skip
    A[f"iterators_{number}"] = f"import torch, itertools\n{code}\n"
P = "(" * 5000
#: Texts that are read as something, and values that are too large for something.
A |= {
    "ret": f"import torch\ndef g(x) -> '{P}': ...\ng(torch.ones(3))\n",
    "cast": f"import torch,typing\ny=typing.cast('{P}',torch.ones(3))\ny.view(7)\n",
    "typevar": f"import torch,typing\nT=typing.TypeVar('T',bound='{P}')\ndef g(x:T)->T: return x\ng(torch.ones(3))\n",
    "optional": f"import torch,typing\ndef g(x:typing.Optional['{P}']): return x\ng(torch.ones(3))\n",
    "jax": f"import torch\nfrom jaxtyping import Float\ndef g(x:Float[torch.Tensor,'{P}']): return x.view(7)\ng(torch.ones(3))\n",
    "jaxlong": "import torch\nfrom jaxtyping import Float\ndef g(x:Float[torch.Tensor,'"
    + "a*b+" * 5000
    + "c " * 5000
    + "']): return x.view(7)\ng(torch.ones(3))\n",
    "dataclass": f"import torch,dataclasses\n@dataclasses.dataclass\nclass C:\n    x:'{P}'\nC(torch.ones(3))\n",
    "modattr": f"import torch\nclass C(torch.nn.Module):\n    x:'{P}'\n    def forward(self,y): return self.x(y)\nC()(torch.ones(3))\n",
    "eval": f"import torch\neval('{P}')\nexec('{P}')\ncompile('{P}','','exec')\nimport ast\nast.literal_eval('{P}')\n",
    "glob": f"import torch\nx:'{P}'=torch.ones(3)\nx.view(7)\n",
    "nested_quotes": "import torch\ndef g(x: '" + 'list["list[int]"]' + "'): return x\n",
    "doc": f"import torch\ndef g(x):\n    '''{P}\n    Args:\n        x ({P}): shape {P}\n    :param x: {'(B, ' * 5000}\n    Shape: {'(N,' * 9000}\n    '''\n    return x.view(7)\ng(u)\n",
    "readstate": "import torch\nx=torch.load('/dev/zero')\nimport json\njson.load(open('/etc/passwd'))\nopen('/dev/stdin').read()\nimport numpy as np\nnp.load('a.npy')\nimport pandas as pd\npd.read_csv('/dev/zero')\nopen('pwn','w').write('x')\n",
    "recursion_type": "import torch\ntype A = A | list[A]\ndef g(x:A)->A: return x\ng(torch.ones(3))\nB='list[B]'\ndef h(x:B)->B: return x\nh(1)\n",
    "selfalias": "import torch,typing\nA=typing.Union['A',int]\nC=typing.Union[A,'C']\ndef g(x:A,y:C): return x\ng(1,2)\n",
    "named": "import torch\nfrom collections import namedtuple\nT=namedtuple('T','"
    + "a " * 20000
    + "')\nT(1)\nfrom enum import Enum\nE=Enum('E','"
    + "b " * 20000
    + "')\nE.b\n",
    "tfgraph": "import tensorflow as tf\nx=tf.placeholder(tf.float32,[None]*5000)\nfor i in range(10**6): x=tf.concat([x,x],0)\ntf.einsum('"
    + "a" * 20000
    + "->',x)\n",
    "kerasdeep": "import keras\nfrom keras.layers import Dense,Add\ni=keras.Input((3,))\nx=i\nfor k in range(2000): x=Add()([Dense(3)(x),x])\nm=keras.Model(i,x)\nm.summary()\nm(i)\nm2=keras.Model(i,m(m(m(x))))\n",
    "kerasself": "import keras\nm=keras.Sequential()\nm.add(m)\nm.add(keras.layers.Dense(3))\nm.build((3,3))\nm(m)\nn=keras.Model(m.inputs,m.outputs)\nn.layers.append(n)\nn.summary()\n",
    "modself": "import torch\nfrom torch import nn\nm=nn.Sequential(nn.Linear(3,3))\nm.append(m)\nm(torch.ones(3,4))\nm.parameters()\nfor p in m.parameters(): p.sum()\nm.apply(lambda x:x.add_module('a',m))\nclass N(nn.Module):\n    def __init__(s):\n        super().__init__()\n        s.me=s\n        s.l=nn.Linear(3,3)\n    def forward(s,x): return s.me(s.l(x))\nN()(torch.ones(2,3))\nprint(sum(p.numel() for p in N().parameters()))\n",
    "indices": "import torch\nx=torch.ones(10**18,10**18,10**18)\ny=x.view(-1)\nz=y[10**40:-10**40:10**30]\nx[-1,...,None,::-1]\ntorch.ones(2**63).view(2**64)\ntorch.arange(0,10**30,10**-5)\ntorch.linspace(0,1,10**40)\n"
    + "x=torch.ones(3).expand(10**4000).view(7)\n",
    "bigmsg": "import torch\ntorch.ones(10**4299,10**4299).view(7)\ntorch.ones(3).view(10**4400)\ntorch.nn.Linear(10**4400,3)(torch.ones(2,5))\ntorch.nn.Conv2d(10**4400,3,3)(torch.ones(2,5,7,7))\n",
    "bigfloat": "import torch\nx=1e308*10\ntorch.ones(3)*10**400\ntorch.full((3,),10**5000).log()\ntorch.clamp(torch.ones(3),0,10**5000)\ntorch.nn.Dropout(10**5000)\ntorch.optim.SGD([],lr=10**5000)\nrange(10**5000)\n",
}
#: Brackets in places of the grammar where a parser without memory takes time that doubles with each: before, opening, inside, closing, after.
NESTED = (
    "with ~(~a~)~ as b: pass", "with ~(~a as b~)~: pass", "for ~(~a~)~ in b: pass", "for ~a[~0~]~ in b: pass", "del ~(~a~)~", "del ~[~a~]~",
    "~(~a~)~ = 1", "~[~a~]~ = 1", "~(~a~)~ += 1", "~(~a~)~ : int = 1", "x = ~a[~0~]~", "~a[~0~]~ = 1", "x = ~a[0:~0~]~", "x = ~f(~0~)~",
    "x = ~f(a=~0~)~", "~f(~0~)~.x = 1", "x = f(~*(~0~)~)", "x = ~{0:~0~}~", "x = ~{~0~}~", "x = ~{~0~:0}~", "x = ~lambda a=(~0~):0~",
    "x = ~(~a~ for a in b)~", "x = ~[~a~ for a in b]~", "x = ~{0:~a~ for a in b}~", "x = ~(a if ~a~ else b)~", "match ~(~a~)~:\n    case 1: pass",
    "match a:\n    case ~(~a~)~: pass", "match a:\n    case ~C(~a~)~: pass", "match a:\n    case ~C(a=~a~)~: pass", "match a:\n    case ~{0:~a~}~: pass",
    "@~(~a~)~\ndef f(): pass", "x = ~(a:=~0~)~", "x = ~f(a=~0 0~)~", "x = ~[(~0 0~)]~", "x = ~{(a:=~0 0~):1}~", "x = ~lambda a=(~0 0~):0~",
    "~(~a a~ for a in b)~=1", "with ~(~a as b~ as c)~: pass", "match a:\n    case ~C(a=~a b~)~: pass", "def f():\n    x = ~(yield ~a~)~",
    "async def f():\n    x = ~await (~a~)~", "type X[T: ~(~int~)~] = int", "x = f'{~(~0~)~}'",
)  # fmt: skip
for number, code in enumerate(NESTED):
    before, opening, inside, closing, after = code.split("~")
    for depth in (25, 60):
        A[f"nested_{number}_{depth}"] = f"import torch\n{before}{opening * depth}{inside}{closing * depth}{after}\n"
#: One operator or list, repeated in the source itself.
for number, (start, repeated, end) in enumerate(
    (
        ("x=", "int | ", "int"), ("x=", "a < ", "a"), ("x=", "a and ", "a"), ("x=", "a + ", "a"), ("x=", "a.", "a"), ("", "a = ", "a"), ("x=", "a,", ""),
        ("x=", "a if b else ", "c"), ("x=", "lambda: ", "c"), ("x=", "not ", "c"), ("async def f(): x=", "await ", "c"), ("x=", "a**", "a"),
        ("def f(): x=", "yield ", "c"), ("if a: pass\n", "elif a: pass\n", ""), ("", "@a\n", "def f(): pass"), ("x=", "'a' ", ""), ("x=a", "()", ""),
        ("x=[a ", "for a in b ", "]"), ("try: pass\n", "except E: pass\n", ""), ("x=f'", "{a!r:>{b}}", "'"), ("with ", "a as b,", "a: pass"),
    )
):  # fmt: skip
    A[f"repeated_{number}"] = f"import torch\n{start}{repeated * 5000}{end}\n"

LIMITS = ("--config", "max-seconds=3")


def put(folder: Path, name: str, content: str | bytes) -> None:
    """Write a source, half letters included."""
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("part", range(6))
def test_other_files_lose_nothing(tmp_path: Path, part: int) -> None:
    """ "A program that makes numbers, texts and containers grow without end is given up where it does"; "other files lose nothing"."""
    folder = project(tmp_path)
    attacks = list(A.items())[part::6]
    for name, content in attacks:
        put(folder, f"{name}.py", content)
        (folder / f"{name}_v.py").write_text(FAULTY)
    run = check(folder, *LIMITS)
    sound(run)
    assert "stopped after" not in run.text(), run.text()[-3000:]
    lost = [name for name, _ in attacks if not run.of(f"{name}_v.py")]
    assert not lost


def test_what_is_computed_in_a_circle_is_stopped(tmp_path: Path) -> None:
    """ "A file that takes more than `max-seconds` of CPU time ... is stopped there, told of and not kept; other files lose nothing"."""
    folder = project(tmp_path)
    put(
        folder,
        "a.py",
        H
        + "def f0(x):\n    return x.relu()\n"
        + "".join(f"def f{i}(x):\n    return f{i - 1}(f{i - 1}(x))\n" for i in range(1, 40))
        + "f39(torch.ones(3))\n",
    )
    put(folder, "b.py", H + "import itertools\nlist(zip(itertools.count(), itertools.count()))\n")
    put(folder, "c.py", H + "m=nn.Linear(10,10)\n" + "m=nn.Sequential(m,m)\n" * 100 + "m(torch.ones(3,10))\n")
    put(folder, "d.py", H + "".join(" " * i + f"for a{i} in range(10):\n" for i in range(18)) + " " * 18 + "x=torch.ones(3)\n")
    put(folder, "e.py", b"# coding: punycode\na-" + b"9" * 400000)
    run = check(folder, "--config", "max-seconds=1", timeout=30)
    sound(run)
    assert run.seconds < 10, run.seconds


SOURCES: dict[str, tuple[str, tuple[str, ...]]] = {
    "annotation_of_brackets": ("def g(x: '" + "(" * 5000 + "'): ...\n", ()),
    "annotation_of_signs": ("def g(x: '" + "-" * 9000 + "1'): ...\n", ()),
    "annotation_of_many_signs": ("def g(x: '" + "-" * 20_000 + "1'): ...\n", ()),
    "annotation_of_a_union": (
        "def g(x: '" + " | ".join(["int"] * 4000) + "'):\n    return torch.ones(x)\n",
        ("--config", "max-seconds=1"),
    ),
    "large_number": ("x = 0x" + "f" * 3600 + "\ntorch.ones(3).view(x)\n", ()),
    "large_divisor": ("y = torch.ones(3) ** 10**400\n", ()),
    "long_tuple": ("x = " + "a," * 400_000 + "\n", ("--config", "max-memory=600")),
    "longer_tuple": ("x = " + "a," * 990_000 + "\n", ()),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_costs_only_itself(tmp_path: Path, name: str) -> None:
    """ "A file that takes more than `max-seconds` of CPU time, or a run that takes more than `max-memory`, is stopped there"."""
    folder = project(tmp_path)
    source, arguments = SOURCES[name]
    put(folder, "attack.py", f"import torch\n{source}")
    run = check(folder, *arguments, timeout=25)
    sound(run)
    assert run.seconds < (3 if name == "annotation_of_a_union" else 10), run.seconds
