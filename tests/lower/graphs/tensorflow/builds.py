"""Functions that build TensorFlow graphs of one placeholder, for comparisons with TensorFlow."""

from __future__ import annotations

import tensorflow

tf = tensorflow.compat.v1


def weight(*shape):
    return tf.Variable(tf.random.truncated_normal(shape, stddev=0.1))


def dense(x, units):
    return tf.nn.bias_add(tf.matmul(x, weight(x.shape[-1], units)), weight(units))


def convolutional(x):
    x = tf.reshape(x, [-1, 28, 28, 1])
    for channels in (8, 16):
        x = tf.nn.relu(tf.nn.conv2d(x, weight(5, 5, x.shape[-1], channels), [1, 1, 1, 1], "SAME") + weight(channels))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID")
    x = tf.nn.depthwise_conv2d(x, weight(3, 3, 16, 2), [1, 1, 1, 1], "VALID")
    x = tf.nn.conv2d(x, weight(3, 3, 32, 4), [1, 2, 2, 1], "SAME", dilations=[1, 1, 1, 1])
    x = tf.nn.avg_pool2d(x, 3, 1, "SAME")
    y, _, _ = tf.nn.fused_batch_norm(x, tf.ones([4]), tf.zeros([4]))
    flat = tf.reshape(y, [-1, y.shape[1] * y.shape[2] * 4])
    return tf.nn.dropout(dense(flat, 10), rate=0.5)


def transposed(x):
    x = tf.reshape(x, [-1, 7, 7, 16])
    shape = tf.stack([tf.shape(x)[0], 14, 14, 8])
    x = tf.nn.conv2d_transpose(x, weight(5, 5, 8, 16), shape, [1, 2, 2, 1])
    return tf.image.resize_bilinear(x, [28, 28]), tf.space_to_depth(x, 2), tf.depth_to_space(x, 2)


def classifier(x):
    labels = tf.placeholder(tf.float32, [None, 10])
    logits = dense(x, 10)
    p = tf.nn.softmax(logits)
    loss = tf.reduce_mean(-tf.reduce_sum(labels * tf.log(tf.clip_by_value(p, 1e-8, 1.0)), axis=1))
    fused = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.argmax(labels, 1), logits=logits)
    sigmoid = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    hits = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(p, 1), tf.argmax(labels, 1)), tf.float32))
    return loss, fused, sparse, sigmoid, hits, tf.nn.l2_loss(logits), tf.nn.top_k(p, 3), tf.nn.in_top_k(p, tf.argmax(p, 1), 2)


def moving(x):
    parts = tf.split(x, 4, axis=1)
    sized = tf.split(x, [100, 600, -1], axis=1)
    joined = tf.concat([parts[0], sized[0]], axis=-1)
    y = tf.reshape(x, [-1, 28, 28])
    return (
        joined, tf.stack(parts, axis=1), tf.unstack(y, axis=2), tf.transpose(y, [2, 0, 1]), tf.expand_dims(y, -1),
        tf.squeeze(tf.expand_dims(y, 1), [1]), tf.tile(y, [1, 2, 3]), y[:, 1:5, ::2], y[..., -1], y[:, tf.newaxis, 3],
        tf.slice(y, [0, 2, 3], [-1, 4, -1]), tf.gather(y, [0, 3], axis=2), tf.gather_nd(y, [[0, 1], [1, 2]]),
        tf.pad(y, [[0, 0], [1, 2], [3, 4]]), tf.reverse(y, [1]), tf.one_hot(tf.cast(y, tf.int32), 7),
        tf.broadcast_to(tf.ones([28]), tf.shape(y)), tf.fill(tf.shape(y)[1:], 2.0), tf.range(0, 10, 3), tf.zeros_like(y),
        tf.where(y > 0, y, tf.square(y)), tf.boolean_mask(tf.ones([3, 4]), [True, False, True]), tf.cumsum(y, 1),
        tf.matrix_band_part(y, 0, -1), tf.einsum("bij,bjk->bik", y, y), tf.matmul(y, y, transpose_b=True),
    )  # fmt: skip


def reduced(x):
    y = tf.reshape(x, [-1, 28, 28])
    return (
        tf.reduce_sum(y), tf.reduce_mean(y, 1), tf.reduce_max(y, [1, 2]), tf.reduce_min(y, -1, keepdims=True),
        tf.reduce_prod(y, 0), tf.reduce_logsumexp(y, 1), tf.reduce_any(y > 0, 1), tf.norm(y, axis=1), tf.argmin(y, 2),
        tf.nn.moments(y, [0]), tf.nn.l2_normalize(y, 2), tf.add_n([y, y, y]), tf.squared_difference(y, 1.0),
        tf.math.xlogy(y, y), tf.div_no_nan(y, y), tf.floordiv(y, 2.0), tf.pow(y, 2.0),
    )  # fmt: skip


def branching(x):
    flag = tf.placeholder(tf.bool, [])
    chosen = tf.cond(flag, lambda: tf.exp(x), lambda: tf.square(x))
    _, total = tf.while_loop(lambda i, _: i < 10, lambda i, s: (i + 1, s * 2.0), [tf.constant(0), tf.reduce_sum(x)])
    return chosen, total


def trained(x):
    loss = tf.reduce_mean(tf.square(dense(x, 1)))
    return tf.train.AdamOptimizer(0.1).minimize(loss)
