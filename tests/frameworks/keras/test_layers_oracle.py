"""Layers on symbolic inputs: the inferred output shape is the one Keras computes, for the same program text."""

import pytest

IMAGE = "keras.Input((32, 28, 3))"
SEQUENCE = "keras.Input((10, 8))"
VECTOR = "keras.Input((12,))"
VOLUME = "keras.Input((6, 8, 10, 2))"

CALLS = {
    VECTOR: [
        "Dense(5)", "Dense(5, activation='softmax')", "Dense(units=7, use_bias=False)", "Activation('relu')", "Dropout(0.5)",
        "Reshape((3, 4))", "Reshape((-1, 2))", "Reshape((2, -1, 3))", "RepeatVector(4)", "Flatten()", "BatchNormalization()",
        "LayerNormalization()", "LeakyReLU()", "ELU()", "PReLU()", "Softmax()", "ReLU(6.0)", "GaussianNoise(0.1)", "Identity()",
        "Embedding(100, 7)", "Masking()", "UnitNormalization()", "Rescaling(1 / 255)", "EinsumDense('ab,bc->ac', 6)",
        "Lambda(lambda t: t * 2)", "Lambda(lambda t: ops.expand_dims(t, -1))", "ActivityRegularization()",
    ],
    SEQUENCE: [
        "Conv1D(4, 3)", "Conv1D(4, 3, padding='same', strides=2)", "Conv1D(4, 3, padding='causal', dilation_rate=2)",
        "MaxPooling1D(2)", "AveragePooling1D(3, strides=2, padding='same')", "GlobalMaxPooling1D()", "GlobalAveragePooling1D()",
        "LSTM(6)", "LSTM(6, return_sequences=True)", "LSTM(6, return_sequences=True, return_state=True)",
        "LSTM(6, return_state=True)",
        "GRU(6)", "GRU(6, return_sequences=True, return_state=True)", "SimpleRNN(6, return_sequences=True)",
        "Bidirectional(LSTM(6))", "Bidirectional(LSTM(6, return_sequences=True))", "Bidirectional(GRU(6), merge_mode='sum')",
        "Bidirectional(LSTM(6, return_sequences=True), merge_mode='ave')", "TimeDistributed(Dense(3))", "Permute((2, 1))",
        "UpSampling1D(3)", "ZeroPadding1D(2)", "ZeroPadding1D((1, 2))", "Cropping1D((1, 2))", "Flatten()", "Dense(4)",
        "SpatialDropout1D(0.3)", "Conv1DTranspose(4, 3, strides=2)", "SeparableConv1D(5, 3)",
        "DepthwiseConv1D(3, depth_multiplier=2)",
        "RNN(LSTMCell(5))", "RNN([GRUCell(4), GRUCell(7)], return_sequences=True)", "EinsumDense('abc,cd->abd', (10, 6))",
        "AdaptiveAveragePooling1D(4)", "Reshape((5, 16))", "LayerNormalization(axis=[1, 2])", "GroupNormalization(4)",
        "RMSNormalization()",
    ],
    IMAGE: [
        "Conv2D(8, 3)", "Conv2D(8, (5, 3), strides=(2, 1), padding='same', activation='relu')", "Conv2D(8, 3, dilation_rate=2)",
        "Conv2D(9, 3, groups=3)", "Conv2D(8, 3, 3)", "Conv2DTranspose(4, 3, strides=2, padding='same')",
        "Conv2DTranspose(4, 5, strides=2)",
        "Conv2DTranspose(4, 3, strides=3, padding='valid', output_padding=1)", "SeparableConv2D(6, 3, padding='same')",
        "DepthwiseConv2D(3, strides=2)", "MaxPooling2D()", "MaxPooling2D((2, 3), strides=1, padding='same')",
        "AveragePooling2D(3)",
        "GlobalAveragePooling2D()", "GlobalMaxPooling2D(keepdims=True)", "ZeroPadding2D(((1, 2), (0, 3)))",
        "ZeroPadding2D((1, 2))",
        "Cropping2D(3)", "Cropping2D(((1, 2), (3, 4)))", "UpSampling2D()", "UpSampling2D((2, 3), interpolation='bilinear')",
        "Flatten()",
        "Permute((3, 1, 2))", "BatchNormalization(axis=-1)", "SpatialDropout2D(0.2)", "Resizing(10, 20)", "CenterCrop(8, 9)",
        "RandomFlip()", "RandomCrop(16, 16)", "Normalization(mean=0.0, variance=1.0)", "Reshape((32, -1))", "Softmax(axis=1)",
        "AdaptiveAveragePooling2D((4, 5))", "AdaptiveMaxPooling2D(3)", "SpectralNormalization(Conv2D(4, 3))", "Dense(7)",
        "Conv2D(8, 3, data_format='channels_last')", "TimeDistributed(Conv1D(4, 3))", "TimeDistributed(Dense(4))",
        "TimeDistributed(Flatten())", "ConvLSTM1D(4, 3)", "ConvLSTM1D(4, 3, return_sequences=True, padding='same')",
    ],
    VOLUME: [
        "Conv3D(4, 2)", "MaxPooling3D(2)", "GlobalAveragePooling3D()", "ConvLSTM2D(4, 3)", "UpSampling3D(2)",
        "ZeroPadding3D(1)",
        "Cropping3D(((1, 0), (1, 2), (2, 2)))", "ConvLSTM2D(4, (3, 2), return_sequences=True, return_state=True)",
        "TimeDistributed(Conv2D(3, 3))", "Conv3DTranspose(3, 2, strides=2)",
        "TimeDistributed(Sequential([Conv2D(3, 3), Flatten()]))",
    ],
}  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize(("given", "layer"), [(given, layer) for given, layers in CALLS.items() for layer in layers])
def test_layer(given, layer, inferred, executed):
    text = f"out = {layer}({given})\n"
    assert inferred(text) == executed(text)


SEVERAL = [
    "Add()([a, b])", "Multiply()([a, b, a])", "Average()([a, b])", "Maximum()([a, b])", "Subtract()([a, b])",
    "Concatenate()([a, b])",
    "Concatenate(axis=1)([a, b])", "Dot(axes=(2, 2))([a, b])", "Dot(axes=1)([a, b])", "Dot(axes=-1, normalize=True)([a, b])",
    "concatenate([a, b], axis=1)", "add([a, b])", "dot([a, b], axes=2)", "Add()([a, keras.Input((8,))])",
    "MultiHeadAttention(2, 4)(a, b)", "MultiHeadAttention(2, 4, output_shape=5)(a, b, b)",
    "MultiHeadAttention(num_heads=2, key_dim=4)(a, b, return_attention_scores=True)", "Attention()([a, b])",
    "AdditiveAttention()([a, b])", "Attention()([a, b], return_attention_scores=True)", "a + b", "a * 2 - b",
    "ops.matmul(a, ops.transpose(b, (0, 2, 1)))",
    "LSTM(4)(a, initial_state=[Dense(4)(GlobalMaxPooling1D()(b)), Dense(4)(GlobalMaxPooling1D()(b))])",
    "ops.concatenate([a, b], axis=-1)", "a[:, -1]", "a[:, :3, ::2]", "ops.mean(a, axis=1)",
    "ops.sum(a, axis=-1, keepdims=True)",
    "ops.stack([a, b], axis=1)", "ops.split(a, 2, axis=1)", "ops.where(a > 0, a, b)", "ops.softmax(a)",
    "ops.max(a, axis=(1, 2))",
    "ops.einsum('bij,bkj->bik', a, b)", "ops.repeat(a, 3, axis=1)", "ops.reshape(a, (-1, 80))", "ops.squeeze(a[:, :1], 1)",
    "ops.expand_dims(a, 1)", "ops.pad(a, ((0, 0), (1, 1), (0, 0)))", "ops.one_hot(ops.argmax(a, axis=-1), 8)",
    "ops.tile(a, (1, 2, 1))",
    "ops.moveaxis(a, 1, 2)", "ops.swapaxes(a, 1, 2)", "ops.flip(a, axis=1)", "ops.top_k(a, 3)", "ops.clip(a, 0, 1)",
    "ops.cast(a, 'int32')", "ops.zeros_like(a)", "ops.take(a, ops.convert_to_tensor([0, 2]), axis=1)",
    "keras.activations.relu(a)",
    "ops.average_pool(a, 2)", "ops.max_pool(a, 2, padding='same')", "ops.cumsum(a, axis=1)", "ops.dot(a, ops.ones((8, 3)))",
    "ops.tensordot(a, ops.ones((8, 3)), axes=1)", "ops.unstack(a, axis=1)[0]", "ops.broadcast_to(ops.ones((1, 3)), (4, 3))",
    "ops.arange(10)", "ops.linspace(0.0, 1.0, 7)", "ops.eye(4)", "ops.full((2, 3), 7)", "keras.random.normal((3, 4))",
    "ops.logsumexp(a, axis=-1)", "ops.var(a, axis=0)", "ops.norm(a, axis=-1)", "ops.normalize(a, axis=-1)", "ops.rsqrt(a)",
]  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("expression", SEVERAL)
def test_expression(expression, inferred, executed):
    text = f"a = keras.Input((10, 8))\nb = keras.Input((10, 8))\nout = {expression}\n"
    assert inferred(text) == executed(text)
