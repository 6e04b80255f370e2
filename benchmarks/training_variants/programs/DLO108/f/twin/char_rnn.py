import torch
import torch.nn as nn

text = "the quick brown fox jumps over the lazy dog and the lazy dog sleeps " * 4
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])


class CharRNN(nn.Module):
    def __init__(self, n, hidden=48, layers=2):
        super().__init__()
        self.emb = nn.Embedding(n, hidden)
        self.lstm = nn.LSTM(hidden, hidden, layers, dropout=0.3, batch_first=True)
        self.fc = nn.Linear(hidden, n)

    def forward(self, x, state=None):
        out, state = self.lstm(self.emb(x), state)
        return self.fc(out), state


@torch.no_grad()
def sample(net, prime="the ", size=20):
    net.eval()
    x = torch.tensor([[stoi[c] for c in prime]])
    logits, state = net(x)
    out = prime
    for _ in range(size):
        nxt = logits[0, -1].argmax()
        out += chars[nxt]
        logits, state = net(nxt.view(1, 1), state)
    return out


def get_batches(data, n_seqs=4, n_steps=16):
    width = len(data) // n_seqs
    rows = data[: width * n_seqs].view(n_seqs, width)
    for i in range(0, width - n_steps - 1, n_steps):
        yield rows[:, i:i + n_steps], rows[:, i + 1:i + n_steps + 1]


def train(net, epochs=5, lr=3e-3):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for e in range(epochs):
        net.train()
        for x, y in get_batches(data):
            opt.zero_grad()
            logits, _ = net(x)
            loss = criterion(logits.transpose(1, 2), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5)
            opt.step()
        print(e, "%.4f" % loss.item(), repr(sample(net)))


torch.manual_seed(8)
train(CharRNN(len(chars)))
