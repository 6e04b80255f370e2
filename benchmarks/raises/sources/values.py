"""Values of Python's own types and library objects, as source text."""

from __future__ import annotations

from typing import Final

HEADER: Final = """\
import abc, array, bisect, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq
import inspect, io, itertools, json, math, operator, os, pathlib, random, re, statistics, string, time, types, typing
import numpy as np
Pair = collections.namedtuple("Pair", ["first", "second"])
class Row(typing.NamedTuple):
    left: int
    right: str = "r"
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2
class Flags(enum.Flag):
    A = enum.auto()
    B = enum.auto()
class Name(str, enum.Enum):
    X = "x"
    Y = "y"
@dataclasses.dataclass
class Config:
    width: int = 8
    names: list = dataclasses.field(default_factory=list)
@dataclasses.dataclass(frozen=True, order=True)
class Frozen:
    a: int = 1
    b: float = 2.0
class Plain:
    kind = "plain"
    def __init__(self, n=3):
        self.n = n
    def __len__(self):
        return self.n
    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i
    def twice(self):
        return 2 * self.n
class Bag(dict):
    __getattr__ = dict.get
class Stack(list):
    def top(self):
        return self[-1]
class Text(str):
    def shout(self):
        return self.upper() + "!"
class Vector(tuple):
    pass
class Lazy:
    def __getattr__(self, name):
        return name
def plain(a, b=2, *rest, c=3, **more):
    return a
"""

#: Expressions of values, which any program may use after :data:`HEADER`.
PYTHON: Final = (
    "None", "True", "0", "3", "-1", "2.5", "1j", "float('inf')", "10**20", "''", "'abc'", "'a b,c'", "'12'", "'{}-{}'",
    "'%d'", "b'abc'", "bytearray(b'ab')", "memoryview(b'abc')", "[]", "[3, 1, 2]", "['b', 'a']", "[[1, 2], [3, 4]]",
    "[('a', 1), ('b', 2)]", "[None, 1]", "()", "(1,)", "(1, 2)", "('a', 'b', 'c')", "((1, 2), (3, 4))", "{}",
    "{'a': 1, 'b': 2}", "{1: 'x', 2: 'y'}", "{'a': {'b': [1]}}", "{('a', 1): 2}", "set()", "{1, 2, 3}", "{'a', 'b'}",
    "frozenset({1, 2})", "range(4)", "range(5, 0, -2)", "slice(1, 3)", "...", "NotImplemented",
    "collections.OrderedDict(a=1, b=2)", "collections.defaultdict(list)", "collections.defaultdict(int, a=1)",
    "collections.Counter('abca')", "collections.deque([1, 2, 3], maxlen=3)", "collections.ChainMap({'a': 1}, {'b': 2})",
    "Pair(1, 2)", "Row(1)", "Row(1, 'q')", "types.SimpleNamespace(a=1)", "types.MappingProxyType({'a': 1})", "Color.RED",
    "Color", "Size.SMALL", "Size", "Flags.A | Flags.B", "Flags", "Name.X", "Config()", "Config(4, ['n'])", "Frozen()",
    "Config", "Plain()", "Plain", "Bag(a=1)", "Stack([1, 2])", "Text('ab')", "Vector((1, 2))", "Lazy()", "plain",
    "Plain().twice", "len", "int", "str", "list", "dict", "type", "object()", "functools.partial(plain, 1)",
    "functools.partial(plain, b=4)", "functools.lru_cache(plain)", "lambda x=1: x", "iter([1, 2])", "(i for i in range(3))",
    "zip([1, 2], 'ab')", "enumerate('ab')", "map(str, [1, 2])", "reversed([1, 2])", "itertools.chain([1], [2])",
    "itertools.count(3)", "itertools.product([1, 2], 'ab')", "{'a': 1}.items()", "{'a': 1}.keys()", "{'a': 1}.values()",
    "pathlib.Path('a/b.txt')", "pathlib.PurePosixPath('/x/y.tar.gz')", "re.compile(r'(a)(?P<n>b)?')",
    "re.match(r'(a)(?P<n>b)?', 'ab')", "datetime.datetime(2020, 1, 2)", "datetime.timedelta(days=1)",
    "datetime.date(2020, 1, 2)", "decimal.Decimal('1.5')", "fractions.Fraction(1, 3)", "array.array('i', [1, 2])",
    "io.StringIO('a\\nb')", "io.BytesIO(b'ab')", "random.Random(0)", "ValueError('bad', 2)", "KeyError('k')",
    "inspect.signature(plain)", "string.Template('$a')", "contextlib.nullcontext(3)", "dataclasses.fields(Config)", "math",
    "os.environ", "os.path", "typing.List[int]", "int | None", "np.zeros((2, 3))", "np.arange(4)", "np.array([1.5, 2.5])",
    "np.array(3)", "np.float32(2)", "np.int64(3)", "np.bool_(True)", "np.array(['a', 'b'])", "np.array([[1, 2], [3, 4]])",
    "np.ones((0, 3))", "np.dtype('float32')", "np.random.default_rng(0)",
    "np.array([(1, 2.0)], dtype=[('a', 'i4'), ('b', 'f8')])", "np.random.RandomState(0)", "np.finfo(np.float32)",
    "np.float64",
)  # fmt: skip

TORCH_HEADER: Final = """\
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset, TensorDataset
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.register_buffer("scale", torch.ones(2))
    def forward(self, x):
        return self.fc(x) * self.scale
"""

TORCH: Final = (
    "torch.zeros(2, 3)", "torch.arange(4)", "torch.tensor(1.5, requires_grad=True)",
    "torch.zeros(2, 2, dtype=torch.complex64)", "torch.ones(2, dtype=torch.bool)", "nn.Parameter(torch.zeros(3))",
    "torch.zeros(2, 3).shape", "torch.float32", "torch.device('cpu')", "torch.Generator()", "torch.finfo(torch.float32)",
    "torch.iinfo(torch.int32)", "Net()", "nn.Module()", "nn.Linear(4, 3)", "nn.Linear(4, 3, bias=False)",
    "nn.Bilinear(2, 3, 4)", "nn.Identity()", "nn.Conv1d(3, 4, 3)", "nn.Conv2d(3, 4, 3)", "nn.Conv3d(3, 4, 3, bias=False)",
    "nn.ConvTranspose2d(3, 4, 3)", "nn.BatchNorm1d(3)", "nn.BatchNorm2d(3, affine=False)",
    "nn.BatchNorm2d(3, track_running_stats=False)", "nn.LayerNorm(4)", "nn.GroupNorm(2, 4)", "nn.InstanceNorm2d(3)",
    "nn.LocalResponseNorm(2)", "nn.RMSNorm(4)", "nn.SyncBatchNorm(3)", "nn.Embedding(5, 3)",
    "nn.Embedding(5, 3, padding_idx=0)", "nn.EmbeddingBag(5, 3)", "nn.LSTM(3, 4, 2, batch_first=True)",
    "nn.GRU(3, 4, bidirectional=True)", "nn.RNN(3, 4)", "nn.LSTMCell(3, 4)", "nn.GRUCell(3, 4)", "nn.RNNCell(3, 4)",
    "nn.MultiheadAttention(4, 2)", "nn.MultiheadAttention(4, 2, kdim=3, vdim=3)", "nn.TransformerEncoderLayer(4, 2)",
    "nn.TransformerDecoderLayer(4, 2)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True), 2)",
    "nn.Transformer(4, 2, 1, 1, 8)", "nn.Sequential(nn.Linear(2, 3), nn.ReLU())", "nn.ModuleList([nn.Linear(2, 3)])",
    "nn.ModuleDict({'a': nn.Linear(2, 3)})", "nn.ParameterList([torch.zeros(2)])",
    "nn.ParameterDict({'a': torch.zeros(2)})", "nn.ReLU()", "nn.ReLU(inplace=True)", "nn.LeakyReLU(0.1)", "nn.ELU()",
    "nn.GELU()", "nn.SiLU()", "nn.PReLU()", "nn.Softmax(-1)", "nn.LogSoftmax(1)", "nn.Sigmoid()", "nn.Tanh()",
    "nn.Hardtanh()", "nn.Softplus()", "nn.Threshold(0.1, 2)", "nn.GLU()", "nn.MaxPool2d(2)", "nn.AvgPool2d(2, 1)",
    "nn.AdaptiveAvgPool2d(1)", "nn.MaxUnpool2d(2)", "nn.LPPool2d(2, 2)", "nn.FractionalMaxPool2d(2, output_size=3)",
    "nn.Dropout(0.1)", "nn.Dropout2d()", "nn.AlphaDropout()", "nn.Flatten()", "nn.Unflatten(1, (2, 2))", "nn.Fold(4, 2)",
    "nn.Unfold(2)", "nn.Upsample(scale_factor=2)", "nn.PixelShuffle(2)", "nn.ZeroPad2d(1)", "nn.ReflectionPad2d(1)",
    "nn.ConstantPad1d(1, 2.0)", "nn.ChannelShuffle(2)", "nn.CosineSimilarity()", "nn.PairwiseDistance()",
    "nn.CrossEntropyLoss()", "nn.CrossEntropyLoss(torch.ones(3))", "nn.NLLLoss()", "nn.MSELoss()", "nn.BCEWithLogitsLoss()",
    "nn.BCELoss()", "nn.L1Loss()", "nn.SmoothL1Loss()", "nn.HuberLoss()", "nn.KLDivLoss()", "nn.CTCLoss()",
    "nn.TripletMarginLoss()", "nn.MarginRankingLoss()", "nn.GaussianNLLLoss()", "nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])",
    "optim.SGD(Net().parameters(), lr=0.1)", "optim.Adam(Net().parameters())", "optim.AdamW(Net().parameters())",
    "optim.LBFGS(Net().parameters())", "optim.RMSprop(Net().parameters())",
    "optim.lr_scheduler.StepLR(optim.SGD(Net().parameters(), lr=0.1), 2)",
    "optim.lr_scheduler.ReduceLROnPlateau(optim.SGD(Net().parameters(), lr=0.1))",
    "optim.lr_scheduler.LambdaLR(optim.SGD(Net().parameters(), lr=0.1), lambda e: 1.0)", "TensorDataset(torch.zeros(4, 2))",
    "DataLoader(TensorDataset(torch.zeros(4, 2)), 2)", "torch.utils.data.Subset(TensorDataset(torch.zeros(4, 2)), [0])",
    "torch.utils.data.RandomSampler([1, 2])", "torch.amp.GradScaler(enabled=False)", "torch.distributions.Normal(0.0, 1.0)",
    "torch.distributions.Categorical(torch.ones(3))", "torch.zeros(2).storage()", "torch.max(torch.zeros(2, 3), 1)",
    "torch.linalg.svd(torch.zeros(2, 2))", "nn.utils.rnn.pack_sequence([torch.zeros(2, 1)])",
    "nn.utils.parametrizations.weight_norm(nn.Linear(2, 3))", "torch.compile", "torch.no_grad()", "Net().state_dict()",
    "Net().fc.weight", "Net().named_parameters()", "Net().children()", "torch.nn.functional",
    "torch.jit.script(nn.Linear(2, 3))", "torch.quantization", "torch.cuda.Event", "torch.Size([1, 2])",
    "torch.zeros(3).numpy()", "torch.optim.swa_utils.AveragedModel(Net())", "torch.sparse_coo_tensor([[0], [1]], [1.0])",
)  # fmt: skip

KERAS_HEADER: Final = """\
import keras
import numpy as np
import tensorflow as tf
from keras import layers
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.fc = layers.Dense(2)
    def call(self, x):
        return self.fc(x)
"""

KERAS: Final = (
    "keras.Input((3,))", "layers.Dense(3)", "layers.Dense(3, activation='relu', use_bias=False)", "layers.Conv2D(3, 2)",
    "layers.Conv1D(3, 2, padding='same')", "layers.Conv2DTranspose(3, 2)", "layers.DepthwiseConv2D(2)",
    "layers.SeparableConv2D(3, 2)", "layers.BatchNormalization()", "layers.LayerNormalization()",
    "layers.GroupNormalization(1)", "layers.Dropout(0.1)", "layers.Embedding(5, 3)", "layers.LSTM(3)",
    "layers.GRU(3, return_sequences=True)", "layers.SimpleRNN(3)", "layers.LSTMCell(3)", "layers.RNN(layers.LSTMCell(3))",
    "layers.Bidirectional(layers.LSTM(3))", "layers.TimeDistributed(layers.Dense(2))", "layers.MultiHeadAttention(2, 3)",
    "layers.Attention()", "layers.MaxPooling2D()", "layers.AveragePooling1D(2)", "layers.GlobalAveragePooling2D()",
    "layers.Flatten()", "layers.Reshape((2, 2))", "layers.Permute((2, 1))", "layers.RepeatVector(2)",
    "layers.Lambda(lambda x: x)", "layers.Activation('relu')", "layers.ReLU()", "layers.Softmax()", "layers.LeakyReLU()",
    "layers.PReLU()", "layers.Add()", "layers.Concatenate()", "layers.Dot(1)", "layers.ZeroPadding2D()",
    "layers.Cropping2D()", "layers.UpSampling2D()", "layers.Masking()", "layers.InputLayer((3,))", "layers.Rescaling(1.0)",
    "layers.Resizing(2, 2)", "layers.RandomFlip()", "layers.Normalization()", "layers.StringLookup(vocabulary=['a'])",
    "layers.TextVectorization()", "layers.CategoryEncoding(3)", "layers.GaussianNoise(0.1)", "layers.SpatialDropout2D(0.1)",
    "layers.Layer()", "Net()", "keras.Sequential([keras.Input((3,)), layers.Dense(2)])", "keras.Sequential()",
    "keras.Model(*(lambda i: (i, layers.Dense(2)(i)))(keras.Input((3,))))", "keras.optimizers.Adam()",
    "keras.optimizers.SGD(0.1, momentum=0.9)", "keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)",
    "keras.losses.MeanSquaredError()", "keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
    "keras.metrics.Mean()", "keras.metrics.Accuracy()", "keras.metrics.AUC()", "keras.callbacks.EarlyStopping()",
    "keras.callbacks.History()", "keras.initializers.GlorotUniform()", "keras.regularizers.L2(0.1)",
    "keras.constraints.MaxNorm()", "keras.random.SeedGenerator(1)", "keras.Variable(np.zeros(3))", "keras.ops",
    "keras.backend", "tf.constant([1.0, 2.0])", "tf.Variable(tf.zeros((2, 3)))", "tf.data.Dataset.range(4)",
    "tf.data.Dataset.from_tensor_slices(np.zeros((4, 2))).batch(2)", "tf.GradientTape()", "tf.float32",
    "tf.TensorShape([None, 3])", "tf.TensorSpec([2], tf.float32)", "tf.ragged.constant([[1], [2, 3]])",
    "tf.random.Generator.from_seed(1)", "tf.keras.Sequential()", "tf.function(lambda x: x)", "tf.RaggedTensor",
    "tf.sparse.from_dense([[1, 0]])", "tf.Module()", "tf.train.Checkpoint()", "tf.nn", "tf.math",
    "tf.TensorArray(tf.float32, 2)", "keras.utils", "keras.datasets", "keras.applications",
)  # fmt: skip
