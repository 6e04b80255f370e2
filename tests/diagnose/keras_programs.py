"""Faulty Keras programs: which symptoms each shows on every backend."""

from __future__ import annotations

BEGIN = """
import numpy as np
import keras
from keras import layers, ops

keras.utils.set_random_seed(0)
x = np.random.randn(256, 8).astype("float32")
y = (x[:, 0] > 0).astype("int32")
"""
FIT = """
model = keras.Sequential([LAYERS])
model.compile(OPTIMIZER, LOSS, metrics=[METRIC])
model.fit(x, y, batch_size=32, epochs=EPOCHS, verbose=0, OPTIONS)
"""
USUAL = {
    "LAYERS": 'layers.Dense(16, activation="relu"), layers.Dense(2, activation="softmax")',
    "OPTIMIZER": "keras.optimizers.SGD(0.1)",
    "LOSS": '"sparse_categorical_crossentropy"',
    "METRIC": "",
    "EPOCHS": "15",
    "OPTIONS": "",
}


def program(data: str = "", **changed: str) -> str:
    """A program of 120 steps with a fault in its data or in what is ``changed``."""
    text = FIT
    for name, value in {**USUAL, **changed}.items():
        text = text.replace(name, value)
    return BEGIN + data + text


REGRESSION = {"LAYERS": "layers.Dense(1)", "LOSS": '"mse"'}
SQUASHED = ", ".join(['layers.Dense(8, activation="sigmoid")'] * 7)
RANDOM = "y = np.random.randint(0, 2, 256)\n"
SMALL = "layers.Dense(2, 'softmax', kernel_initializer=keras.initializers.RandomNormal(stddev=0.05))"

SATURATED = program(
    "x = 1000 * x\n", LAYERS="layers.Dense(16, 'sigmoid'), layers.Dense(16, 'relu'), layers.Dense(2, 'softmax')"
)

#: Symptom → a program that shows it on the torch and the TensorFlow backend.
FAULTY = {
    "numerical error": program("y = x @ np.random.randn(8, 1)\n", **REGRESSION | {"OPTIMIZER": "keras.optimizers.SGD(1e9)"}),
    "exploding": program(
        "y = x @ np.random.randn(8, 1)\n", **REGRESSION | {"OPTIMIZER": "keras.optimizers.SGD(1.2)", "EPOCHS": "6"}
    ),
    "oscillation": program(
        "x, y = np.ones((32, 1)), np.full((32, 1), 3.3)\n",
        LAYERS="layers.Dense(1, kernel_initializer='zeros')",
        LOSS='"mae"',
        OPTIMIZER="keras.optimizers.SGD(0.2)",
        EPOCHS="120",
    ),
    "loss not decreasing": program(RANDOM, LAYERS=SMALL, OPTIMIZER="keras.optimizers.SGD(1e-3)"),
    "accuracy not increasing": program(RANDOM, OPTIMIZER="keras.optimizers.SGD(1e-4)"),
    "invalid accuracy": program("def accuracy(t, p):\n    return 200 + 0 * ops.mean(p)\n", METRIC="accuracy"),
    "no better than baseline": SATURATED,
    "batch cross-talk": program(
        LAYERS="layers.Dense(16), layers.Lambda(lambda t: t + ops.mean(t, axis=0)), layers.Dense(2, activation='softmax')"
    ),
    "input-independent output": program(LAYERS="layers.Dense(8), layers.Dense(1, activation='softmax')", LOSS='"mse"'),
    "cannot fit one batch": program(
        RANDOM, LAYERS=f"layers.Lambda(lambda t: keras.random.normal(ops.shape(t))), {SMALL}", EPOCHS="60"
    ).replace("batch_size=32", "batch_size=128"),
    "gradient noise": program(
        "y = np.tile(np.repeat([10.0, -10.0], 32), 4)\n",
        **REGRESSION | {"OPTIMIZER": "keras.optimizers.SGD(1e-5)", "EPOCHS": "8", "OPTIONS": "shuffle=False"},
    ),
    "dead node": program(
        "x, y = np.tile(x, (2, 1)), np.tile(y, 2)\n",
        LAYERS="layers.Dense(16, 'relu', bias_initializer=keras.initializers.Constant(-100.0)), layers.Dense(2, 'softmax')",
    ).replace("batch_size=32", "batch_size=128"),
    "initial loss": program(
        LAYERS="layers.Dense(2, 'softmax', kernel_initializer=keras.initializers.RandomNormal(stddev=20.0))"
    ),
    "sum reduction": program(
        RANDOM, OPTIMIZER="keras.optimizers.SGD(1e-5)", LOSS="keras.losses.SparseCategoricalCrossentropy(reduction='sum')"
    ),
    "unscaled input": program("x = 100 * x\n"),
    "input features": program("x[:, 3] = 1\n"),
    "invalid loss": program(
        "def loss(t, p):\n    return -keras.losses.mean_squared_error(t, p)\n", **REGRESSION | {"LOSS": "loss", "EPOCHS": "4"}
    ),
    "class imbalance": program("y[:] = 0\ny[::20] = 1\nx[:] = np.random.randn(256, 8)\n"),
    "unshuffled labels": program("order = np.argsort(y)\nx, y = x[order], y[order]\n", OPTIONS="shuffle=False"),
    "out of range": program(LAYERS="layers.Dense(16, 'relu'), layers.Dense(2)"),
    "overfitting": program(
        RANDOM, OPTIMIZER="keras.optimizers.Adam(0.03)", LAYERS="layers.Dense(64, 'relu'), layers.Dense(2, 'softmax')"
    ).replace("verbose=0, ", "verbose=0, validation_split=0.5"),
    "saturated activation": SATURATED,
    "train/eval gap": program(
        "x = x + 5\n",
        LAYERS="layers.Dense(16), layers.BatchNormalization(momentum=0.999), layers.ReLU(), layers.Dense(2, 'softmax')",
    ),
    "unchanged weight": program(LAYERS="layers.Dense(16), layers.Lambda(ops.stop_gradient), layers.Dense(2, 'softmax')"),
    "update-to-weight ratio": program(OPTIMIZER="keras.optimizers.Adam(1e-9)"),
    "gradients clipped away": program(RANDOM, OPTIMIZER="keras.optimizers.SGD(0.1, global_clipnorm=1e-5)"),
    "learning rate taken away": program(
        RANDOM, OPTIMIZER="keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5))"
    ),
    "measure taken the wrong way": program(
        OPTIONS="validation_split=0.2, callbacks=[keras.callbacks.EarlyStopping('val_loss', patience=99, mode='max')]"
    ),
    "vanishing gradient": program(LAYERS=f"{SQUASHED}, layers.Dense(2, 'softmax')", OPTIMIZER="keras.optimizers.SGD(0.01)"),
}

#: Symptom → why no Keras program shows it.
ELSEWHERE = {
    "identical batches": "Keras makes the batches of fit itself; the loaders of torch that are watched are not used",
    "training in evaluation mode": "fit chooses the mode itself; the mode of a call in a loop is not followed",
    "evaluation in training mode": "evaluate chooses the mode itself; the mode of a call in a loop is not followed",
    "weights of frequent classes": "tests/diagnose/test_class_weights.py has a program of fit",
    "evaluation on training samples": "tests/diagnose/test_held_out.py has a program of fit",
    "evaluation of other classes": "tests/diagnose/test_held_out.py has a program of fit",
    "inputs scaled twice": "tests/diagnose/test_scaled_twice.py has programs of fit",
    "target among the inputs": "tests/diagnose/test_target_among_inputs.py has a program of fit",
    "labels of padding": "the losses of torch are watched for them; labels of Keras are weighted or masked by the model",
    "stopped while improving": "tests/diagnose/test_stops_while_improving.py has programs of fit",
    "samples never drawn": "Keras makes the batches of fit itself",
    "processes not synchronised": "several processes under torchrun train with torch",
    "discarded gradients": "fit clears and applies gradients itself",
    "learning rate never reached": "schedules of Keras are called with the number of the step, which fit counts",
    "same data in all processes": "several processes under torchrun train with torch",
}
