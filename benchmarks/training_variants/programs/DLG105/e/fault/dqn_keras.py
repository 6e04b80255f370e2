import random
from collections import deque

import numpy as np
from tensorflow import keras


class DQNAgent:
    def __init__(self, state_size, action_size):
        self.state_size, self.action_size = state_size, action_size
        self.memory = deque(maxlen=500)
        self.gamma, self.epsilon = 0.95, 1.0
        self.model = self._build_model()

    def _build_model(self):
        model = keras.Sequential([
            keras.Input((self.state_size,)),
            keras.layers.Dense(24, activation="relu"),
            keras.layers.Dense(self.action_size, activation="linear"),
        ])
        model.compile(loss="mse", optimizer=keras.optimizers.Adam(learning_rate=0.001))
        return model

    def replay(self, batch_size):
        minibatch = random.sample(self.memory, batch_size)
        states = np.array([m[0] for m in minibatch])
        targets = []
        for state, action, reward, next_state, done in minibatch:
            target = reward
            if not done:
                target = reward + self.gamma * np.amax(self.model.predict(next_state[None], verbose=0)[0])
            target_f = self.model.predict(state[None], verbose=0)[0]
            target_f[action] = target
            targets.append(target_f)
        targets = np.array(targets)
        return self.model.train_on_batch(states, targets)


if __name__ == "__main__":
    random.seed(0)
    keras.utils.set_random_seed(0)
    agent = DQNAgent(4, 2)
    for _ in range(64):
        s, s2 = np.random.randn(4).astype("float32"), np.random.randn(4).astype("float32")
        agent.memory.append((s, random.randrange(2), float(s[0] > 0), s2, random.random() < 0.1))
    for step in range(2):
        loss = agent.replay(8)
    print("loss %.3f" % float(loss))
