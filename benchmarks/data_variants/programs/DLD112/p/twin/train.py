"""tf.data pipeline with random noise as augmentation, cached in memory."""
import keras
import tensorflow as tf


def tones(n, seed):
    gen = tf.random.Generator.from_seed(seed)
    y = gen.uniform((n,), 0, 3, tf.int32)
    t = tf.linspace(0.0, 6.0, 40)
    return tf.sin(tf.cast(y[:, None] + 1, tf.float32) * t), y


def augment(x, y):
    return x + tf.random.normal(tf.shape(x), stddev=0.8), y


def training_pipeline(n, batch):
    ds = tf.data.Dataset.from_tensor_slices(tones(n, 1))
    ds = ds.cache().map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(n, seed=3).batch(batch).prefetch(tf.data.AUTOTUNE)


def classifier():
    model = keras.Sequential([keras.Input((40,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(3)])
    model.compile(
        keras.optimizers.Adam(learning_rate=3e-3, beta_2=0.99),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main(epochs=15):
    keras.utils.set_random_seed(1)
    model = classifier()
    valid = tf.data.Dataset.from_tensor_slices(tones(500, 2)).map(augment).cache().batch(100).prefetch(1)
    history = model.fit(training_pipeline(60, 20), epochs=epochs, validation_data=valid, verbose=0)
    print(f"training loss {history.history['loss'][-1]:.3f}, validation loss {history.history['val_loss'][-1]:.3f}")


if __name__ == "__main__":
    main()
