import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def backbone(size):
    image = keras.Input((size, size, 3))
    x = layers.Conv2D(8, 3, strides=2, activation="relu")(image)
    x = layers.Conv2D(12, 3, strides=2, activation="relu")(x)
    return keras.Model(image, layers.GlobalAveragePooling2D()(x), name="backbone")


class TwoPhase:
    def __init__(self, size=16, classes=3):
        self.base = backbone(size)
        self.base.trainable = False
        image = keras.Input((size, size, 3))
        features = self.base(image, training=False)
        self.model = keras.Model(image, layers.Dense(classes, activation="softmax")(features))
        self.compile(1e-2)

    def compile(self, rate):
        self.model.compile(
            keras.optimizers.Adam(rate), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
        )

    def warm_up(self, data, epochs):
        return self.model.fit(data, epochs=epochs, verbose=0)

    def fine_tune(self, data, epochs):
        self.base.trainable = True
        return self.model.fit(data, epochs=epochs, verbose=0)


if __name__ == "__main__":
    keras.utils.set_random_seed(1)
    x = tf.random.uniform((48, 16, 16, 3))
    y = tf.cast(tf.argmax(tf.reduce_mean(x, axis=(1, 2)), axis=1), tf.int32)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    study = TwoPhase()
    study.warm_up(data, 2)
    start = study.base.get_weights()[0].copy()
    study.fine_tune(data, 2)
    print("backbone moved:", bool((start != study.base.get_weights()[0]).any()))
