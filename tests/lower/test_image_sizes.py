"""A model that is told the size of its images is run with images of that size, too, and what fails then is a warning."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

#: Models of images whose sides are ``{side}`` (as an expression); ``{off}`` is what they have too many.
MODELS = {
    "positions": """
class Net(nn.Module):
    def __init__(self, {parameters}, patch=8, width=24):
        super().__init__()
        self.embed = nn.Conv2d({channels}, width, patch, patch)
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.zeros(1, ({height} // patch) * ({width} // patch) + 1 + {off}, width))

    def forward(self, x):
        y = self.embed(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.first.expand(y.shape[0], -1, -1), y], dim=1)
        return y + self.places
""",
    "dense": """
class Net(nn.Module):
    def __init__(self, {parameters}, hidden=12):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d({channels}, hidden, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4))
        self.head = nn.Linear(hidden * ({height} // 4) * ({width} // 4) + {off}, 5)

    def forward(self, images):
        y = self.body(images).contiguous()
        return self.head(y.view(y.size(0), -1))
""",
    "helper": """
def flat(y):
    return torch.flatten(y, 1)

class Part(nn.Module):
    def __init__(self, channels, height, width):
        super().__init__()
        self.body = nn.Conv2d(channels, 6, 4, stride=4)
        self.out = nn.Linear(6 * (height // 4) * (width // 4) + {off}, 7)

    def forward(self, x):
        return self.out(flat(self.body(x)))

class Net(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        self.part = Part({channels}, {height}, {width})

    def forward(self, x):
        return self.part(x)
""",
}
#: Parameters, and the height and width as the model computes with them.
PARAMETERS = (
    ("img_size=32", "img_size", "img_size"),
    ("image_size=(32, 48)", "image_size[0]", "image_size[1]"),
    ("img_height=32, img_width=48", "img_height", "img_width"),
)
CHANNELS = ("3", "1")
#: All of these together.
CASES = list(product(MODELS, PARAMETERS, CHANNELS))
#: A multiple of all widths, so that some other images would do.
OFF = 12
HEAD = "import torch\nfrom torch import nn\n"


def findings(path: Path, source: str) -> list[tuple[str, Severity]]:
    """What is reported of a file."""
    path.write_text(source)
    return [(f.message, f.severity) for f in Session(Configuration(isolated=True)).check_file(path).findings]


def model(name: str, parameters: tuple[str, str, str], channels: str, off: int) -> str:
    stated, height, width = parameters
    return HEAD + MODELS[name].format(parameters=stated, channels=channels, height=height, width=width, off=off)


@pytest.mark.parametrize(("name", "parameters", "channels"), CASES)
def test_what_fails_with_images_of_that_size_is_a_warning(tmp_path, name, parameters, channels):
    found = findings(tmp_path / "net.py", model(name, parameters, channels, off=OFF))
    assert [severity for _, severity in found] == [Severity.WARNING]
    assert "when images have im" in found[0][0]


@pytest.mark.parametrize(("name", "parameters", "channels"), CASES)
def test_what_runs_with_them_is_not(tmp_path, name, parameters, channels):
    assert findings(tmp_path / "net.py", model(name, parameters, channels, off=0)) == []


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_features_are_no_images(tmp_path, name, parameters):
    assert findings(tmp_path / "net.py", model(name, parameters, "64", off=OFF)) == []


@pytest.mark.parametrize("call", ["Net(args.size)", "Net(img_size=args.size)", "Net(**args.more)"])
def test_a_default_that_every_call_replaces_is_no_size(tmp_path, call):
    source = model("dense", PARAMETERS[0], "3", off=OFF)
    assert findings(tmp_path / "net.py", f"{source}\ndef main(args):\n    return {call}\n") == []


@pytest.mark.parametrize("name", MODELS)
def test_images_that_a_call_passes_count(tmp_path, name):
    source = model(name, PARAMETERS[0], "3", off=0).replace("img_size=32", "img_size=64")
    assert findings(tmp_path / "net.py", f"{source}\ny = Net(img_size=32)(torch.zeros(2, 3, 32, 32))\n") == []
    found = findings(tmp_path / "net.py", f"{source}\ny = Net(img_size=32)(torch.zeros(2, 3, 64, 64))\n")
    assert len(found) == 1
    assert "when images" not in found[0][0]
