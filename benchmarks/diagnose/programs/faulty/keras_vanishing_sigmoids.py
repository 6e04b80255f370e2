"""Seven hidden layers of sigmoids: the first ones hardly get any gradient, and the loss stays that of guessing.

After Stack Overflow questions on deep Keras networks of sigmoids; "vanishing gradient" of AUTOTRAINER and
DeepDiagnosis.
"""

# accept: activation

import keras
import numpy as np

rng = np.random.default_rng(52)
keras.utils.set_random_seed(52)
labels = rng.integers(0, 3, 1000)
x = (rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(3, 10))[labels]).astype("float32")

model = keras.Sequential()
for _ in range(7):
    model.add(keras.layers.Dense(32, activation="sigmoid"))  # expect: DLX104, DLX106, DLX107
model.add(keras.layers.Dense(3, activation="softmax"))
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
