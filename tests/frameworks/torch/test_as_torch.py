"""Programs whose every top-level tensor has the shape and type torch gives it."""

import pytest

from tests.frameworks.torch.programs import assert_as_torch

PROGRAMS = {
    "layers in a sequence": """
        x = torch.randn(4, 3, 32, 32)
        class Block(nn.Module):
            def __init__(self, cin, cout, norm=nn.BatchNorm2d):
                super().__init__()
                self.conv = nn.Conv2d(cin, cout, 3, padding=1)
                self.norm = norm(cout)
                self.act = nn.ReLU()
            def forward(self, x):
                return self.act(self.norm(self.conv(x)))
        net = nn.Sequential(Block(3, 8), nn.MaxPool2d(2), Block(8, 16), nn.Flatten(), nn.Linear(16 * 16 * 16, 10))
        y = net(x)
        first = net[0](x)
        part = net[:2](x)
        last = net[-1].out_features
        length = len(net)
        kernel = net[0].conv.kernel_size
        weight = net[-1].weight
    """,
    "sizes": """
        x = torch.randn(2, 3, 4)
        shape, rank, rows, total = x.shape, x.dim(), x.size(0), x.numel()
        b, c, l = x.size()
        y = x.view(x.size(0), -1)
        z = x.reshape(*x.shape[:-1], 2, 2)
        t = x.transpose(1, 2).contiguous().view(2, 12)
        n = len(x)
        last = x.shape[-1] * 2
        d = x.ndim
    """,
    "element types": """
        x = torch.ones(2, 2)
        h, d, l, b = x.half(), x.double(), x.long(), x.bool()
        c = x.to(torch.float64)
        e = x.to("cpu")
        k = x.type(torch.int32)
        s = x.to(l)
        t = x.type_as(d)
        f = torch.FloatTensor([1, 2, 3])
        m = torch.LongTensor([[1, 2], [3, 4]])
        u = torch.Tensor(2, 5)
        v = torch.Tensor([2, 5])
        v2 = torch.FloatTensor(size=(2, 5))
        v3 = torch.Tensor(size=[3])
        v4 = torch.DoubleTensor(data=[2.0, 5.0])
        w = torch.tensor([[0, 1]])
        p = torch.tensor(1.5)
        q = torch.tensor([True])
        r = torch.tensor([1, 2.5])
        a = torch.as_tensor([1, 2])
    """,
    "creation": """
        a, b, c = torch.zeros(2, 3), torch.ones((2, 3)), torch.empty([4])
        d = torch.full((2, 2), 7)
        e = torch.full((2, 2), 7.0)
        f = torch.arange(10)
        g = torch.arange(2, 10, 3)
        h = torch.arange(0, 1, 0.25)
        i = torch.randint(10, (3,))
        j = torch.randint(0, 10, (3, 4))
        j2 = torch.randint(low=0, high=10, size=(3, 4))
        k = torch.eye(3)
        l = torch.linspace(0, 1, 5)
        m = torch.zeros_like(d)
        n = torch.rand(2, device="cpu")
        o = torch.randperm(7)
        p = torch.zeros(2, dtype=torch.long)
        q = d.new_zeros(3, 4)
        r = d.new_ones((2,))
        s = d.new_full((2,), 1)
        t = torch.zeros(size=(2, 5))
        u = torch.zeros(())
    """,
    "complex numbers": """
        x = torch.randn(2, 3, 4, 2)
        c = torch.view_as_complex(x)
        r = torch.view_as_real(c * c)
        q = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    """,
    "overloads": """
        x = torch.randn(2, 3, 4)
        a = x.max()
        v, i = x.max(dim=1)
        w, j = torch.max(x, 2, keepdim=True)
        m = torch.max(x, torch.zeros(4))
        lo = x.min(-1).values
        med = x.median()
        mv, mi = x.median(dim=0)
        s = x.std()
        s1 = x.std(dim=1, keepdim=True)
        s2 = x.var(1, unbiased=False)
        var, mean = torch.var_mean(x, dim=0)
        w1 = torch.where(x > 0, x, torch.zeros_like(x))
        w2 = torch.where(x > 0, x, 0.0)
        e1 = torch.einsum("bij,bkj->bik", x, x)
        e2 = torch.einsum("bij,bkj->bik", [x, x])
        mm = x.amax(dim=(1, 2))
        am = x.argmax(1)
        so, si = x.sort(dim=-1, descending=True)
        tv, ti = x.topk(2)
        n = x.norm(dim=1)
        n2 = torch.norm(x)
        al = (x > 0).all()
        an = (x > 0).any(dim=1)
        c = x.cumsum(0)
        l = torch.logsumexp(x, dim=1)
    """,
    "shaping": """
        x = torch.randn(2, 3, 4)
        a = x.permute(0, 2, 1)
        b = x.unsqueeze(0).squeeze(0)
        c = torch.flatten(x, 1)
        d = x.expand(5, 2, 3, 4)
        e = x.repeat(1, 2, 1)
        f = torch.cat([x, x], dim=1)
        g = torch.stack((x, x))
        h, i = x.chunk(2, dim=-1)
        j = x.split(2, dim=1)
        k, l = torch.split(x, [1, 2], dim=1)
        m = x.unbind(0)
        n = x.flip(0)
        o = torch.roll(x, 1, dims=0)
        p = x.T.shape
        q = x.mT
        r = x.tile(2, 1, 1)
        s = x.repeat_interleave(2, dim=0)
        t = x.unflatten(2, (2, 2))
        u = x.movedim(0, -1)
        v = x.swapaxes(0, 1)
        w = x.expand_as(torch.zeros(5, 2, 3, 4))
        y = x.view_as(torch.zeros(6, 4))
        z = torch.meshgrid(torch.arange(3), torch.arange(4), indexing="ij")
        aa = torch.hstack([torch.ones(2), torch.ones(3)])
        ab = x.narrow(1, 0, 2)
        ac = x.flatten(start_dim=1)
        ad = x.ravel()
        ae = torch.tensor_split(torch.arange(7), 3)
        af = x.unfold(2, 2, 1)
    """,
    "indexing": """
        x = torch.randn(2, 3, 4)
        a, b, c = x[0], x[:, 1], x[..., -1]
        d = x[:, None]
        e = x[x > 0].dim()
        f = x[:, [0, 2]]
        g = x.gather(1, torch.zeros(2, 1, 4, dtype=torch.long))
        h = x.index_select(2, torch.tensor([0, 3]))
        i = x.masked_fill(x > 0, 0)
        j = torch.tril(torch.ones(3, 3))
        k = torch.diag(torch.ones(3))
        l = F.one_hot(torch.tensor([0, 2]), 3)
        m = F.one_hot(torch.tensor([0, 2]), num_classes=4).float()
        n = x.select(1, 0)
        o = torch.zeros(2, 3).scatter_(1, torch.tensor([[0], [1]]), 1.0)
        p = x.scatter_add(1, torch.zeros(2, 1, 4, dtype=torch.long), x)
        q = x.diagonal(dim1=0, dim2=1)
        r = torch.nonzero(x).dim()
        s = torch.multinomial(torch.ones(2, 5), 3)
        t = x[1:, ::2]
    """,
    "functional": """
        x = torch.randn(2, 3, 8, 8)
        a = F.relu(x)
        b = F.max_pool2d(x, 2)
        c = F.avg_pool2d(x, 3, stride=1, padding=1)
        d = F.adaptive_avg_pool2d(x, 1)
        e = F.interpolate(x, scale_factor=2, mode="nearest")
        f = F.interpolate(x, size=(4, 4))
        g = F.pad(x, (1, 1, 2, 2))
        h = F.softmax(x, dim=1)
        i = F.log_softmax(x, 1)
        j = F.dropout(x, 0.5, training=False)
        k = F.conv2d(x, torch.randn(6, 3, 3, 3), padding=1)
        l = F.linear(torch.randn(2, 5), torch.randn(7, 5))
        m = F.layer_norm(x, (8, 8))
        n = F.batch_norm(x, torch.zeros(3), torch.ones(3))
        o = F.gelu(x)
        p = F.normalize(x, dim=1)
        q = F.embedding(torch.tensor([[1, 2]]), torch.randn(10, 4))
        r = F.unfold(x, 2, stride=2)
        s = F.pixel_shuffle(torch.randn(1, 8, 4, 4), 2)
        t = F.scaled_dot_product_attention(torch.randn(2, 4, 5, 8), torch.randn(2, 4, 6, 8), torch.randn(2, 4, 6, 8))
        u = F.glu(torch.randn(2, 6))
        v = F.leaky_relu(x, 0.1)
        w = F.group_norm(x, 3)
        y = F.max_pool1d(torch.randn(1, 2, 9), 2, ceil_mode=True)
        z = F.cosine_similarity(x, x)
    """,
    "losses": """
        logits, labels = torch.randn(4, 10), torch.tensor([1, 2, 3, 4])
        a = F.cross_entropy(logits, labels)
        b = nn.CrossEntropyLoss(reduction="none")(logits, labels)
        c = F.nll_loss(F.log_softmax(logits, 1), labels)
        d = nn.MSELoss()(logits, torch.zeros(4, 10))
        e = F.binary_cross_entropy_with_logits(logits, torch.zeros(4, 10))
        f = nn.BCELoss()(torch.sigmoid(logits), torch.zeros(4, 10))
        g = F.l1_loss(logits, torch.zeros(4, 10), reduction="sum")
        h = nn.SmoothL1Loss(reduction="none")(logits, torch.zeros(4, 10))
        i = nn.KLDivLoss(reduction="batchmean")(F.log_softmax(logits, 1), torch.rand(4, 10))
        j = nn.TripletMarginLoss()(logits, logits, logits)
        k = nn.CosineEmbeddingLoss()(logits, logits, torch.ones(4))
        l = nn.MarginRankingLoss()(torch.randn(3), torch.randn(3), torch.ones(3))
        n = nn.HuberLoss()(logits, torch.zeros(4, 10))
        m = a + 0.1 * d
    """,
    "recurrent": """
        x = torch.randn(5, 7, 10)
        out, (h, c) = nn.LSTM(10, 20, num_layers=2, batch_first=True, bidirectional=True)(x)
        o2, h2 = nn.GRU(10, 20)(x)
        o3, h3 = nn.RNN(10, 20, batch_first=True)(x, torch.zeros(1, 5, 20))
        h4, c4 = nn.LSTMCell(10, 20)(x[:, 0])
        h5 = nn.GRUCell(10, 20)(x[:, 0], torch.zeros(5, 20))
        o6, (h6, c6) = nn.LSTM(10, 20, proj_size=4)(x)
    """,
    "packed sequences": """
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
        x = torch.randn(4, 6, 10)
        _packed = pack_padded_sequence(x, torch.tensor([6, 5, 3, 2]), batch_first=True)
        _out, (h, c) = nn.LSTM(10, 20)(_packed)
        y, lengths = pad_packed_sequence(_out, batch_first=True, total_length=6)
        z, _ = pad_packed_sequence(_out, total_length=6)
        p = pad_sequence([torch.ones(3, 2), torch.ones(5, 2)], batch_first=True)
        q = pad_sequence([torch.ones(3), torch.ones(5)])
    """,
    "attention": """
        x = torch.randn(2, 6, 16)
        a, w = nn.MultiheadAttention(16, 4, batch_first=True)(x, x, x)
        e = nn.TransformerEncoderLayer(16, 4, batch_first=True)(x)
        s = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model=16, nhead=4, batch_first=True), num_layers=2)(x)
        d = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 4, batch_first=True), 2)(x, torch.randn(2, 9, 16))
        t = nn.Transformer(16, 4, 1, 1, batch_first=True)(x, torch.randn(2, 3, 16))
        b = nn.MultiheadAttention(16, 4)(x, x, x, need_weights=False)[0]
    """,
    "layers": """
        x = torch.randn(2, 4, 8, 8)
        a = nn.ConvTranspose2d(4, 2, 2, stride=2)(x)
        b = nn.Upsample(scale_factor=2)(x)
        c = nn.PixelShuffle(2)(x)
        d = nn.AdaptiveAvgPool2d((1, None))(x)
        e = nn.Unflatten(1, (2, 2))(x)
        f = nn.ZeroPad2d(1)(x)
        g = nn.ReflectionPad2d((1, 2, 3, 4))(x)
        h = nn.GroupNorm(2, 4)(x)
        i = nn.InstanceNorm2d(4)(x)
        j = nn.LayerNorm([4, 8, 8])(x)
        k = nn.Embedding(10, 3)(torch.zeros(2, 5, dtype=torch.long))
        l = nn.Identity(54, unused=1)(x)
        m = nn.Softmax(dim=1)(x)
        n = nn.PReLU(4)(x)
        o = nn.Bilinear(3, 4, 5)(torch.randn(2, 3), torch.randn(2, 4))
        p = nn.Conv1d(3, 5, 3, stride=2, dilation=2)(torch.randn(2, 3, 20))
        q = nn.Conv3d(1, 2, (1, 3, 3))(torch.randn(1, 1, 4, 8, 8))
        r = nn.LazyLinear(7)(torch.randn(2, 3))
        s = nn.LazyConv2d(7, 3)(x)
        t = nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True)(x)
        u = nn.Fold((4, 4), 2, stride=2)(torch.randn(1, 4, 4))
        v = nn.Unfold(2)(x)
        w = nn.LPPool2d(2, 2)(x)
        y = nn.ChannelShuffle(2)(x)
        z = nn.CosineSimilarity()(torch.randn(2, 3), torch.randn(2, 3))
        aa = nn.EmbeddingBag(10, 3)(torch.tensor([[1, 2], [3, 4]]))
        ab = nn.RMSNorm(8)(x)
        ac = nn.GLU(dim=1)(x)
        ad = nn.Conv2d(4, 4, 3, padding="same", groups=2)(x)
        ae = nn.LocalResponseNorm(2)(x)
        af, ag = nn.MaxPool2d(2, return_indices=True)(x)
        ah = nn.MaxUnpool2d(2)(af, ag)
        ai = nn.UpsamplingBilinear2d(size=(3, 5))(x)
    """,
    "containers": """
        class Net(nn.Module):
            def __init__(self, widths=(8, 16, 32)):
                super().__init__()
                layers, previous = [], 4
                for width in widths:
                    layers.append(nn.Linear(previous, width))
                    previous = width
                self.layers = nn.ModuleList(layers)
                self.heads = nn.ModuleDict({"a": nn.Linear(previous, 2), "b": nn.Linear(previous, 3)})
                self.scales = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(3)])
                self.seq = nn.Sequential()
                self.seq.add_module("one", nn.Linear(3, 5))
                self.seq.append(nn.ReLU())
                self.register_buffer("mask", torch.ones(3))
                self.weight = nn.Parameter(torch.zeros(2, 3))
            def forward(self, x):
                for i, layer in enumerate(self.layers):
                    x = layer(x) * self.scales[i]
                out = {k: head(x) for k, head in self.heads.items()}
                return self.heads["a"](x), self.seq(out["b"] * self.mask), len(self.layers), F.linear(out["b"], self.weight)
        y = Net()(torch.randn(2, 4))
        net = Net([5, 6])
        kinds = [type(m).__name__ for m in net.layers]
        z = net(torch.randn(7, 4))
        from collections import OrderedDict
        named = nn.Sequential(OrderedDict([("fc", nn.Linear(4, 3)), ("act", nn.Tanh())]))
        w = named.fc(torch.randn(2, 4))
        v = named(torch.randn(2, 4))
        body = nn.Sequential(*list(named.children())[:-1])(torch.randn(2, 4))
        more = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)], nn.Linear(4, 1))(torch.randn(2, 4))
    """,
    "wrapping": """
        x = torch.randn(2, 4)
        lin = nn.Linear(4, 3)
        with torch.no_grad():
            a = lin(x)
        from torch.utils.checkpoint import checkpoint
        b = checkpoint(lin, x, use_reentrant=False)
        c = nn.DataParallel(lin)(x)
        lin.eval()
        d = lin(x).detach().cpu()
        @torch.no_grad()
        def predict(x):
            return lin(x).argmax(-1)
        e = predict(x)
        f = lin.double()(x.double())
        g = torch.finfo(torch.float32).max
        h = nn.init.zeros_(torch.empty(3))
    """,
}


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_binds_what_torch_binds(name):
    pytest.importorskip("torch")
    assert_as_torch(PROGRAMS[name])
