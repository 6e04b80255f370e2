import os

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(0)
SIZE, CLASSES, PRETRAINED = 32, 3, "base.weights.h5"


def extractor():
    return keras.applications.MobileNetV3Small(
        input_shape=(SIZE, SIZE, 3), include_top=False, weights=None, pooling="avg", include_preprocessing=False
    )


def transfer_model():
    base = extractor()
    base.load_weights(PRETRAINED)
    base.trainable = False
    model = keras.Sequential([keras.Input((SIZE, SIZE, 3)), base, keras.layers.Dense(CLASSES)])
    model.compile(
        optimizer=keras.optimizers.RMSprop(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return base, model


if __name__ == "__main__":
    source = extractor()
    if not os.path.exists(PRETRAINED):
        source.save_weights(PRETRAINED)
    x = np.random.rand(16, SIZE, SIZE, 3).astype("float32") * 2 - 1
    y = np.arange(16) % CLASSES
    base, model = transfer_model()
    model.fit(x, y, epochs=1, batch_size=8, verbose=0)
    print("base holds the stored weights:", np.allclose(source.get_weights()[0], base.get_weights()[0]))
