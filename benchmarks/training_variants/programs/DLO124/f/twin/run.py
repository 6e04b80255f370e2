import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from config import ModelConfig, OptimConfig


def build_model(cfg: ModelConfig) -> nn.Module:
    dims = [cfg.in_features, *cfg.hidden]
    layers = []
    for a, b in zip(dims[:-1], dims[1:]):
        layers += [nn.Linear(a, b), nn.LayerNorm(b), nn.ReLU()]
    layers.append(nn.Linear(dims[-1], cfg.n_classes))
    return nn.Sequential(*layers)


def fit(model, loader, cfg: OptimConfig):
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(cfg.epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch={epoch} loss={total / len(loader):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    mcfg, ocfg = ModelConfig(), OptimConfig()
    x = torch.randn(400, mcfg.in_features)
    y = x[:, :3].argmax(dim=1)
    loader = DataLoader(TensorDataset(x, y), batch_size=ocfg.batch_size, shuffle=True)
    fit(build_model(mcfg), loader, ocfg)
