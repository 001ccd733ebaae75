"""How an English question asks: the kind of answer, and its words put into a clause to restate."""

import re
from typing import Final

from liuyao.reading.question.asks import Asks
from liuyao.reading.question.grammar_zh import Asked
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.text import Expression, Text, pattern
from liuyao.reading.question.vocabulary.asks_en import KINDS
from liuyao.reading.question.vocabulary.verbs_en import COMPLEMENTS, VERBS
from liuyao.reading.question.well_formed import is_clause, is_whole

_AUX: Final = "will|would|can|could|should|shall|may|might|must|do|does|is|are|am|was|were|has|have"
_FORM: Final = Expression(
    rf"^(?P<wh>(?:when|where|why|how(?: (?:soon|long|much|many|well|likely|serious|bad|good)(?: (?:money|"
    rf"longer|time|children|more|days|weeks|months|years))?)?|"
    rf"who(?:m)?|what|which)(?: (?:day|date|month|year|time|one|direction|place|way|of the two \w+|of them|"
    rf"\w+))?)? ?\b(?P<aux>{_AUX}) (?P<rest>.+)$"
)
_STATED: Final = Expression(
    rf"^(?P<subject>(?:i|we|you|he|she|it|they|this|(?:my|our|the|his|her|their)(?: [a-z'-]+){{1,3}}?)) "
    rf"(?P<aux>{_AUX}) (?P<rest>.+)$"
)
"""After "whether"."""
_WITH_VERB: Final = frozenset({"will", "would", "can", "could", "should", "shall", "may", "might", "do", "does"})
_PRONOUN: Final = Expression(
    r"(?:i|we|you|he|she|it|they|this|that|there|things|everything|anyone|someone|my \w+ and i|i and my \w+)\b"
)
_DETERMINER: Final = Expression(r"(?:my|our|the|his|her|their|this|that|these|those|our team|next|today|tomorrow)\b")
_BEFORE_VERBS: Final = frozenset(
    {"help", "let", "make", "go", "come", "get", "have", "still", "ever", "be", "keep", "stop", "start", "try", "never"}
)
"""Words before a verb that are no part of the subject."""
_THING: Final = Expression(r"(?:(?:my|our|the|his|her|their|this|that) [a-z'-]+(?: [a-z'-]+){0,2}|he|she|it|they)")
_SWAP: Final = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you", "us": "you",
    "our": "your", "ours": "yours", "ourselves": "yourselves", "i'm": "you're", "i'll": "you'll", "i've": "you've",
    "i'd": "you'd", "we're": "you're", "we'll": "you'll", "we've": "you've", "we'd": "you'd",
}  # fmt: skip
_WORD: Final = Expression(r"[A-Za-z']+")
_AGREES: Final = Expression(
    r"\b(?P<subject>(?:[Ii]|[Ww]e)(?: (?:still|also|really|actually|just|always|never|now|both|\w+ly))?) "
    r"(?P<verb>am|was)\b|"
    r"\b(?P<first>[Aa]m|[Ww]as) [Ii]\b"
)
"""The asker as subject, with a verb that goes with no "you"."""
_OF_YOU: Final = {"am": "are", "was": "were", "Am": "Are", "Was": "Were"}
_OWNS: Final = Expression(r"(?:my|our|the|his|her|their|your) ")
_END: Final = Expression(r"[\s.?!,;:…]+$")
_PLEASE: Final = Expression(r"[, ]+(?:please|thanks|thank you)$")
_LONGEST_CHOICE, _LONGEST_CLAUSE, _LONGEST_PREDICATE = 160, 140, 80
_PREPOSITION: Final = Expression(r"(?:in|on|at|with|to|from|by|for) ")
_PLACES: Final = Expression(r"\b(?:in|on|at|to|by|from|into|under|behind) ")
_MUCH_LONGER: Final = 3
"""Words by which a first alternative is longer than the second, if only its end is meant."""
_TAIL: Final = Expression(
    r" (?:(?:to|for|as|when|if|this|next|tomorrow|tonight)\b.*|(?:in|at|on|with|from) (?:my|our|the|this|next)\b.*)$"
)
"""What is said of both alternatives, behind the second: Omar or Lena to be my partner."""
_NO_CHOICE: Final = Expression(r"^(?:.*\b)?(?:he|him|his|himself|boy|girl)$")
"""He or she: one person, not two choices."""
_LINKS: Final = ("get", "be", "have")
"""Verbs that say nothing without what follows them: get married."""
_CLEFT: Final = Expression(
    r"^(?:is|was|will|would) it (?:be )?(?:the |better )?(?P<a>[^,;:]{2,40}?),? or (?P<b>[^,;:]{2,40}?) "
    r"(?:that|who|whom|when|where|which) .+$"
)
"""It is this month or next that I should sell."""
_NO_OPTION: Final = Expression(r"^(?:not|no|so|more|less|later|two|three|something|whatever)\b")


def kind_in(text: Text, start: int, end: int) -> Asks:
    """Return the kind of answer that the words of a sentence ask for."""
    folded = _spoken(text, start, end)
    return next((asks for asks, words in KINDS if pattern((words,)).search(folded)), Asks.HOW_IS)


def _spoken(text: Text, start: int, end: int) -> str:
    return _PLEASE.sub("", _END.sub("", text.folded[start:end]))


def asked_in(text: Text, start: int, end: int, asks: Asks, named: tuple[Mention, ...]) -> Asked:
    """What a sentence asks, which wants an answer of a kind."""
    folded = _spoken(text, start, end)
    end = start + len(folded)
    options = _options(text, start, end) if asks is Asks.WHICH and end - start <= _LONGEST_CHOICE else ()
    if not 0 < end - start <= _LONGEST_CLAUSE or "\n" in folded:
        return Asked(asks, options=options)
    form = _FORM.match(folded)
    if not form:
        stated = _STATED.match(folded) if text.folded.endswith(("if ", "whether "), 0, start) else None
        if not stated:
            return Asked(asks, options=options)
        who = _swapped(text.words(start, start + stated.end("subject")))
        what = _swapped(text.words(start + stated.start("rest"), end))
        if not is_clause(who, stated["aux"], what):
            return Asked(asks, options=options)
        told = _told(who, stated["aux"], what)
        return Asked(asks, what, stated["aux"], f"whether {told}", options, (who, stated["aux"], what))
    wh = _swapped(text.words(start + form.start("wh"), start + form.end("wh"))) if form["wh"] else "whether"
    wh = wh[:1].lower() + wh[1:]
    rest_at = start + form.start("rest")
    if wh.startswith(("who", "what", "which")) and _next(folded, form.start("rest"), len(folded)) in VERBS:
        tail = _swapped(text.words(rest_at, end))
        if not is_whole(tail):
            return Asked(asks, options=options)
        return Asked(asks, tail, form["aux"], f"{wh} {form['aux']} {tail}", options)
    if (
        form["wh"]
        and form["aux"] in ("is", "are")
        and (thing := _THING.match(folded, form.start("rest")))
        and thing.end() == len(folded)
    ):
        thing_asked = _swapped(text.words(rest_at, end))
        return Asked(asks, None, None, f"{wh} {thing_asked} {form['aux']}" if is_whole(thing_asked) else None, options)
    subject_end = _subject_end(text, rest_at, end, form["aux"], named)
    if subject_end is None or subject_end >= end:
        return Asked(asks, options=options)
    subject, tail = _swapped(text.words(rest_at, subject_end)), _swapped(text.words(subject_end, end))
    aux = form["aux"]
    if (
        not is_clause(subject, aux, tail)
        or len(tail) > _LONGEST_PREDICATE
        or ((form["wh"] or "").startswith(("who", "what", "which")) and aux in ("is", "are"))
    ):
        return Asked(asks, options=options)
    told = _told(subject, aux, tail)
    modal = aux if aux not in ("do", "does") else None
    return Asked(
        asks, tail, modal, f"{wh} {told}", options, (subject, aux, tail) if form["wh"] in (None, "how") else None
    )


def _told(subject: str, aux: str, tail: str) -> str:
    if aux == "do":
        return f"{subject} {tail}"
    if aux == "does":
        return f"{subject} {third_person(tail)}"
    if subject.lower() == "you":
        aux = {"am": "are", "was": "were", "has": "have"}.get(aux, aux)
    return f"{subject} {aux} {tail}"


def third_person(words: str) -> str:
    """A verb phrase as of a third person: love me, loves me."""
    phrase = re.match(r"((?:still|really|actually|ever|truly|also|even|just|only)? ?)(\S+)(.*)", words)
    if phrase is None:
        return words
    adverb, verb, rest = phrase.groups()
    if verb == "have":
        verb = "has"
    elif re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        verb = f"{verb}es"
    else:
        verb = f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
    return f"{adverb}{verb}{rest}"


def _subject_end(text: Text, start: int, end: int, aux: str, named: tuple[Mention, ...]) -> int | None:
    """Where the subject after an auxiliary ends, None where that is not certain."""
    folded = text.folded
    pronoun = _PRONOUN.match(folded, start, end)
    if pronoun:
        at = pronoun.end()
        joined = re.match(r" and (?:my |his |her |our )?", folded[at:end])
        mention = next((item for item in named if joined and item.start == at + joined.end()), None)
        if pronoun[0] in ("this", "that") and not _boundary(_next(folded, at, end), aux):
            return _by_words(folded, start, end, aux)
        return mention.end if mention else at
    if not _DETERMINER.match(folded, start, end):
        return _by_words(folded, start, end, aux)
    least = 2 if _OWNS.match(folded, start, end) else 1
    mention = next(
        (item for item in named if start < item.start <= start + 24 and folded.count(" ", start, item.start) <= 3), None
    )
    if mention:
        at = mention.end
        pair = re.match(r" and (?:i|me|my|his|her)\b ?", folded[at:end])
        if pair:
            second = next((item for item in named if item.start == at + pair.end()), None)
            at = second.end if second else at + len(pair[0].rstrip())
        if folded.startswith("'s", at):
            return _by_words(folded, at, end, aux, least=2)
        following = _next(folded, at, end)
        if _PREPOSITION.match(f"{following} ") and aux in _WITH_VERB:
            return _by_words(folded, at, end, aux, least=2)
        # After a person a word that is no name is the verb.
        written = text.words(at, min(at + 2, end)).strip()
        if _boundary(following, aux) or following.endswith("ing") or (aux in _WITH_VERB and written.islower()):
            return at
        return _by_words(folded, at, end, aux)
    return _by_words(folded, start, end, aux, least)


def _by_words(folded: str, start: int, end: int, aux: str, least: int = 1) -> int | None:
    words = list(re.finditer(r"\S+", folded[start:end]))[:7]
    plain = [word[0].strip(",.") for word in words]
    for at in range(least, len(words)):
        word, here, following = words[at], plain[at], plain[at + 1] if at + 1 < len(words) else ""
        if aux in _WITH_VERB and following in VERBS and here not in _BEFORE_VERBS:
            continue  # does the parking appeal go through
        if _boundary(here, aux):
            return start + word.start() - 1
    return None


def _next(folded: str, at: int, end: int) -> str:
    word = re.match(r" *(\S+)", folded[at:end])
    return word[1].strip(",.") if word else ""


def _boundary(word: str, aux: str) -> bool:
    if aux in ("is", "are", "am", "was", "were", "has", "have"):
        return word in COMPLEMENTS or word.endswith(("ing", "ed"))
    return word in VERBS


def _swapped(words: str) -> str:
    """Return the user's words as told to them: "I" and "you" exchanged, and the verb with them."""
    words = _AGREES.sub(
        lambda match: (
            f"{match['subject']} {_OF_YOU[match['verb']]}" if match["verb"] else f"{_OF_YOU[match['first']]} I"
        ),
        words,
    )
    return _WORD.sub(
        lambda word: _SWAP.get(word[0].lower().replace("’", "'"), word[0]), words.replace("’", "'")
    ).strip()


def _options(text: Text, start: int, end: int) -> tuple[str, ...]:
    folded = text.folded[start:end]
    cleft = _CLEFT.match(folded)
    if cleft:
        return tuple(_swapped(text.words(start + cleft.start(name), start + cleft.end(name))) for name in ("a", "b"))
    found = re.search(
        r"(?:^|.*?\b(?:should|shall|can|do) (?:i|we|he|she|they|my \w+)|.*?\b(?:better|best|choose between|"
        r"pick between|choose|between|wise|prefer)(?: for me| to| if i)*|"
        r".*?[:,]) (?P<a>[^,;:]{2,60}?),? or (?:should i |to |is it better to |do i )?(?P<b>[^,;:]{2,60})$",
        folded,
    )
    if not found:
        both = re.search(r"\bbetween (?P<a>[^,;:]{2,40}?) and (?P<b>[^,;:]{2,40})$", folded)
        both = both or re.match(r"(?P<a>[a-z' -]{2,40}) or (?P<b>[a-z' -]{2,40})$", folded)
        if not both:
            return ()
        found = both
    if _NO_OPTION.match(found["b"]) or (_NO_CHOICE.match(found["a"]) and found["b"].startswith("she")):
        return ()
    first, second = (
        text.words(start + found.start("a"), start + found.end("a")),
        text.words(start + found.start("b"), start + found.end("b")),
    )
    lead = re.match(r"(?:to )?(\S+) (.+)$", first)
    if lead and lead[1].lower() in VERBS and lead[1].lower() not in _LINKS and second.split()[0].lower() not in VERBS:
        first = lead[2]
    if first.lower() == "before" and second.lower().startswith("after "):
        second = _TAIL.sub("", second)
        first = f"{first}{second[len('after') :]}"
    shared = _PREPOSITION.match(second.lower())
    if shared and f" {shared[0]}" in first.lower():
        first = first[first.lower().rindex(f" {shared[0]}") + 1 :]
    options = _swapped(_shortened(first, second)), _swapped(without_tail(first, second))
    return options if all(map(is_whole, options)) else ()


def without_tail(first: str, second: str) -> str:
    """Return a second alternative without what is said of both, where it is that much longer than the first."""
    return _TAIL.sub("", second) if len(second.split()) > len(first.split()) + 1 else second


def _shortened(first: str, second: str) -> str:
    """The last place of a long first alternative, where the second is short: in the hall or the garden."""
    if len(first.split()) <= len(second.split()) + _MUCH_LONGER:
        return first
    place = list(_PLACES.finditer(first.lower()))
    rest = first[place[-1].end() :] if place else ""
    return rest if 0 < len(rest.split()) <= len(second.split()) + 1 else first
