"""Columns as attributes: ``df.price`` is ``df["price"]`` unless a table has a method or property of that name.

The names are those of ``dir(pandas.DataFrame)`` in 3.1, those that releases before it had, and accessors that other packages
register.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.pandas.frame import FRAME, array_of, names_of, resized, shape_of, wrapped
from dllint.ir.values import Arguments, Value

_MEMBERS: Final = frozenset((
    "T", "abs", "add", "add_prefix", "add_suffix", "agg", "aggregate", "align", "all", "any", "append", "apply",
    "applymap", "as_blocks", "as_matrix", "asfreq", "asof", "assign", "astype", "at", "at_time", "attrs", "axes",
    "backfill", "between_time", "bfill", "blocks", "bool", "boxplot", "clip", "clip_lower", "clip_upper", "columns",
    "combine", "combine_first", "compare", "compound", "compute", "consolidate", "convert_dtypes", "convert_objects",
    "copy", "corr", "corrwith", "count", "cov", "crs", "cummax", "cummin", "cumprod", "cumsum", "cx", "describe", "diff",
    "div", "divide", "dot", "drop", "drop_duplicates", "droplevel", "dropna", "dtypes", "duplicated", "empty", "eq",
    "equals", "eval", "ewm", "expanding", "explode", "ffill", "fillna", "filter", "first", "first_valid_index", "flags",
    "floordiv", "from_arrow", "from_csv", "from_dict", "from_items", "from_records", "ftypes", "ge", "geometry", "get",
    "get_dtype_counts", "get_ftype_counts", "get_value", "get_values", "groupby", "gt", "head", "hist", "hvplot", "iat",
    "icol", "idxmax", "idxmin", "iget_value", "iloc", "index", "infer_objects", "info", "insert", "interpolate", "iplot",
    "irow", "is_copy", "isetitem", "isin", "isna", "isnull", "items", "iteritems", "iterkv", "iterrows", "itertuples",
    "ix", "join", "keys", "kurt", "kurtosis", "last", "last_valid_index", "le", "loc", "lookup", "lt", "mad", "map",
    "mask", "max", "mean", "median", "melt", "memory_usage", "merge", "min", "mod", "mode", "mul", "multiply", "ndim",
    "ne", "nlargest", "notna", "notnull", "nsmallest", "nunique", "pad", "parallel_apply", "pct_change", "persist",
    "pipe", "pivot", "pivot_table", "plot", "pop", "pow", "prod", "product", "profile_report", "progress_apply",
    "progress_applymap", "progress_map", "quantile", "query", "radd", "rank", "rdd", "rdiv", "reindex", "reindex_axis",
    "reindex_like", "rename", "rename_axis", "reorder_levels", "replace", "resample", "reset_index", "rfloordiv", "rmod",
    "rmul", "rolling", "round", "rpow", "rsub", "rtruediv", "sample", "select", "select_dtypes", "sem", "set_axis",
    "set_flags", "set_index", "set_value", "shape", "shift", "sindex", "size", "skew", "slice_shift", "sort",
    "sort_index", "sort_values", "sortlevel", "sparse", "squeeze", "stack", "std", "style", "sub", "subtract", "sum",
    "swapaxes", "swaplevel", "swifter", "ta", "tail", "take", "toPandas", "to_clipboard", "to_csv", "to_dict", "to_excel",
    "to_feather", "to_gbq", "to_hdf", "to_html", "to_iceberg", "to_json", "to_latex", "to_markdown", "to_msgpack",
    "to_numpy", "to_orc", "to_panel", "to_parquet", "to_period", "to_pickle", "to_records", "to_sparse", "to_sql",
    "to_stata", "to_string", "to_timestamp", "to_xarray", "to_xml", "total_bounds", "transform", "transpose", "truediv",
    "truncate", "tshift", "tz_convert", "tz_localize", "unstack", "update", "value_counts", "values", "var", "where",
    "xs",
))  # fmt: skip


@handler(f"{FRAME}.__getattr__")
def column(machine: Machine, frame: Value, arguments: Arguments) -> Value:
    """The column of a name; None for what may be something else."""
    array, names, name = array_of(frame), names_of(frame), arguments.positional(0)
    if array is None or not isinstance(name, str) or name.startswith("_") or name in _MEMBERS:
        return None
    if names is not None and name not in names:
        return None
    return wrapped(machine, resized(array, shape_of(frame)[:1]))
