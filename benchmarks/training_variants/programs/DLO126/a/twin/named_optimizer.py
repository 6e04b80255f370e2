import numpy as np
from keras.layers import Dense, Input
from keras.models import Sequential
from keras.optimizers import SGD
from keras.utils import set_random_seed

set_random_seed(0)
rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(400, 4)).astype("float32")
Y = (X[:, :1] * X[:, 1:2] + X[:, 2:3]).astype("float32")

model = Sequential()
model.add(Input(shape=(4,)))
model.add(Dense(32, activation="tanh"))
model.add(Dense(32, activation="tanh"))
model.add(Dense(1))

sgd = SGD(learning_rate=0.05, momentum=0.9, nesterov=True)
model.compile(loss="mean_squared_error", optimizer=sgd)
model.fit(X, Y, epochs=15, batch_size=32, verbose=0)
print("mse", round(model.evaluate(X, Y, verbose=0), 4))
