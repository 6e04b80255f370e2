import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, states, actions, lr=1e-2):
        self.actor = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(actions)])
        self.critic = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(1)])
        self.actor.build((None, states))
        self.critic.build((None, states))
        self.actor_opt = tf.keras.optimizers.Adam(lr)
        self.critic_opt = tf.keras.optimizers.Adam(lr)

    def learn(self, states, actions, returns):
        with tf.GradientTape(persistent=True) as tape:
            value = tf.squeeze(self.critic(states), axis=1)
            advantage = tf.stop_gradient(returns - value)
            logits = self.actor(states)
            nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
            actor_loss = tf.reduce_mean(nll * advantage)
            critic_loss = tf.reduce_mean(tf.square(returns - value))
        actor_grads = tape.gradient(actor_loss, self.actor.trainable_variables)
        critic_grads = tape.gradient(critic_loss, self.critic.trainable_variables)
        del tape
        self.actor_opt.apply_gradients(zip(actor_grads, self.actor.trainable_variables))
        self.critic_opt.apply_gradients(zip(critic_grads, self.critic.trainable_variables))
        return float(actor_loss), float(critic_loss)


def play(agent, rng, n=32):
    states = rng.normal(size=(n, 4)).astype("float32")
    actions = np.argmax(agent.actor(states).numpy() + rng.gumbel(size=(n, 2)), axis=1)
    rewards = np.where(actions == (states[:, 0] > 0), 1.0, -1.0).astype("float32")
    return states, actions.astype("int32"), rewards


if __name__ == "__main__":
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    agent = Agent(4, 2)
    for update in range(10):
        losses = agent.learn(*play(agent, rng))
    print("actor %.4f critic %.4f" % losses)
