"""DLT: shapes, axes, element types."""
