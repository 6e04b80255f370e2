"""The entropy bonus of a policy-gradient agent.

Follows the reports of NaN actions in home-made actor-critic agents once the policy has become deterministic.
"""

import keras
from keras import layers, ops


class Actor(keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.body = layers.Dense(64, activation="tanh")
        self.policy = layers.Dense(actions, activation="softmax")

    def call(self, observations):
        return self.policy(self.body(observations))

    def entropy(self, observations):
        probabilities = self(observations)
        return -ops.mean(ops.sum(probabilities * ops.log(probabilities), axis=-1))


def bonus(actor, observations, weight=0.01):
    return weight * actor.entropy(observations)


if __name__ == "__main__":
    agent = Actor(4)
    print(bonus(agent, keras.random.normal((5, 8))))
