"""What rules say about statements of training code is found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found, indented

IMPORTS = "import copy\n\nimport numpy\nimport torch\nfrom torch import nn"
MODEL = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "data = torch.randn(16, 8)\nlabels = torch.randint(0, 2, (16,))"
)
NAMES = ("model", "optimizer", "data", "labels")
LOOP = (
    "for number in range(5):\n    optimizer.zero_grad()\n    loss = nn.functional.cross_entropy(model(data), labels)\n"
    "    {backward}\n    {step}\n"
)
KEPT = (
    "best, least = None, 9.0\nfor epoch in range(5):\n    optimizer.zero_grad()\n"
    "    loss = nn.functional.cross_entropy(model(data), labels)\n    loss.backward()\n    optimizer.step()\n"
    "    if loss.item() < least:\n        least = loss.item()\n        best = {state}\nmodel.load_state_dict(best)"
)
READ = "for turn in range(2):\n    {0}\n    print(model(data).sum().item())"
TRAIN = LOOP.format(backward="loss.backward()", step="optimizer.step()")
#: Code of the rule → faulty and repaired body.
PAIRS = {
    "DLG101": [
        (READ.format(fault), READ.format(repaired))
        for fault, repaired in (
            ("data.to('cuda')", "data = data.to('cuda')"),
            ("data.clamp(0, 1)", "data.clamp_(0, 1)"),
            ("torch.relu(data)", "data = torch.relu(data)"),
            ("data.div(2)", "data /= 2"),
            ("data.double()", "data = data.double().float()"),
            ("nn.functional.normalize(data, dim=1)", "data = nn.functional.normalize(data, dim=1)"),
        )
    ],
    "DLO104": [
        (LOOP.format(backward="loss.backward", step="optimizer.step()"), TRAIN),
        (LOOP.format(backward="loss.backward()", step="optimizer.step"), TRAIN),
        ("model.eval\nprint(model(data))", "model.eval()\nprint(model(data))"),
        ("model.train\n" + TRAIN, "model.train()\n" + TRAIN),
    ],
    "DLO105": [
        ("torch.no_grad()\nprint(model(data))", "with torch.no_grad():\n    print(model(data))"),
        ("torch.inference_mode()\nprint(model(data))", "with torch.inference_mode():\n    print(model(data))"),
        ("with torch.no_grad:\n    print(model(data))", "with torch.no_grad():\n    print(model(data))"),
    ],
    "DLO114": [
        ("model.requires_grad = False\n" + TRAIN, "model.requires_grad_(False)\n"),
        (
            "model[0].requires_grad = False\n" + TRAIN,
            "part = model[0]\npart.requires_grad = False\nfor p in part.parameters():\n    p.requires_grad = False\n" + TRAIN,
        ),
        (
            "for parameter in model[0].parameters():\n    parameter.require_grad = False\n" + TRAIN,
            "for parameter in model[0].parameters():\n    parameter.requires_grad = False\n" + TRAIN,
        ),
        (
            "for parameter in model[0].parameters():\n    parameter.requires_grad == False\n" + TRAIN,
            "for parameter in model[0].parameters():\n    parameter.requires_grad = False\n" + TRAIN,
        ),
        (
            "flag = False\nmodel[0].weight.requires_grad == flag\n" + TRAIN,
            "flag = False\nmodel[0].weight.requires_grad = flag\n" + TRAIN,
        ),
        (
            "model[0].weight.requires_grad == False\n" + TRAIN,
            "if model[0].weight.requires_grad == False:\n    print('frozen')\n" + TRAIN,
        ),
    ],
    "DLO129": [
        (KEPT.format(state="model.state_dict()"), KEPT.format(state="copy.deepcopy(model.state_dict())")),
        (KEPT.format(state="model.state_dict().copy()"), KEPT.format(state="copy.deepcopy(model.state_dict())")),
        (KEPT.format(state="dict(model.state_dict())"), KEPT.format(state="copy.deepcopy(model).state_dict()")),
        (
            KEPT.format(state="model.state_dict()"),
            KEPT.partition("\nmodel.load")[0].format(state="model.state_dict()\n        torch.save(best, 'best.pt')"),
        ),
        tuple(
            KEPT.format(state=state).replace("model.load_state_dict(best)", "torch.save(best, 'best.pt')")
            for state in ("model.state_dict()", "copy.deepcopy(model.state_dict())")
        ),
        tuple(
            f"first = {state}\n{TRAIN}model.load_state_dict(first)"
            for state in ("model.state_dict()", "{key: value.clone() for key, value in model.state_dict().items()}")
        ),
    ],
    "DLR105": [
        ("model.load_state_dict('weights.pt')", "model.load_state_dict(torch.load('weights.pt'))"),
        ("model.load_state_dict(copy.deepcopy(model))", "model.load_state_dict(copy.deepcopy(model).state_dict())"),
        (
            "model = model.load_state_dict(torch.load('weights.pt'))\nprint(model(data))",
            "report = model.load_state_dict(torch.load('weights.pt'))\nprint(model(data))",
        ),
    ],
    "DLG104": [
        ("print(model(data).numpy())", "print(model(data).detach().numpy())"),
        ("scores = model(data).softmax(dim=1)\nprint(numpy.array(scores))", "print(numpy.array(model(data).argmax(dim=1)))"),
        (
            LOOP.format(backward="loss.backward()", step="optimizer.step()\n    print(loss.numpy())"),
            LOOP.format(backward="loss.backward()", step="optimizer.step()\n    print(loss.item(), loss.data.numpy())"),
        ),
        tuple(f"values, places = model(data).max(dim=1)\nprint({one}.numpy())" for one in ("values", "places")),
        ("print(torch.topk(model(data), 1)[0].numpy())", "print(torch.topk(model(data), 1)[1].numpy())"),
        ("print(model[0](data).cpu().numpy())", "with torch.no_grad():\n    print(model[0](data).cpu().numpy())"),
    ],
    "DLO124": [
        (f"{made}(model.parameters(), lr={rate})", f"{made}(model.parameters(), lr=0.001)")
        for made, rate in (
            ("torch.optim.Adam", "0.5"),
            ("torch.optim.AdamW", "1"),
            ("torch.optim.SGD", "10"),
            ("torch.optim.SGD", "0"),
            ("torch.optim.RMSprop", "-0.1"),
        )
    ],
    "DLO119": [
        (
            "weight = model[0].weight\nweight.data -= 0.1 * weight.data",
            "weight = model[0].weight\nwith torch.no_grad():\n    weight -= 0.1",
        ),
        ("weight = model[2].weight\nweight.data = weight.data * 0.9", "weight = model[2].weight\nprint(weight.data * 0.9)"),
    ],
}  # fmt: skip
#: The same for Keras, where the names are those of its own.
KERAS_IMPORTS = "import keras\nimport numpy\nfrom keras import layers"
KERAS = (
    "x, y = numpy.zeros((16, 8)), numpy.zeros(16)\n"
    "model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation='relu'), layers.Dense(1)])"
)
COMPILED = "model.compile(loss='mse', optimizer='adam', metrics=['mae'])\n"
KERAS_PAIRS = {
    "DLO126": [
        tuple(f"chosen = keras.optimizers.{made}\nmodel.compile({given}, 'mse')" for given in (f"'{name}'", "chosen"))
        for made, name in (("SGD(0.01, momentum=0.9)", "sgd"), ("Adam(learning_rate=1e-4)", "adam"), ("RMSprop(0.1)", "adam"))
    ] + [
        tuple(
            f"{before}optimizer = keras.optimizers.SGD(0.01)\nmodel.compile(optimizer={given}, loss='mse'){after}"
            for given in ("'sgd'", "optimizer")
        )
        for before, after in (
            ("", ""),
            ("optimizer = keras.optimizers.Adam(1e-4)\n", ""),
            ("if len(x) > 8:\n    print(x)\n", "\nmodel.fit(x, y)"),
        )
    ],
    "DLO128": [
        (f"{COMPILED}watch = keras.callbacks.{faulty}\nmodel.fit(x, y, callbacks=[watch]{more})",
         f"{COMPILED}watch = keras.callbacks.{repaired}\nmodel.fit(x, y, callbacks=[watch], validation_split=0.2)")
        for faulty, repaired, more in (
            ("EarlyStopping()", "EarlyStopping()", ""),
            ("EarlyStopping(monitor='val_mae')", "EarlyStopping(monitor='val_mae')", ""),
            ("EarlyStopping(monitor='val_mse')", "EarlyStopping(monitor='val_mae')", ", validation_split=0.1"),
            ("ReduceLROnPlateau(monitor='val_loss')", "ReduceLROnPlateau(monitor='loss')", ""),
            ("ModelCheckpoint('m.keras', save_best_only=True)", "ModelCheckpoint('m.keras', save_best_only=True)", ""),
            ("EarlyStopping(mode='max')", "EarlyStopping(mode='min')", ", validation_split=0.1"),
        )
    ] + [
        tuple(
            f"model.compile('adam', 'mse', metrics=[keras.metrics.{metric}])\n"
            f"watch = keras.callbacks.EarlyStopping(monitor='{monitor}')\nmodel.fit(x, y, callbacks=[watch])"
            for monitor in (wrong, right)
        )
        for metric, wrong, right in (
            ("MeanAbsoluteError()", "mae", "mean_absolute_error"),
            ("MeanAbsoluteError(name='mae')", "mean_absolute_error", "mae"),
            ("AUC()", "accuracy", "auc_1"),
            ("AUC()", "area", "auc"),
            ("LogCoshError()", "log_cosh_error", "logcosh"),
            ("TopKCategoricalAccuracy(k=3)", "top_3", "top_k_categorical_accuracy"),
        )
    ],
    "DLO114": [
        ("for layer in model.layers:\n    layer.trainable == False", "for layer in model.layers:\n    layer.trainable = False"),
        ("model.trainable == False", "print(model.trainable == False)"),
    ],
    "DLO124": [
        (f"model.compile(keras.optimizers.{made}, 'mse')", "model.compile(keras.optimizers.Adam(1e-3), 'mse')")
        for made in ("Adam(1.0)", "SGD(learning_rate=50)", "RMSprop(learning_rate=0)")
    ],
}  # fmt: skip
UNINITIALISED = """
class Projection(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.weight = nn.Parameter({data})

    def forward(self, x):
        return x @ self.weight


print(Projection(8, 4)(torch.randn(2, 8)))
"""
PROGRAMS = [(code, pair, form) for code, pairs in PAIRS.items() for pair in pairs for form in FORMS]
KERAS_PROGRAMS = [(code, pair, form) for code, pairs in KERAS_PAIRS.items() for pair in pairs for form in FORMS]


def _told(case: Case, form: str, folder: Path) -> bool:
    folder.mkdir()
    return case.code in found(FORMS[form](case), folder, [case.code])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("code", "pair", "form"), PROGRAMS)
def test_every_form_is_found_and_its_twin_is_not(code: str, pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    faulty, repaired = (Case(code, IMPORTS, MODEL, body, NAMES) for body in pair)
    assert _told(faulty, form, tmp_path / "a")
    assert not _told(repaired, form, tmp_path / "b")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("code", "pair", "form"), KERAS_PROGRAMS)
def test_every_form_of_keras_is_found_and_its_twin_is_not(code: str, pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    faulty, repaired = (Case(code, KERAS_IMPORTS, KERAS, body, ("model", "x", "y")) for body in pair)
    assert _told(faulty, form, tmp_path / "a")
    assert not _told(repaired, form, tmp_path / "b")


@pytest.mark.parametrize(
    "data", ["torch.empty(features, outputs)", "torch.Tensor(features, outputs)", "torch.FloatTensor(8, 4)"]
)
@pytest.mark.parametrize("form", FORMS)
def test_parameters_without_values(data: str, form: str, tmp_path: Path) -> None:
    for name, shown, told in (
        ("a", data, True),
        ("b", f"{data}.normal_()", False),
        ("c", "torch.rand(features, outputs)", False),
    ):
        case = Case("DLI102", IMPORTS, "size = 8", UNINITIALISED.format(data=shown), ("size",))
        assert _told(case, form, tmp_path / name) is told


@pytest.mark.parametrize("name", ["optimizer", "opt", "sgd"])
@pytest.mark.parametrize(
    ("given", "more", "told"),
    [
        ("'sgd'", "", True),
        ("'sgd'", "print(model.{name})", True),
        ("{name}", "", False),
        ("'sgd'", "print({name})", False),
        ("'sgd'", "later = lambda: {name}", False),
    ],
)
def test_optimizers_of_one_function(name: str, given: str, more: str, told: bool, tmp_path: Path) -> None:
    body = f"{name} = keras.optimizers.SGD(0.01)\nmodel.compile(optimizer={given}, loss='mse')\n{more}\nreturn model".format(
        name=name
    )
    other = f"def other():\n    {name} = keras.optimizers.Adam(1e-4)\n    return {name}\n"
    text = f"{KERAS_IMPORTS}\n\n{other}\n\ndef built():\n{indented(KERAS + chr(10) + body)}\n\nbuilt()\n"
    assert (found({"main.py": text}, tmp_path, ["DLO126"]) == ["DLO126"]) is told


@pytest.mark.parametrize(
    "made", ["models.resnet18()", "models.vgg16(weights='DEFAULT').eval()", "torchvision.models.resnet18()"]
)
def test_models_of_torchvision_are_modules(made: str, tmp_path: Path) -> None:
    text = f"import torchvision\nfrom torchvision import models\n\nnet = {made}\n"
    assert "DLO114" in found({MAIN: f"{text}net.requires_grad = False\n"}, tmp_path, ["DLO114"])
    assert not found({MAIN: f"{text}net.requires_grad_(False)\n"}, tmp_path, ["DLO114"])
