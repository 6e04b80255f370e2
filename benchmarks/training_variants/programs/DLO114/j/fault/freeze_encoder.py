import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, vocab=30, dim=24):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 2, 1)
        self.stage = nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU())
        self.project = nn.Linear(16, dim)
        self.words = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def freeze_encoder(self):
        for block in (self.stem, self.stage):
            block.requires_grad = False

    def forward(self, image, caption):
        context = self.project(self.stage(torch.relu(self.stem(image))).mean((2, 3)))
        steps = torch.cat([context.unsqueeze(1), self.words(caption[:, :-1])], dim=1)
        return self.out(self.rnn(steps)[0])


def main():
    torch.manual_seed(4)
    model = Captioner()
    model.freeze_encoder()
    frozen = model.stem.weight.detach().clone()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    images, captions = torch.rand(32, 3, 16, 16), torch.randint(0, 30, (32, 6))
    for epoch in range(3):
        for image, caption in zip(images.split(8), captions.split(8)):
            logits = model(image, caption)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), caption.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, round(loss.item(), 4))
    print("encoder unchanged:", torch.equal(frozen, model.stem.weight))


if __name__ == "__main__":
    main()
