import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)


def get_model():
    inp = keras.Input((20, 20, 3))
    z = keras.layers.Conv2D(8, 3, activation="relu")(inp)
    z = keras.layers.GlobalAveragePooling2D()(z)
    return keras.Model(inp, keras.layers.Dense(5)(z))


def saliency_map(model, image, class_idx=None):
    """|d score / d pixel|, maximum over channels, scaled to 0..1."""
    batch = tf.convert_to_tensor(image[None], dtype=tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(batch)
        preds = model(batch, training=False)
        if class_idx is None:
            class_idx = int(tf.argmax(preds[0]))
        score = preds[:, class_idx]
    grads = tape.gradient(score, batch)
    sal = tf.reduce_max(tf.abs(grads), axis=-1)[0]
    return ((sal - tf.reduce_min(sal)) / (tf.reduce_max(sal) - tf.reduce_min(sal) + 1e-8)).numpy()


x = np.random.rand(64, 20, 20, 3).astype("float32")
y = np.random.randint(0, 5, 64)
net = get_model()
net.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(x, y, epochs=1, verbose=0)
heat = saliency_map(net, x[0])
print(heat.shape, float(heat.max()))
