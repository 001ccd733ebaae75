"""Makes the cast of a guided session and reads it: lines, plate, artifacts, judgement, with their subtasks."""

import base64
import logging
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from liuyao import Divination, DivinationPayload, YaoType
from liuyao.cast_time.solar_time import solar_time
from liuyao.chart import draw
from liuyao.chart_svg import draw_svg, spelling
from liuyao.coins import yao_of_hua
from liuyao.reading import Language
from liuyao.reading.wording.glosses import GLOSSES
from liuyao.time_cast import lines_at
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import readings
from yarrow_agents.divination.readings import Result
from yarrow_agents.guided_cast.progress import YAO, Progress
from yarrow_agents.guided_cast.words import WORDS, Words

logger = logging.getLogger(f"yarrow.{__name__}")

SUBTASKS: Final = ("cast", "chart", "judge", "write")
"""The keys of the subtasks, in order, as the page shows them."""
_GLOSSED: Final = ("父母", "兄弟", "子孙", "妻财", "官鬼", "世爻", "应爻", "伏神", "旬空")
"""The terms of a plate that its text explains in English."""
THROWS: Final = "guided_cast_throws"
"""The state key of the coins thrown, by run."""


def subtasks(done: int, *, running: bool = False) -> Result:
    """Return the subtasks with `done` of them done; the next one is running or pending."""
    statuses = ["done"] * done + (["running"] if running else [])
    padded = [*statuses, *["pending"] * len(SUBTASKS)][: len(SUBTASKS)]
    items = [{"key": key, "status": status} for key, status in zip(SUBTASKS, padded, strict=True)]
    return "workspace.subtasks", {"items": items}


async def cast(
    context: AgentRunContext, api: AgentRunAPIProxy, progress: Progress, language: Language
) -> AsyncGenerator[Result]:
    """Yield the results of the cast and its reading; the last is `run.completed`, with the kind if it is declined."""
    words = WORDS[language]
    clock = moment_of(context)
    moment = clock if progress.longitude is None else solar_time(clock, progress.longitude)
    yield subtasks(0, running=True)
    if moment is not clock:
        yield _log(words.by_the_sun.format(f"{progress.longitude:g}", moment.strftime("%Y-%m-%d %H:%M")), "cast")
    lines, entries = await _lines(context, api, progress, words, moment)
    for text in entries:
        yield _log(text, "cast")
    yield subtasks(1, running=True)
    payload = DivinationPayload.model_validate(
        {
            "divinationMethod": "手动起卦" if progress.method == "lines" else "自动起卦",
            "questionType": words.matters[progress.matter or "other"],
            "question": progress.question,
            "divinationTimeIso": moment.isoformat(),
            "yaoLines": lines,
        }
    )
    done = 1
    civil = None if moment is clock else clock
    async with aclosing(readings.of_cast(context, api, payload, civil)) as results:
        async for type_, data in results:
            if type_ == "message.delta" and done == 2:
                done = 3
                yield _log(words.judged, "judge")
                yield subtasks(3, running=True)
            yield type_, data
            if type_ == readings.DERIVED:
                divination = Divination.model_validate(data["divination"])
                for result in _charted(divination, language, words):
                    yield result
                done = 2
                yield subtasks(2, running=True)
            elif type_ == "message.completed":
                is_read = data["output"]["status"] == "success"
                if is_read:
                    yield _log(words.written, "write")
                yield subtasks(len(SUBTASKS) if is_read else min(done, 2))


def moment_of(context: AgentRunContext) -> datetime:
    """Return the time of the run's event in the user's time zone, the same for a worker that takes over."""
    seconds = context.event.event_time
    at = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return at.replace(microsecond=0).astimezone(ZoneInfo(context.runtime.timezone or "UTC"))


async def _lines(
    context: AgentRunContext, api: AgentRunAPIProxy, progress: Progress, words: Words, moment: datetime
) -> tuple[Sequence[YaoType], list[str]]:
    match progress.method:
        case "lines":
            return [YAO[line] for line in progress.lines], [words.entered]
        case "time":
            return lines_at(moment), [words.by_time.format(moment.strftime("%Y-%m-%d %H:%M"))]
        case _:
            backs = await _throws(context, api)
            thrown = [yao_of_hua(count) for count in backs]
            labels = {YAO[option]: label.partition("（")[0].partition(" (")[0] for option, label in words.lines.items()}
            return thrown, [
                words.thrown.format(position, count, labels[yao])
                for position, count, yao in zip(words.positions, backs, thrown, strict=True)
            ]


async def _throws(context: AgentRunContext, api: AgentRunAPIProxy) -> list[int]:
    """Return how many backs each of six throws of three coins shows.

    They are stored before any result, so that a worker that takes over has the same throws.
    """
    match context.state.conversation.get(THROWS):
        case {"run": context.run_id, "backs": [*backs]} if len(backs) == 6:
            return [int(count) for count in backs]
    backs = [sum(secrets.randbelow(2) for _ in range(3)) for _ in range(6)]
    try:
        await api.state.set("conversation", THROWS, {"run": context.run_id, "backs": backs})
    except AgentAPIException as error:
        logger.warning("the throws are not stored", extra={"run_id": context.run_id, "code": error.error.code})
    return backs


def _charted(divination: Divination, language: Language, words: Words) -> list[Result]:
    spell = spelling(language)
    names = [divination.gua_name, *([divination.target_gua_name] if divination.has_changing_yao else [])]
    text = draw(divination, spell)
    if language is Language.ENGLISH:
        text = "\n".join((text, "", *(f"{term}  {GLOSSES[term]}" for term in _GLOSSED)))
    return [
        _log(words.charted.format(" → ".join(map(spell, names))), "chart"),
        _artifact("image", "image/svg+xml", f"{words.plate_name}.svg", draw_svg(divination, language)),
        _artifact("file", "text/plain; charset=utf-8", f"{words.plate_name}.txt", f"{text}\n"),
    ]


def _log(text: str, key: str) -> Result:
    return "workspace.log", {"text": text, "source": "subtask", "key": key}


def _artifact(kind: str, mime_type: str, name: str, text: str) -> Result:
    encoded = base64.b64encode(text.encode()).decode()
    return "artifact.created", {
        "artifact_type": kind,
        "mime_type": mime_type,
        "name": name,
        "content_base64": encoded,
    }
