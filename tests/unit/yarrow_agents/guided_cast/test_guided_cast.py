"""The guided cast, step by step as a page drives it: what it asks, takes, says and hands over."""

import base64
import secrets
from typing import Any

import pytest

from liuyao.divination import Divination
from liuyao.reading import Language, language_for
from tests.support.runners.guided import Session
from yarrow_agents.divination.readings import DERIVATION
from yarrow_agents.guided_cast import questions
from yarrow_agents.guided_cast.progress import LINES, STATE, Progress, longitude_of
from yarrow_agents.guided_cast.words import WORDS, Words

LOCALES = {
    "zh-CN": "我最近换工作是否合适?",
    "zh-TW": "我最近換工作是否合適?",
    "en": "Should I change my job this spring?",
}
STEPS = ["cast", "chart", "judge", "write"]
THROWN = ("young_yang", "young_yin", "old_yang", "young_yin", "young_yang", "old_yin")


@pytest.fixture(params=list(LOCALES))
def session(request: pytest.FixtureRequest) -> Session:
    return Session(request.param)


def words_of(session: Session) -> Words:
    return WORDS[language_for(session.locale)]


def open_questions(session: Session) -> dict[str, str]:
    """What the prompt asks, by id, with what is answered."""
    assert session.prompt is not None
    return {
        question["id"]: question["selectedOptionId"] if "options" in question else question["answerValue"]
        for question in session.prompt["questions"]
    }


def types(session: Session) -> list[str]:
    return [type_ for type_, _ in session.results]


def options_of(message: dict[str, Any]) -> list[str]:
    return [option["id"] for option in message.get("options", ())]


# ---- Asking ----------------------------------------------------------------------------------------------------------
def test_a_new_session_is_greeted_and_asked_in_its_language(session: Session) -> None:
    """WSP-03, WSP-04, WSP-24, WSP-25, WSP-27, WSP-33."""
    session.send("init", reason="session_created")
    words = words_of(session)
    assert session.texts == [f"{words.greeting}\n\n{words.ask_method}"]
    assert (options_of(session.offered[0]), session.offered[0]["questionId"]) == (["coins", "lines", "time"], "method")
    assert open_questions(session) == {"method": "", "matter": "", "longitude": "", "question": ""}
    assert session.prompt is not None
    assert session.prompt["text"] == words.intro
    assert session.subtasks == dict.fromkeys(STEPS, "pending")


def test_each_answer_leads_to_the_next_question(session: Session) -> None:
    """WSP-10, WSP-11: whichever comes first."""
    words = words_of(session)
    session.send("init", reason="session_created")
    session.answer("question", LOCALES[session.locale])
    assert session.texts[-1] == words.ask_method
    session.option("method", "lines")
    assert session.texts[-1] == words.ask_matter
    assert options_of(session.offered[0]) == list(words.matters)
    session.option("matter", "career")
    assert session.texts[-1] == words.ask_line.format(words.positions[0])
    assert open_questions(session) == {
        "line_1": "",
        "method": "lines",
        "matter": "career",
        "longitude": "",
        "question": LOCALES[session.locale],
    }


def test_a_prompt_that_has_not_changed_is_not_sent_again(session: Session) -> None:
    """C55: the page would close what the user has open."""
    session.begin("lines")
    session.option("line_1", "purple")
    assert "workspace.prompt" not in types(session)
    session.option("line_1", "old_yin")
    assert "workspace.prompt" in types(session)


def test_a_change_of_language_asks_the_same_again_and_adds_nothing(session: Session) -> None:
    """WSP-03."""
    session.begin("lines")
    for locale in LOCALES:
        shown = len(session.texts)
        session.locale = locale
        session.send("init", reason="language_changed")
        assert set(types(session)) <= {"workspace.prompt", "run.completed"}
        assert len(session.texts) == shown
        assert session.prompt == questions.prompt(Progress.stored(session.state[STATE]), words_of(session))


# ---- Casting ---------------------------------------------------------------------------------------------------------
def read_to_the_end(session: Session) -> Divination:
    assert session.subtasks == dict.fromkeys(STEPS, "done")
    (output,) = session.outputs
    assert (output["status"], output["answer"]) == ("success", session.texts[-2])
    assert session.texts[-1] == words_of(session).further
    assert open_questions(session) == {"again": ""}
    assert types(session)[-1] == "run.completed"
    return Divination.model_validate(session.state[DERIVATION])


@pytest.mark.parametrize(
    ("typed", "longitude"),
    [
        *(
            ("87.6", 87.6),
            (" -74 ", -74.0),
            ("74° W", -74.0),
            ("13.4 e", 13.4),
            ("东经87.6度", 87.6),
            ("西經 74", -74.0),
        ),
        *(("180", 180.0), ("-180.0", -180.0), ("0", 0.0), ("180.1", None), ("-181", None), ("999", None), ("", None)),
        *(("-74 W", None), ("87,6", None), ("nan", None), ("1e2", None), ("Berlin", None), ("８７", None)),
    ],
)
def test_a_longitude_is_read_in_degrees_east_positive(typed: str, longitude: float | None) -> None:
    assert longitude_of(typed) == longitude


def test_with_a_longitude_the_cast_is_by_true_solar_time(session: Session) -> None:
    """DIV-20: 20:30 in Shanghai's zone is 18:17 at 87.6° E, of the hour 酉; the clock's hour is noted."""
    words = words_of(session)
    session.send("init", reason="session_created")
    session.answer("longitude", "87.6")
    assert session.texts[-1] == words.ask_method
    assert open_questions(session)["longitude"] == "87.6"
    session.option("method", "time")
    session.option("matter", "career")
    session.answer("question", LOCALES[session.locale])
    divination = read_to_the_end(session)
    assert divination.divination_time == "2026年04月03日 18:17"
    assert divination.ganzhi.time_gan_zhi[1] == "酉"
    events = [log["text"] for log in session.logs]
    assert words.by_the_sun.format("87.6", "2026-04-03 18:17") in events
    assert words.by_time.format("2026-04-03 18:17") in events
    (output,) = session.outputs
    assert "20:30" in output["focus_points"][-1]
    assert output["focus_points"][-1] in output["answer"]


def test_without_a_longitude_the_time_is_the_clocks(session: Session) -> None:
    session.begin("time", LOCALES[session.locale])
    assert read_to_the_end(session).divination_time == "2026年04月03日 20:30"


def test_what_is_no_longitude_is_not_taken_and_words_of_danger_are_answered(session: Session) -> None:
    """CARE-01."""
    words = words_of(session)
    session.send("init", reason="session_created")
    session.answer("longitude", "87.6")
    session.answer("longitude", "at home")
    assert session.texts[-1] == f"{words.no_longitude}\n\n{words.ask_method}"
    assert open_questions(session)["longitude"] == "87.6"
    session.answer("longitude", "我不想活了")
    assert words.no_longitude not in session.texts[-1]
    assert words.ask_method not in session.texts[-1]


@pytest.mark.parametrize("typed", ["", "-", "None", "无", "無"])
def test_a_longitude_is_taken_back(session: Session, typed: str) -> None:
    session.send("init", reason="session_created")
    session.answer("longitude", "87.6")
    session.answer("longitude", typed)
    assert session.texts[-1] == words_of(session).ask_method
    assert open_questions(session)["longitude"] == ""


def test_a_longitude_is_kept_for_the_next_cast_and_not_changed_after_one(session: Session) -> None:
    session.begin("time", LOCALES[session.locale])
    session.answer("longitude", "87.6")
    assert session.texts[-1].startswith(words_of(session).late)
    session.option("again", "again")
    session.answer("longitude", "-74.006")
    session.option("method", "time")
    session.option("matter", "other")
    session.answer("question", LOCALES[session.locale])
    session.option("again", "again")
    assert open_questions(session) == {"method": "", "matter": "", "longitude": "-74.006", "question": ""}


def test_a_session_stored_without_a_longitude_goes_on(session: Session) -> None:
    """As an earlier version stored it."""
    session.begin("lines", LOCALES[session.locale])
    del session.state[STATE]["longitude"]
    session.option("line_1", "old_yin")
    assert Progress.stored(session.state[STATE]).lines == ("old_yin",)


def test_coins_are_thrown_at_random(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """DIV-09: three coins for each line; each throw is in the log."""
    coins = iter([1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0])
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(coins))
    session.begin("coins", LOCALES[session.locale])
    divination = read_to_the_end(session)
    assert next(coins, None) is None
    assert (divination.gua_name, divination.target_gua_name) == ("水火既济", "风雷益")
    assert divination.divination_method == "自动起卦"
    thrown = [log["text"] for log in session.logs if log["key"] == "cast"]
    assert [text.partition(words_of(session).positions[0])[1] != "" for text in thrown] == [True] + 5 * [False]
    assert len(thrown) == 6


def test_two_casts_differ() -> None:
    """DIV-09: six alike of 4,096 each would be one chance in 2**60."""
    casts = []
    for _ in range(6):
        session = Session()
        session.begin("coins")
        casts.append(session.state["guided_cast_throws"]["backs"])
    assert len({tuple(cast) for cast in casts}) > 1


def test_a_worker_that_takes_over_tells_the_same_throws() -> None:
    """RNR-41: they are stored before anything of them is told."""
    session = Session()
    session.begin("coins")
    session.state.pop(STATE)
    again = session.heard(
        session.context("answer", questionId="question", answer="我最近换工作是否合适?").model_copy(
            update={
                "state": session.context("init").state.model_copy(update={"conversation": before_the_cast(session)})
            }
        )
    )
    logs = [data["text"] for type_, data in again if type_ == "workspace.log"]
    assert logs == [log["text"] for log in session.logs]


def before_the_cast(session: Session) -> dict[str, Any]:
    waiting = Progress(method="coins", matter="career")
    return {STATE: waiting.document(), "guided_cast_throws": session.state["guided_cast_throws"]}


def test_the_time_makes_the_cast(session: Session) -> None:
    """DIV-09: It is the time of the run's event, in the user's time zone."""
    session.begin("time", LOCALES[session.locale])
    divination = read_to_the_end(session)
    assert divination.divination_time == "2026年04月03日 20:30"
    assert divination.gua_name == "天雷无妄"
    assert any("2026-04-03 20:30" in log["text"] for log in session.logs)


def test_six_lines_are_taken_one_by_one(session: Session) -> None:
    """DIV-09, WSP-26: by option or as text; a line may be corrected until the cast is made."""
    words = words_of(session)
    session.begin("lines", LOCALES[session.locale])
    session.option("line_1", "old_yin")
    assert session.texts[-1].startswith(words.recorded_line.format(words.positions[0], words.lines["old_yin"]))
    session.option("line_1", THROWN[0])
    session.input("8")
    session.input("老阳")
    session.answer("line_4", words.lines[THROWN[3]])
    session.option("", THROWN[4])  # a legacy prompt names no question
    assert open_questions(session)["line_6"] == ""
    assert "artifact.created" not in types(session)
    session.option("line_6", THROWN[5])
    divination = read_to_the_end(session)
    assert (divination.gua_name, divination.target_gua_name) == ("水火既济", "风雷益")
    assert divination.divination_method == "手动起卦"


def test_the_plate_is_handed_over_as_svg_and_as_text(session: Session) -> None:
    """WSP-28: and the subtasks tell when."""
    session.begin("time", LOCALES[session.locale])
    svg, text = session.artifacts
    assert [document["mime_type"] for document in (svg, text)] == ["image/svg+xml", "text/plain; charset=utf-8"]
    assert [document["name"].rpartition(".")[2] for document in (svg, text)] == ["svg", "txt"]
    shown, plain = (base64.b64decode(document["content_base64"]).decode() for document in (svg, text))
    assert shown.startswith("<svg")
    assert LOCALES[session.locale] in plain
    statuses = [data["items"] for type_, data in session.results if type_ == "workspace.subtasks"]
    running = [[item["key"] for item in items if item["status"] == "running"] for items in statuses]
    assert running == [["cast"], ["chart"], ["judge"], ["write"], []]
    assert types(session).index("divination.derived") < types(session).index("artifact.created")
    if language_for(session.locale) is Language.ENGLISH:
        assert "妻财  wealth" in plain


# ---- After the cast --------------------------------------------------------------------------------------------------
def test_further_questions_are_about_the_cast(session: Session) -> None:
    """FUP-04, FUP-05: They are typed, or chosen from those offered."""
    words = words_of(session)
    session.begin("time", LOCALES[session.locale])
    assert options_of(session.offered[-1]) == list(words.further_options)
    session.option("further", "when", words.further_options["when"])
    (offered,) = session.outputs
    session.input(words.further_options["when"])
    (typed,) = session.outputs
    assert offered == typed
    assert set(typed) == {"status", "answer", "error"}
    assert open_questions(session) == {"again": ""}


def test_another_cast_starts_over(session: Session) -> None:
    """WSP-18: Its option or a retry starts it."""
    words = words_of(session)
    for starts in (("option", {"questionId": "again", "optionId": "again"}), ("control", {"action": "retry"})):
        session.begin("time", LOCALES[session.locale])
        kind, data = starts
        session.send(str(kind), **dict(data))
        assert session.texts[-1] == f"{words.restarted}\n\n{words.ask_method}"
        assert open_questions(session) == {"method": "", "matter": "", "longitude": "", "question": ""}
        assert session.subtasks == dict.fromkeys(STEPS, "pending")
        session.begin("time", LOCALES[session.locale])
        read_to_the_end(session)


def test_resume_asks_what_is_next(session: Session) -> None:
    """WSP-16."""
    words = words_of(session)
    session.begin("lines", LOCALES[session.locale])
    session.send("control", action="resume")
    assert session.texts[-1] == f"{words.resumed}\n\n{words.ask_line.format(words.positions[0])}"


# ---- Late and odd commands -------------------------------------------------------------------------------------------
def test_late_and_odd_commands_are_answered_and_change_nothing(session: Session) -> None:
    """WSP-10, WSP-31."""
    words = words_of(session)
    session.begin("lines", LOCALES[session.locale])
    kept = dict(session.state)
    odd: list[tuple[str, dict[str, Any], str]] = [
        ("option", {"questionId": "method", "optionId": "runes"}, words.choose),
        ("option", {"questionId": "line_3", "optionId": "old_yin"}, words.choose),
        ("option", {"questionId": "nothing", "optionId": "at all"}, words.choose),
        ("option", {"questionId": "", "optionId": ""}, words.choose),
        ("answer", {"questionId": "method", "answer": "cards"}, words.choose),
        ("input", {"text": "hm"}, words.choose),
        ("option", {"questionId": "further", "optionId": "when"}, words.no_cast),
        ("answer", {"questionId": "question", "answer": "字" * 301}, words.too_long.format(300)),
        ("attachment", {"attachments": [], "rejected": []}, words.no_files),
    ]
    for kind, data, reply in odd:
        session.send(kind, "hm", **data)
        assert session.texts[-1] == f"{reply}\n\n{words.ask_line.format(words.positions[0])}"
        assert session.state == kept
    for line in THROWN:
        session.input({"young_yang": "7", "young_yin": "8", "old_yang": "9", "old_yin": "6"}[line])
    read_to_the_end(session)
    kept = dict(session.state)
    for question in ("method", "matter", "question", *LINES):
        if question == "question":
            session.answer(question, "?")
        else:
            session.option(question, "old_yin")
        assert session.texts[-1] == f"{words.late}\n\n{words.further}"
        assert session.state == kept


@pytest.mark.parametrize("stored", [None, 1, [], {}, {"method": "runes"}, {"method": 1, "lines": None}])
def test_a_state_that_is_none_is_a_fresh_one(stored: Any) -> None:
    """RNR-24."""
    assert Progress.stored(stored) == Progress()


def test_a_state_is_read_as_it_was_stored() -> None:
    kept = Progress("lines", "career", "?", ("old_yin",), is_done=False)
    assert Progress.stored(kept.document()) == kept


# ---- Care ------------------------------------------------------------------------------------------------------------
GRAVE = {"zh-CN": "我不想活了，想自杀", "zh-TW": "我不想活了，想自殺", "en": "I want to kill myself"}
LINES_OF_HELP = {"zh-CN": "12356", "zh-TW": "1925", "en": ""}


@pytest.mark.parametrize("stage", ["fresh", "asked", "answer", "read"])
def test_a_crisis_gets_help_at_any_step_and_no_verdict(session: Session, stage: str) -> None:
    """CARE-01, CARE-05: at once, before any coin is thrown; nothing of it becomes a question."""
    grave = GRAVE[session.locale]
    session.send("init", reason="session_created")
    if stage == "asked":
        session.begin("lines", LOCALES[session.locale])
    if stage == "read":
        session.begin("time", LOCALES[session.locale])
    plates, done = len(session.artifacts), session.subtasks
    session.answer("question", grave) if stage == "answer" else session.input(grave)
    (output,) = session.outputs
    assert (output["status"], output["error"]["code"]) == ("failed", "READING_DECLINED")
    assert LINES_OF_HELP[session.locale] in output["answer"]
    assert session.results[-1][1]["declined"]
    assert (len(session.artifacts), session.subtasks) == (plates, done)
    assert not {"divination.derived", "workspace.message"} & set(types(session))
    assert grave not in str(session.state)
    assert grave not in str(session.prompt)


def test_after_a_crisis_only_a_question_of_something_else_is_read() -> None:
    """CARE-01: The reading has the note and its help lines."""
    session = Session()
    session.send("init", reason="session_created")
    session.answer("question", GRAVE["zh-CN"])
    session.option("method", "time")
    session.option("matter", "career")
    session.answer("question", "会好吗?")
    assert session.outputs[0]["status"] == "failed"
    session.answer("question", "我最近换工作是否合适?")
    assert session.outputs[0]["status"] == "success"
    assert "12356" in session.outputs[0]["answer"]


def test_the_caution_of_a_matter_stands_in_every_answer(session: Session) -> None:
    """CARE-04: Further answers have it, too."""
    question = {
        "zh-CN": "我的病什么时候好?",
        "zh-TW": "我的病什麼時候好?",
        "en": "When will I recover from my illness?",
    }
    session.begin("time", question[session.locale], "health")
    (reading,) = session.outputs
    session.input(words_of(session).further_options["when"])
    (further,) = session.outputs
    doctor = {"zh-CN": "医", "zh-TW": "醫", "en": "doctor"}[session.locale]
    assert doctor in reading["answer"]
    assert doctor in further["answer"]


def test_how_long_someone_lives_is_declined_before_the_cast() -> None:
    """CARE-03."""
    session = Session()
    session.begin("coins", "我还能活多久?", "health")
    assert session.outputs[0]["error"]["code"] == "READING_DECLINED"
    assert not session.artifacts
    session.answer("question", "我该怎么调养身体?")
    assert session.outputs[0]["status"] == "success"


# ---- After a run that did not finish ---------------------------------------------------------------------------------
def test_answers_of_a_run_that_did_not_finish_are_taken_from_the_prompt(session: Session) -> None:
    """WSP-16, C29: a pause stops the run that took the last answer, and the page shows it all the same."""
    session.begin("lines", LOCALES[session.locale])
    for question, line in zip(LINES[:5], THROWN[:5], strict=True):
        session.option(question, line)
    kept = dict(session.state)
    assert session.prompt is not None
    shown = [
        {**question, "selectedOptionId": THROWN[5]} if question["id"] == "line_6" else question
        for question in session.prompt["questions"]
    ]
    session.prompt = {**session.prompt, "questions": shown}
    assert session.state == kept
    session.send("control", action="resume")
    assert read_to_the_end(session).gua_name == "水火既济"


def test_a_question_of_the_prompt_is_checked_as_any_other() -> None:
    """CARE-01: it is declined at the cast, and asked again."""
    session = Session()
    session.begin("time", "?")
    session.option("again", "again")
    assert session.prompt is not None
    answers = {"method": "time", "matter": "career"}
    shown = [
        {**question, "selectedOptionId": answers[question["id"]]}
        if question["id"] in answers
        else {**question, "answerValue": "我不想活了"}
        for question in session.prompt["questions"]
    ]
    session.prompt = {**session.prompt, "questions": shown}
    session.send("control", action="resume")
    assert session.outputs[0]["error"]["code"] == "READING_DECLINED"
    assert open_questions(session)["question"] == ""
    assert session.subtasks == dict.fromkeys(STEPS, "pending") | {"cast": "done"}
