"""The named reasons of a judgement and their weights in points: the only table of weights.

The classics rank these influences without figures; the points are this project's, fitted to recorded
cases of 《增删卜易》. Month and day outweigh a moving line, which outweighs the whole hexagram. What holds 世 and what
harms it outweigh what the 用神 does to it. Weights that depend on the acting line's strength are given for a
sound one.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Self


class Aspect(Enum):
    """What a reason is about, in the order a reading tells it."""

    MONTH = 1
    DAY = 2
    SELF = 3
    """Void and change of the line itself, and what lies over a hidden one."""
    OTHERS = 4
    """The lines that act on it."""
    WORLD = 5
    """世 and 应."""
    WHOLE = 6
    """The hexagram, and lines the matter itself cares about."""


class Term(StrEnum):
    """A reason. Its value is the canonical Chinese term; `weight` above zero favours the matter."""

    aspect: Aspect
    weight: int

    def __new__(cls, chinese: str, aspect: Aspect, weight: int) -> Self:
        term = str.__new__(cls, chinese)
        term._value_ = chinese
        term.aspect = aspect
        term.weight = weight
        return term

    # 月将章, 月破章, 四时旺相章
    ON_MONTH = "临月建", Aspect.MONTH, 4
    IN_SEASON = "月令旺", Aspect.MONTH, 3
    MONTH_GENERATES = "月建生", Aspect.MONTH, 3
    RESTING = "休", Aspect.MONTH, -1
    CONFINED = "囚", Aspect.MONTH, -2
    MONTH_OVERCOMES = "月建克", Aspect.MONTH, -3
    MONTH_BROKEN = "月破", Aspect.MONTH, -5
    BROKEN_YET_RESCUED = "破而有救", Aspect.MONTH, -2  # a moving line, or one the day supports, is not broken for good
    MONTH_COMBINES = "月合", Aspect.MONTH, 2
    # 日辰章, 生旺墓绝章, 暗动章, 动散章
    ON_DAY = "临日辰", Aspect.DAY, 5
    DAY_SUPPORTS = "日辰扶", Aspect.DAY, 3
    DAY_GENERATES = "日辰生", Aspect.DAY, 4
    DAY_OVERCOMES = "日辰克", Aspect.DAY, -4
    DAY_DRAINS = "泄于日辰", Aspect.DAY, -1
    BIRTH = "长生", Aspect.DAY, 2
    TOMB = "日墓", Aspect.DAY, -2
    EXTINCT = "日绝", Aspect.DAY, -1
    RAISED = "合起", Aspect.DAY, 2
    BOUND = "合绊", Aspect.DAY, -1
    STIRRED = "暗动", Aspect.DAY, 1
    DAY_BROKEN = "日破", Aspect.DAY, -3
    SCATTERED = "日冲", Aspect.DAY, -1  # 野鹤 doubts that a moving line scatters
    # 旬空章
    VOID_FILLED = "冲空", Aspect.SELF, 0
    VOID_MOVING = "动不为空", Aspect.SELF, -1
    VOID_STRONG = "旺不为空", Aspect.SELF, -1
    VOID = "旬空", Aspect.SELF, -4
    # 动变生克冲合章, 进神退神章
    TURNED_GENERATES = "回头生", Aspect.SELF, 6
    TURNED_OVERCOMES = "回头克", Aspect.SELF, -8
    ADVANCES = "化进神", Aspect.SELF, 3
    RETREATS = "化退神", Aspect.SELF, -3
    TURNED_COMBINES = "回头合", Aspect.SELF, 2
    TURNED_CLASHES = "回头冲", Aspect.SELF, -2
    TURNED_VOID = "化空", Aspect.SELF, -1
    TURNED_BROKEN = "化破", Aspect.SELF, -1
    TURNED_TOMB = "化墓", Aspect.SELF, -2
    TURNED_EXTINCT = "化绝", Aspect.SELF, -2
    # 飞伏神章
    HIDDEN = "用神伏藏", Aspect.SELF, -1
    FLYING_GENERATES = "飞来生伏", Aspect.SELF, 3
    FLYING_OVERCOMES = "飞来克伏", Aspect.SELF, -3
    FLYING_EMPTY = "飞神空破", Aspect.SELF, 5
    FLYING_FEEBLE = "飞神休囚", Aspect.SELF, 2
    FLYING_DRAINS = "伏去生飞", Aspect.SELF, -1
    FLYING_BURIES = "伏墓于飞", Aspect.SELF, -2
    # 用神元神忌神仇神章, 元神忌神衰旺章, 克处逢生章, 三合章
    SOURCE_ACTS = "元神发动", Aspect.OTHERS, 4
    FOE_ACTS = "忌神发动", Aspect.OTHERS, -4
    KIN_ACTS = "同气相扶", Aspect.OTHERS, 2
    ENEMY_HURTS_SOURCE = "仇神克元神", Aspect.OTHERS, -2
    ENEMY_FEEDS_FOE = "仇神生忌神", Aspect.OTHERS, -2
    GREEDY = "贪生忘克", Aspect.OTHERS, 0
    RESCUED = "克处逢生", Aspect.OTHERS, 2
    TRINE_SUPPORTS = "三合生扶", Aspect.OTHERS, 5
    TRINE_OVERCOMES = "三合克伤", Aspect.OTHERS, -5
    ROOTLESS = "生之不起", Aspect.OTHERS, 0  # takes back most of the support that found no root
    # 世应章 and the chapters of each matter
    HOLDS_WORLD = "用神持世", Aspect.WORLD, 2
    GENERATES_WORLD = "用神生世", Aspect.WORLD, 1
    COMBINES_WORLD = "用神合世", Aspect.WORLD, 2
    MATCHES_WORLD = "世用比和", Aspect.WORLD, 1
    COMES_TO_WORLD = "用来克世", Aspect.WORLD, 1  # in the matters where being overcome means getting
    OVERCOMES_WORLD = "用神克世", Aspect.WORLD, -1
    CLASHES_WORLD = "用神冲世", Aspect.WORLD, -1
    DRAINS_WORLD = "世去生用", Aspect.WORLD, -1
    RESISTED_BY_WORLD = "世去克用", Aspect.WORLD, -1
    WORLD_TURNED_ON = "世化回头克", Aspect.WORLD, -6
    WORLD_FED_IN_RETURN = "世化回头生", Aspect.WORLD, 6
    WORLD_VOID = "世空", Aspect.WORLD, -4
    WORLD_BROKEN = "世破", Aspect.WORLD, -4
    WORLD_FEEBLE = "世衰", Aspect.WORLD, -2
    WORLD_STRONG = "世旺", Aspect.WORLD, 2
    RESPONSE_COMBINES = "世应相合", Aspect.WORLD, 2
    RESPONSE_CLASHES = "世应相冲", Aspect.WORLD, -2
    RESPONSE_GENERATES = "应来生世", Aspect.WORLD, 2
    RESPONSE_OVERCOMES = "应来克世", Aspect.WORLD, -2
    RESPONSE_MATCHES = "世应比和", Aspect.WORLD, 1
    WORLD_GENERATES = "世去生应", Aspect.WORLD, -1
    WORLD_OVERCOMES = "世去克应", Aspect.WORLD, 0
    RESPONSE_VOID = "应空", Aspect.WORLD, -2
    HELD_WELL = "持世有利", Aspect.WORLD, 4
    HELD_ILL = "持世不利", Aspect.WORLD, -4
    # The chapters of each matter; 六冲章, 六合章, 反伏章, 游魂归魂
    MOVES_WELL = "发动有利", Aspect.WHOLE, 2
    MOVES_ILL = "发动不利", Aspect.WHOLE, -2
    RANK_STRONG = "官星有力", Aspect.WHOLE, 2
    RANK_WEAK = "官星无力", Aspect.WHOLE, -2
    CLASHING = "六冲卦", Aspect.WHOLE, -1
    COMBINING = "六合卦", Aspect.WHOLE, 1
    CLASHING_TO_COMBINING = "六冲变六合", Aspect.WHOLE, 2
    COMBINING_TO_CLASHING = "六合变六冲", Aspect.WHOLE, -2
    CLASHING_TO_CLASHING = "六冲变六冲", Aspect.WHOLE, -2
    COMBINING_TO_COMBINING = "六合变六合", Aspect.WHOLE, 1
    ECHO = "伏吟", Aspect.WHOLE, -2
    REVERSAL = "反吟", Aspect.WHOLE, -2
    WANDERING = "游魂", Aspect.WHOLE, -1
    RETURNING = "归魂", Aspect.WHOLE, -1
    NEW_ILLNESS_CLASHED = "近病逢冲", Aspect.WHOLE, 2
    OLD_ILLNESS_CLASHED = "久病逢冲", Aspect.WHOLE, -3
    NEW_ILLNESS_COMBINED = "近病逢合", Aspect.WHOLE, -2
    NEW_ILLNESS_VOID = "近病逢空", Aspect.SELF, 2
    OLD_ILLNESS_VOID = "久病逢空", Aspect.SELF, -5
    TURNS_CLASHING = "变卦六冲", Aspect.WHOLE, -1
    TURNS_COMBINING = "变卦六合", Aspect.WHOLE, 1
    TURNS_WANDERING = "变卦游魂", Aspect.WHOLE, -1
    TURNS_RETURNING = "变卦归魂", Aspect.WHOLE, 0
    TRINE_FEEDS_WORLD = "局生世爻", Aspect.WHOLE, 4
    TRINE_FEEDS_RESPONSE = "局生应爻", Aspect.WHOLE, -4
    # The decisive rules (`decisive`): what they weigh only tells for or against, they are not summed
    TURNS_GHOST = "用神化鬼", Aspect.SELF, -8
    GHOST_TURNS_FOCUS = "鬼化用神", Aspect.SELF, -8
    WORLD_TURNS_GHOST = "世化官鬼", Aspect.WORLD, -8
    WORLD_TURNS_FOCUS = "世化用神", Aspect.WORLD, 8
    GHOST_RELIEVED = "福动解鬼", Aspect.WORLD, 8
    BURIED_WITH_GHOST = "随鬼入墓", Aspect.SELF, -8
    SOURCE_RUINED = "元神受伤", Aspect.OTHERS, -8
    FOE_ADVANCES = "忌神化进", Aspect.OTHERS, -8
    NEW_ILLNESS_TURNED_VOID = "近病化空", Aspect.SELF, 8
    OLD_ILLNESS_TURNED_VOID = "久病化空", Aspect.SELF, -8
    HEALER_UNFIT = "医不相宜", Aspect.WORLD, -8
    OFFSPRING_HEALS = "福神解病", Aspect.OTHERS, 8
    THREE_PUNISHMENTS = "三刑俱全", Aspect.SELF, -8
    OFFSPRING_HOLDS = "子孙持世", Aspect.WORLD, -8
    WORLD_RUINED = "世爻破损", Aspect.WORLD, -8
    RANK_HOLDS = "官父持世", Aspect.WORLD, 8
    RANK_REACHES = "官父生世", Aspect.WORLD, 8
    RANK_HURT = "财福伤名", Aspect.WHOLE, -8
    RIVALS_HOLD = "兄弟持世", Aspect.WORLD, -8
    LIFE_VOID = "身命逢空", Aspect.WORLD, -8
    LIFE_SCATTERED = "身命逢冲", Aspect.WHOLE, -8
    GOES_TO_ANOTHER = "局归他人", Aspect.WORLD, -8
    SPOUSE_DENIED = "持世克配", Aspect.WORLD, -8
    CLASH_HELD = "冲中逢合", Aspect.WHOLE, 8
    DISPUTE_DISSOLVES = "争端冲散", Aspect.WHOLE, 8
    TURNS_HOME = "化退知返", Aspect.SELF, 8
    GOES_ON = "化进不归", Aspect.SELF, -8
    COMES_BY_CHANGE = "变出用神", Aspect.OTHERS, 8
    TRAVELLER_TIED = "世动逢合", Aspect.WORLD, -8
    WEATHER_MOVES = "所占发动", Aspect.OTHERS, 8
    WEATHER_TURNS = "变出所占", Aspect.OTHERS, 8
    WEATHER_PASSES = "阴雨化退", Aspect.OTHERS, 8
    WEATHER_OPPOSED = "所忌发动", Aspect.OTHERS, -8
    WEATHER_HELD = "待墓而应", Aspect.OTHERS, 8
    WEATHER_WAITS = "静待其日", Aspect.SELF, 8
    WEATHER_HIDDEN = "静而伏藏", Aspect.SELF, -8


@dataclass(frozen=True, slots=True)
class Contribution:
    """One reason as it stands on a plate: the term, its points, and the lines (1 – 6) it is about, the acting one
    first.

    `note` is what a term leaves open: the branch, relation or element that acts.
    """

    term: Term
    weight: int
    lines: tuple[int, ...] = ()
    note: str = ""

    @property
    def prominence(self) -> int:
        """How much it deserves telling: the size of its weight; a rescue that cancels a harm counts as that harm."""
        return max(abs(self.weight), 4 if self.term is Term.GREEDY else 0)


def because(term: Term, *lines: int, note: str = "") -> Contribution:
    """Return the contribution of a term at its table weight."""
    return Contribution(term, term.weight, lines, note)
