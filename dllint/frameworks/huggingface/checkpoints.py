"""Published checkpoints of text models: the kind of model and the width of its hidden states. Data only.

Sources: the papers of the models (table of sizes) and the configurations that they are published with.
"""

from __future__ import annotations

from typing import Final

#: Kinds of models, as classes are called after them (``BertModel``), and whether their output has a ``pooler_output``.
POOLED: Final = {
    "Albert": True, "Bert": True, "BigBird": True, "Camembert": True, "Deberta": False, "DebertaV2": False,
    "DistilBert": False, "Electra": False, "Ernie": True, "GPT2": False, "GPTNeo": False, "Longformer": True, "MPNet": True,
    "Roberta": True, "XLMRoberta": True, "XLNet": False,
}  # fmt: skip

_SIZES: Final[dict[tuple[str, int], str]] = {
    ("Bert", 768): "bert-base-uncased bert-base-cased bert-base-chinese bert-base-multilingual-cased "
    "bert-base-multilingual-uncased bert-base-german-cased hfl/chinese-bert-wwm hfl/chinese-bert-wwm-ext "
    "hfl/chinese-roberta-wwm-ext allenai/scibert_scivocab_uncased allenai/scibert_scivocab_cased "
    "dmis-lab/biobert-base-cased-v1.1 dmis-lab/biobert-v1.1 emilyalsentzer/Bio_ClinicalBERT "
    "microsoft/BiomedNLP-PubMedBERT-base-uncased-abstract",
    ("Bert", 1024): "bert-large-uncased bert-large-cased bert-large-uncased-whole-word-masking "
    "bert-large-cased-whole-word-masking hfl/chinese-roberta-wwm-ext-large",
    ("Bert", 128): "prajjwal1/bert-tiny google/bert_uncased_L-2_H-128_A-2",
    ("Bert", 256): "prajjwal1/bert-mini google/bert_uncased_L-4_H-256_A-4",
    ("Bert", 512): "prajjwal1/bert-small prajjwal1/bert-medium google/bert_uncased_L-4_H-512_A-8",
    ("Bert", 384): "sentence-transformers/all-MiniLM-L6-v2 sentence-transformers/all-MiniLM-L12-v2",
    ("DistilBert", 768): "distilbert-base-uncased distilbert-base-cased distilbert-base-multilingual-cased "
    "distilbert-base-uncased-finetuned-sst-2-english",
    ("Roberta", 768): "roberta-base distilroberta-base vinai/phobert-base vinai/bertweet-base microsoft/codebert-base "
    "cardiffnlp/twitter-roberta-base",
    ("Roberta", 1024): "roberta-large vinai/phobert-large",
    ("XLMRoberta", 768): "xlm-roberta-base",
    ("XLMRoberta", 1024): "xlm-roberta-large",
    ("Camembert", 768): "camembert-base almanach/camembert-base",
    ("Albert", 768): "albert-base-v1 albert-base-v2",
    ("Albert", 1024): "albert-large-v1 albert-large-v2",
    ("Albert", 2048): "albert-xlarge-v1 albert-xlarge-v2",
    ("Albert", 4096): "albert-xxlarge-v1 albert-xxlarge-v2",
    ("Electra", 256): "google/electra-small-discriminator google/electra-small-generator",
    ("Electra", 768): "google/electra-base-discriminator",
    ("Electra", 1024): "google/electra-large-discriminator",
    ("DebertaV2", 768): "microsoft/deberta-v3-base microsoft/deberta-v3-small",
    ("DebertaV2", 384): "microsoft/deberta-v3-xsmall",
    ("DebertaV2", 1024): "microsoft/deberta-v3-large",
    ("Deberta", 768): "microsoft/deberta-base",
    ("Deberta", 1024): "microsoft/deberta-large",
    ("MPNet", 768): "microsoft/mpnet-base sentence-transformers/all-mpnet-base-v2",
    ("Longformer", 768): "allenai/longformer-base-4096",
    ("Longformer", 1024): "allenai/longformer-large-4096",
    ("BigBird", 768): "google/bigbird-roberta-base",
    ("XLNet", 768): "xlnet-base-cased",
    ("XLNet", 1024): "xlnet-large-cased",
    ("GPT2", 768): "gpt2 distilgpt2",
    ("GPT2", 1024): "gpt2-medium",
    ("GPT2", 1280): "gpt2-large",
    ("GPT2", 1600): "gpt2-xl",
    ("GPTNeo", 768): "EleutherAI/gpt-neo-125M EleutherAI/gpt-neo-125m",
    ("GPTNeo", 2048): "EleutherAI/gpt-neo-1.3B",
}
#: The organisations under which old names, without one, are found today.
_HOMES: Final = {
    "Albert": "albert", "Bert": "google-bert", "DistilBert": "distilbert", "GPT2": "openai-community",
    "Roberta": "FacebookAI", "XLMRoberta": "FacebookAI", "XLNet": "xlnet",
}  # fmt: skip


def _by_name() -> dict[str, tuple[str, int]]:
    found = {}
    for (kind, width), names in _SIZES.items():
        for name in names.split():
            found[name] = kind, width
            if kind in _HOMES and "/" not in name:
                found[f"{_HOMES[kind]}/{name}"] = kind, width
    return found


#: The kind of model and the width of each checkpoint, by its name.
CHECKPOINTS: Final = _by_name()
