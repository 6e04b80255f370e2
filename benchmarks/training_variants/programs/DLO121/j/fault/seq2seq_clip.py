import random

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(vocab, dim), nn.GRU(dim, dim, batch_first=True)

    def forward(self, source):
        return self.rnn(self.emb(source))[1]


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(vocab, dim), nn.GRU(dim, dim, batch_first=True), nn.Linear(dim, vocab)

    def forward(self, token, state):
        out, state = self.rnn(self.emb(token).unsqueeze(1), state)
        return self.out(out.squeeze(1)), state


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def forward(self, source, target, teacher_forcing=0.5):
        state, token, outputs = self.encoder(source), target[:, 0], []
        for t in range(1, target.size(1)):
            logits, state = self.decoder(token, state)
            outputs.append(logits)
            token = target[:, t] if random.random() < teacher_forcing else logits.argmax(1)
        return torch.stack(outputs, dim=1)


def train(model, pairs, optimizer, criterion, clip):
    model.train()
    epoch_loss = 0
    for source, target in pairs:
        optimizer.zero_grad()
        output = model(source, target)
        loss = criterion(output.flatten(0, 1), target[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        epoch_loss += loss.item()
    return epoch_loss / len(pairs)


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    source = torch.randint(1, 12, (96, 6))
    target = torch.cat([torch.zeros(96, 1, dtype=torch.long), source.flip(1)], dim=1)
    batches = list(zip(source.split(16), target.split(16)))
    net = Seq2Seq(Encoder(12, 24), Decoder(12, 24))
    sgd = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
    for epoch in range(4):
        print(epoch, f"{train(net, batches, sgd, nn.CrossEntropyLoss(), clip=0.1):.4f}")
