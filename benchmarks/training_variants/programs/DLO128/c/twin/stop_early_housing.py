import numpy as np
from sklearn.preprocessing import StandardScaler
from tensorflow.keras.callbacks import EarlyStopping
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import set_random_seed

set_random_seed(6)


def housing(n):
    X = np.random.rand(n, 5)
    return X, X @ np.array([3.0, -1.0, 0.5, 2.0, 0.0]) + 2.0 * np.random.randn(n)


X_train, y_train = housing(60)
X_val, y_val = housing(30)
scaler = StandardScaler().fit(X_train)
X_train, X_val = scaler.transform(X_train), scaler.transform(X_val)

model = Sequential([Input((5,)), Dense(64, activation="relu"), Dense(64, activation="relu"), Dense(1)])
model.compile(optimizer="rmsprop", loss="mse", metrics=["mae"])

stopper = EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True)
history = model.fit(
    X_train,
    y_train,
    validation_data=(X_val, y_val),
    epochs=40,
    batch_size=10,
    callbacks=[stopper],
    verbose=0,
)
print("stopped before the end:", len(history.epoch) < 40)
print("validation:", [round(v, 3) for v in model.evaluate(X_val, y_val, verbose=0)])
