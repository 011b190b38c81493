"""A world to learn in: made passages with questions, gold programs and gold steps."""

from workings.world.making import Made, Names, make_world
from workings.world.saving import save_world

__all__ = ["Made", "Names", "make_world", "save_world"]
