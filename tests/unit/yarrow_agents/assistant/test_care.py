"""Words of danger in a chat with a model: answered before it is asked (CARE-01, CARE-02)."""

import pytest

from tests.support.runners.assistant import Host, backend, context, of_type, results, say


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我不想活了", "self_harm"),
        ("I want to die", "self_harm"),
        ("quiero morir", "self_harm"),
        ("胸口剧痛喘不上气", "emergency"),
    ],
)
def test_no_model_is_asked_about_words_of_danger(text: str, kind: str) -> None:
    host = Host(say("how about a walk?"))
    events = results(host, context(text, backend("cast")))
    assert not host.requests
    (message,) = of_type(events, "message.completed")
    assert "findahelpline.com" in message["message"]["content"] or kind == "emergency"
    assert of_type(events, "run.completed") == [{"declined": kind}]


def test_other_words_go_to_the_model() -> None:
    host = Host(say("hello"))
    results(host, context("我爸还能活多久", backend("cast")))
    assert len(host.requests) == 1
