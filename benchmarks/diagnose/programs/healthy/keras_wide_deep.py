"""After the Keras example "Structured data learning with wide, deep and cross networks": census rows, two branches."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
age, hours, gain = random.normal(40, 12, 1600), random.normal(40, 10, 1600), random.exponential(1000, 1600)
numbers = np.stack([age, hours, gain], 1).astype("float32")
job, region = random.integers(0, 6, 1600), random.integers(0, 4, 1600)
score = (age - 40) / 12 + np.linspace(-2, 2, 6)[job] + (job % 2) * (region - 1.5) + 0.3 * random.standard_normal(1600)
income = (score > 0.3).astype("float32")

number_in, job_in, region_in = layers.Input((3,)), layers.Input((1,), dtype="int32"), layers.Input((1,), dtype="int32")
normalizer = layers.Normalization()
normalizer.adapt(numbers)
scaled = normalizer(number_in)
job_code = layers.CategoryEncoding(6, output_mode="one_hot")(job_in)
region_code = layers.CategoryEncoding(4, output_mode="one_hot")(region_in)
wide = layers.BatchNormalization()(layers.concatenate([scaled, job_code, region_code]))
deep = layers.concatenate(
    [scaled, layers.Flatten()(layers.Embedding(6, 4)(job_in)), layers.Flatten()(layers.Embedding(4, 4)(region_in))]
)
for units in (32, 32):
    deep = layers.Dense(units)(deep)
    deep = layers.BatchNormalization()(deep)
    deep = layers.ReLU()(deep)
    deep = layers.Dropout(0.1)(deep)
outputs = layers.Dense(1, activation="sigmoid")(layers.concatenate([wide, deep]))
model = keras.Model([number_in, job_in, region_in], outputs)
model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="binary_crossentropy", metrics=["accuracy"])
data = [numbers, job[:, None], region[:, None]]
history = model.fit(data, income, batch_size=32, epochs=5, validation_split=0.2, verbose=2)
assert history.history["val_accuracy"][-1] > 0.85
