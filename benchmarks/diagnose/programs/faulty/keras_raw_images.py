"""Images of 0 to 255 go into a functional network as they are, with gradient descent and momentum.

After questions on Stack Overflow on a Keras network that learns nothing until the images are divided by 255;
DeepDiagnosis' "improper data".
"""

# set: late
# accept: input-scale, input-not-scaled

import keras
import numpy as np
from keras import layers

rng = np.random.default_rng(89)
keras.utils.set_random_seed(89)
labels = rng.integers(0, 3, 600)
patterns = rng.integers(50, 200, (3, 10, 10, 1))
images = np.clip(patterns[labels] + rng.normal(0, 30, (600, 10, 10, 1)), 0, 255).astype("float32")

inputs = keras.Input((10, 10, 1))
x = layers.Conv2D(8, 3, activation="relu")(inputs)  # expect: DLX101, DLX102, DLX104, DLX109, DLX112
x = layers.MaxPooling2D()(x)
x = layers.Flatten()(x)
x = layers.Dense(24, activation="relu")(x)
outputs = layers.Dense(3, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(
    optimizer=keras.optimizers.SGD(learning_rate=0.1, momentum=0.9),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(images, labels, batch_size=30, epochs=6, verbose=0)
