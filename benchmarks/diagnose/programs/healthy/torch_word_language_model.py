"""Language model after pytorch/examples/word_language_model: an LSTM over a long text, plain SGD with a rate of 4, clipped."""

import sys

import torch
from torch import nn

WORDS = ["the", "a", "cat", "dog", "bird", "sees", "likes", "hears", "big", "small", "and", "."]
ARTICLES, NOUNS, VERBS, ADJECTIVES = (0, 1), (2, 3, 4), (5, 6, 7), (8, 9)


def pick(words):
    return words[int(torch.randint(0, len(words), ()))]


def phrase():
    return [pick(ARTICLES), *([pick(ADJECTIVES)] if torch.rand(()) < 0.3 else []), pick(NOUNS)]


def sentence():
    return [*phrase(), pick(VERBS), *phrase(), 11]


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, 2, dropout=0.2)
        self.decoder = nn.Linear(nhid, ntoken)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, source, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(source)), hidden)
        decoded = self.decoder(self.drop(output))
        return decoded.view(-1, len(WORDS)), hidden


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
corpus = torch.tensor([word for _ in range(1500) for word in sentence()])
corpus = corpus[: len(corpus) // 16 * 16].view(16, -1).t().contiguous()
model = RNNModel(len(WORDS), 32, 32)
criterion = nn.CrossEntropyLoss()
lr, bptt = 4.0, 12
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
for epoch in range(4):
    hidden = tuple(torch.zeros(2, 16, 32) for _ in range(2))
    total, batches = 0.0, 0
    for start in range(0, len(corpus) - bptt - 1, bptt):
        data, targets = corpus[start : start + bptt], corpus[start + 1 : start + 1 + bptt].reshape(-1)
        hidden = tuple(state.detach() for state in hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total, batches = total + loss.item(), batches + 1
    print(f"epoch {epoch}: {total / batches:.3f}")
assert total / batches < 1.5
