import torch
import torch.nn as nn

torch.manual_seed(1)

training_data = [
    ("the dog ate the apple".split(), ["DET", "NN", "V", "DET", "NN"]),
    ("everybody read that book".split(), ["NN", "V", "DET", "NN"]),
    ("the cat saw a bird".split(), ["DET", "NN", "V", "DET", "NN"]),
]
word_to_ix = {}
for sent, _ in training_data:
    for w in sent:
        word_to_ix.setdefault(w, len(word_to_ix))
tag_to_ix = {"DET": 0, "NN": 1, "V": 2}


def prepare(seq, to_ix):
    return torch.tensor([to_ix[w] for w in seq], dtype=torch.long)


class LSTMTagger(nn.Module):
    def __init__(self, vocab, tags, emb=6, hidden=6):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden)
        self.hidden2tag = nn.Linear(hidden, tags)

    def forward(self, sentence):
        out, _ = self.lstm(self.word_embeddings(sentence).unsqueeze(1))
        return torch.log_softmax(self.hidden2tag(out.squeeze(1)), dim=1)


model = LSTMTagger(len(word_to_ix), len(tag_to_ix))
loss_function = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(60):
    total = 0.0
    for sentence, tags in training_data:
        model.zero_grad()
        tag_scores = model(prepare(sentence, word_to_ix))
        loss = loss_function(tag_scores, prepare(tags, tag_to_ix))
        loss.backward
        optimizer.step()
        total += loss.item()
print("loss after 60 epochs:", round(total, 4))
