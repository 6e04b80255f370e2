"""Two classes, one output unit, and a softmax on it: the prediction is 1 for every sample, the accuracy stays at the
share of ones.

After the forum question that DeepDiagnosis' talk begins with (why is the result so bad on so simple a data set?);
"wrong activation of the last layer" in DeepFD's list.
"""

# accept: loss-pairing, softmax-on-single-unit, output-activation

import keras
import numpy as np

rng = np.random.default_rng(0)
keras.utils.set_random_seed(0)
labels = rng.integers(0, 2, 1000)
x = (rng.normal(size=(1000, 20)) + rng.normal(size=(2, 20))[labels]).astype("float32")
y = labels.astype("float32")[:, None]

model = keras.Sequential()
model.add(keras.layers.Dense(50, activation="relu"))
model.add(keras.layers.Dropout(0.2))
model.add(keras.layers.Dense(50, activation="relu"))
model.add(keras.layers.Dropout(0.2))
model.add(keras.layers.Dense(1, activation="softmax"))  # expect: DLX107, DLX110, DLX113
model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
model.fit(x, y, epochs=8, batch_size=50, verbose=0)
