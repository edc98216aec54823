"""Making maps: building them from geography, looking for mistakes in them, exporting them.

To build (a recipe, text inputs, coast and picture data in; map files out) needs the extra `maps`; to check and to export needs
nothing more than hexwar. Inside hexwar only the commands `hexwar map` import this package: playing does without it.
"""

from hexwar.cartography._build import Built, build
from hexwar.cartography._check import Finding, Words, check_board
from hexwar.cartography._export import Georeference, export_geojson
from hexwar.cartography._recipe import Recipe, read_recipe

__all__ = ["Built", "Finding", "Georeference", "Recipe", "Words", "build", "check_board", "export_geojson", "read_recipe"]
