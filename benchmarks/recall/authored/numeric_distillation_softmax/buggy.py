"""Knowledge distillation with soft targets.

Follows the many reports of a loss that is NaN after some steps because it takes the logarithm of a softmax.
"""

import keras
from keras import layers, ops


class SoftTargetLoss(keras.losses.Loss):
    def __init__(self, temperature=2.0):
        super().__init__(name="soft_target")
        self.temperature = temperature

    def call(self, y_true, y_pred):
        probabilities = ops.softmax(y_pred / self.temperature, axis=-1)
        log_probabilities = ops.log(probabilities)
        return -ops.sum(y_true * log_probabilities, axis=-1)


def build_student(num_classes=10):
    inputs = keras.Input((32,))
    x = layers.Dense(64, activation="relu")(inputs)
    return keras.Model(inputs, layers.Dense(num_classes)(x))


if __name__ == "__main__":
    student = build_student()
    student.compile("adam", loss=SoftTargetLoss())
    student.summary()
