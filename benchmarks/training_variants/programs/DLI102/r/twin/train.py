import torch
from torch import nn

from prompts import SoftPrompt


class PromptedClassifier(nn.Module):
    def __init__(self, vocabulary=50, width=16, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.prompt = SoftPrompt(4, width)
        self.mixer = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        hidden = torch.tanh(self.mixer(self.prompt(self.embedding(tokens))))
        return self.head(hidden.mean(dim=1))


def main():
    torch.manual_seed(0)
    tokens = torch.randint(0, 50, (96, 10))
    labels = tokens[:, 0] % 3
    model = PromptedClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(5):
        for start in range(0, 96, 32):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(tokens[start:start + 32]), labels[start:start + 32])
            loss.backward()
            optimizer.step()
    print("last loss", loss.item())


if __name__ == "__main__":
    main()
