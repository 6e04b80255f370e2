import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(1)

x = np.random.rand(64, 16, 16, 3).astype("float32")
y = np.random.randint(0, 3, 64)

base = keras.Sequential(
    [
        layers.Input((16, 16, 3)),
        layers.Conv2D(8, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(16, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
    ],
    name="base",
)
base.trainable = False

inputs = keras.Input((16, 16, 3))
outputs = layers.Dense(3, activation="softmax")(base(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="sparse_categorical_crossentropy", metrics=["accuracy"])

# warm up the new head
model.fit(x, y, epochs=2, batch_size=16, verbose=0)

# now fine-tune everything
base.trainable = True
before = base.get_weights()[0].copy()
model.compile(optimizer=keras.optimizers.Adam(1e-4), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=2, batch_size=16, verbose=0)
print("base kernels changed:", not np.allclose(before, base.get_weights()[0]))
