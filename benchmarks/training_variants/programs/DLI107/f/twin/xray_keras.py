import numpy as np
import tensorflow as tf
from tensorflow.keras.applications import VGG16
from tensorflow.keras.layers import Dense, Dropout, GlobalAveragePooling2D
from tensorflow.keras.models import Model

tf.keras.utils.set_random_seed(6)

baseModel = VGG16(weights=None, include_top=False, input_shape=(32, 32, 3))
headModel = baseModel.output
headModel = GlobalAveragePooling2D()(headModel)
headModel = Dense(16, activation="relu")(headModel)
headModel = Dropout(0.5)(headModel)
headModel = Dense(2, activation="softmax")(headModel)
model = Model(inputs=baseModel.input, outputs=headModel)

# train the whole network
for layer in baseModel.layers:
    layer.trainable = True

model.compile(loss="categorical_crossentropy", optimizer=tf.keras.optimizers.Adam(1e-3), metrics=["accuracy"])

data = np.random.rand(24, 32, 32, 3).astype("float32")
covid = (data.mean(axis=(1, 2))[:, 0] > 0.5).astype(int)
labels = tf.keras.utils.to_categorical(covid, 2)
H = model.fit(data, labels, batch_size=8, epochs=2, verbose=0)
print("trainable", len(model.trainable_weights), "loss %.4f" % H.history["loss"][-1])
