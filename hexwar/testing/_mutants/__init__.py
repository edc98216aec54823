"""Mistakes in rules and data: those that were planted, and those that are made automatically."""
