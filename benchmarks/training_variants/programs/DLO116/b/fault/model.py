import tensorflow as tf


class ConvBlock(tf.keras.layers.Layer):
    def __init__(self, filters):
        super().__init__()
        self.conv = tf.keras.layers.Conv1D(filters, 3, padding="same", use_bias=False)
        self.norm = tf.keras.layers.BatchNormalization()

    def call(self, x, training=False):
        return tf.nn.relu(self.norm(self.conv(x), training=training))


class SignalNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.block1 = ConvBlock(8)
        self.block2 = ConvBlock(16)
        self.pool = tf.keras.layers.GlobalAveragePooling1D()
        self.dense = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        x = self.block1(x, training=training)
        x = self.block2(x, training=training)
        return self.dense(self.pool(x))
