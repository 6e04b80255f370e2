"""Linear warm-up of the rate, then inverse square root, stepped per update (noam style)."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

WARMUP = 40


def noam(step):
    step = step + 1
    return min(step**-0.5, step * WARMUP**-1.5) * WARMUP**0.5


class Copier(nn.Module):
    """Predict each token of the input in reverse order."""

    def __init__(self, vocab, dim, length):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(length, dim))
        self.layers = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True), 2, enable_nested_tensor=False
        )
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.layers(self.tok(ids) + self.pos))


class Engine:
    def __init__(self, net, peak_lr):
        self.net = net
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.Adam(net.parameters(), lr=peak_lr, betas=(0.9, 0.98), eps=1e-9)
        self.sched = LambdaLR(self.opt, noam)
        self.rates = []

    def update(self, ids):
        self.net.train()
        target = ids.flip(1)
        self.sched.step()
        self.rates.append(self.sched.get_last_lr()[0])
        self.opt.zero_grad()
        loss = self.loss(self.net(ids).transpose(1, 2), target)
        loss.backward()
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(17)
    vocab, length = 20, 10
    engine = Engine(Copier(vocab, 32, length), peak_lr=3e-3)
    for i in range(1, 161):
        value = engine.update(torch.randint(0, vocab, (32, length)))
        if i % 40 == 0:
            print(i, round(value, 4))
    print("first rates", [round(r, 6) for r in engine.rates[:3]], "last", round(engine.rates[-1], 6))
