"""The Liu Yao agent's input rules: a cast (DIV-01 … DIV-08), which is the topic of its session.

A follow-up asks about the session's cast.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.rules import InputRules, Topic, Topics
from yarrow.protocol.validation_errors import faults, reason
from yarrow_agents.divination import error_codes
from yarrow_agents.help_lines import HELP_LINES

if TYPE_CHECKING:
    from liuyao.payload import DivinationPayload

_PAYLOAD_NAMES: Final = frozenset({"divinationPayload", "divination_payload"})


def divination_payload(extensions: Mapping[str, Any]) -> "DivinationPayload":
    """Return the cast in forwardedProps. Raises Problem 422 if it is missing (DIV-07) or invalid (DIV-01 … DIV-08)."""
    value = _payload(extensions)
    from pydantic import ValidationError

    from liuyao.payload import DivinationPayload

    try:
        return DivinationPayload.model_validate(value)
    except ValidationError as error:
        first = faults(error)[0]
        where = ".".join(["divinationPayload", *(part[:64] for part in first["loc"][:1] if isinstance(part, str))])
        params = {"reason": reason(first)}
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"invalid {where}", params=params) from error


def _has_payload(props: Mapping[str, Any]) -> bool:
    return any(props.get(name) is not None for name in _PAYLOAD_NAMES)


def _payload(extensions: Mapping[str, Any]) -> Any:
    value = next((extensions[name] for name in sorted(_PAYLOAD_NAMES) if extensions.get(name) is not None), None)
    if value is None:
        raise Problem(error_codes.REQUIRED, "forwardedProps.divinationPayload is required")
    return value


def _cast(props: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of the cast in forwardedProps. Raises Problem as `divination_payload` does."""
    from liuyao.plain_cast import plain_cast

    return plain_cast(_payload(props)) or divination_payload(props).model_dump(mode="json")


def _check(run_input: RunInput) -> None:
    for name in ("state", "tools", "context"):  # RUN-21, C6
        if name not in run_input.sent_members:
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"RunAgentInput.{name} is required")
    if not isinstance(run_input.state, dict):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "RunAgentInput.state must be an object")
    if run_input.runtime_mode != "follow_up" or not run_input.passed_on or _has_payload(run_input.extensions):
        _cast(run_input.extensions)
    if run_input.runtime_mode == "follow_up" and not run_input.text.strip():
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "a follow-up needs a question in messages[0].content")


def _data(run_input: RunInput) -> dict[str, Any]:
    if not _has_payload(run_input.extensions):
        return dict.fromkeys(run_input.extensions.keys() & {"divinationPayload"})
    return {"divinationPayload": _cast(run_input.extensions)}


def _topic(run_input: RunInput) -> Topic | None:
    return _cast(run_input.extensions) if run_input.runtime_mode == "chat" else None


def _check_topic(run_input: RunInput, topic: Topic) -> None:
    """Raise Problem unless the input's cast is the session's (C47); a follow-up's question may differ."""
    if _has_payload(run_input.extensions) and _made(_cast(run_input.extensions)) != _made(topic):
        detail = "forwardedProps.divinationPayload is not the session's cast"
        raise Problem(error_codes.MISMATCH, detail)


def _made(cast: Topic) -> Topic:
    return {name: value for name, value in cast.items() if name not in ("question", "questionType")}


def _continued(props: dict[str, Any], casts: Topics) -> dict[str, Any]:
    """Plain text and the same cast again are follow-ups; any other cast is a new one.

    A resent message of a cast without an answer is cast again. A null payload means that the branch has no cast.
    """
    rest = {name: value for name, value in props.items() if name not in (*_PAYLOAD_NAMES, "runtimeMode")}
    if not _has_payload(props):
        known = {"divinationPayload": casts.latest} if casts.are_known else {}
        return {**rest, "runtime_mode": "chat" if casts.asks_again else "follow_up", **known}
    cast = _cast(props)
    return {**rest, "runtime_mode": "follow_up" if cast == casts.answered else "chat", "divinationPayload": cast}


RULES = InputRules(
    members=_PAYLOAD_NAMES,
    check=_check,
    data=_data,
    topic=_topic,
    check_topic=_check_topic,
    continued=_continued,
    deployment_config=HELP_LINES,
)
