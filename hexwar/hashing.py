"""The hash function of digests, seals and dice, without the import of OpenSSL that comes with `hashlib`: it takes 2 ms."""

try:
    from _blake2 import blake2b  # the very function that `hashlib` has under this name
except ImportError:  # another Python than CPython
    from hashlib import blake2b

__all__ = ["blake2b"]
