import torch
from torch import nn

from amp import Precision


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    precision = Precision(device, enabled=device == "cuda")
    x, y = torch.randn(64, 8, device=device), torch.randint(0, 2, (64,), device=device)
    for _ in range(4):
        optimizer.zero_grad()
        with precision.autocast():
            loss = nn.functional.cross_entropy(model(x), y)
        precision.backward(loss)
        precision.step(optimizer)
    print(loss.item())


if __name__ == "__main__":
    main()
