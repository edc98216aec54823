"""The table: what a player reads and types in words, for the terminal, the browser and the test kit alike."""

from __future__ import annotations

FORGET = "\033[3J"
"""Tells a terminal to forget what could be scrolled back to."""
