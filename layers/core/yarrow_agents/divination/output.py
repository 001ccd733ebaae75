"""The divination agent's structured output, on TEXT_MESSAGE_END and in the history.

Source: `divination-run.md` (DIV-28 … DIV-31, FUP-04, FUP-05, HIS-08 … HIS-10). Wire names are snake_case.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from liuyao.divination import Divination

SignLevel = Literal["上上签", "中上签", "中下签", "下下签"]
Text = Annotated[str, StringConstraints(min_length=1)]


class ChatOutput(BaseModel):
    """The reading of a cast (DIV-29)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["success"] = "success"
    sign_level: SignLevel
    conclusion: tuple[Text, ...]
    focus_points: tuple[Text, ...]
    advice: tuple[Text, ...]
    keywords: tuple[Text, ...]
    answer: Text
    error: None = None
    divination_derived: Divination


class FollowUpOutput(BaseModel):
    """The answer to a follow-up (FUP-05)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["success"] = "success"
    answer: Text
    error: None = None


DECLINED: Final = "READING_DECLINED"
DECLINED_MESSAGE: Final = "no reading is given about this; the answer says where to turn"


class Declined(BaseModel):
    """Why there is no reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: Literal["READING_DECLINED"] = DECLINED
    message: Text = DECLINED_MESSAGE


class DeclinedOutput(BaseModel):
    """A declined cast or follow-up (CARE-05)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["failed"] = "failed"
    answer: Text
    error: Declined = Declined()
