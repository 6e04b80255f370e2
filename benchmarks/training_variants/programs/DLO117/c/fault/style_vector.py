import argparse

import tensorflow as tf


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=5)
    p.add_argument("--content-weight", type=float, default=1.0)
    p.add_argument("--style-weight", type=float, default=0.1)
    return p.parse_args()


def gram(f):
    return tf.einsum("nc,nd->cd", f, f) / tf.cast(tf.shape(f)[0], tf.float32)


def main():
    opts = parse()
    tf.random.set_seed(0)
    extractor = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(6, activation="relu")])
    extractor.trainable = False
    content, style = tf.random.normal((4, 8)), tf.random.normal((4, 8))
    target_features, target_gram = extractor(content), gram(extractor(style))
    image = tf.Variable(content)
    optimizer = tf.keras.optimizers.Adam(0.05)

    for i in range(opts.iterations):
        with tf.GradientTape() as tape:
            features = extractor(image)
        loss = opts.content_weight * tf.reduce_mean((features - target_features) ** 2)
        loss += opts.style_weight * tf.reduce_mean((gram(features) - target_gram) ** 2)
        grad = tape.gradient(loss, image)
        optimizer.apply_gradients([(grad, image)])
        print(i, float(loss))


if __name__ == "__main__":
    main()
