"""The mean loss over the positions that have a label.

Follows the reports of NaN from masked losses for batches that consist of padding.
"""

import keras
from keras import ops

IGNORED = -1


def masked_loss(y_true, y_pred):
    mask = ops.cast(ops.not_equal(y_true, IGNORED), "float32")
    labels = ops.maximum(y_true, 0)
    losses = keras.losses.sparse_categorical_crossentropy(labels, y_pred, from_logits=True)
    return ops.sum(losses * mask) / ops.maximum(ops.sum(mask), 1.0)


def tagger(vocabulary=500, tags=7):
    inputs = keras.Input((None,), dtype="int32")
    x = keras.layers.Embedding(vocabulary, 32)(inputs)
    x = keras.layers.Bidirectional(keras.layers.LSTM(16, return_sequences=True))(x)
    return keras.Model(inputs, keras.layers.Dense(tags)(x))


if __name__ == "__main__":
    model = tagger()
    model.compile("adam", loss=masked_loss)
