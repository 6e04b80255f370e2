"""What programs read from configuration files is what Python has, in whatever way the file is opened."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, DictVal, InstanceVal, ListVal, unwrap
from dllint.lower.document import Lowered, lower_document
from dllint.source.document import Document
from dllint.source.observed import observing
from dllint.source.workspace import Workspace

#: Ways to read the file ``conf/sizes.json`` (YAML holds JSON), by a script at the root.
WAYS = (
    "with open('conf/sizes.json') as f:\n    cfg = json.load(f)\n",
    "cfg = json.load(open('conf/sizes.json', 'r'))\n",
    "cfg = json.loads(open('conf/sizes.json').read())\n",
    "with open('conf/sizes.json') as f:\n    cfg = yaml.safe_load(f)\n",
    "cfg = yaml.load(open('conf/sizes.json', 'rb'), Loader=yaml.FullLoader)\n",
    "cfg = yaml.safe_load(Path('conf/sizes.json').read_text())\n",
    "cfg = json.load(Path('conf', 'sizes.json').open())\n",
    "cfg = json.loads((Path(__file__).parent / 'conf' / 'sizes.json').read_text())\n",
    "cfg = json.loads((Path(__file__).resolve().parents[0] / 'conf/sizes.json').read_text())\n",
    "here = os.path.dirname(os.path.abspath(__file__))\ncfg = json.load(open(os.path.join(here, 'conf', 'sizes.json')))\n",
    "def read(path='conf/sizes.json'):\n    with open(path, encoding='utf-8') as f:\n        return yaml.safe_load(f)\n"
    "cfg = read()\n",
    "p = argparse.ArgumentParser()\np.add_argument('--config', type=str, default='conf/sizes.json')\nargs = p.parse_args([])\n"
    "with open(args.config) as f:\n    cfg = yaml.safe_load(f)\n",
    "name = 'sizes'\ncfg = json.load(open(f'conf/{name}.json'))\n",
)
#: What is done with it; ``out`` is compared.
USES = (
    "out = cfg['a']['n'] * 2\n",
    "out = [cfg['list'][1], len(cfg['list']), sum(cfg['list'])]\n",
    "out = {**cfg['a'], 'k': 1}\n",
    "cfg['a']['n'] = 9\nout = cfg['a']['n'] + cfg['b']\n",
    "out = [cfg.get('a', {}).get('n'), cfg.get('none', 5), 'b' in cfg]\n",
    "out = [k for k, v in cfg.items()]\n",
    "def f(n, m=2, **more):\n    return n + m\nout = f(**cfg['a'])\n",
    "args = argparse.Namespace(**cfg['a'])\nout = args.n\n",
    "cfg.update({'b': 11})\nout = cfg['b'] + cfg['list'][-1]\n",
    "out = 'deep' if cfg['flag'] else 'flat'\n",
    "import copy\nother = copy.deepcopy(cfg)\nother['a']['n'] = 1\nout = [other['a']['n'], cfg['a']['n']]\n",
)
HEAD = "import argparse, json, os, yaml\nfrom pathlib import Path\nimport torch\nfrom torch import nn\n"


def lowered(root: Path, source: str, script: str = "train.py") -> Lowered:
    """A script of a project as it is analysed."""
    document = Document.from_text(root / script, source)
    found = lower_document(document, Workspace([root]))
    assert found.failures == []
    return found


def plain(value: Any) -> Any:
    """An abstract value as Python has it."""
    value = unwrap(value)
    if isinstance(value, DictVal):
        return {key: plain(inner) for key, inner in value.items.items()}
    if isinstance(value, ListVal):
        return [plain(inner) for inner in value.items]
    return value


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def sizes(random: Random) -> dict[str, Any]:
    """The content of a file."""
    return {
        "a": {"n": random.randrange(2, 99), "m": random.randrange(2, 99)},
        "b": random.randrange(99),
        "list": [random.randrange(99) for _ in range(3)],
        "flag": random.random() < 0.5,
    }


@pytest.mark.parametrize("way", WAYS)
def test_values_are_those_of_the_file(way, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, use in enumerate(USES):
        write(tmp_path, "conf/sizes.json", json.dumps(sizes(Random(number)), indent=number % 3 or None))
        source = HEAD + way + use
        real: dict[str, Any] = {"__file__": str(tmp_path / "train.py"), "__name__": "real"}
        exec(compile(source, "train.py", "exec"), real)
        found = plain(lowered(tmp_path, source).module.attrs["out"])
        assert found == real["out"], use


@pytest.mark.parametrize(
    "way",
    [
        "cfg = json.load(open('conf/sizes.json', 'w'))\n",
        "cfg = json.load(open('conf/missing.json'))\n",
        "with open('conf/sizes.json', 'w') as f:\n    json.dump({'n': 4}, f)\ncfg = json.load(open('conf/sizes.json'))\n",
        "Path('conf/sizes.json').write_text('{}')\ncfg = json.load(Path('conf/sizes.json').open())\n",
        "cfg = json.load(open('../conf/sizes.json'))\n",
        "cfg = json.load(open('conf/sizes.json'), object_hook=print)\n",
        "cfg = json.load(open('conf/sizes.txt'))\n",
        "p = argparse.ArgumentParser()\np.add_argument('--config', required=True)\n"
        "cfg = json.load(open(p.parse_args().config))\n",
        "cfg = json.load(open(os.environ['SIZES']))\n",
    ],
)
def test_what_is_not_that_file_is_unknown(way, tmp_path):
    write(tmp_path, "conf/sizes.json", '{"n": 3}')
    write(tmp_path, "conf/sizes.txt", '{"n": 3}')
    attrs = lowered(tmp_path, f"{HEAD}{way}out = cfg['n']\n").module.attrs
    assert isinstance(attrs["out"], Unknown)


def test_no_key_is_surely_missing_and_values_are_defaults(tmp_path):
    write(tmp_path, "c.json", '{"n": 3, "mode": "a"}')
    source = f"{HEAD}cfg = json.load(open('c.json'))\nx = cfg['other']\ny = cfg['n']\nz = 1\n"
    attrs = lowered(tmp_path, source).module.attrs
    assert isinstance(attrs["x"], Unknown)
    assert attrs["z"] == 1
    assert isinstance(attrs["y"], Assumed)


@pytest.mark.parametrize(
    "make",
    [
        "OmegaConf.load('c.yaml')",
        "OmegaConf.create(yaml.safe_load(open('c.yaml')))",
        "OmegaConf.merge(OmegaConf.load('c.yaml'), OmegaConf.from_cli())",
        "OmegaConf.merge(OmegaConf.create({'net': {'width': 1}}), OmegaConf.load('c.yaml'))",
        "EasyDict(yaml.safe_load(open('c.yaml')))",
    ],
)
def test_entries_are_attributes(make, tmp_path):
    write(tmp_path, "c.yaml", "net: {width: 6, layers: [{n: 4}, {n: 5}]}\nname: x\n")
    head = f"{HEAD}from omegaconf import OmegaConf\nfrom easydict import EasyDict\ncfg = {make}\n"
    source = (
        f"{head}one = cfg.net.width + cfg['net']['width']\ntwo = [layer.n for layer in cfg.net.layers]\n"
        "cfg.net.width = 7\nthree = cfg['net'].width\nfour = hasattr(cfg, 'name')\nfive = cfg.get('no', 3)\nsix = cfg.none\n"
        "seven = list(cfg.net.keys())\n"
    )
    attrs = lowered(tmp_path, source).module.attrs
    names = ("one", "two", "three", "four", "five", "seven")
    assert [plain(attrs[name]) for name in names] == [12, [4, 5], 7, True, 3, ["width", "layers"]]
    assert isinstance(attrs["six"], Unknown)


INTERPOLATED = """
width: 8
net:
  in_dim: ${width}
  hidden: ${.in_dim}
  out:
    dim: ${..hidden}
    list: [1, "${width}"]
    home: ${oc.env:HOME}
    circle: ${net.out.circle}
    text: run_${width}
    must: ???
small: 1e-3
"""


def test_interpolations_are_what_they_lead_to(tmp_path):
    write(tmp_path, "c.yaml", INTERPOLATED)
    source = "import torch\nfrom omegaconf import OmegaConf\ncfg = OmegaConf.load('c.yaml')\nnet, small = cfg.net, cfg.small\n"
    attrs = lowered(tmp_path, source).module.attrs
    net = plain(attrs["net"])
    assert (net["in_dim"], net["hidden"], net["out"]["dim"], net["out"]["list"]) == (8, 8, 8, [1, 8])
    assert all(isinstance(net["out"][name], Unknown) for name in ("home", "circle", "text", "must"))
    assert unwrap(attrs["small"]) == 0.001


#: Files of Hydra's directory, and the configuration that the documentation of Hydra's defaults lists gives.
COMPOSED = {
    "values alone": ({"train": "a: 1\nb: {c: 2}\n"}, {"a": 1, "b": {"c": 2}}),
    "a group": ({"train": "defaults:\n  - db: my\n", "db/my": "user: me\nport: 3\n"}, {"db": {"user": "me", "port": 3}}),
    "the primary last": (
        {"train": "defaults:\n  - db: my\n  - _self_\ndb: {port: 4}\n", "db/my": "user: me\nport: 3\n"},
        {"db": {"user": "me", "port": 4}},
    ),
    "the primary first": (
        {"train": "defaults:\n  - _self_\n  - db: my\ndb: {port: 4}\n", "db/my": "port: 3\n"},
        {"db": {"port": 3}},
    ),
    "nothing chosen": ({"train": "defaults:\n  - db: null\n  - optional local: x\na: 1\n"}, {"a": 1}),
    "several": (
        {"train": "defaults:\n  - part: [one, two]\n", "part/one": "one: {n: 1}\n", "part/two": "two: {n: 2}\n"},
        {"part": {"one": {"n": 1}, "two": {"n": 2}}},
    ),
    "a file beside": ({"train": "defaults:\n  - base\n  - _self_\na: 2\n", "base": "a: 1\nb: 1\n"}, {"a": 2, "b": 1}),
    "a global package": (
        {"train": "defaults:\n  - _self_\n  - experiment: e\nn: 1\n", "experiment/e": "# @package _global_\nn: 2\nm: {k: 3}\n"},
        {"n": 2, "m": {"k": 3}},
    ),
    "an override": (
        {
            "train": "defaults:\n  - _self_\n  - db: one\n  - experiment: e\n",
            "db/one": "n: 1\n",
            "db/two": "n: 2\n",
            "experiment/e": "# @package _global_\ndefaults:\n  - override /db: two\nn: 5\n",
        },
        {"db": {"n": 2}, "n": 5},
    ),
    "a group in a group": (
        {"train": "defaults:\n  - model: net\n", "model/net": "defaults:\n  - head: big\nw: 1\n", "model/head/big": "n: 7\n"},
        {"model": {"w": 1, "head": {"n": 7}}},
    ),
    "a package said": ({"train": "defaults:\n  - db@source: my\n", "db/my": "n: 3\n"}, {"source": {"n": 3}}),
    "hydra's own": ({"train": "defaults:\n  - override hydra/launcher: x\na: 1\nhydra: {run: {dir: x}}\n"}, {"a": 1}),
    "interpolated": (
        {"train": "defaults:\n  - db: my\n  - _self_\nn: ${db.n}\n", "db/my": "n: 3\nm: ${db.n}\n"},
        {"db": {"n": 3, "m": 3}, "n": 3},
    ),
}


@pytest.mark.parametrize("kind", COMPOSED)
@pytest.mark.parametrize("called", [True, False])
def test_a_function_of_hydra_gets_what_is_composed(kind, called, tmp_path):
    files, expected = COMPOSED[kind]
    for name, text in files.items():
        write(tmp_path, f"conf/{name}.yaml", text)
    source = (
        "import hydra\nimport torch\nseen = []\n@hydra.main(config_path='../conf', config_name='train', version_base=None)\n"
        "def main(cfg):\n    seen.append(cfg)\n    torch.zeros(2)\n"
    )
    found = lowered(tmp_path, source + ("main()\n" if called else ""), "src/train.py")
    assert plain(found.module.attrs["seen"])[:1] == [expected]


def test_which_of_two_values_counts_is_unknown_where_the_list_does_not_say(tmp_path):
    write(tmp_path, "conf/train.yaml", "defaults:\n  - db: my\ndb: {port: 4, host: a}\n")
    write(tmp_path, "conf/db/my.yaml", "port: 3\nhost: a\n")
    source = "import hydra, torch\n@hydra.main('conf', config_name='train')\ndef main(cfg):\n    global port, host\n"
    source += "    port, host = cfg.db.port, cfg.db.host\nmain()\n"
    attrs = lowered(tmp_path, source).module.attrs
    assert isinstance(attrs["port"], Unknown)
    assert unwrap(attrs["host"]) == "a"


NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, head, make=None):
        super().__init__()
        self.first, self.head = nn.Linear(5, width), head

    def forward(self, x):
        return self.head(self.first(x))
"""


@pytest.mark.parametrize("seed", range(4))
def test_instantiated_objects_are_what_their_targets_make(seed, tmp_path):
    width, out = Random(seed).sample(range(3, 40), 2)
    write(tmp_path, "src/nets/net.py", NET)
    write(
        tmp_path,
        "c.yaml",
        f"model:\n  _target_: src.nets.net.Net\n  width: {width}\n  head:\n    _target_: torch.nn.Linear\n"
        f"    in_features: ${{model.width}}\n    out_features: 1\n  make: {{_target_: torch.nn.ReLU, _partial_: true}}\n",
    )
    source = (
        "import torch\nfrom hydra.utils import instantiate\nfrom omegaconf import OmegaConf\ncfg = OmegaConf.load('c.yaml')\n"
        f"cfg.model.head.out_features = {out}\nnet = instantiate(cfg.model)\ny = net(torch.zeros(2, 5))\n"
    )
    attrs = lowered(tmp_path, source).module.attrs
    assert isinstance(attrs["net"], InstanceVal)
    assert isinstance(attrs["y"], TensorVal)
    assert attrs["y"].type.shape == (2, out)


def test_modules_that_an_earlier_analysis_has_evaluated_still_lead_to_their_files(tmp_path):
    write(tmp_path, "sizes.py", "import json\nN = json.load(open('n.json'))['n']\n")
    write(tmp_path, "n.json", '{"n": 4}')
    workspace = Workspace([tmp_path])
    for script in ("a.py", "b.py"):
        document = Document.from_text(tmp_path / script, "import torch\nfrom sizes import N\nx = torch.zeros(N)\n")
        with observing() as seen:
            found = lower_document(document, workspace)
        assert found.module.attrs["x"].type.shape == (4,)
        assert tmp_path / "n.json" in {place.directory for place in seen.trees}
