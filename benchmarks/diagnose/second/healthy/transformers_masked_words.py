"""Masked-word training of a tiny BERT on phrases with fixed partners; labels count at the masked places only."""

import random
import sys
import tempfile

import numpy as np
import torch
from transformers import BertConfig, BertForMaskedLM, Trainer, TrainingArguments, set_seed

MASK, PAIRS = 0, 12


def phrase(rng):
    first = rng.randrange(PAIRS)
    tokens = [1 + first, 1 + PAIRS + first, 1 + 2 * PAIRS + rng.randrange(4)]
    rng.shuffle(tokens)
    return tokens


def example(rng):
    tokens = phrase(rng)
    place = next(index for index, token in enumerate(tokens) if token <= 2 * PAIRS)
    labels = [token if index == place else -100 for index, token in enumerate(tokens)]
    tokens = [MASK if index == place else token for index, token in enumerate(tokens)]
    return {"input_ids": torch.tensor(tokens), "labels": torch.tensor(labels)}


def accuracy(prediction):
    chosen = prediction.label_ids != -100
    return {"accuracy": float(np.mean(prediction.predictions.argmax(-1)[chosen] == prediction.label_ids[chosen]))}


def main(seed):
    set_seed(seed)
    rng = random.Random(seed)
    config = BertConfig(
        vocab_size=1 + 2 * PAIRS + 4,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=8,
    )
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            seed=seed,
            num_train_epochs=8,
            per_device_train_batch_size=40,
            learning_rate=4e-3,
            warmup_steps=15,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = Trainer(
            model=BertForMaskedLM(config),
            args=arguments,
            train_dataset=[example(rng) for _ in range(800)],
            eval_dataset=[example(rng) for _ in range(200)],
            compute_metrics=accuracy,
        )
        trainer.train()
        print(f"accuracy {trainer.evaluate()['eval_accuracy']:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
