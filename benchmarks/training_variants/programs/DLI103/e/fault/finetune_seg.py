import torch
from torch import nn

from ssl_encoder import Segmenter, make_encoder

WEIGHTS = "encoder_ssl.pth"


def pretrain():
    """Rotation prediction, very short."""
    enc = make_encoder()
    head = nn.Linear(16, 4)
    opt = torch.optim.Adam([*enc.parameters(), *head.parameters()], lr=1e-3)
    for _ in range(10):
        x = torch.rand(32, 1, 16, 16).cumsum(2) / 16
        k = torch.randint(0, 4, (32,))
        x = torch.stack([torch.rot90(a, int(r), (1, 2)) for a, r in zip(x, k)])
        loss = nn.functional.cross_entropy(head(enc(x).mean((2, 3))), k)
        opt.zero_grad()
        loss.backward()
        opt.step()
    torch.save(enc.state_dict(), WEIGHTS)
    return enc


torch.manual_seed(1)
encoder = pretrain()
model = Segmenter(2, pretrained=WEIGHTS)
print("same weights:", torch.equal(model.encoder[0].weight, encoder[0].weight))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(10):
    x = torch.rand(16, 1, 16, 16)
    loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0.5).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", round(loss.item(), 4))
