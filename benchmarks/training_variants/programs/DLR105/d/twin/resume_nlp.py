import os

import torch
from torch import nn


class Ngram(nn.Module):
    def __init__(self, vocab=20, context=3, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.out = nn.Linear(context * dim, vocab)

    def forward(self, x):
        return self.out(self.emb(x).flatten(1))


class Session:
    path = "ngram.ckpt"

    def __init__(self):
        self.model = Ngram()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.epoch = 0
        if os.path.exists(self.path):
            self.resume()

    def resume(self):
        checkpoint = torch.load(self.path, weights_only=True)
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.epoch = checkpoint["epoch"]

    def save(self):
        torch.save(
            {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}, self.path
        )

    def run(self, corpus, epochs):
        windows = corpus.unfold(0, 4, 1)
        for _ in range(epochs):
            loss = nn.functional.cross_entropy(self.model(windows[:, :3]), windows[:, 3])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.epoch += 1
        self.save()
        print("epoch", self.epoch, "loss %.4f" % loss.item())


torch.manual_seed(2)
corpus = torch.arange(200) % 20
Session().run(corpus, 5)
Session().run(corpus, 5)
