"""The focal loss of one-stage detectors on sigmoid outputs.

Follows the reports of a focal loss that is NaN once the classifier is sure of itself.
"""

import keras
from keras import ops


@keras.saving.register_keras_serializable()
class FocalLoss(keras.losses.Loss):
    def __init__(self, alpha=0.25, gamma=2.0, name="focal"):
        super().__init__(name=name)
        self.alpha = alpha
        self.gamma = gamma

    def call(self, y_true, y_pred):
        p = ops.sigmoid(y_pred)
        y_true = ops.cast(y_true, p.dtype)
        matched = y_true * p + (1.0 - y_true) * (1.0 - p)
        weight = self.alpha * y_true + (1.0 - self.alpha) * (1.0 - y_true)
        matched = ops.clip(matched, 1e-7, 1.0)
        modulation = ops.square(1.0 - matched)
        loss = -weight * modulation * ops.log(matched)
        return ops.mean(loss, axis=-1)


def detector(anchors=9):
    inputs = keras.Input((16, 16, 8))
    x = keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    return keras.Model(inputs, keras.layers.Conv2D(anchors, 3, padding="same")(x))


if __name__ == "__main__":
    model = detector()
    model.compile("sgd", FocalLoss())
