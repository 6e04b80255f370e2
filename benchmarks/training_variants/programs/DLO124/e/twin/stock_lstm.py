import numpy as np
from sklearn.preprocessing import MinMaxScaler
from tensorflow.keras.layers import LSTM, Dense, Dropout
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam
from tensorflow.keras.utils import set_random_seed

set_random_seed(123)
prices = 100 + np.cumsum(np.random.normal(0, 1, 300))
scaler = MinMaxScaler(feature_range=(0, 1))
scaled = scaler.fit_transform(prices.reshape(-1, 1))

look_back = 15
X, y = [], []
for i in range(look_back, len(scaled)):
    X.append(scaled[i - look_back:i, 0])
    y.append(scaled[i, 0])
X, y = np.array(X), np.array(y)
X = np.reshape(X, (X.shape[0], X.shape[1], 1))

regressor = Sequential()
regressor.add(LSTM(units=16, return_sequences=True, input_shape=(X.shape[1], 1)))
regressor.add(Dropout(0.2))
regressor.add(LSTM(units=16))
regressor.add(Dense(units=1))
regressor.compile(optimizer=Adam(learning_rate=0.001), loss="mean_squared_error")

history = regressor.fit(X, y, epochs=3, batch_size=32, verbose=0)
print([round(v, 5) for v in history.history["loss"]])
