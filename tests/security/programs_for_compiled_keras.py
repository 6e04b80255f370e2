"""Programs of an outsider for backends of Keras that compile, with a callback that watches."""

from __future__ import annotations

from typing import Final

#: Each does the same without the callback.
ON_TENSORFLOW: Final = {
    "jit": """
model = compiled(net(), jit_compile=True)
told(model, fit(model, *watched()))
""",
    "eagerly": """
model = compiled(net(), run_eagerly=True)
told(model, fit(model, *watched()))
""",
    "several steps": """
model = compiled(net(), steps_per_execution=2)
told(model, fit(model, *watched()))
""",
    "mirrored": """
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    model = compiled(net(), loss=keras.losses.MeanSquaredError())
told(model, fit(model, *watched()))
""",
    "two optimizers": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.a, self.b = net(), net()
        self.oa, self.ob = keras.optimizers.Adam(0.01), keras.optimizers.SGD(0.1)
        self.n = tf.Variable(0)
    def call(self, x, training=False):
        return self.b(self.a(x, training=training), training=training)
    def train_step(self, data):
        xx, yy = data
        self.n.assign_add(1)
        with tf.GradientTape(persistent=True) as tape:
            l1 = tf.reduce_mean((self.a(xx, training=True) - yy) ** 2)
            l2 = tf.reduce_mean((self.b(xx, training=True) - yy) ** 2)
        for loss, part, opt in ((l1, self.a, self.oa), (l2, self.b, self.ob)):
            opt.apply_gradients(zip(tape.gradient(loss, part.trainable_variables), part.trainable_variables))
        return {"l1": l1, "l2": l2}
model = Net()
model.compile()
a = fit(model, *watched())
told(model, a)
print(int(model.n))
""",
    "generators of its own": """
made = tf.random.Generator.from_seed(1)
tf.random.set_global_generator(tf.random.Generator.from_seed(4))
class Noise(layers.Layer):
    def call(self, x, training=False):
        return (
            x
            + made.normal(tf.shape(x))
            + tf.random.get_global_generator().uniform(tf.shape(x))
            + tf.random.normal(tf.shape(x))
            + tf.random.normal(tf.shape(x), seed=3)
        )
tf.random.set_seed(2)
model = compiled(keras.Sequential([Noise(), layers.Dense(1)]))
told(model, fit(model, *watched()))
print(made.state.numpy(), tf.random.get_global_generator().state.numpy(), tf.random.normal((2,)).numpy())
""",
    "datasets without length": """
data = tf.data.Dataset.from_generator(
    lambda: ((x[i : i + 5], y[i : i + 5]) for i in range(0, 24, 5)),
    output_signature=(tf.TensorSpec((None, 6)), tf.TensorSpec((None, 1))),
)
data = data.shuffle(3, seed=1).prefetch(2)
model = compiled(net())
a = fit(model, *watched(), data=data, epochs=3)
b = fit(model, *watched(), data=data.repeat(), epochs=2, steps_per_epoch=7)
told(model, a, b)
""",
    "odd inputs": """
ragged = tf.ragged.constant([[1, 2], [3], [4, 5, 6], [1]])
text = tf.constant([["a"], ["b"], ["a"], ["c"]])
inp = {"r": keras.Input((None,), dtype="int32"), "t": keras.Input((1,), dtype="string")}
out = layers.Dense(1)(
    layers.Embedding(8, 3)(inp["r"])[:, 0]
    + layers.Embedding(9, 3)(layers.StringLookup(vocabulary=["a", "b"])(inp["t"]))[:, 0]
)
model = compiled(keras.Model(inp, out))
data = tf.data.Dataset.from_tensors(({"r": ragged.to_tensor(), "t": text}, tf.ones((4, 1)))).repeat(4)
told(model, fit(model, *watched(), data=data))
""",
    "functions of its own": """
model = net()
opt = keras.optimizers.SGD(0.05)
own = watched()
loss_of = keras.losses.MeanSquaredError()
traces = []
@tf.function(jit_compile=False)
def step(a, b):
    traces.append(1)
    with tf.GradientTape() as tape:
        loss = loss_of(b, model(a, training=True))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
class Go(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        for i in range(4):
            print(float(step(x[:8], y[:8])).hex())
model.build((None, 6))
outer = compiled(net())
a = fit(outer, *own, Go())
told(outer, a)
told(model)
""",
    "variables of its own": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
        self.count = tf.Variable(0, trainable=False)
        self.dense = tf.Variable([1.0, 2.0], trainable=False)
    def call(self, x, training=False):
        self.dense.scatter_nd_update([[0]], [tf.reduce_sum(x)])
        self.count.assign_add(1)
        return self.body(x, training=training)
model = Net()
model.compile(keras.optimizers.SGD(0.05), "mse")
told(model, fit(model, *watched()))
print(int(model.count), model.dense.numpy())
""",
    "generators": """
drawn = []
def batches():
    for i in range(7):
        drawn.append(i)
        yield x[i : i + 8], y[i : i + 8]
model = compiled(net())
a = fit(model, *watched(), data=batches(), epochs=1)
print(drawn)
told(model, a)
""",
    "exceptions": """
class Bad(keras.callbacks.Callback):
    def __init__(self, error):
        super().__init__()
        self.error = error
    def on_train_batch_end(self, batch, logs=None):
        if batch == 1:
            raise self.error
own = watched()
model = compiled(net())
for error in (KeyboardInterrupt(), ValueError("mine"), SystemExit(3), StopIteration(), GeneratorExit()):
    try:
        fit(model, *own, Bad(error))
    except BaseException as caught:
        print(type(caught).__name__, caught.args, caught.__cause__, caught.__context__)
a = fit(model, *own)
b = fit(model)
told(model, a, b)
""",
    "copied before": """
made = watched()
made = [copy.deepcopy(one) for one in made] + [pickle.loads(pickle.dumps(one)) for one in made]
model = compiled(net())
a = fit(model, *made)
told(model, a)
""",
    "queues and tables": """
table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, 0.0)
queue = tf.queue.FIFOQueue(100, tf.float32)
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
    def call(self, x, training=False):
        return self.body(x, training=training)
    def train_step(self, data):
        key = tf.constant(1, tf.int64)
        table.insert(key, table.lookup(key) + 1.0)
        queue.enqueue(1.0)
        return super().train_step(data)
model = Net()
model.compile(keras.optimizers.SGD(0.05), "mse")
told(model, fit(model, *watched()))
print(table.lookup(tf.constant(1, tf.int64)).numpy(), queue.size().numpy())
""",
    "steps that are given an iterator": """
model, optimizer = net(), keras.optimizers.SGD(0.05)
loss_of = keras.losses.MeanSquaredError()
rows = iter(tf.data.Dataset.from_tensor_slices((x, y)).batch(4).repeat())
@tf.function
def step(given):
    a, b = next(given)
    with tf.GradientTape() as tape:
        loss = loss_of(b, model(a, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
@tf.function
def captured():
    return step(rows)
class Go(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        for _ in range(4):
            print(float(step(rows)).hex(), float(captured()).hex())
model.build((None, 6))
outer = compiled(net())
told(outer, fit(outer, *watched(), Go()))
told(model)
print(next(rows)[0].numpy().sum())
""",
}
#: Those for JAX.
ON_JAX: Final = {
    "jit": """
model = compiled(net(), jit_compile=True)
told(model, fit(model, *watched()))
""",
    "not jit": """
model = compiled(net(), jit_compile=False)
told(model, fit(model, *watched()))
""",
    "eagerly": """
model = compiled(net(), run_eagerly=True)
told(model, fit(model, *watched(), epochs=1))
""",
    "several steps": """
model = compiled(net(), steps_per_execution=2)
told(model, fit(model, *watched()))
""",
    "own train step": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
        self.draws = keras.random.SeedGenerator(3)
    def call(self, x, training=False):
        return self.body(x + keras.random.normal(ops.shape(x), seed=self.draws), training=training)
    def loss_of(self, tv, ntv, xx, yy):
        p, ntv = self.stateless_call(tv, ntv, xx, training=True)
        return self.compute_loss(xx, yy, p), ntv
    def train_step(self, state, data):
        tv, ntv, ov, mv = state
        xx, yy = data
        (loss, ntv), grads = jax.value_and_grad(self.loss_of, has_aux=True)(tv, ntv, xx, yy)
        tv, ov = self.optimizer.stateless_apply(ov, grads, tv)
        return {"loss": loss}, (tv, ntv, ov, mv)
model = Net()
model.compile(keras.optimizers.Adam(0.05), "mse")
told(model, fit(model, *watched()))
""",
    "generators": """
drawn = []
def batches():
    for i in range(7):
        drawn.append(i)
        yield x[i : i + 8], y[i : i + 8]
model = compiled(net())
a = fit(model, *watched(), data=batches(), epochs=1)
print(drawn)
told(model, a)
""",
}
