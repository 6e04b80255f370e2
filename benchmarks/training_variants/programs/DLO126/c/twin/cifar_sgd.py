import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers
from tensorflow.keras.optimizers import SGD

tf.keras.utils.set_random_seed(0)
num_classes, epochs, batch_size = 4, 3, 16
learning_rate, momentum = 0.05, 0.9


def conv_unit(t, filters):
    t = layers.Conv2D(filters, 3, padding="same")(t)
    t = layers.BatchNormalization()(t)
    return layers.Activation("relu")(t)


images = np.random.rand(64, 12, 12, 3).astype("float32")
classes = np.random.randint(0, num_classes, 64)

inp = layers.Input((12, 12, 3))
t = conv_unit(inp, 8)
t = layers.MaxPooling2D()(t)
t = conv_unit(t, 8)
out = layers.Dense(num_classes, activation="softmax")(layers.GlobalMaxPooling2D()(t))
net = Model(inp, out)

opt = SGD(learning_rate=learning_rate, momentum=momentum, nesterov=True)
net.compile(optimizer=opt, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
h = net.fit(images, classes, batch_size=batch_size, epochs=epochs, verbose=0)
print("lr used:", float(net.optimizer.learning_rate))
print([round(v, 4) for v in h.history["loss"]])
