"""Models of installed libraries, drawn from each library's own list: the shape that dllint tells against the real one."""
