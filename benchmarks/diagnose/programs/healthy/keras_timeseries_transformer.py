"""After the Keras example "Timeseries classification with a Transformer model": attention over the steps of a series."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)


def series(count):
    """Sawtooth or sine, of random period and phase."""
    labels = random.integers(0, 2, count)
    phase = (np.arange(32) / random.uniform(8, 16, (count, 1)) + random.random((count, 1))) % 1
    waves = np.where(labels[:, None] == 1, 2 * phase - 1, np.sin(2 * np.pi * phase))
    return (waves + 0.1 * random.standard_normal(waves.shape))[..., None].astype("float32"), labels


def transformer_encoder(inputs, head_size, num_heads, ff_dim, dropout):
    x = layers.MultiHeadAttention(key_dim=head_size, num_heads=num_heads, dropout=dropout)(inputs, inputs)
    x = layers.Dropout(dropout)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    res = x + inputs
    x = layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(res)
    x = layers.Dropout(dropout)(x)
    x = layers.Conv1D(filters=inputs.shape[-1], kernel_size=1)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    return x + res


x_train, y_train = series(1200)
inputs = keras.Input(shape=(32, 1))
x = layers.Conv1D(16, 3, padding="same", activation="relu")(inputs)
for _ in range(2):
    x = transformer_encoder(x, head_size=8, num_heads=2, ff_dim=16, dropout=0.1)
x = layers.GlobalAveragePooling1D(data_format="channels_last")(x)
x = layers.Dropout(0.2)(layers.Dense(32, activation="relu")(x))
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(
    loss="sparse_categorical_crossentropy", optimizer=keras.optimizers.Adam(2e-3), metrics=["sparse_categorical_accuracy"]
)
callbacks = [keras.callbacks.EarlyStopping(patience=10, restore_best_weights=True)]
model.fit(x_train, y_train, validation_split=0.2, epochs=6, batch_size=32, callbacks=callbacks, verbose=2)
assert model.evaluate(*series(300), verbose=0)[1] > 0.85
