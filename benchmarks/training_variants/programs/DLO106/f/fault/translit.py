import torch
from torch import nn, optim

torch.manual_seed(99)
VOCAB, MAXLEN = 30, 8
src = torch.randint(1, VOCAB, (128, MAXLEN))
tgt = src.flip(1)


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 32)
        self.enc = nn.GRU(32, 48, batch_first=True)
        self.dec = nn.GRU(32, 48, batch_first=True)
        self.proj = nn.Linear(48, VOCAB)

    def forward(self, s, t):
        _, h = self.enc(self.emb(s))
        o, _ = self.dec(self.emb(t), h)
        return self.proj(o)


def validate(net, s, t):
    net.eval()
    torch.set_grad_enabled(False)
    out = net(s, t[:, :-1])
    loss = nn.functional.cross_entropy(out.reshape(-1, VOCAB), t[:, 1:].reshape(-1))
    return loss.item()


net = Seq2Seq()
adam = optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(3):
    net.train()
    for i in range(0, 96, 32):
        s, t = src[i:i + 32], tgt[i:i + 32]
        adam.zero_grad()
        out = net(s, t[:, :-1])
        loss = nn.functional.cross_entropy(out.reshape(-1, VOCAB), t[:, 1:].reshape(-1))
        loss.backward()
        adam.step()
    print("epoch", epoch, "val", round(validate(net, src[96:], tgt[96:]), 4))
