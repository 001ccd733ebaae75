"""Models a derived divination on the wire; unknown keys are errors.

Source: `divination-run.md` (DIV-11 … DIV-25). Terms of Liu Yao stay Chinese in every locale (DIV-26).
"""

from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from liuyao.plain_cast import DivinationMethod

Element = Literal["木", "火", "土", "金", "水"]
SeasonalStatus = Literal["旺", "相", "休", "囚", "死"]
Relation = Literal["父母", "兄弟", "子孙", "妻财", "官鬼"]
SpecialMark = Literal["世", "应", ""]

Line = Annotated[int, Field(ge=1, le=6)]
BinaryCode = Annotated[str, StringConstraints(pattern=r"^[01]{6}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    @classmethod
    def of_valid(cls, **fields: Any) -> Self:
        """Return one of valid fields, all of them and in order: what `model_construct` makes, ten times as fast."""
        made = cls.__new__(cls)
        object.__setattr__(made, "__dict__", fields)
        object.__setattr__(made, "__pydantic_fields_set__", _all_fields(cls))
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made


@cache
def _all_fields(model: type[BaseModel]) -> set[str]:
    """Return one set for all instances of a model: they are frozen."""
    return set(model.model_fields)


class Ganzhi(_Strict):
    """The four pillars with their void branches (旬空), the month and day branches and their opposites.

    `yue_jian` 月建, `ri_chen` 日辰, `yue_po` 月破, `ri_chong` 日冲: a branch and its element, e.g. `卯木`.
    """

    year_gan_zhi: str
    month_gan_zhi: str
    day_gan_zhi: str
    time_gan_zhi: str
    year_kong_wang: str
    month_kong_wang: str
    day_kong_wang: str
    time_kong_wang: str
    yue_jian: str
    ri_chen: str
    yue_po: str
    ri_chong: str


class YaoInfo(_Strict):
    """`tigan_name` is the earthly branch (地支), by the protocol's key name.

    `is_yang` is of the line's hexagram, `is_changing` (动爻) of the original line.
    """

    position: Line
    spirit_name: str
    spirit_name_hant: str
    relation_name: Relation
    relation_name_hant: str
    tigan_name: str
    element_name: Element
    is_yang: bool
    is_changing: bool
    special_mark: SpecialMark


class FushenInfo(_Strict):
    """A hidden line (伏神): an absent relation, under the line at `position`."""

    position: Line
    relation_name: Relation
    relation_name_hant: str
    tigan_name: str
    element_name: Element


class Divination(_Strict):
    """What is derived from a cast (DIV-13 … DIV-25).

    Binary codes start at 初爻, yang as `1`. `target_yao_info_list` is empty without changing lines. The last four lists
    use a fixed vocabulary.
    """

    question: str
    question_type: str
    divination_method: DivinationMethod
    divination_time: str
    binary_code: BinaryCode
    changed_binary_code: BinaryCode
    gua_name: str
    gua_name_hant: str
    upper_name: str
    lower_name: str
    target_gua_name: str
    target_gua_name_hant: str
    world_position: Line
    response_position: Line
    has_changing_yao: bool
    ganzhi: Ganzhi
    wu_xing_statuses: dict[Element, SeasonalStatus]
    yao_info_list: tuple[YaoInfo, ...]
    target_yao_info_list: tuple[YaoInfo, ...]
    fushen_positions: tuple[Line, ...]
    fushen_info_list: tuple[FushenInfo, ...]
    special_status: tuple[str, ...]
    interactions: tuple[str, ...]
    time_effect: tuple[str, ...]
    ri_chen_zhang_sheng: tuple[str, ...]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.yao_info_list) != 6 or len(self.target_yao_info_list) not in (0, 6):
            raise ValueError("a hexagram has six lines")
        return self
