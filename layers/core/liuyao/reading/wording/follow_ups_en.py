"""Sentences of answers to follow-ups, in English, beside those of `answers_en`."""

from typing import Final

FOLLOW_UPS: Final = {
    "instead best": "as things stand the matter is well supported; another way does no harm, but nothing calls for it",
    "instead good": "as things stand the matter holds; a change helps only where it eases what weighs on it",
    "instead later": "it is the time that is lacking rather than the way, so a change brings little before then",
    "instead poor": "as things stand it goes hard, so another way is worth trying",
    "instead bad": "as things stand it hardly moves, so your strength is better spent on another way",
    "instead eases": "what a change would have to ease: {reasons}",
    "instead itself": "Whether the new plan itself comes off is asked by itself, with a cast of its own",
    "person feeds": "{whom} can be a help in this",
    "person same": "{whom} pulls the same way as you in this",
    "person overcomes": "{whom} is more likely to get in the way of this",
    "person drained": "{whom} would take more out of this than come in with",
    "person overcome": "{whom} has little weight in this",
    "person weak": "{whom} is not free to do much at present",
    "person ground": "{whom} is read from {line}, and what you ask about from {focus}",
    "likely best": "it is quite likely to go well for you",
    "likely good": "it is more likely than not to go well for you, though not by a wide margin",
    "likely later": "it is likely to go well for you, but not soon",
    "likely poor": "it is less likely than not to go well for you, though the chance is not gone",
    "likely bad": "it is unlikely to go well for you this time",
    "likely figure": "a cast gives no percentage; it weighs what helps against what harms",
    "line roles": (
        "you are read from the [世爻], {world}; the other side from the [应爻], {response}; and what you ask about "
        "from the [用神], {focus}"
    ),
    "line roles self": (
        "you and what you ask about are read from one line, the [世爻], {world}; the other side from "
        "the [应爻], {response}"
    ),
    "line roles other": (
        "you are read from the [世爻], {world}; the other side and what you ask about from one line, "
        "the [应爻], {response}"
    ),
    "line named": "{what} is read from {lines}",
    "line placed": "that line is {line}",
    "line placed self": "that line, {line}, is the one you are read from",
    "line placed other": "that line, {line}, is the one the other side is read from",
    "line placed focus": "that line, {line}, is the one that what you ask about is read from",
    "line decides": "the matter turns most on {line}",
    "none": "that is nothing a cast can tell; about what you asked it says this",
    "who against": "A cast names no one; {told}",
    "who against other": "what resistance there is comes from the other side",
    "who against nobody": "no line of this cast stands against you",
    "taken": "a line that stands for a thief stirs in this cast, so it may have been taken",
    "taken not": "no line that stands for a thief stirs in this cast, so it is more likely mislaid than taken",
}
