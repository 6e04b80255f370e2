import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(1)

IMG = 24
rng = np.random.default_rng(1)
images = rng.random((96, IMG, IMG, 3), dtype="float32")
labels = (images[..., 0].mean((1, 2)) > images[..., 1].mean((1, 2))).astype("float32")

base_model = keras.Sequential(
    [layers.Conv2D(8, 3, activation="relu"), layers.Conv2D(8, 3, activation="relu"), layers.GlobalAveragePooling2D()],
    name="base",
)
base_model.trainable = False

inputs = keras.Input((IMG, IMG, 3))
x = base_model(inputs, training=False)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)

model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(images, labels, epochs=2, batch_size=16, verbose=0)

before = base_model.layers[0].kernel.numpy().copy()
# now fine-tune the whole thing
base_model.trainable = True
for layer in base_model.layers[:-2]:
    layer.trainable = True
model.compile(optimizer=keras.optimizers.Adam(1e-4), loss="binary_crossentropy", metrics=["accuracy"])
history_fine = model.fit(images, labels, epochs=2, batch_size=16, verbose=0)

print("loss", [round(v, 4) for v in history_fine.history["loss"]])
print("base moved:", bool(np.abs(base_model.layers[0].kernel.numpy() - before).max() > 0))
