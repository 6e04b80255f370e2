import random
from collections import Counter

import torch
from torch import nn

TEXTS = [("good great film", 1), ("bad dull film", 0), ("great cast good plot", 1), ("dull plot bad acting", 0),
         ("good fun", 1), ("bad waste", 0), ("great fun plot", 1), ("waste dull cast", 0)] * 6


class Vocabulary:
    def __init__(self, texts):
        counts = Counter(word for text, _ in texts for word in text.split())
        self.index = {word: i + 1 for i, (word, _) in enumerate(counts.most_common())}

    def encode(self, text):
        return [self.index.get(word, 0) for word in text.split()]

    def __len__(self):
        return len(self.index) + 1


class FastText(nn.Module):
    def __init__(self, vocab_size, dim, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab_size, dim, mode="mean")
        self.fc = nn.Linear(dim, classes)

    def forward(self, flat, offsets):
        return self.fc(self.bag(flat, offsets))


def collate(pairs, vocab):
    flat, offsets, labels = [], [], []
    for text, label in pairs:
        offsets.append(len(flat))
        flat.extend(vocab.encode(text))
        labels.append(label)
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor(labels)


class Trainer:
    def __init__(self, model, vocab, lr=0.5):
        self.model, self.vocab = model, vocab
        self.optim = torch.optim.SGD(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def step(self, pairs):
        self.optim.zero_grad()
        flat, offsets, labels = collate(pairs, self.vocab)
        loss = self.criterion(self.model(flat, offsets), labels)
        loss.backward()
        self.optim.step()
        return loss.item()

    def fit(self, data, epochs=6, batch=8):
        for epoch in range(epochs):
            random.shuffle(data)
            mean = [self.step(data[i:i + batch]) for i in range(0, len(data), batch)]
            print(epoch, sum(mean) / len(mean))


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    vocabulary = Vocabulary(TEXTS)
    Trainer(FastText(len(vocabulary), 8, 2), vocabulary).fit(list(TEXTS))
