import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear layer with a trainable low-rank update."""

    def __init__(self, base, rank=4, alpha=8.0):
        super().__init__()
        self.base = base
        for parameter in self.base.parameters():
            parameter.requires_grad_(False)
        self.scaling = alpha / rank
        self.lora_a = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_a, a=5**0.5)

    def forward(self, x):
        return self.base(x) + self.scaling * (x @ self.lora_a.t()) @ self.lora_b.t()


def adapt(model, rank):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRALinear(child, rank))
        else:
            adapt(child, rank)
    return model


class Classifier(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.inp = nn.Linear(features, 32)
        self.mid = nn.Linear(32, 32)
        self.out = nn.Linear(32, classes)

    def forward(self, x):
        return self.out(torch.relu(self.mid(torch.relu(self.inp(x)))))


def main():
    torch.manual_seed(0)
    model = adapt(Classifier(10, 3), rank=4)
    x = torch.randn(192, 10)
    y = x[:, 2:5].argmax(1)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for epoch in range(5):
        for i in torch.randperm(192).split(32):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[i]), y[i])
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f} |A| {model.inp.lora_a.norm().item():.3f}")


if __name__ == "__main__":
    main()
