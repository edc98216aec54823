"""The compiled kernel, if there is one: see `_kernel.c`."""

VERSION: int

def seen(units: bytes, slopes: bytes, touched: bytes, areas: bytes, screens: bytes, pairs: bytes) -> bytes: ...
