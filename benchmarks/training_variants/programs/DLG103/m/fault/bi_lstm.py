import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags, width=32):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, tags)

    def forward(self, words, state):
        hidden, state = self.rnn(self.embed(words), state)
        return self.out(hidden), state


class Runner:
    def __init__(self, device):
        self.device = device
        self.net = Tagger(100, 5).to(device)
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def start(self, batch):
        shape = (1, batch, self.net.width)
        return torch.zeros(shape), torch.zeros(shape)

    def fit(self, batches):
        for words, tags in batches:
            words, tags = words.to(self.device), tags.to(self.device)
            self.opt.zero_grad()
            logits, _ = self.net(words, self.start(len(words)))
            loss = self.loss(logits.flatten(0, 1), tags.flatten())
            loss.backward()
            self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    batches = [(torch.randint(100, (4, 12)), torch.randint(5, (4, 12))) for _ in range(6)]
    print(Runner(torch.device("cuda")).fit(batches))
