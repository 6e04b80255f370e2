import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(42)

class_names = ["T-shirt", "Trouser", "Pullover", "Dress"]
protos = np.random.rand(4, 12, 12).astype("float32")
train_labels = np.random.randint(0, 4, 240)
train_images = protos[train_labels] + np.random.normal(0, 0.3, (240, 12, 12)).astype("float32")

model = tf.keras.Sequential([
    tf.keras.layers.Input((12, 12)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(len(class_names)),
])

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
hist = model.fit(train_images, train_labels, epochs=5, verbose=0)
print([round(v, 3) for v in hist.history["loss"]])

probability_model = tf.keras.Sequential([model, tf.keras.layers.Softmax()])
print(class_names[int(np.argmax(probability_model(train_images[:1])))])
