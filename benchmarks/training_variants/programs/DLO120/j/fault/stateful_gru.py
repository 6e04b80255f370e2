import torch
from torch import nn


class WordModel(nn.Module):
    def __init__(self, vocab, dim=16, hidden=24, layers=1):
        super().__init__()
        self.layers, self.hidden = layers, hidden
        self.embed = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, hidden, layers)
        self.decoder = nn.Linear(hidden, vocab)

    def init_hidden(self, batch):
        return torch.zeros(self.layers, batch, self.hidden)

    def forward(self, tokens, state):
        out, state = self.gru(self.embed(tokens), state)
        return self.decoder(out), state


def batchify(ids, batch):
    n = ids.numel() // batch
    return ids[:n * batch].view(batch, n).t().contiguous()


class Trainer:
    def __init__(self, model, bptt, lr):
        self.model, self.bptt = model, bptt
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def epoch(self, stream):
        self.model.train()
        state = self.model.init_hidden(stream.size(1))
        total, count = 0.0, 0
        for i in range(0, stream.size(0) - 1, self.bptt):
            length = min(self.bptt, stream.size(0) - 1 - i)
            tokens, target = stream[i:i + length], stream[i + 1:i + 1 + length]
            logits, state = self.model(tokens, state)
            loss = self.criterion(logits.flatten(0, 1), target.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.25)
            self.optimizer.step()
            total, count = total + loss.item(), count + 1
        return total / count


if __name__ == "__main__":
    torch.manual_seed(1111)
    corpus = torch.arange(600) % 17
    trainer = Trainer(WordModel(17), bptt=10, lr=1e-2)
    for epoch in range(3):
        print(f"| end of epoch {epoch} | loss {trainer.epoch(batchify(corpus, 4)):.3f}")
