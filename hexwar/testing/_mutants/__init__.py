"""Mistakes in rules and data: those that somebody planted, and those that are made automatically."""
