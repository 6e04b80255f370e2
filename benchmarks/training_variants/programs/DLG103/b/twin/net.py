import torch
from torch import nn


class WordLSTM(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.hidden = hidden
        self.embedding = nn.Embedding(vocab, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab)

    def initial_state(self, batch, device=None):
        zeros = torch.zeros(1, batch, self.hidden, device=device)
        return zeros, zeros.clone()

    def forward(self, words, state):
        output, state = self.lstm(self.embedding(words), state)
        return self.decoder(output), state
