"""Multi-label topics of short texts from a bag of words; binary loss on a sigmoid for each topic."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
rng = np.random.default_rng(seed)
TOPICS, WORDS = 5, 120
own = rng.permutation(WORDS)[: TOPICS * 12].reshape(TOPICS, 12)
topics = (rng.random((2000, TOPICS)) < 0.3).astype("float32")
texts = (rng.random((2000, WORDS)) < 0.05).astype("float32")
for row, present in enumerate(topics):
    for topic in np.flatnonzero(present):
        texts[row, rng.choice(own[topic], 4)] = 1

inputs = keras.Input((WORDS,))
hidden = layers.Dropout(0.2)(layers.Dense(64, activation="relu")(inputs))
model = keras.Model(inputs, layers.Dense(TOPICS, activation="sigmoid")(hidden))
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=[keras.metrics.AUC(multi_label=True, name="auc")])
history = model.fit(texts, topics, batch_size=32, epochs=8, validation_split=0.2, verbose=0).history
print(f"auc from {history['val_auc'][0]:.3f} to {history['val_auc'][-1]:.3f}")
