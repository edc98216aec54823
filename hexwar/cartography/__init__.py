"""Building maps from geography: a recipe, text inputs, coast and picture data in; map files out.

Needs the extra `maps`. Nothing else in hexwar imports this package: those who only play need neither it nor its packages.
"""

from hexwar.cartography._build import Built, build
from hexwar.cartography._recipe import Recipe, read_recipe

__all__ = ["Built", "Recipe", "build", "read_recipe"]
