"""Pictures given to networks of Keras with weights of ImageNet: on which scale, by what, and what each network is made for."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.analysis.pretrained_inputs import expected
from tests.rules.harness import reports

SEQUENTIAL = """
model = keras.Sequential([{base}, keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(10, activation="softmax")])
"""
FUNCTIONAL = """
base = {base}
inputs = keras.Input((32, 32, 3))
features = keras.layers.GlobalAveragePooling2D()(base(inputs, training=False))
model = keras.Model(inputs, keras.layers.Dense(10, activation="softmax")(features))
"""
IN_FUNCTION = """
def build(base):
    features = keras.layers.GlobalAveragePooling2D()(base.output)
    return keras.Model(base.input, keras.layers.Dense(10, activation="softmax")(features))


model = build({base})
"""
PROGRAM = """
import keras
from keras import applications as zoo

(x, y), _ = keras.datasets.cifar10.load_data()
{model}
model.compile("adam", "sparse_categorical_crossentropy")
model.fit({data}, y)
"""
DATA = {"x": 255, "x / 255.0": 1, "x.astype('float32') / 255": 1, "x * (1 / 255)": 1}
NAMES = ("EfficientNetB0", "MobileNetV3Small", "MobileNetV2", "VGG16", "ResNet50V2", "DenseNet121")


@pytest.mark.parametrize(("form", "name", "data"), list(product((SEQUENTIAL, FUNCTIONAL, IN_FUNCTION), NAMES, DATA))[::5])
def test_scales_that_a_network_is_not_made_for(form, name, data):
    base = f"zoo.{name}(include_top=False, input_shape=(32, 32, 3))"
    text = PROGRAM.format(model=form.format(base=base), data=data)
    found = "DLD104" in {code for _, code in reports(text)}
    assert found == ((DATA[data] > 1) != (expected(name) > 1))


SILENT = (
    ("weights=None", "x / 255.0"), ("weights='own.weights.h5'", "x / 255.0"), ("", "zoo.efficientnet.preprocess_input(x)"),
    ("", "unknown(x)"), ("", "x / 127.5"), ("", "x / 255.0 * 255"), ("", "x"),
)  # fmt: skip


@pytest.mark.parametrize(("given", "data"), SILENT)
def test_networks_that_get_what_they_were_trained_on(given, data):
    base = f"zoo.EfficientNetB0(include_top=False, input_shape=(32, 32, 3), {given})"
    text = PROGRAM.format(model=SEQUENTIAL.format(base=base), data=data)
    assert "DLD104" not in {code for _, code in reports(text)}


def test_networks_without_their_own_rescaling():
    base = "zoo.MobileNetV3Small(include_top=False, input_shape=(32, 32, 3), include_preprocessing=False)"
    text = PROGRAM.format(model=SEQUENTIAL.format(base=base), data="x / 127.5 - 1")
    assert "DLD104" not in {code for _, code in reports(text)}


@pytest.mark.parametrize("line", ["model.load_weights('own.h5')", "base.load_weights('own.h5')", "base.set_weights(own())"])
def test_networks_that_are_given_other_weights(line):
    base = "zoo.EfficientNetB0(include_top=False, input_shape=(32, 32, 3))"
    text = PROGRAM.format(model=f"{FUNCTIONAL.format(base=base)}{line}", data="x / 255.0")
    assert "DLD104" not in {code for _, code in reports(text)}
    later = f"{text.replace(line, '')}{line}\n"
    assert "DLD104" in {code for _, code in reports(later)}


LOADED = """
import torch
import torch.nn as nn
from torchvision import datasets, models
from torchvision import transforms as T


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {network}
        self.body.fc = nn.Identity()

    def forward(self, pictures):
        return self.body(pictures)


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        whole = {network}
        self.body = nn.Sequential(*list(whole.children())[:-1])

    def forward(self, pictures):
        return self.body(pictures).flatten(1)


{read}
net = {made}
head = nn.Linear(512, 5)
optimizer = torch.optim.Adam(head.parameters(), lr=1e-3)
for pictures, kinds in torch.utils.data.DataLoader(data, batch_size=32, shuffle=True):
    optimizer.zero_grad()
    nn.functional.cross_entropy(head(net(pictures.contiguous())), kinds).backward()
    optimizer.step()
"""
PRETRAINED = ("models.resnet18(weights='DEFAULT')", "models.resnet34(pretrained=True)",
              "models.resnet18(weights=models.ResNet18_Weights.IMAGENET1K_V1)")  # fmt: skip
FRESH = ("models.resnet18()", "models.resnet18(weights=None)", "models.resnet34(pretrained=False)")
MADE = ("Frozen()", "Parts()")
READ = "data = datasets.ImageFolder('photos', T.Compose([T.Resize((224, 224)), {0}]))"
AS_STORED = ("T.ToTensor()", "T.RandomHorizontalFlip(), T.ToTensor()")
NORMALISED = ("T.ToTensor(), T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])", "T.ToTensor(), T.Normalize(0.5, 0.5)")


def told(network: str, made: str, read: str) -> bool:
    """Whether the rule tells of a program of torchvision."""
    return "DLD104" in {code for _, code in reports(LOADED.format(network=network, made=made, read=read))}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("network", "made", "steps"), list(product(PRETRAINED, MADE, AS_STORED)))
def test_pictures_that_nothing_normalises(network, made, steps):
    assert told(network, made, READ.format(steps))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("network", "made", "steps"), [*product(PRETRAINED, MADE, NORMALISED), *product(FRESH, MADE[:1], AS_STORED)]
)
def test_pictures_that_are_normalised_or_meet_a_fresh_network(network, made, steps):
    assert not told(network, made, READ.format(steps))


def test_weights_of_its_own():
    loads = READ.format(AS_STORED[0]) + "\nFrozen().load_state_dict(torch.load('mine.pt'))"
    assert not told(PRETRAINED[0], MADE[0], loads)
