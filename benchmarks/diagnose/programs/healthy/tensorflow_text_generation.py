"""After the TensorFlow tutorial "Text generation with an RNN": characters in, the next characters as targets."""
# backend: tensorflow

import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
words = ["to", "be", "or", "not", "that", "is", "the", "question"]
text = " ".join(words[int(at)] for at in random.integers(0, len(words), 2400))
vocab = sorted(set(text))
ids = np.array([vocab.index(char) for char in text])
length = 16
chunks = ids[: len(ids) // (length + 1) * (length + 1)].reshape(-1, length + 1)
dataset = (
    tf.data.Dataset.from_tensor_slices((chunks[:, :-1], chunks[:, 1:])).shuffle(1000, seed=seed).batch(16, drop_remainder=True)
)

model = keras.Sequential([layers.Embedding(len(vocab), 24), layers.GRU(48, return_sequences=True), layers.Dense(len(vocab))])
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(dataset, epochs=4, verbose=2)
assert history.history["loss"][-1] < 1.0
