"""A small transformer trained with Adam at a rate of 0.3, which its configuration gives: every step throws the weights
about.

After questions in the PyTorch forum on transformers that predict one class; learning rate out of the common range
in DeepFD's list.
"""

# set: late
# accept: learning-rate

import numpy as np
import torch
from torch import nn

CONFIG = {"width": 24, "heads": 3, "rate": 0.3, "batch": 40, "epochs": 5}

rng = np.random.default_rng(81)
torch.manual_seed(81)
tokens = rng.integers(2, 20, (800, 10))
labels = rng.integers(0, 2, 800)
tokens[np.arange(800), rng.integers(0, 10, 800)] = labels


class Classifier(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.embedding = nn.Embedding(20, width)
        layer = nn.TransformerEncoderLayer(width, heads, dim_feedforward=48, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.head = nn.Linear(width, 2)

    def forward(self, tokens):
        return self.head(self.encoder(self.embedding(tokens)).mean(dim=1))


def main():
    model = Classifier(CONFIG["width"], CONFIG["heads"])
    optimizer = torch.optim.Adam(model.parameters(), lr=CONFIG["rate"])  # expect: DLX104, DLX105, DLX106, DLX109
    data = torch.utils.data.TensorDataset(torch.tensor(tokens), torch.tensor(labels))
    loader = torch.utils.data.DataLoader(data, batch_size=CONFIG["batch"], shuffle=True)
    for epoch in range(CONFIG["epochs"]):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(batch), target)
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
