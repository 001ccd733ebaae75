"""Who people are to the asker, and the relation (六亲) of each.

Source: 《增删卜易》 and 《卜筮正宗》 用神章: 祖父母, 伯叔, 姑姨, 师长, 家主, 妻之父母 are 父母;
姊妹之夫, 妻之兄弟, 同寅, 知交 are 兄弟; 嫂与弟妇, 妻之姊妹, 婢仆 are 妻财; 夫之兄弟同辈 is 官鬼;
女婿, 侄甥, 门徒, 医人, 僧道, 六畜 are 子孙; 无亲之人 is 应.
"""

from enum import StrEnum
from typing import Final

from liuyao.reading.question.matters import FocusOn


class Role(StrEnum):
    """Who somebody is to the asker."""

    ELDER = "elder"
    CHILD = "child"
    PET = "pet"
    HEALER = "healer"
    WIFE = "wife"
    GIRL = "girl"
    """A woman or girl of no other tie: 这个女生."""
    SISTER_IN_LAW = "sister-in-law"
    SERVANT = "servant"
    HUSBAND = "husband"
    BOY = "boy"
    HIS_BROTHER = "his brother"
    SUPERIOR = "superior"
    SIBLING = "sibling"
    SISTER = "sister"
    FRIEND = "friend"
    BELOVED = "beloved"
    """A partner in love whose sex the word does not tell."""
    STRANGER = "stranger"


FOCUS: Final[dict[Role, FocusOn]] = {
    Role.ELDER: "父母",
    Role.CHILD: "子孙",
    Role.PET: "子孙",
    Role.HEALER: "子孙",
    Role.WIFE: "妻财",
    Role.GIRL: "应爻",
    Role.SISTER_IN_LAW: "妻财",
    Role.SERVANT: "妻财",
    Role.HUSBAND: "官鬼",
    Role.BOY: "应爻",
    Role.HIS_BROTHER: "官鬼",
    Role.SUPERIOR: "官鬼",
    Role.SIBLING: "兄弟",
    Role.SISTER: "兄弟",
    Role.FRIEND: "兄弟",
    Role.BELOVED: "应爻",
    Role.STRANGER: "应爻",
}

IN_LOVE: Final[dict[Role, FocusOn]] = {
    Role.WIFE: "妻财",
    Role.GIRL: "妻财",
    Role.HUSBAND: "官鬼",
    Role.BOY: "官鬼",
}
"""The line of the one whom a question of love is about (男占女以妻财, 女占男以官鬼)."""

PARTNERS: Final = frozenset({Role.WIFE, Role.HUSBAND, Role.BELOVED, Role.GIRL, Role.BOY})
FAMILY: Final = frozenset(
    {Role.ELDER, Role.CHILD, Role.SIBLING, Role.SISTER, Role.SISTER_IN_LAW, Role.HIS_BROTHER, Role.WIFE, Role.HUSBAND}
)
CARED_FOR: Final = FAMILY | {Role.PET, Role.BELOVED}
"""Those whose fate one asks about for their own sake."""

_SPOUSES: Final = (Role.WIFE, Role.HUSBAND, Role.BELOVED)
_SAME_AGE: Final = (Role.SIBLING, Role.SISTER, Role.FRIEND)

_OF: Final[dict[Role, dict[Role, Role]]] = {
    Role.CHILD: dict.fromkeys((*_SPOUSES, *_SAME_AGE, Role.GIRL, Role.BOY), Role.CHILD),
    Role.SIBLING: {
        Role.WIFE: Role.SISTER_IN_LAW,
        Role.HUSBAND: Role.SIBLING,
        Role.BELOVED: Role.SIBLING,
        **dict.fromkeys(_SAME_AGE, Role.FRIEND),
    },
    Role.SISTER: {
        Role.WIFE: Role.SISTER_IN_LAW,
        Role.HUSBAND: Role.SIBLING,
        Role.BELOVED: Role.SIBLING,
        **dict.fromkeys(_SAME_AGE, Role.FRIEND),
    },
    Role.FRIEND: {
        Role.WIFE: Role.SISTER_IN_LAW,
        Role.HUSBAND: Role.FRIEND,
        Role.BELOVED: Role.FRIEND,
        **dict.fromkeys(_SAME_AGE, Role.FRIEND),
    },
    Role.HUSBAND: {
        **dict.fromkeys(_SAME_AGE, Role.HIS_BROTHER),
        **dict.fromkeys((Role.SUPERIOR, Role.WIFE, Role.GIRL, Role.BELOVED), Role.STRANGER),
    },
    Role.WIFE: {
        **dict.fromkeys((Role.HUSBAND, Role.BOY, Role.BELOVED), Role.STRANGER),
        Role.SISTER: Role.SISTER_IN_LAW,
        Role.SIBLING: Role.SIBLING,
        Role.FRIEND: Role.SISTER_IN_LAW,
        Role.SUPERIOR: Role.STRANGER,
    },
    Role.ELDER: {
        **dict.fromkeys((*_SAME_AGE, *_SPOUSES), Role.ELDER),
        Role.CHILD: Role.SIBLING,
        Role.SUPERIOR: Role.STRANGER,
    },
    Role.SUPERIOR: dict.fromkeys((*_SPOUSES, *_SAME_AGE, Role.CHILD, Role.ELDER, Role.SERVANT), Role.STRANGER),
    Role.STRANGER: dict.fromkeys(Role, Role.STRANGER) | {Role.PET: Role.PET},
    Role.BELOVED: dict.fromkeys(_SAME_AGE, Role.STRANGER),
}


def of(owner: Role, role: Role) -> Role:
    """Who somebody's kin is to the asker: a brother's wife is 嫂 or 弟妇, a child's husband a son-in-law."""
    return _OF.get(owner, {}).get(role, role)
