"""Where what is lost may lie, by the 六神 of the acting line, in English."""

from typing import Final

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "龙": (
        "Look first where it is tidy, bright and often visited",
        "Try the wardrobe and the tidy part of the living room",
    ),
    "雀": (
        "Look around papers, electrical things and the stove",
        "Try the desk, and wherever letters and chargers lie",
    ),
    "勾": ("Look low down, in corners and among clutter", "Try the floor, and the very back of the drawers"),
    "蛇": ("Look among cables and cords, and in gaps", "Feel along the folds of the sofa and the like"),
    "虎": ("Look by the door, by the road and near things of metal", "Try the places you pass through every day"),
    "玄": (
        "Look in the dark, near water and under covers",
        "Try what you never see: under the bed, the bottom of the trunk",
    ),
}
