"""All weights of the hidden layer are drawn below zero, and so are its biases, while the inputs are positive: no unit
ever fires.

After Stack Overflow questions on a "dying ReLU" in Keras; "dying ReLU" of AUTOTRAINER, "dead node" of
DeepDiagnosis.
"""

# accept: weight-init, constant-weight-init, activation

import keras
import numpy as np

rng = np.random.default_rng(49)
keras.utils.set_random_seed(49)
labels = rng.integers(0, 3, 1200)
x = np.clip(0.5 + 0.15 * rng.normal(size=(1200, 10)) + 0.3 * rng.normal(size=(3, 10))[labels], 0, 1).astype("float32")

below_zero = keras.initializers.RandomUniform(-0.5, -0.1)  # expect: DLX102, DLX105, DLX110
model = keras.Sequential(
    [
        keras.layers.Dense(  # expect: DLX102, DLX105, DLX110
            64,
            activation="relu",
            kernel_initializer=below_zero,
            bias_initializer=below_zero,
        ),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(x, labels, batch_size=50, epochs=6, verbose=0)
