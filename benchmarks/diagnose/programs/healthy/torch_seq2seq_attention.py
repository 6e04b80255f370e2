"""Reversing a sequence after the PyTorch tutorial "Translation with a sequence to sequence network and attention"."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim

SYMBOLS, LENGTH, HIDDEN, START = 8, 5, 48, 8


class EncoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, HIDDEN)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input):
        return self.gru(self.dropout(self.embedding(input)))


class BahdanauAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wa = nn.Linear(HIDDEN, HIDDEN)
        self.Ua = nn.Linear(HIDDEN, HIDDEN)
        self.Va = nn.Linear(HIDDEN, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2).unsqueeze(1)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights


class AttnDecoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS + 1, HIDDEN)
        self.attention = BahdanauAttention()
        self.gru = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, SYMBOLS)

    def forward(self, encoder_outputs, hidden, targets):
        previous, outputs = torch.full((len(targets), 1), START), []
        for i in range(targets.shape[1]):
            context, _ = self.attention(hidden.permute(1, 0, 2), encoder_outputs)
            output, hidden = self.gru(torch.cat((self.embedding(previous), context), dim=2), hidden)
            outputs.append(self.out(output))
            previous = targets[:, i : i + 1]
        return F.log_softmax(torch.cat(outputs, dim=1), dim=-1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
encoder, decoder = EncoderRNN(), AttnDecoderRNN()
encoder_optimizer = optim.Adam(encoder.parameters(), lr=5e-3)
decoder_optimizer = optim.Adam(decoder.parameters(), lr=5e-3)
criterion = nn.NLLLoss()
for step in range(200):
    source = torch.randint(0, SYMBOLS, (32, LENGTH))
    target = source.flip(1)
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    encoder_outputs, encoder_hidden = encoder(source)
    outputs = decoder(encoder_outputs, encoder_hidden, target)
    loss = criterion(outputs.view(-1, SYMBOLS), target.reshape(-1))
    loss.backward()
    encoder_optimizer.step()
    decoder_optimizer.step()
print(f"loss {loss.item():.3f}")
assert loss.item() < 0.7
