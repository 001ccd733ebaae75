"""Ambiguous phrases of the tables decide only where the classifier comes near an alarm, or an illness is named."""

import pytest

from liuyao.care import Kind, assess
from liuyao.care.assessment import declined_by_tables
from liuyao.care.kinds import SURE
from liuyao.care.notation import AMBIGUOUS, Script, table

LEAVING = (
    *("我爸什么时候回来", "岳母要住到几号才走", "租客哪天走", "他几时会离开公司"),
    *("现在走还来得及吗", "室友月底会搬走吗", "經理什麼時候要離職", "個客幾時走", "同屋幾時搬走"),
    *("When will my mother-in-law go?", "When is the lodger leaving?", "Will my colleague leave this year?"),
    *("Is it too late to leave now?", "How long will the guests stay?", "Will he make it to the party?"),
)
DYING = (
    *("奶奶病危，什么时候走", "我爸癌症晚期，什么时候会走", "外公昏迷了，撑得过今晚吗", "爷爷在ICU，还有几天"),
    *("Grandpa is in the ICU, how long does he have left?", "Mum is on a ventilator, will she make it?"),
    "Dad has terminal cancer, when will he go?",
)
REMARKS = (
    *("哈哈笑死我了", "谢谢，我先去忙了", "好，明天再聊", "辛苦了，晚安", "多謝晒，我返工先", "笑到肚痛"),
    *(
        "Thanks, talk to you tomorrow",
        "haha that killed me",
        "Sorry, wrong chat",
        "ok, off to bed",
        "my brother says hi",
    ),
)


@pytest.mark.parametrize("text", LEAVING)
def test_who_leaves_a_house_or_a_job_is_not_dying(text: str) -> None:
    """CARE-06: 走, go, leave, make it."""
    assert assess([text]).kind is None


@pytest.mark.parametrize("text", ["婆婆什么时候走", "他什么时候会走"])
def test_who_goes_may_leave_or_die_where_nothing_else_is_said(text: str) -> None:
    """CARE-07: it is not taken for a death; the classifier is unsure."""
    assert assess([text]).kind in (None, Kind.UNSURE)


@pytest.mark.parametrize("text", DYING)
def test_who_is_ill_and_goes_is(text: str) -> None:
    """CARE-03: the same words beside an illness."""
    assert assess([text]).kind in {Kind.LIFESPAN, Kind.EMERGENCY}


@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_that_names_no_danger_raises_no_alarm(text: str) -> None:
    """CARE-06."""
    assert assess([text]).kind is None


def test_an_ambiguous_phrase_counts_in_the_tables_but_not_as_certain() -> None:
    """CARE-06."""
    assert declined_by_tables("婆婆什么时候走") is Kind.LIFESPAN
    assert declined_by_tables("婆婆什么时候走", certain=True) is None
    assert declined_by_tables("婆婆什么时候去世", certain=True) is Kind.LIFESPAN


@pytest.mark.parametrize("script", ["zh", "en"])
def test_most_phrases_are_certain(script: Script) -> None:
    """The tables remain: an ambiguous phrase is the exception, and is written without its mark when it is read."""
    every = [phrase for kind in SURE for phrase in table(script, kind)]
    certain = [phrase for kind in SURE for phrase in table(script, kind, certain=True)]
    assert not [phrase for phrase in every if phrase.startswith(AMBIGUOUS.strip())]
    assert 0.7 * len(every) < len(certain) < len(every)
