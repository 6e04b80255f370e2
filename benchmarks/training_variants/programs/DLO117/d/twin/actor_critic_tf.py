"""One-step advantage actor critic on a corridor."""
import numpy as np
import tensorflow as tf


class Corridor:
    size = 6

    def reset(self):
        self.pos = 0
        return self.observe()

    def observe(self):
        return np.eye(self.size, dtype="float32")[self.pos]

    def step(self, action):
        self.pos = min(max(self.pos + (1 if action == 1 else -1), 0), self.size - 1)
        done = self.pos == self.size - 1
        return self.observe(), 1.0 if done else -0.05, done


def mlp(n_in, n_out):
    return tf.keras.Sequential([tf.keras.Input((n_in,)), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(n_out)])


class Agent:
    def __init__(self, n_obs, n_act):
        self.actor, self.critic = mlp(n_obs, n_act), mlp(n_obs, 1)
        self.actor_opt = tf.keras.optimizers.Adam(1e-3)
        self.critic_opt = tf.keras.optimizers.Adam(5e-3)

    def learn(self, s, a, r, s2, done):
        s, s2 = s[None], s2[None]
        with tf.GradientTape(persistent=True) as tape:
            value, logits = self.critic(s)[0, 0], self.actor(s)[0]
            target = r + 0.9 * (1.0 - float(done)) * tf.stop_gradient(self.critic(s2)[0, 0])
            delta = target - value
            actor_loss = -tf.nn.log_softmax(logits)[a] * tf.stop_gradient(delta)
            critic_loss = delta**2
        g1 = tape.gradient(actor_loss, self.actor.trainable_variables)
        g2 = tape.gradient(critic_loss, self.critic.trainable_variables)
        self.actor_opt.apply_gradients(zip(g1, self.actor.trainable_variables))
        self.critic_opt.apply_gradients(zip(g2, self.critic.trainable_variables))


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    env, agent = Corridor(), Agent(Corridor.size, 2)
    s = env.reset()
    for t in range(8):
        a = int(tf.random.categorical(agent.actor(s[None]), 1)[0, 0])
        s2, r, done = env.step(a)
        agent.learn(s, a, r, s2, done)
        s = env.reset() if done else s2
    print("steps", t + 1)
