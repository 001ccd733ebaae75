"""Nobody in sorrow is congratulated, and joy is shared, however a follow-up tells of it."""

import re

import pytest

from liuyao import DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up

EN, ZH = Language.ENGLISH, Language.SIMPLIFIED
LINES = (
    ["少阳", "老阴", "少阴", "少阳", "少阳", "少阴"],
    ["老阳", "少阴", "少阴", "老阴", "少阳", "少阴"],
    ["少阴", "少阴", "少阳", "少阳", "老阳", "少阳"],
)
JOY = re.compile("glad for you|替你高兴")


def answers(question: str, told: str, language: Language) -> list[str]:
    payload = {
        "divinationMethod": "手动起卦",
        "questionType": "其他",
        "question": question,
        "divinationTimeIso": "2026-11-20T10:30:00+08:00",
    }
    casts = [derive(DivinationPayload.model_validate({**payload, "yaoLines": lines})) for lines in LINES]
    return [answer_follow_up(cast, told, language=language) for cast in casts]


@pytest.mark.parametrize(
    ("question", "told", "language"),
    [
        ("Will I get the job?", "well now im crying on the bus", EN),
        ("Will I get the job?", "They rang. Someone else got it.", EN),
        ("Will I get the job?", "got an email, they picked the other candidate", EN),
        ("Will she come back?", "I've not slept properly since Tuesday. I feel sick about it", EN),
        ("Will we win the tender?", "offer withdrawn", EN),
        ("国考能进面吗", "名单出来了，没有我", ZH),
        ("国考能进面吗", "结果出来了，录取的是别人", ZH),
        ("他会回来吗", "我哭了一晚上", ZH),
    ],
)
def test_nobody_in_sorrow_is_congratulated(question: str, told: str, language: Language) -> None:
    """The answer is kind, and never that it is good news."""
    for answer in answers(question, told, language):
        assert not JOY.search(answer), answer
        assert re.match("I am sorry|I hear|That|It|听|别|難|难|先|谢谢|心|Thank", answer), answer


@pytest.mark.parametrize(
    ("question", "told", "language"),
    [
        ("Will I get the job?", "I got the job!!", EN),
        ("Will she marry me?", "She said yes!!", EN),
        ("鹦鹉会回来吗", "回來了啦！！鄰居撿到的", ZH),
        ("鹦鹉会回来吗", "回來了啦！！鄰居撿到的，哭死", ZH),
        ("狗能找到吗", "找到了！！在隔壁小区保安亭睡大觉", ZH),
        ("能考上吗", "考上了！", ZH),
    ],
)
def test_joy_is_shared(question: str, told: str, language: Language) -> None:
    """In one sentence, whatever the cast said."""
    for answer in answers(question, told, language):
        assert JOY.search(answer), answer
        assert len(re.findall("[.。!！]", answer)) == 1, answer
