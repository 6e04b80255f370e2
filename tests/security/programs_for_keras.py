"""Programs of an outsider for Keras with a callback that watches."""

from __future__ import annotations

from typing import Final

HEAD: Final = """
import copy, gc, os, pickle, random, sys, warnings, zlib
import numpy as np
import keras
from keras import layers, ops
keras.utils.set_random_seed(0)
x = np.random.rand(24, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
def watched():
    if not WATCHED:
        return []
    from dllint.callbacks import KerasDiagnosis
    return [KerasDiagnosis()]
def net():
    return keras.Sequential(
        [layers.Dense(8, activation="relu"), layers.Dropout(0.2), layers.BatchNormalization(), layers.Dense(1)]
    )
def compiled(model, **more):
    model.compile(**{"optimizer": keras.optimizers.SGD(0.05), "loss": "mse", **more})
    return model
def fit(model, *callbacks, data=(x, y), **more):
    options = {"batch_size": 8, "epochs": 2, "verbose": 0, **more}
    if not isinstance(data, tuple):
        options.pop("batch_size")
        data = (data,)
    return model.fit(*data, callbacks=[*callbacks], **options)
def told(model, *histories):
    for history in histories:
        for name, values in history.history.items():
            print(name, *(np.float64(v).hex() for v in values))
    weights = list(model.variables) + (list(model.optimizer.variables) if getattr(model, "optimizer", None) else [])
    for weight in weights:
        print(weight.path, zlib.crc32(np.ascontiguousarray(ops.convert_to_numpy(weight)).tobytes()))
    print(np.random.rand(), random.random(), float(ops.convert_to_numpy(keras.random.uniform((1,)))[0]))
    print(layers.Dense(1).name, keras.optimizers.SGD().name, keras.metrics.Mean().name)
"""
#: Each does the same without the callback. They are for PyTorch; most of them would run on any backend.
PROGRAMS: Final = {
    "odd names": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
    def call(self, x, training=False):
        return self.body(x, training=training)
    def __repr__(self):
        raise RuntimeError
model = Net()
model(x[:2])
model.compile(keras.optimizers.SGD(0.05), "mse")
told(model, fit(model, *watched()))
""",
    "attributes refused to dllint": """
def by_dllint(depth=2):
    return sys._getframe(depth).f_globals.get("__name__", "").startswith("dllint")
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
    def call(self, x, training=False):
        return self.body(x, training=training)
    def __getattribute__(self, name):
        if by_dllint():
            raise ValueError(name)
        return super().__getattribute__(name)
    def __setattr__(self, name, value):
        if by_dllint():
            raise ValueError(name)
        super().__setattr__(name, value)
model = Net()
model.compile(keras.optimizers.SGD(0.05), "mse")
told(model, fit(model, *watched()))
""",
    "properties that raise": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
    def call(self, x, training=False):
        return self.body(x, training=training)
    def get_config(self):
        raise RuntimeError
    def _flatten_layers(self, *args, **kwargs):
        if sys._getframe(1).f_globals.get("__name__", "").startswith("dllint"):
            raise RuntimeError
        return super()._flatten_layers(*args, **kwargs)
class Opt(keras.optimizers.SGD):
    def get_config(self):
        raise RuntimeError("config")
    def __eq__(self, other):
        raise RuntimeError
    __hash__ = keras.optimizers.SGD.__hash__
    def __bool__(self):
        raise RuntimeError
model = Net()
model.compile(Opt(0.05), "mse")
history = fit(model, *watched())
print(history.history)
for w in model.body.variables:
    print(zlib.crc32(ops.convert_to_numpy(w).tobytes()))
""",
    "odd order and twice": """
class Odd(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.params = None
    def on_train_batch_end(self, batch, logs=None):
        print(batch, sorted(logs))
    def on_epoch_end(self, epoch, logs=None):
        logs["mine"] = object()
        logs[3] = 4
first, last = watched(), watched()
model = compiled(net(), metrics=["mae"])
a = fit(model, *first, Odd(), *last, *first)
del a.history["mine"], a.history[3]
b = fit(model, *last, *first)
told(model, a, b)
""",
    "copied callbacks": """
made = watched() or [keras.callbacks.Callback()]
model = compiled(net())
a = fit(model, *made)
for one in made:
    copies = [copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
b = fit(model, *copies)
told(model, a, b)
""",
    "copied before": """
made = watched()
made = [copy.deepcopy(one) for one in made] + [pickle.loads(pickle.dumps(one)) for one in made]
model = compiled(net())
a = fit(model, *made)
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
    "nested fits": """
inner = compiled(net())
class Nest(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        h = fit(inner, *watched())
        print(h.history)
        inner.predict(x, verbose=0)
        inner.evaluate(x, y, verbose=0)
model = compiled(net())
a = fit(model, *watched(), Nest())
told(model, a)
told(inner)
""",
    "upfront callbacks": """
one, two, three = watched(), watched(), watched()
m1, m2 = compiled(net()), compiled(net())
a = fit(m1, *one)
b = fit(m2, *two)
c = fit(m1, *three)
told(m1, a, c)
told(m2, b)
print(
    *(
        f"{o.__module__}.{o.__qualname__} {o.__code__.co_filename.endswith('patching.py')}"
        for o in (
            keras.Model.fit,
            keras.Layer.__call__,
            keras.Model.make_train_function,
            keras.Model.compile,
            keras.callbacks.CallbackList.on_epoch_end,
        )
    )
)
""",
    "patches of the program": """
own = watched()
original = keras.Model.fit
def mine(self, *args, **kwargs):
    print("fit")
    return original(self, *args, **kwargs)
keras.Model.fit = mine
call = keras.Layer.__call__
def called(self, *args, **kwargs):
    return call(self, *args, **kwargs)
keras.Layer.__call__ = called
model = compiled(net())
a = fit(model, *own)
b = fit(model)
told(model, a, b)
print(keras.Model.fit is mine, keras.Layer.__call__ is called)
""",
    "early stopping": """
calls = [
    keras.callbacks.EarlyStopping("val_loss", patience=1, restore_best_weights=True),
    keras.callbacks.ReduceLROnPlateau("loss", patience=0),
    keras.callbacks.LearningRateScheduler(lambda e, lr: lr * 0.5),
    keras.callbacks.ModelCheckpoint("c{epoch}.weights.h5", save_weights_only=True),
]
model = compiled(net(), metrics=["accuracy"])
a = fit(model, *calls[:2], *watched(), *calls[2:], epochs=5, validation_split=0.3)
told(model, a)
print(sorted(os.listdir()))
""",
    "backup and restore": """
class Bad(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 1:
            raise RuntimeError
model = compiled(net())
fit(model, epochs=1)
try:
    fit(model, *watched(), keras.callbacks.BackupAndRestore("backup"), Bad(), epochs=4)
except RuntimeError:
    print("ended")
model = compiled(net())
model.build((None, 6))
a = fit(model, *watched(), keras.callbacks.BackupAndRestore("backup"), epochs=4)
told(model, a)
""",
    "saved models": """
model = compiled(net())
a = fit(model, *watched())
model.save("m.keras")
other = keras.models.load_model("m.keras")
b = fit(other, *watched())
third = keras.models.clone_model(other)
compiled(third)
c = fit(third, *watched())
deep = copy.deepcopy(model)
d = fit(deep, *watched())
told(deep, a, b, c, d)
pickle.loads(pickle.dumps(model))
""",
    "accumulation": """
model = compiled(net(), optimizer=keras.optimizers.Adam(0.01, gradient_accumulation_steps=2, use_ema=True, clipnorm=0.1))
a = fit(model, *watched(), epochs=3)
told(model, a)
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
    "datasets": """
class Data(keras.utils.PyDataset):
    def __init__(self):
        super().__init__()
        self.asked = []
        self.rng = np.random.default_rng(0)
    def __len__(self):
        return 3
    def __getitem__(self, i):
        self.asked.append(i)
        return x[8 * i : 8 * i + 8] + self.rng.random((8, 6)).astype("float32"), y[8 * i : 8 * i + 8], np.ones(8)
    def on_epoch_end(self):
        self.asked.append("end")
data = Data()
model = compiled(net())
a = fit(model, *watched(), data=data)
print(data.asked[:4])
told(model, a)
""",
    "shared frozen lazy": """
class Lazy(layers.Layer):
    def build(self, shape):
        self.inner = layers.Dense(4)
        self.built = True
    def call(self, x):
        return self.inner(x) if self.inner.built or True else x
one = layers.Dense(6, activation="tanh")
frozen = layers.Dense(6, trainable=False)
lazy = Lazy()
a, b = keras.Input((6,)), keras.Input((6,))
model = keras.Model([a, b], layers.Dense(1)(lazy(one(frozen(one(a))) + one(b))))
compiled(model)
h = fit(model, *watched(), data=([x, x], y))
one.trainable = False
compiled(model)
g = fit(model, *watched(), data=([x, x], y))
told(model, h, g)
""",
    "custom metrics and losses": """
class Own(keras.metrics.Metric):
    updates = 0
    def __init__(self):
        super().__init__(name="own")
        self.total = self.add_weight(shape=(), name="total", initializer="zeros")
    def update_state(self, y, p, sample_weight=None):
        Own.updates += 1
        self.total.assign_add(ops.sum(p))
    def result(self):
        return {"a": self.total.value, "b": self.total * 2}
class Loss(keras.losses.Loss):
    def call(self, y, p):
        return ops.square(p - y)
    def __eq__(self, o):
        raise RuntimeError
    __hash__ = None
model = compiled(net(), loss=Loss(), metrics=[Own()])
h = fit(model, *watched())
h.history = {"loss": h.history["loss"], "a": h.history["a"]}
told(model, h)
print(Own.updates if keras.backend.backend() == "torch" else "")
""",
    "train on batch": """
model = compiled(net())
own = watched()
losses = []
class Inner(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        losses.append(float(self.model.train_on_batch(x[:4], y[:4])))
a = fit(model, *own, Inner())
losses += [float(model.train_on_batch(x, y)) for _ in range(3)]
print(losses)
told(model, a)
""",
    "stderr is gone": """
class Broken:
    closed = False
    def write(self, text):
        raise OSError("no")
    flush = fileno = write
for stream in (None, Broken()):
    sys.stderr = stream
    model = compiled(net())
    a = fit(model, *watched())
    sys.stderr = sys.__stderr__
    told(model, a)
""",
    "warnings are errors": """
model = compiled(net())
warnings.simplefilter("error")
a = fit(model, *watched())
warnings.simplefilter("ignore")
told(model, a)
""",
    "seeds": """
own = watched()
for i in range(2):
    keras.utils.set_random_seed(5)
    keras.backend.clear_session()
    model = compiled(net())
    a = fit(model, *own)
    told(model, a)
    model.summary(print_fn=lambda s, **k: print(s))
""",
    "stopping": """
class Stop(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if self.model.optimizer.iterations == 4:
            self.model.stop_training = True
class Quiet(keras.callbacks.Callback):
    def on_train_end(self, logs=None):
        raise RuntimeError("end")
model = compiled(net())
a = fit(model, Stop(), *watched(), epochs=5)
told(model, a)
for order in (0, 1):
    calls = [Quiet(), *watched()]
    try:
        fit(model, *(calls if order else calls[::-1]))
    except RuntimeError as e:
        print(e, e.__context__)
b = fit(model)
told(model, b)
""",
    "fake callbacks": """
class Fake:
    def __getattr__(self, name):
        if name.startswith("on_") or name.startswith("set_"):
            return lambda *a, **k: None
        raise AttributeError(name)
for one in watched():
    one.on_train_begin()
    one.on_train_batch_end(0, {})
    one.on_epoch_end(0, None)
    one.on_train_end({})
    one.on_train_end(None)
    one.on_train_batch_end(1)
    one.set_model(Fake())
    one.on_train_begin()
    one.on_train_batch_end(0)
    one.on_train_end()
model = compiled(net())
a = fit(model, *watched())
told(model, a)
""",
    "our own faults": """
if WATCHED:
    from dllint.diagnose import watching
    from dllint.diagnose.faces import keras as face
    def no(*args, **kwargs):
        raise RuntimeError("provoked")
    for name in ("adopt", "diagnosis", "_conclude", "__init__"):
        kept = getattr(watching.Watch, name)
        model = compiled(net())
        setattr(watching.Watch, name, no)
        fit(model, *watched())
        setattr(watching.Watch, name, kept)
keras.utils.set_random_seed(1)
model = compiled(net())
a = fit(model, *watched())
print(a.history)
""",
    "forks": """
import multiprocessing
model = compiled(net())
own = watched()
class Fork(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        child = os.fork()
        if not child:
            if keras.backend.backend() == "torch":
                self.model.train_on_batch(x, y)
            os._exit(0)
        print(os.waitpid(child, 0)[1])
a = fit(model, *own, Fork())
told(model, a)
""",
    "memory": """
import weakref
own = watched()
model = compiled(net())
a = fit(model, *own)
told(model, a)
ref = weakref.ref(model.layers[0])
del model, a
gc.collect()
for one in own:
    one.set_model(None)
gc.collect()
print(ref() is None)
""",
    "own train step": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = net()
        self.steps = 0
    def call(self, x, training=False):
        return self.body(x, training=training)
    def train_step(self, data):
        self.steps += 1
        xx, yy = data
        self.zero_grad()
        loss = self.compute_loss(x=xx, y=yy, y_pred=self(xx, training=True))
        loss.backward()
        with torch.no_grad():
            self.optimizer.apply([w.value.grad for w in self.trainable_weights], self.trainable_weights)
        print(self.steps, float(loss).hex())
        return {"loss": loss}
model = Net()
model.compile(keras.optimizers.SGD(0.05), "mse")
a = fit(model, *watched())
told(model)
""",
}
