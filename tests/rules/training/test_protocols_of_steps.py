"""What is wrong with the protocol of training steps is found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found, indented

IMPORTS = "import torch\nfrom torch import nn"
MODEL = (
    "model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "loader = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(3)]\n"
    "x = torch.randn(4, 8)\n"
)
NAMES = ("model", "optimizer", "loader", "x")
TRAIN = (
    "for x, y in loader:\n    optimizer.zero_grad()\n    loss = nn.functional.cross_entropy(model(x), y)\n    loss.backward()\n"
    "    optimizer.step()\n"
)
#: What an evaluation does with a batch.
EVALUATED = (
    "correct += (model(x).argmax(1) == y).sum().item()",
    "outputs = model(x)\n    correct += nn.functional.cross_entropy(outputs, y).item()",
    "kept.append(model(x).softmax(1).detach().cpu().numpy())",
)
WEIGHT = "w = torch.randn(8, requires_grad=True)\nfor turn in range(3):\n    (x @ w).square().mean().backward()"
NORM = """
class Norm(nn.Module):
    def forward(self, found):
        length = found.pow(2).sum(1, keepdim=True).sqrt() + 1e-6
        {0}
        return found


nn.Sequential(model, Norm())(x).sum().backward()"""
TRAINER = """
class Trainer:
    def __init__(self, generator):
        self.generator, self.critic = generator, nn.Linear(2, 1)

    def judge(self, found):
        loss = self.critic(found).mean()
        loss.backward()

    def run(self, inputs):
        found = self.generator(inputs)
        self.judge({0})
        loss = -self.critic(found).mean()
        loss.backward()


Trainer(model).run(x)"""
FAKE = "fake = model(x)\ncritic = nn.Linear(2, 1)\n"
CELL = "cell = nn.GRUCell(8, 8)\nh = torch.zeros(4, 8)\nfor inputs, y in loader:\n"
STATES = (
    "rnn = nn.LSTM(8, 8)\nh, c = torch.zeros(1, 1, 8), torch.zeros(1, 1, 8)\nfor inputs, y in loader:\n"
    "    out, (h, c) = rnn(inputs[:, None], (h, c))\n    out.square().mean().backward(){detached}"
)
CLEARED = (
    "count = 4\nfor number, (inputs, y) in enumerate(loader):\n    {first}"
    "loss = nn.functional.cross_entropy(model(inputs), y) / 4\n"
    "    loss.backward()\n    if {test}:\n        optimizer.step()\n        {last}"
)
NESTED = """count = 4
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for turn in range(9):
    for part in range({passes}):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))
        loss = nn.functional.cross_entropy(model(x), y)
        {loss}.backward()
    optimizer.step()
    optimizer.zero_grad()"""
ACCUMULATED = (
    "count = 4\nfor number, (x, y) in enumerate(loader):\n    loss = nn.functional.cross_entropy(model(x), y)\n"
    "    {loss}.backward()\n    if {test}:\n        optimizer.step()\n        optimizer.zero_grad()"
)
GUARDED = (
    "count, done = 4, 0\nfor x, y in loader:\n    loss = nn.functional.cross_entropy(model(x), y)\n    {loss}.backward()\n"
    "    done += 1\n    if {test}:\n        {before}continue\n    optimizer.step()\n    optimizer.zero_grad()"
)
#: Code of the rule → faulty and repaired body.
PAIRS = {
    "DLO109": [
        (f"{TRAIN}model.eval()\ncorrect, kept = 0, []\nfor x, y in loader:\n    {work}", f"{TRAIN}{repaired}")
        for work in EVALUATED
        for repaired in (
            "model.eval()\ncorrect, kept = 0, []\nwith torch.no_grad():\n    for x, y in loader:\n        "
            + work.replace("\n", "\n    "),
        )
    ],
    "DLO118": [
        *(
            (f"hidden = {kept}\n{change}\nhidden.sum().backward()", f"hidden = {kept}\n{repaired}\nhidden.sum().backward()")
            for kept in ("torch.sigmoid(model(x))", "model(x).relu()", "nn.Softmax(dim=1)(model(x))", "torch.exp(model[0](x))")
            for change, repaired in (
                ("hidden += 1", "hidden = hidden + 1"),
                ("hidden.mul_(2)", "hidden = hidden.mul(2)"),
                ("hidden[0] = 0", "hidden = hidden.clone()\nhidden[0] = 0"),
                ("hidden.view(-1)[:1].zero_()", "hidden.clone().view(-1)[:1].zero_()"),
                ("hidden = nn.functional.relu(hidden, inplace=True)", "hidden = nn.functional.relu(hidden)"),
                ("with torch.no_grad():\n    hidden.clamp_(0, 1)", "hidden = hidden.clamp(0, 1)"),
            )
        ),
        *(
(f"{WEIGHT}\n    {update}", f"{WEIGHT}\n    {repaired}")
            for update, repaired in (
                ("w = w - 0.1 * w.grad", "w = (w - 0.1 * w.grad).detach().requires_grad_()"),
                ("w -= 0.1 * w.grad", "w.data -= 0.1 * w.grad"),
                ("w.sub_(0.1 * w.grad)", "with torch.no_grad():\n        w.sub_(0.1 * w.grad)"),
                ("w[0] = 0", "w.data[0] = 0"),
            )
        ),
        *(
            (f"{store}\n{target} += 1\n{target}.sum().backward()", f"{store}\n({target} + 1).sum().backward()")
            for store, target in (
                ("kept = [model(x).relu(), x]", "kept[0]"),
                ("kept = {'out': model(x).tanh()}", "kept['out']"),
                ("class Kept:\n    pass\n\nkept = Kept()\nkept.out = model(x).sigmoid()", "kept.out"),
            )
        ),
        tuple(
            f"hidden = model(x).relu()\nhidden = nn.functional.dropout(hidden, {rate}, training={mode}, inplace=True)\n"
            "hidden.sum().backward()"
            for rate, mode in ((0.5, True), (0.5, False))
        ),
        (NORM.format("found /= length"), NORM.format("found = found / length")),
        ("head = nn.Linear(2, 2)\nhidden = model(x)\nout = head(hidden)\nhidden += 1\n(out + hidden).sum().backward()",
         "head = nn.Linear(2, 2)\nhidden = model(x)\nout = head(hidden)\nout += 1\n(out + hidden).sum().backward()"),
        ("hidden = model(x)\nother = hidden * hidden.sum()\nhidden.add_(1)\nother.sum().backward()",
         "hidden = model(x)\nother = hidden * 3\nhidden.add_(1)\nother.sum().backward()"),
        ("net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Dropout(0.5, inplace=True))\nnet(x).sum().backward()",
         "net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(inplace=True), nn.Dropout(0.5))\nnet(x).sum().backward()"),
    ],
    "DLO120": [
        (TRAINER.format("found"), TRAINER.format("found.detach()")),
        tuple(
            f"value, place = model(x).max(1)\nfor turn in range(3):\n    model(x)[:, {taken}].sum().backward()"
            for taken in ("0] * model(x).detach()[:, 0] + value[:", "place")
        ),
        ("out = model(x)\nout.sum().backward()\nout.square().mean().backward()",
         "out = model(x)\nout.sum().backward(retain_graph=True)\nout.square().mean().backward()"),
        ("out = model(x)\nloss = out.sum()\nloss.backward()\nloss.backward()",
         "out = model(x)\nloss = out.sum()\nloss.backward()\nmodel(x).sum().backward()"),
        (f"{FAKE}critic(fake).mean().backward()\n(-critic(fake).mean()).backward()",
         f"{FAKE}critic(fake.detach()).mean().backward()\n(-critic(fake).mean()).backward()"),
        (f"{CELL}    h = cell(inputs, h)\n    h.mean().backward()",
         f"{CELL}    h = cell(inputs, h.detach())\n    h.mean().backward()"),
        (STATES.format(detached=""), STATES.format(detached="\n    h, c = h.detach(), c.detach()")),
        (STATES.format(detached=""), STATES.format(detached="\n    h, c = (part.data for part in (h, c))")),
        ("out = model(x)\nfor inputs, y in loader:\n    nn.functional.cross_entropy(out, y).backward()",
         "for inputs, y in loader:\n    out = model(x)\n    nn.functional.cross_entropy(out, y).backward()"),
        ("for turn in range(4):\n    out = model(x)\n    out.sum().backward()\n    (out * 2).sum().backward()",
         "for turn in range(4):\n    out = model(x)\n    (out.sum() + (out * 2).sum()).backward()"),
        ("out = model(x)\nfor part in (out.sum(), out.mean()):\n    part.backward()",
         "head = nn.Linear(2, 2)\nout = model(x).detach()\nfor part in (1, 2):\n    head(out).mean().backward()"),
    ],
    "DLO123": [
        (ACCUMULATED.format(loss="loss", test=test), ACCUMULATED.format(loss=scaled, test=test))
        for test, scaled in (
            ("(number + 1) % count == 0", "(loss / count)"),
            ("number % count == count - 1", "loss.div(3 / 1)"),
            ("not (number + 1) % 2", "(loss * 0.5)"),
        )
    ] + [
        (GUARDED.format(loss="loss", test=test, before=before), GUARDED.format(loss="(loss / count)", test=test, before=before))
        for test, before in (("done % count", ""), ("done % count != 0", "print(done)\n        "))
    ] + [
        (NESTED.format(loss="loss", passes=passes), NESTED.format(loss=scaled, passes=passes))
        for passes, scaled in (("count", "(loss / count)"), ("4", "(loss * 0.25)"), ("len(loader)", "loss.div(1 / 2)"))
    ] + [
        (NESTED.format(loss="loss", passes="count"), NESTED.format(loss="loss", passes="count").replace(*changed))
        for changed in (
            ("for part in range(count)", "for part in loader"),
            ("    optimizer.step()", "        optimizer.step()"),
        )
    ] + [
        (CLEARED.format(first=f"{clear}\n    ", last="pass", test=test), CLEARED.format(first="", last=clear, test=test))
        for clear, test in (
            ("optimizer.zero_grad()", "(number + 1) % count == 0"),
            ("model.zero_grad(set_to_none=True)", "number % count == count - 1 or number + 1 == 12"),
            ("optimizer.zero_grad()", "not (number + 1) % 2"),
        )
    ],
    "DLO127": [
        (f"print(torch.optim.{made})", f"print(torch.optim.{repaired})")
        for made, repaired in (
            ("Adam(model.parameters(), weight_decay=0.01)", "AdamW(model.parameters(), weight_decay=0.01)"),
            ("NAdam(model.parameters(), 0.1, weight_decay=1)", "NAdam(model.parameters(), 0.1, weight_decay=0)"),
            ("SGD(model.parameters(), lr=0.1, weight_decay=0.5)", "SGD(model.parameters(), lr=0.1, weight_decay=1e-4)"),
        )
    ] + [
        (f"{groups.format(0.02)}print(torch.optim.Adam(groups))", f"{groups.format(rate)}print(torch.optim.{made}(groups))")
        for rate, made in (("0.02", "AdamW"), ("0.0", "Adam"))
        for groups in (
            "groups = [{{'params': model.parameters(), 'weight_decay': {}}}]\n",
            "groups = [{{'params': list(model.parameters())[1:]}}, {{'weight_decay': {}, 'params': [model.weight]}}]\n",
            "def grouped(decay, net):\n    kept = [p for p in net.parameters() if p.ndim > 1]\n"
            "    return [dict(params=kept, weight_decay=decay)]\n\ngroups = grouped({}, model)\n",
        )
    ],
}  # fmt: skip
TF_IMPORTS = "import tensorflow as tf"
TF_MODEL = (
    "model = tf.keras.Sequential([tf.keras.layers.Dense(16), {layer}, tf.keras.layers.Dense(1)])\n"
    "optimizer = tf.keras.optimizers.Adam()\nx, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))"
)
TF_NAMES = ("model", "optimizer", "x", "y")
STEP = (
    "for number in range(9):\n    with tf.GradientTape({tape}) as tape:\n        prediction = model(x{flag})\n"
    "{margin}loss = tf.reduce_mean((prediction - y) ** 2){more}\n"
    "    gradients = tape.gradient(loss, {variables})\n    {applied}"
)
APPLIED = "optimizer.apply_gradients(zip(gradients, model.trainable_variables))"


def _step(
    flag: str = ", training=True",
    margin: str = " " * 8,
    tape: str = "",
    more: str = "",
    applied: str = APPLIED,
    variables: str = "model.trainable_variables",
) -> str:
    return STEP.format(flag=flag, margin=margin, tape=tape, more=more, applied=applied, variables=variables)


SECOND = f"\n    others = tape.gradient(loss, model.trainable_variables)\n    {APPLIED.replace('gradients, ', 'others, ')}"
CONSTANT = (
    "point = tf.constant([1.0, 2.0])\nwith tf.GradientTape() as tape:\n    {0}\n    value = tf.reduce_sum(point * point)\n"
    "print(tape.gradient(value, {1}))"
)
TF_PAIRS = {
    "DLO116": [
        (_step(flag), _step(twin))
        for flag, twin in (("", ", training=True"), (", training=None", ", training=False"), ("", ", training=number < 9"))
    ] + [
        (_step("", variables="model.trainable_weights"), f"other = tf.Variable(1.0)\n{_step('', variables='[other]')}"),
        (f"variables = model.trainable_variables\n{_step('', variables='variables')}", f"{_step(', True')}"),
        ("def test_step(net):\n    return net(x, training=True)\n\nprint(test_step(model))",
         "def test_step(net):\n    return net(x, training=False)\n\nprint(test_step(model))"),
        ("def evaluate(net):\n    return net(x, training=True)\n\nprint(evaluate(model))",
         "def embed(net):\n    return net(x, training=True)\n\nprint(embed(model))"),
    ],
    "DLO117": [
        (_step(margin=" " * 4), _step()),
        (_step(margin=" " * 4, applied="print(gradients)"), _step(applied="print(gradients)")),
        (_step().replace("gradient(loss", "gradient(-loss"), _step(more=" * -1")),
        (_step(more="\n    loss = loss / 8"), _step(more=" / 8\n    print(loss * 2)")),
        (_step() + SECOND, _step(tape="persistent=True") + SECOND),
        (_step(applied="optimizer.apply_gradients(zip(model.trainable_variables, gradients))"), _step()),
        (_step(applied="print(loss)"), _step(applied="print([g.shape for g in gradients])")),
        (CONSTANT.format("pass", "point"), CONSTANT.format("tape.watch(point)", "point")),
        (CONSTANT.format("pass", "[point]"), CONSTANT.replace("tf.constant(", "tf.Variable(").format("pass", "point")),
    ],
}  # fmt: skip
COMPILE = "model.compile('sgd', 'mse')\n"
FITTED = f"{{frozen}}{COMPILE}model.fit(x, y)\n{{changed}}{{again}}model.fit(x, y, epochs=3)"
TF_PAIRS["DLO115"] = [
    (FITTED.format(frozen=frozen, changed=changed, again=""), FITTED.format(frozen=frozen, changed=changed, again=COMPILE))
    for frozen, changed in (
        ("", "model.layers[0].trainable = False\n"),
        ("model.layers[0].trainable = False\n", "model.layers[0].trainable = True\n"),
        ("model.trainable = False\n", "model.trainable = True\n"),
        ("", "for part in model.layers[:2]:\n    part.trainable = False\n"),
    )
] + [
    (
        FITTED.format(frozen="", changed="model.layers[0].trainable = False\n", again=""),
        FITTED.format(frozen="model.layers[0].trainable = False\n", changed="model.layers[0].trainable = False\n", again=""),
    ),
    (
        FITTED.format(frozen="", changed="model.trainable = False\n", again=""),
        f"{COMPILE}model.trainable = False\nmodel.fit(x, y)\nmodel.fit(x, y)",
    ),
]
NORMED = "net = tf.keras.Sequential([tf.keras.layers.Dense(4), {0}, tf.keras.layers.Dense(1)])\nnet.compile('sgd', 'mse')\n"
TF_PAIRS["DLO125"] = [
    (f"{COMPILE}model.fit(x, y)", f"{COMPILE}for epoch in range(9):\n    model.fit(x, y)"),
    (f"{COMPILE}model.fit(x, y, batch_size=4)", f"{COMPILE}model.fit(x, y, batch_size=4, epochs=9)"),
    tuple(
        f"{NORMED.format(layer)}net.fit(x, y, 1, 9)"
        for layer in ("tf.keras.layers.BatchNormalization()", "tf.keras.layers.LayerNormalization()")
    ),
    tuple(f"{COMPILE}model.fit(tf.zeros((512, 4)), tf.zeros((512, 1)), {size}, epochs=9)" for size in (1024, 64)),
]
LAYERS = ("tf.keras.layers.Dropout(0.5)", "tf.keras.layers.BatchNormalization()")
TF_PROGRAMS = [
    (code, pair, LAYERS[number % 2], form)
    for code, pairs in TF_PAIRS.items()
    for number, pair in enumerate(pairs)
    for form in FORMS
]
PROGRAMS = [(code, pair, form) for code, pairs in PAIRS.items() for pair in pairs for form in FORMS]


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
@pytest.mark.parametrize(("code", "pair", "layer", "form"), TF_PROGRAMS)
def test_every_form_of_tensorflow(code: str, pair: tuple[str, str], layer: str, form: str, tmp_path: Path) -> None:
    setup = TF_MODEL.format(layer=layer)
    faulty, repaired = (Case(code, TF_IMPORTS, setup, body, TF_NAMES) for body in pair)
    assert _told(faulty, form, tmp_path / "a")
    assert not _told(repaired, form, tmp_path / "b")


#: Evaluations of which it is not known that nothing asks for gradients.
PRINTED = "for x, y in loader:\n    print(model(x).argmax(1))"
INSIDE = PRINTED.replace("\n", "\n    ")
UNDECIDED = (
    f"{TRAIN}model.eval()\nwith torch.inference_mode():\n    {INSIDE}",
    f"{TRAIN}model.eval()\ntorch.set_grad_enabled(False)\n{PRINTED}",
    f"{TRAIN}model.eval()\nwith torch.set_grad_enabled(False):\n    {INSIDE}",
    f"{TRAIN}model.eval()\nfor x, y in loader:\n    x.requires_grad_()\n    print(torch.autograd.grad(model(x).sum(), x))",
    f"{TRAIN}model.eval()\nfor p in model.parameters():\n    p.requires_grad = False\n{PRINTED}",
    "model.eval()\ntotal = 0\nfor x, y in loader:\n    total = total + nn.functional.cross_entropy(model(x), y)\n"
    "total.backward()\noptimizer.step()",
    f"{TRAIN}model.eval()\nfor x, y in loader:\n    print(model(perturbed(model, x, y)).argmax(1))",
    f"{TRAIN}model.eval()\nfor _ in range(3):\n    print(model(torch.randn(2, 8)))",
    f"model.eval()\n{TRAIN}",
    f"{TRAIN}measure = nn.CrossEntropyLoss()\n"
    "model.eval()\nfor x, y in loader:\n    with torch.no_grad():\n        out = model(x)\n    print(measure(out, y).item())",
)


FUNCTION = """
class Written(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        {saves}
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return {returned}
"""
SAVES = "ctx.save_for_backward(x)"


@pytest.mark.parametrize("form", ["plain", "in_function", "in_other_file", "aliased"])
@pytest.mark.parametrize(
    ("saves", "returned", "told"),
    [
        (SAVES, "grad", True),
        (SAVES, "grad * 2", True),
        (SAVES, "(grad,)", True),
        (SAVES, "grad, None, grad", True),
        ("pass", "grad * ctx.saved_tensors[0], None", True),
        (SAVES, "grad * ctx.saved_tensors[0], None", False),
        (SAVES, "grad, None", False),
        (SAVES, "grad, None, None", False),
        (SAVES, "tuple([grad, None])", False),
        ("pass", "grad * ctx.needs_input_grad[0], None", False),
    ],
)
def test_gradients_written_by_hand(saves: str, returned: str, told: bool, form: str, tmp_path: Path) -> None:
    body = f"{FUNCTION.format(saves=saves, returned=returned)}\nprint(Written.apply(x, 2.0))"
    assert _told(Case("DLO131", IMPORTS, MODEL, body, NAMES), form, tmp_path / "a") is told


UNPACKED = """
class Written(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        {saves}
        return x * w

    @staticmethod
    def backward(ctx, grad):
        {unpacks} = ctx.saved_tensors
        return {returned}


print(Written.apply(x, torch.ones_like(x)))
"""


@pytest.mark.parametrize("form", ["plain", "in_function", "in_other_file", "aliased"])
@pytest.mark.parametrize(
    ("saves", "unpacks", "told"),
    [
        ("ctx.save_for_backward(x)", "x, w", True),
        ("ctx.save_for_backward(x, w, x * w)", "x, w", True),
        ("ctx.save_for_backward(x)", "(x, w)", True),
        ("ctx.save_for_backward(x, w)", "x, w", False),
        ("ctx.save_for_backward(x, w)", "x, *w", False),
        ("ctx.save_for_backward(*[x, w])", "x, w", False),
        ("save = ctx.save_for_backward\n        save(x, w)", "x, w", False),
        ("ctx.save_for_backward(x, w) if w is not None else ctx.save_for_backward(x)", "x, w", False),
        ("ctx.save_for_backward(x, w)", "both", False),
    ],
)
def test_saved_tensors_that_are_unpacked(saves: str, unpacks: str, told: bool, form: str, tmp_path: Path) -> None:
    body = UNPACKED.format(saves=saves, unpacks=unpacks, returned="grad, grad")
    assert _told(Case("DLO131", IMPORTS, MODEL, body, NAMES), form, tmp_path / "a") is told


#: Loops whose passes have graphs of their own.
APART = (
    "for number in range(9):\n    out = model[0](x)\n    for turn in range(number):\n        out = (out * out).clamp(min=0)\n"
    "    out.mean().backward()",
    "for inputs, y in loader:\n    out = inputs\n    for layer in model:\n        out = layer(out)\n    out.mean().backward()",
    f"{CELL}    h = torch.zeros(4, 8)\n    h = cell(inputs, h)\n    h.mean().backward()",
    f"{CELL}    h = start\n    h = cell(inputs, h)\n    h.mean().backward()".replace("h = torch", "start = h = torch"),
    f"{CELL}    if h is not None:\n        h = h.detach()\n    h = cell(inputs, h)\n    h.mean().backward()",
    f"{CELL}    h = cell(inputs, h)\n    h.mean().backward()\n    h.detach_()",
    f"{CELL}    h = cell(inputs, h)\n    h.mean().backward()\n    break",
    "for inputs, y in loader:\n    for part in (model(inputs).sum(), model(inputs).mean()):\n        part.backward()",
    "total = 0\nfor inputs, y in loader:\n    loss = model(inputs).mean()\n    total += loss.detach()\n    loss.backward()",
)


@pytest.mark.parametrize("form", ["plain", "in_method", "in_other_file"])
@pytest.mark.parametrize("body", APART)
def test_graphs_of_one_pass(body: str, form: str, tmp_path: Path) -> None:
    assert not _told(Case("DLO120", IMPORTS, MODEL, body, NAMES), form, tmp_path / "a")


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_other_file"])
@pytest.mark.parametrize("body", UNDECIDED)
def test_evaluations_that_may_want_gradients(body: str, form: str, tmp_path: Path) -> None:
    imports = f"{IMPORTS}\nfrom attacks import perturbed"
    assert not _told(Case("DLO109", imports, MODEL, body, NAMES), form, tmp_path / "a")


@pytest.mark.parametrize(("used", "told"), [("total += loss_of(model(x), y)", False), ("print(model(x).argmax(1))", True)])
def test_a_model_that_is_not_known_may_differentiate(used: str, told: bool, tmp_path: Path) -> None:
    text = (
        f"{IMPORTS}\nfrom parts import loss_of\n\n\ndef run(model, optimizer, loader):\n{indented(TRAIN)}"
        f"    model.eval()\n    total = 0\n    for x, y in loader:\n        {used}\n"
    )
    assert bool(found({"main.py": text}, tmp_path, ["DLO109"])) is told


@pytest.mark.parametrize("decorator", ["torch.no_grad()", "torch.inference_mode()", "torch.no_grad", "without_gradients"])
@pytest.mark.parametrize("name", ["evaluate", "test", "validation_loss"])
def test_decorated_evaluations(decorator: str, name: str, tmp_path: Path) -> None:
    text = (
        f"{IMPORTS}\nfrom engine import without_gradients\n\n\n@{decorator}\ndef {name}(model, loader):\n    model.eval()\n"
        f"    for x, y in loader:\n        print(model(x).argmax(1))\n\n\n{MODEL}\n{TRAIN}\n{name}(model, loader)\n"
    )
    assert not found({"main.py": text}, tmp_path, ["DLO109"])
    bare = text.replace(f"@{decorator}\n", "")
    assert found({"main.py": bare}, tmp_path, ["DLO109"])
