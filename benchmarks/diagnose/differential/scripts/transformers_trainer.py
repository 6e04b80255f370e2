"""A tiny BERT with the Trainer: evaluation, metrics, checkpoints, an early stop, and a callback."""

import numpy as np
import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    EarlyStoppingCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)


class Rows(torch.utils.data.Dataset):
    def __init__(self, n, seed):
        generator = torch.Generator().manual_seed(seed)
        self.tokens = torch.randint(1, 50, (n, 8), generator=generator)
        self.labels = (self.tokens[:, 0] > 25).long()

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return {
            "input_ids": self.tokens[i],
            "attention_mask": torch.ones(8, dtype=torch.long),
            "labels": self.labels[i],
        }


class Told(TrainerCallback):
    def on_epoch_end(self, args, state, control, **kwargs):
        print("epoch", state.epoch, state.global_step)


set_seed(0)
config = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, max_position_embeddings=16
)
model = BertForSequenceClassification(config)
arguments = TrainingArguments(
    output_dir="out",
    num_train_epochs=3,
    per_device_train_batch_size=8,
    eval_strategy="epoch",
    save_strategy="epoch",
    save_total_limit=2,
    load_best_model_at_end=True,
    learning_rate=5e-3,
    warmup_steps=4,
    logging_steps=4,
    report_to=[],
    disable_tqdm=True,
    use_cpu=True,
    gradient_accumulation_steps=2,
)
trainer = Trainer(
    model=model,
    args=arguments,
    train_dataset=Rows(64, 1),
    eval_dataset=Rows(32, 2),
    compute_metrics=lambda found: {"accuracy": float((np.argmax(found.predictions, -1) == found.label_ids).mean())},
    callbacks=[Told(), EarlyStoppingCallback(3)],
)
trainer.train()
for row in trainer.state.log_history:
    print({name: value for name, value in row.items() if "runtime" not in name and "per_second" not in name})
print(trainer.predict(Rows(8, 3)).predictions.sum())
