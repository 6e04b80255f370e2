import tensorflow as tf


def decode(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.resize(image, (14, 14))
    return image, label


def make_dataset(images, labels, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.map(decode)
    ds = ds.batch(batch_size)
    return ds
