"""After the Keras example "Metric learning for image similarity search": a training step of its own, similarities as logits."""

import sys

import keras
import numpy as np
import torch
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
CLASSES = 10
patterns = random.standard_normal((CLASSES, 8, 8, 1))


class AnchorPositivePairs(keras.utils.PyDataset):
    def __len__(self):
        return 60

    def __getitem__(self, index):
        return tuple((patterns + 0.7 * random.standard_normal((2, *patterns.shape))).astype("float32"))


class EmbeddingModel(keras.Model):
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean_loss = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.mean_loss]

    def train_step(self, data):
        anchors, positives = data
        self.zero_grad()
        anchor_embeddings = self(anchors, training=True)
        positive_embeddings = self(positives, training=True)
        similarities = keras.ops.einsum("ae,pe->ap", anchor_embeddings, positive_embeddings) / 0.2
        loss = self.loss_fn(keras.ops.arange(CLASSES), similarities)
        loss.backward()
        trainable_weights = self.trainable_weights
        gradients = [v.value.grad for v in trainable_weights]
        with torch.no_grad():
            self.optimizer.apply(gradients, trainable_weights)
        self.mean_loss.update_state(loss)
        return {"loss": self.mean_loss.result()}


inputs = layers.Input(shape=(8, 8, 1))
x = layers.Conv2D(16, 3, strides=2, activation="relu")(inputs)
x = layers.Conv2D(32, 3, activation="relu")(x)
x = layers.GlobalAveragePooling2D()(x)
embeddings = layers.UnitNormalization()(layers.Dense(8)(x))
model = EmbeddingModel(inputs, embeddings)
model.compile(optimizer=keras.optimizers.Adam(1e-2))
history = model.fit(AnchorPositivePairs(), epochs=4, verbose=2)
assert 0 < history.history["loss"][-1] < 0.6 * np.log(CLASSES)
