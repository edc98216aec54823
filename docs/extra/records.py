"""For the builder of the site: what `record` and `state` decorate is a dataclass, whose signature is made from its fields."""

from __future__ import annotations

from typing import Any

import griffe


class Records(griffe.Extension):
    """Calls our decorators by the name that griffe knows."""

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        """A class was read."""
        for decorator in cls.decorators:
            if str(decorator.value) in ("record", "state"):
                decorator.value = griffe.ExprName("dataclass", parent=griffe.ExprName("dataclasses"))
