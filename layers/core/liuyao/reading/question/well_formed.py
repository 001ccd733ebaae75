"""Whether a clause that was put together from a question reads as English.

A clause is a subject, a finite verb and what belongs to it. The grammar takes a question apart by its words and
exchanges "I" and "you", which may cut a phrase in two ("your" of "your date on Saturday"), leave a verb without its
subject or break agreement ("you am"). What does not pass is not restated: the reading answers without it.
"""

from typing import Final

from liuyao.reading.question.text import Expression

_INNER: Final = Expression(r"[?!？！;\n]|(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)[.…](?=\s+\S|$)|[,:—–-]$")
"""What ends a sentence inside a clause, or leaves one open."""
_TWICE: Final = Expression(r"\b(?!(?:that|had|her|bye|no|so|very|really|boom|ha|day|week|month|year)\b)([a-z']+) \1\b")
"""A word that stands twice: now now, the the."""
_DISAGREES: Final = Expression(
    r"\byou(?:'re)? (?:am|has)\b|"
    r"(?<!beside )(?<!by )(?<!with )(?<!for )(?<!of )(?<!to )(?<!near )\byou (?:was|is|does)\b|"
    r"^(?:whether )?(?:he|she|it|this|that) (?:are|am|were|have|do)\b|"
    r"^(?:whether )?(?:they|we|these|those) (?:is|am|was|has|does)\b|"
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|i'm|i've|i'll|i'd)\b"
)
"""A pronoun with the verb of another, or one that was to be exchanged."""
_ONLY_BEGINS: Final = (
    "a|an|the|my|your|our|his|its|their|this|these|those|every|each|some|any|no|and|or|but|nor|than|as|if|because|"
    "while|whether|who|whom|which|that's|very|too|will|would|shall|should|may|might|must|cannot"
)
_CUT: Final = Expression(
    r"\b(?:a|an|the|my|your|our|its|their|every|and|or|but|nor|than|as if|because|whether|very|cannot)$"
)
"""A last word that something must follow."""
_BARE: Final = Expression(
    rf"^(?:{_ONLY_BEGINS}|still|ever|also|just|really|actually|not|never)$|\b(?:and|or|of|to|in|on|at|for|with|from|by)$"
)
"""A subject that is only the beginning of one."""
_RELATIVE: Final = Expression(r" (?:who|whom|that|which|whose|where)\b")
_NO_VERB: Final = Expression(
    rf"^(?:{_ONLY_BEGINS}|that|of|in|on|at|for|with|from|by|to|into|about|i|you|he|she|it|they|we|me|him|us|them|"
    r"is|are|was|were|am|has|had|does|did|going|been|being)\b"
)
"""What cannot follow "will" or "does": a preposition, a pronoun, an article, another finite verb."""
_NO_COMPLEMENT: Final = Expression(
    r"^(?:that|who|whom|which|whose|and|or|but|is|are|was|were|am|will|would|do|does|did)\b"
)
"""What cannot follow "is" or "has"."""
_ADVERBS: Final = Expression(
    r"^(?:(?:still|ever|also|just|really|actually|finally|soon|truly|eventually|always|never|not|even|only) )+"
)
_LINKING: Final = frozenset({"is", "are", "am", "was", "were", "has", "have", "had"})
_TIMES: Final = Expression(
    r"\b(?:(?:right |just |for |by )?now|for the moment|at the moment|at present|(?:just |as )?yet|today|tonight|"
    r"tomorrow|soon|"
    r"at once|immediately|straight away|(?:this|next) (?:morning|afternoon|evening|week|weekend|month|year|"
    r"spring|summer|autumn|fall|winter)|later on|later|a little before|this is not the time|a good time|already)\b"
)
"""When something is or is to be done."""


def is_clause(subject: str, aux: str, tail: str) -> bool:
    """Whether a subject, an auxiliary and what follows it make a statement with a finite verb, each part whole."""
    who, rest = subject.strip().lower(), tail.strip().lower()
    if not who or not rest or _BARE.search(who) or _RELATIVE.search(who):
        return False
    lead = _ADVERBS.match(rest)
    verb = rest[lead.end() :] if lead else rest
    cannot = _NO_COMPLEMENT if aux.lower() in _LINKING else _NO_VERB
    return not cannot.match(verb) and is_whole(f"{who} ") and is_whole(rest)


def is_whole(words: str) -> bool:
    """Whether words read as a part of one sentence: no stop within, no word twice, none cut off, pronouns agreeing."""
    told = words.lower()
    return not (_INNER.search(told) or _TWICE.search(told) or _DISAGREES.search(told) or _CUT.search(told))


def names_time_twice(frame: str, words: str) -> bool:
    """Whether a sentence says when and what is put into it says so as well: "do not … now" of "ask for a raise now"."""
    return _TIMES.search(frame.lower()) is not None and _TIMES.search(words.lower()) is not None
