"""Each layer carries an L2 penalty of 10: it is paid down to zero, and with it all that could be learnt.

After Stack Overflow questions on Keras models that predict the same for every sample with l2; "excessive
regularisation" in TheDeepChecker's list.
"""

# accept: weight-decay, regularisation

import keras
import numpy as np

rng = np.random.default_rng(55)
keras.utils.set_random_seed(55)
labels = rng.integers(0, 4, 1000)
x = (rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(4, 10))[labels]).astype("float32")

penalty = keras.regularizers.L2(10.0)  # expect: DLX102, DLX104, DLX105, DLX106, DLX107, DLX108, DLX110, DLX114
model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu", kernel_regularizer=penalty),
        keras.layers.Dense(32, activation="relu", kernel_regularizer=penalty),
        keras.layers.Dense(4, activation="softmax", kernel_regularizer=penalty),
    ]
)
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",  # expect: DLX106, DLX107, DLX108, DLX110, DLX114
    metrics=["accuracy"],
)
model.fit(x, labels, batch_size=40, epochs=10, verbose=0)
