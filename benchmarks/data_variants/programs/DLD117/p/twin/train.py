"""Word sequences of different lengths for an LSTM."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Phrases(Dataset):
    def __init__(self, n, seed):
        gen = torch.Generator().manual_seed(seed)
        lengths = torch.randint(3, 12, (n,), generator=gen).tolist()
        self.items = [torch.randint(1, 30, (k,), generator=gen) for k in lengths]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i], int(self.items[i][0] > 15)


def collate(batch):
    words, labels = zip(*batch)
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True), lengths, torch.tensor(labels)


class PhraseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 16, batch_first=True)
        self.out = nn.Linear(16, 2)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        return self.out(self.lstm(packed)[1][0][-1])


def main(epochs=3):
    torch.manual_seed(2)
    loader = DataLoader(Phrases(400, 0), batch_size=20, shuffle=True, collate_fn=collate)
    model = PhraseNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    model.train()
    for epoch in range(epochs):
        for words, lengths, labels in loader:
            loss = nn.functional.cross_entropy(model(words, lengths), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
