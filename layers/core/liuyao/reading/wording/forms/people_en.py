"""What a reading advises about another person, by how that person stands to the asker (世应), in English."""

from typing import Final

ADVICE: Final[dict[str, tuple[str, ...]]] = {
    # What to do about somebody
    "how other warm": (
        "Say in a quiet moment, kindly and plainly, what you would like, and ask what they would like in return",
        "Do something pleasant together first, and bring it up afterwards",
    ),
    "how other alike": (
        "Propose a trade: one thing that you will do differently, and one that they will",
        "Make the first small move yourself, without waiting to be thanked for it",
    ),
    "how other cold": (
        "Do not argue the point now; keep to small friendly things for a week or two, then raise one point only",
        "Ask them to tell you how they see it, and do not answer until they have finished",
    ),
    "how other pressing": (
        "Choose the one thing that matters most to you, hold to it calmly, and give way on the rest",
        "Set a limit in one friendly sentence, and repeat the same sentence when it is tested",
    ),
    "how other given": (
        "Do a little less than you have been doing, and leave them room to take a step",
        "Say what you would like back for once, in one definite request",
    ),
    "how other wary": (
        "Take the pressure off: ask more than you tell, and make nothing depend on the answer",
        "Say first what you like about how things are, and then ask for one small thing",
    ),
    "how other unsettled": (
        "Make one small and definite proposal, with a day, so that they only have to say yes or no",
        "Give them a few days to think, and say when you will ask again",
    ),
    # Why somebody does something
    "why other warm": (
        "Ask once more in a friendly way, with one question that can be answered in a word",
        "Try another channel: a call or a word in person instead of writing",
    ),
    "why other alike": (
        "Make the first move, without asking who began it",
        "Say what you would do if it were only up to you, and ask the same of them",
    ),
    "why other cold": (
        "Let a week pass, and then ask how they see it",
        "Look for the one point on which you agree, and begin there",
    ),
    "why other pressing": (
        "Put what you want in writing, briefly and with a date by which you need an answer",
        "Bring in someone whose word counts with them",
    ),
    "why other given": (
        "Stop running after it for a while, and see what happens",
        "Say plainly that you need them to do their part, and which part",
    ),
    "why other wary": (
        "Ask for less, and say that a no would be all right as well",
        "Take the reproach out of it, and ask what would make it easier",
    ),
    "why other unsettled": (
        "Offer two choices, and ask which they prefer",
        "Give it a few days, and then ask for a yes or a no",
    ),
    # What somebody thinks
    "mind other warm": (
        "Show that you like their company, in whatever way comes naturally",
        "Suggest something simple to do together this week",
    ),
    "mind other alike": (
        "Be the one who writes first this time",
        "Ask the question you would like to be asked yourself",
    ),
    "mind other cold": (
        "Keep a friendly distance for now, and do not ask for explanations",
        "Spend your time with people who are glad of you, and let this rest",
    ),
    "mind other pressing": (
        "Say no to one small thing, kindly, and see how it is taken",
        "Do not try to please; say what you think, in a calm moment",
    ),
    "mind other given": (
        "Let them take the next step, and see whether they do",
        "Do a little less for a while; you will learn more from that than from asking",
    ),
    "mind other wary": (
        "Keep it light, and ask for nothing in the next weeks",
        "Show by small things that you can be relied on",
    ),
    "mind other unsettled": (
        "Do not press for an answer; suggest one small thing and leave it open",
        "Go by what they do in the next few weeks, not by single messages",
    ),
}
