"""A Liu Yao cast as a tool: it throws the coins and reads the cast by the classical rules.

No model can change the reading: the result has it as VERBATIM. A question that gets no reading has its answer there
instead, and no cast is made (CARE-01 … CARE-06).
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints

from yarrow.protocol.runner.tools import ToolContext, ToolRun, WithCard, tool
from yarrow.protocol.runner.vocabulary import DECLINED, VERBATIM
from yarrow_agents.cast_card import cast_card
from yarrow_agents.cast_reading import Matter, derive_cast, read_cast

if TYPE_CHECKING:
    from liuyao.care.conversation import Decision
    from liuyao.care.help_lines_parameter import RegionalHelp
    from liuyao.reading import Language

EARLIER: Final = 40
"""How many earlier messages of the conversation are checked."""


# The divination is imported where it is used: few runs cast.
@tool(retry="safe")  # the coins of a question are stored
def cast_hexagram(
    context: ToolContext,
    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(description="The user's own question, in their words and language."),
    ],
    matter: Annotated[Matter, Field(description="What it is about.")] = "other",
    method: Annotated[
        Literal["coins", "time"], Field(description="Coins thrown now, or the hexagram of this time.")
    ] = "coins",
    backs: Annotated[
        list[Annotated[int, Field(ge=0, le=3)]] | None,
        Field(
            min_length=6,
            max_length=6,
            description="Only if the user threw three coins six times: how many showed the back, first throw first.",
        ),
    ] = None,
) -> WithCard:
    """Cast a hexagram (Liu Yao, 六爻) for a question, if the user asks for a cast. They are shown the reading as it
    stands: do not repeat, change or extend it.
    """
    from liuyao.care import conversation
    from liuyao.reading import language_asked, language_for

    run = context.run
    if run is None:
        raise ValueError("a cast needs its run")
    message = run.said
    decision = conversation.decide(question, [message], run.earlier(EARLIER))
    usual = language_for(run.locale)
    if decision.declined is not None:
        return WithCard({DECLINED: decision.declined.value, VERBATIM: _declined(decision, run)}, None)
    language = language_asked(message, language_asked(question, usual))
    lines = _lines(run, question, method, backs, _moment(context, run))
    return _read(context, question, matter, lines, language, decision, run)


def _read(
    context: ToolContext,
    question: str,
    matter: Matter,
    lines: Sequence[str],
    language: "Language",
    decision: "Decision",
    run: ToolRun,
) -> WithCard:
    moment = _moment(context, run)
    cast = derive_cast(question, matter, lines, moment, language)
    reading = read_cast(cast, language, decision, _help_lines(run) if decision.noted else ())
    result = {
        "question": question,
        "cast_at": moment.isoformat(),
        "lines": list(lines),
        "hexagram": cast.hexagram,
        "changed_hexagram": cast.changed_hexagram,
        "sign_level": reading.sign_level,
        "conclusion": list(reading.conclusion),
        "keywords": list(reading.keywords),
        VERBATIM: reading.answer,
    }
    card = cast_card(
        question,
        cast.hexagram,
        cast.changed_hexagram,
        grade=reading.sign_level,
        lines=cast.plate.splitlines(),
        conclusion="\n".join(reading.conclusion),
    )
    return WithCard({name: value for name, value in result.items() if value is not None}, card)


def _lines(run: ToolRun, question: str, method: str, backs: Sequence[int] | None, moment: datetime) -> Sequence[str]:
    """Return the lines from 初爻 to 上爻."""
    from liuyao.coins import yao_of_hua
    from liuyao.time_cast import lines_at

    if backs is None and method == "time":
        return lines_at(moment)
    if backs is None:
        backs = [sum(secrets.randbelow(2) for _ in range(3)) for _ in range(6)]
        backs = run.keep_once("CAST", question, {"backs": backs})["backs"]
    return [yao_of_hua(count) for count in backs]


def _declined(decision: "Decision", run: ToolRun) -> str:
    from liuyao.care.replies import reply

    if decision.declined is None:
        raise ValueError("nothing was declined")
    return reply(decision.declined, decision.words, run.locale, run.parameter("help_lines"), is_new=decision.is_new)


def _help_lines(run: ToolRun) -> "tuple[RegionalHelp, ...]":
    from liuyao.care.help_lines import for_deployment

    return for_deployment(run.locale, run.parameter("help_lines"))


def _moment(context: ToolContext, run: ToolRun) -> datetime:
    """Return the run's time in the user's time zone, the same for a worker that takes over."""
    at = run.created_at.replace(microsecond=0)
    return at.astimezone(ZoneInfo(context.time_zones.resolve()))
