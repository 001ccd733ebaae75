"""Any order of commands: the guided cast never raises, and its prompt is always that of its state."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from liuyao.reading import language_for
from tests.support.effort import examples
from tests.support.runners.guided import Session
from yarrow_agents.guided_cast import questions
from yarrow_agents.guided_cast.progress import LINES, STATE, YAO, Progress
from yarrow_agents.guided_cast.words import WORDS

QUESTIONS = ("", "method", "matter", "longitude", "question", "further", "again", "unknown", *LINES)
OPTIONS = ("", "coins", "lines", "time", "career", "other", "when", "again", "unknown", *YAO)
TEXTS = (
    *(
        "",
        "7",
        "87.6",
        "-74",
        "少阳",
        "old yin",
        "财运",
        "coins",
        "By the time of this moment",
        "我最近换工作是否合适?",
    ),
    *("When?", "我不想活了", "how long will I live", "字" * 400, "\x00", "<b>"),
)
LOCALES = ("zh-CN", "zh-TW", "en", "fr", None)

text = st.sampled_from(TEXTS) | st.text(max_size=20)
option = st.fixed_dictionaries(
    {"questionId": st.sampled_from(QUESTIONS), "optionId": st.sampled_from(OPTIONS), "optionLabel": text}
)
answer = st.fixed_dictionaries({"questionId": st.sampled_from(QUESTIONS), "answer": text})
command = st.one_of(
    st.tuples(st.just("init"), st.sampled_from([{"reason": "session_created"}, {"reason": "language_changed"}, {}])),
    st.tuples(st.just("input"), st.just({})),
    st.tuples(st.just("option"), option),
    st.tuples(st.just("option"), option),
    st.tuples(st.just("answer"), answer),
    st.tuples(st.just("attachment"), st.just({"attachments": [], "rejected": []})),
    st.tuples(st.just("control"), st.sampled_from([{"action": "resume"}, {"action": "retry"}, {"action": None}, {}])),
)


@settings(max_examples=examples(75), deadline=None)
@given(st.lists(st.tuples(command, text, st.sampled_from(LOCALES)), max_size=14))
def test_any_order_of_commands_ends_with_a_consistent_prompt(sent: list[tuple[tuple[str, Any], str, Any]]) -> None:
    """WSP-10, WSP-26, WSP-31, WSP-33: and each run ends once."""
    session = Session()
    for (kind, data), words, locale in sent:
        session.locale = locale
        session.send(kind, words, **data)
        assert [type_ for type_, _ in session.results].count("run.completed") == 1
        assert session.results[-1][0] == "run.completed"
        at = Progress.stored(session.state.get(STATE))
        assert at.is_done or at.waits_for is not None
        assert session.prompt == questions.prompt(at, WORDS[language_for(locale)])
        if at.is_done and session.outputs:
            assert all(subtask in ("done", "pending") for subtask in session.subtasks.values())
