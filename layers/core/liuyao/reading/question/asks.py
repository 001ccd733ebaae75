"""What kind of answer a question wants, and of what stretch of time it speaks."""

from dataclasses import dataclass
from enum import StrEnum


class Asks(StrEnum):
    """The kind of answer wanted."""

    WHETHER = "whether"
    """会不会, 能不能: will it."""
    SHOULD = "should"
    """该不该, 要不要: is it right to do."""
    WHEN = "when"
    WHERE = "where"
    """Place or direction (方位)."""
    WHICH = "which"
    """One of several: `Inquiry.options` if they are named."""
    WHO = "who"
    SEX_OF_CHILD = "sex of child"
    HOW_MUCH = "how much"
    HOW = "how"
    """怎样才能, how can I: the way to do it."""
    HOW_IS = "how is"
    """如何, 怎么样, "how will it go": how it stands. The default when nothing more is said."""
    WHY = "why"
    OTHERS_MIND = "other's mind"
    """What somebody else thinks, feels or wants."""


class Intent(StrEnum):
    """What a follow-up wants to hear, in the order in which it is answered."""

    CORRECTION = "correction"
    """Puts right what the first question said: 说错了，是我女儿."""
    PLAIN = "plain"
    """The answer again without terms."""
    REPEAT = "repeat"
    """The answer again, in short."""
    CONFIRM = "confirm"
    """Puts the answer as a yes or a no to have it confirmed, or asks which: "so it is a no?"."""
    DOUBT = "doubt"
    """Does not believe the answer, or holds a fact against it."""
    NEWS = "news"
    """Tells what has happened since: 他刚给我打电话了."""
    OUTCOME = "outcome"
    """Whether it comes about after all: 那到底能不能成, "so will it work out"."""
    LET_GO = "let go"
    """该不该放手, "should I give up"."""
    WAIT = "wait"
    """What if I wait, or wait on."""
    INSTEAD = "instead"
    """What if it is done otherwise, or by somebody else: 换个中介呢, "what if I ask my brother instead"."""
    WHEN = "when"
    PERIOD = "period"
    """How a named stretch of time is: 下半年呢. See `FollowUp.horizon`."""
    HOW_MUCH = "how much"
    LIKELY = "likely"
    """How likely it is: 有几成把握, "what are the odds"."""
    WHERE = "where"
    OTHERS_MIND = "other's mind"
    WHOM_TO_ASK = "whom to ask"
    """Which doctor, teacher or office to turn to."""
    WHO = "who"
    """Who somebody is, or what kind of person."""
    PEOPLE = "people"
    """Who helps or hinders."""
    WHICH = "which"
    OBSTACLES = "obstacles"
    WHY = "why"
    ACTION = "action"
    """What to do."""
    SAY = "say"
    """What to say or write to somebody, and how: 我该怎么跟他开口, "what do I tell her"."""
    LINE = "line"
    """Which line stands for whom or what: 哪一爻是我, "which line shows the money"."""
    MEANING = "meaning"
    """What a term or the hexagram means."""
    CERTAINTY = "certainty"
    """How sure the reading is."""
    METHOD = "method"
    """How a cast is made and read, whatever it says."""
    NEW_CAST = "new cast"
    """Whether one may cast again."""
    BEYOND = "beyond"
    """A name, a number, an address: what no cast tells."""
    MORE = "more"
    """再说详细些, "tell me more"."""
    FEELING = "feeling"
    """Sorrow, fear or anger at the answer."""
    GLAD = "glad"
    THANKS = "thanks"
    BYE = "bye"
    NOTED = "noted"
    """Takes note of the answer: "I see", 好吧."""
    NONE = "none"
    """Nothing that a cast could tell: a greeting, "are you a robot"."""


class Scale(StrEnum):
    """The unit in which a timing is told."""

    HOUR = "hour"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class Unit(StrEnum):
    """A unit of the calendar."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Part(StrEnum):
    """A part of a unit."""

    FIRST_HALF = "first half"
    SECOND_HALF = "second half"
    BEGINNING = "beginning"
    END = "end"
    WEEKEND = "weekend"


@dataclass(frozen=True, slots=True)
class Horizon:
    """The time a question names: 明天 is DAY 1, 下个月 MONTH 1, 今年下半年 YEAR 0 SECOND_HALF.

    `offset` counts units from now and is None for a `named` month (1-12), weekday (DAY, Monday is 1) or year; `span`
    is the number of units (三个月内: MONTH 0, span 3). `words` are the user's own.
    """

    unit: Unit
    offset: int | None = 0
    span: int = 1
    part: Part | None = None
    named: int | None = None
    words: str = ""
