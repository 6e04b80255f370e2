import tensorflow as tf
from tensorflow.keras import layers


class ECGNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = layers.Conv1D(8, 7, strides=2, use_bias=False)
        self.bn1 = layers.BatchNormalization()
        self.conv2 = layers.Conv1D(16, 5, strides=2)
        self.pool = layers.GlobalAveragePooling1D()
        self.drop = layers.Dropout(0.4)
        self.out = layers.Dense(classes)

    def call(self, x, training=None):
        x = tf.nn.relu(self.bn1(self.conv1(x), training=training))
        x = self.pool(tf.nn.relu(self.conv2(x)))
        return self.out(self.drop(x, training=training))


class Trainer:
    def __init__(self, model, lr=1e-2):
        self.model = model
        self.opt = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def train_step(self, signal, label):
        with tf.GradientTape() as tape:
            logits = self.model(signal, training=True)
            loss = self.loss_fn(label, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def accuracy(self, signal, label):
        guess = tf.argmax(self.model(signal, training=False), axis=1, output_type=tf.int32)
        return tf.reduce_mean(tf.cast(guess == label, tf.float32))


def main():
    tf.random.set_seed(1)
    signal = tf.random.normal((64, 40, 1))
    label = tf.cast(tf.reduce_mean(signal, axis=(1, 2)) > 0, tf.int32)
    trainer = Trainer(ECGNet(2))
    for epoch in range(3):
        for i in range(0, 64, 16):
            loss = trainer.train_step(signal[i:i + 16], label[i:i + 16])
        print(epoch, round(float(loss), 4), round(float(trainer.accuracy(signal, label)), 3))
    print("moving mean", round(float(tf.reduce_sum(tf.abs(trainer.model.bn1.moving_mean))), 5))


if __name__ == "__main__":
    main()
