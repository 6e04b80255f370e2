import torch
from torch import nn


class PreTrainedModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=self.config["initializer_range"])
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.data.zero_()

    def init_weights(self):
        self.apply(self._init_weights)

    @classmethod
    def from_checkpoint(cls, path, config):
        model = cls(config)
        model.init_weights()
        state = torch.load(path, map_location="cpu")
        model.load_state_dict(state)
        return model


class SequenceClassifier(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.embeddings = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.dense = nn.Linear(config["hidden_size"], config["hidden_size"])
        self.classifier = nn.Linear(config["hidden_size"], config["num_labels"])

    def forward(self, input_ids):
        pooled = self.embeddings(input_ids).mean(dim=1)
        return self.classifier(torch.tanh(self.dense(pooled)))
