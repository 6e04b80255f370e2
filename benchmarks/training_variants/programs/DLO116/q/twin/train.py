"""Keras model with its own train_step and an external evaluation step."""
import keras
import tensorflow as tf
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def data(seed=11):
    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.3, random_state=seed, stratify=y)
    scaler = StandardScaler().fit(x_train)
    pack = lambda a, b: (scaler.transform(a).astype("float32"), b.astype("float32")[:, None])
    return pack(x_train, y_train), pack(x_test, y_test)


def classifier(n_in):
    inputs = keras.Input((n_in,))
    h = keras.layers.Dense(32, activation="relu")(inputs)
    h = keras.layers.Dropout(0.5)(h)
    h = keras.layers.Dense(32, activation="relu")(h)
    h = keras.layers.Dropout(0.5)(h)
    return keras.Model(inputs, keras.layers.Dense(1)(h))


bce = keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(net, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = bce(y, net(x, training=True))
    gradients = tape.gradient(loss, net.trainable_weights)
    optimizer.apply_gradients(zip(gradients, net.trainable_weights))
    return loss


@tf.function
def test_step(net, metric, x, y):
    metric.update_state(y, net(x, training=False))


def evaluate(net, dataset):
    metric = keras.metrics.BinaryCrossentropy(from_logits=True)
    for x, y in dataset:
        test_step(net, metric, x, y)
    return float(metric.result())


def main(epochs=4):
    keras.utils.set_random_seed(11)
    train, test = data()
    train_ds = tf.data.Dataset.from_tensor_slices(train).shuffle(400, seed=0).batch(32).prefetch(tf.data.AUTOTUNE)
    test_ds = tf.data.Dataset.from_tensor_slices(test).batch(64).prefetch(tf.data.AUTOTUNE)
    net = classifier(train[0].shape[1])
    optimizer = keras.optimizers.Adam(learning_rate=2e-3, beta_1=0.85)
    for _ in range(epochs):
        for x, y in train_ds:
            train_step(net, optimizer, x, y)
    print("test loss", [round(evaluate(net, test_ds), 4) for _ in range(2)])


if __name__ == "__main__":
    main()
