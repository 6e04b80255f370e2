"""Pooling with a window, adaptive and global, and resizing by padding, cropping and repetition."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

WINDOW: Final = {"pool_size": "kernel_size", "strides": "stride"}
KEEP: Final = {"keepdims": "keepdim"}
SPATIAL: Final = (1, 2, 3)

ROWS: Final = (
    *(row(f"MaxPooling{n}D", "max_pool", WINDOW, {"spatial": n}) for n in SPATIAL),
    *(row(f"AveragePooling{n}D", "avg_pool", WINDOW, {"spatial": n}) for n in SPATIAL),
    *(row(f"GlobalMaxPooling{n}D", "global_max_pool", KEEP, {"spatial": n}) for n in SPATIAL),
    *(row(f"GlobalAveragePooling{n}D", "global_avg_pool", KEEP, {"spatial": n}) for n in SPATIAL),
    *(row(f"AdaptiveMaxPooling{n}D", "adaptive_max_pool", const={"spatial": n}) for n in SPATIAL),
    *(row(f"AdaptiveAveragePooling{n}D", "adaptive_avg_pool", const={"spatial": n}) for n in SPATIAL),
    *(row(f"ZeroPadding{n}D", "zero_pad", const={"spatial": n}) for n in SPATIAL),
    *(row(f"Cropping{n}D", "crop", const={"spatial": n}) for n in SPATIAL),
    *(
        row(f"UpSampling{n}D", "interpolate", {"size": "scale_factor", "interpolation": "mode"}, {"spatial": n})
        for n in SPATIAL
    ),
)
