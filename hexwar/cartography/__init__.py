"""Building maps from geography: a recipe, text inputs, coast and picture data in; map files out.

Needs the extra `maps`. Nothing else in hexwar imports this package: those who only play need neither it nor its packages.
"""

from hexwar.cartography._build import Built, build
from hexwar.cartography._check import Finding, Words, check_board
from hexwar.cartography._export import Georeference, export_geojson
from hexwar.cartography._recipe import Recipe, read_recipe

__all__ = ["Built", "Finding", "Georeference", "Recipe", "Words", "build", "check_board", "export_geojson", "read_recipe"]
