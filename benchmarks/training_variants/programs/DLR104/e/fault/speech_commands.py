import os

import torch
from torch import nn


class KWS(nn.Module):
    def __init__(self, n_mels=20, n_words=5):
        super().__init__()
        self.gru = nn.GRU(n_mels, 32, batch_first=True)
        self.fc = nn.Linear(32, n_words)

    def forward(self, mel):
        return self.fc(self.gru(mel)[0].mean(1))


class Experiment:
    def __init__(self):
        self.model = KWS()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        os.makedirs("checkpoints", exist_ok=True)

    def train(self, mel, word, epochs=3):
        best = float("inf")
        for epoch in range(epochs):
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(mel), word)
            loss.backward()
            self.optimizer.step()
            if loss.item() < best:
                best = loss.item()
                torch.save(self.model.state_dict(), "checkpoints/kws_best.pth")

    def test(self, mel, word):
        state = torch.load("checkpoint/kws_best.pth", map_location="cpu", weights_only=True)
        self.model.load_state_dict(state)
        self.model.eval()
        with torch.no_grad():
            return (self.model(mel).argmax(-1) == word).float().mean().item()


torch.manual_seed(0)
mel, word = torch.randn(60, 30, 20), torch.randint(0, 5, (60,))
exp = Experiment()
exp.train(mel[:40], word[:40])
print("test accuracy", exp.test(mel[40:], word[40:]))
