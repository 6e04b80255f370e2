import torch
import torch.nn as nn


class GatedAttentionMIL(nn.Module):
    """Bag-level classifier with gated attention over the instances."""

    def __init__(self, d_in=16, d_att=8):
        super().__init__()
        self.value = nn.Linear(d_in, d_att)
        self.gate = nn.Linear(d_in, d_att)
        self.weight = nn.Linear(d_att, 1)
        self.classifier = nn.Linear(d_in, 1)

    def forward(self, bag, mask):
        gates = torch.sigmoid(self.gate(bag))
        gates *= mask.unsqueeze(-1)
        hidden = torch.tanh(self.value(bag)) * gates
        scores = self.weight(hidden).squeeze(-1).masked_fill(mask == 0, float("-inf"))
        attention = scores.softmax(dim=1)
        pooled = (attention.unsqueeze(-1) * bag).sum(dim=1)
        return self.classifier(pooled).squeeze(-1)


def make_bags(n, longest=10, dim=16):
    bags = torch.randn(n, longest, dim)
    lengths = torch.randint(3, longest + 1, (n,))
    mask = (torch.arange(longest)[None] < lengths[:, None]).float()
    label = (torch.rand(n) > 0.5).float()
    bags[:, 0, 0] += 3 * label
    return bags, mask, label


def main():
    torch.manual_seed(23)
    bags, mask, label = make_bags(80)
    net = GatedAttentionMIL()
    optim = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=0)
    for epoch in range(10):
        optim.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(bags, mask), label)
        loss.backward()
        optim.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
