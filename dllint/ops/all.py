"""Importing this module declares every operation."""

from dllint.ops import attention as attention
from dllint.ops import class_loss as class_loss
from dllint.ops import conv as conv
from dllint.ops import embedding as embedding
from dllint.ops import keras_loss as keras_loss
from dllint.ops import loss as loss
from dllint.ops import margin_loss as margin_loss
from dllint.ops import norm as norm
from dllint.ops import padding as padding
from dllint.ops import pool as pool
from dllint.ops import recurrent as recurrent
from dllint.ops import resize as resize
from dllint.ops import transformer as transformer
from dllint.ops import transposed_conv as transposed_conv
