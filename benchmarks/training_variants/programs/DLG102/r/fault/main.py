import torch
from torch import nn

from model import Tagger


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    model = Tagger(100, 32, 5).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    tokens = torch.randint(0, 100, (16, 12), device=device)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), (tokens % 5).flatten())
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
