"""The reply to words that get no reading, in their own language (CARE-01 … CARE-03, CARE-07)."""

from typing import Any

from liuyao.care import answers
from liuyao.care.help_lines import for_deployment
from liuyao.care.help_lines_parameter import read
from liuyao.care.kinds import Kind
from liuyao.care.languages import crisis_language
from liuyao.care.languages import reply as reply_in
from liuyao.care.script import language_of
from liuyao.reading.language import language_for
from liuyao.reading.question.asked_language import language_asked


def reply(kind: Kind, words: str, locale: str | None, replaced: Any, *, is_new: bool) -> str:
    """Return the reply to a text that has the kind; `replaced` are a deployment's help lines as JSON, None for none.

    `is_new`: the kind was found in these words, not earlier in the conversation.
    """
    if kind is Kind.SELF_HARM and is_new and (language := crisis_language(words)) is not None:
        return reply_in(language, locale, read(replaced or {}))
    answer = answers.declined if is_new else answers.after
    language_of_words = language_asked(words, language_of(words, language_for(locale)))
    return answer(kind, language_of_words, for_deployment(locale, replaced))
