import torch
from torch import nn

from net import WordLSTM

VOCAB = 40


class LanguageModelTrainer:
    def __init__(self, hidden=32, lr=1e-2):
        self.device = torch.device("cuda:0")
        self.net = WordLSTM(VOCAB, hidden).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def batch(self, size, length=12):
        start = torch.randint(0, VOCAB, (size, 1))
        words = (start + torch.arange(length + 1)) % VOCAB
        return words[:, :-1].to(self.device), words[:, 1:].to(self.device)

    def step(self, size=16):
        words, following = self.batch(size)
        state = self.net.initial_state(size)
        self.optimizer.zero_grad()
        logits, _ = self.net(words, state)
        loss = self.criterion(logits.flatten(0, 1), following.flatten())
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def train(self, steps):
        self.net.train()
        for step in range(steps):
            loss = self.step()
            if step % 20 == 0:
                print(step, f"{loss:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    LanguageModelTrainer().train(60)
