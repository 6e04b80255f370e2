"""After the Keras example "Collaborative filtering": embeddings of users and films, their product through a sigmoid."""

import sys

import keras
import numpy as np
from keras import layers, ops

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
users, films = random.standard_normal((60, 4)), random.standard_normal((80, 4))
pairs = np.stack([random.integers(0, 60, 6000), random.integers(0, 80, 6000)], axis=1)
ratings = 1 / (1 + np.exp(-(users[pairs[:, 0]] * films[pairs[:, 1]]).sum(1)))


class RecommenderNet(keras.Model):
    def __init__(self, num_users, num_movies, embedding_size, **kwargs):
        super().__init__(**kwargs)
        regularizer = keras.regularizers.l2(1e-6)
        settings = {"embeddings_initializer": "he_normal", "embeddings_regularizer": regularizer}
        self.user_embedding = layers.Embedding(num_users, embedding_size, **settings)
        self.user_bias = layers.Embedding(num_users, 1)
        self.movie_embedding = layers.Embedding(num_movies, embedding_size, **settings)
        self.movie_bias = layers.Embedding(num_movies, 1)

    def call(self, inputs):
        user_vector, user_bias = self.user_embedding(inputs[:, 0]), self.user_bias(inputs[:, 0])
        movie_vector, movie_bias = self.movie_embedding(inputs[:, 1]), self.movie_bias(inputs[:, 1])
        dot_user_movie = ops.sum(user_vector * movie_vector, axis=1, keepdims=True)
        return ops.sigmoid(dot_user_movie + user_bias + movie_bias)


model = RecommenderNet(60, 80, 8)
model.compile(loss=keras.losses.BinaryCrossentropy(), optimizer=keras.optimizers.Adam(learning_rate=0.01))
model.fit(pairs[:5400], ratings[:5400], batch_size=64, epochs=5, validation_data=(pairs[5400:], ratings[5400:]), verbose=2)
error = np.mean((model.predict(pairs[5400:], verbose=0)[:, 0] - ratings[5400:]) ** 2)
print(f"error {error:.4f}, variance {ratings.var():.4f}")
assert error < 0.5 * ratings.var()
