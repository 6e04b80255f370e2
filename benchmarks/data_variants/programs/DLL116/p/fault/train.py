"""Part-of-speech tagging of padded sentences."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0


def sentences(n, seed):
    gen = torch.Generator().manual_seed(seed)
    lengths = torch.randint(2, 30, (n,), generator=gen).tolist()
    words = [torch.randint(1, 40, (k,), generator=gen) for k in lengths]
    return [(w, w % 4 + 1) for w in words]


def collate(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=PAD)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 8, padding_idx=PAD)
        self.out = nn.Linear(8, 5)

    def forward(self, words):
        return self.out(self.embed(words))


def main(epochs=2):
    torch.manual_seed(9)
    loader = DataLoader(sentences(300, 0), batch_size=20, shuffle=True, collate_fn=collate)
    model = Tagger()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98))
    model.train()
    for _ in range(epochs):
        total = 0.0
        for words, tags in loader:
            loss = criterion(model(words).flatten(0, 1), tags.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
    print(f"loss of the last epoch {total / len(loader):.3f}")


if __name__ == "__main__":
    main()
