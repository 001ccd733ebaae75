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
    "when body": (
        "Keep to what you have been told to do, and give it its time",
        "Ask at the next appointment how far it has come",
        "If it has not eased within a week or two, have it looked at again",
    ),
    "how thing well": (
        "Reward what you want to see, at once and every time, and take no notice of the rest",
        "Give it more to do: a longer walk or more play before the hour at which it happens",
    ),
    "how thing ill": (
        "Write down for a few days when it happens, and change one thing at that hour",
        "Ask a trainer or the vet what might be behind it, before you try anything stricter",
    ),
    "why thing": (
        "Write down for a few days when it happens, and what came just before",
        "Ask the vet or a trainer whether something is wrong",
    ),
    "why near warm": (
        "Say that you miss the contact, without a reproach, and leave it there",
        "Suggest something small to do together, and do not bring the subject up",
    ),
    "why near alike": (
        "Make the first move, without asking who began it",
        "Say that you are sorry for your share in it, and wait",
    ),
    "why near cold": (
        "Ask how they see it, and listen to the end",
        "Let a week pass without pressing, and then do something kind",
    ),
    "why near pressing": (
        "Leave them more to decide for themselves, and ask only about what really matters",
        "Take back one rule or one question, and see what happens",
    ),
    "why near given": (
        "Do a little less for them, and leave them room to come to you",
        "Say plainly what you would like for once",
    ),
    "why near wary": (
        "Ask nothing for a week, and just be there",
        "Tell something of your own day instead of asking about theirs",
    ),
    "why near unsettled": (
        "Say that there is no hurry, and that you will listen when they are ready",
        "Spend an hour together on something quite different",
    ),
    "mind third well": (
        "Ask at the next opportunity how things are going, in one friendly question",
        "There is no need to step in; let it run",
    ),
    "mind third ill": (
        "Ask for a short talk, and begin with what goes well",
        "Hear both sides before you say anything",
    ),
    "how tell warm": ("Say it straight out in the first two sentences, and thank them for what was good",),
    "how tell alike": ("Say how you see it, ask how they see it, and do not answer at once",),
    "how tell cold": ("Keep it short and to the point, and give reasons only if you are asked",),
    "how tell pressing": ("Choose the time yourself, decide beforehand what you will not discuss, and stay friendly",),
    "how tell given": ("Say it without apologising, and name a date",),
    "how tell wary": ("Ask for ten quiet minutes, say it kindly, and leave room for the first reaction",),
    "how tell unsettled": ("Say it when they are not busy, and put the main point in writing afterwards",),
    "open other well": (
        "There is nothing you need to do about it now; carry on as you are",
        "Ask openly, in a calm moment; the answer is likely to set your mind at rest",
        "Keep your eyes open, and leave it at that for now",
    ),
    "open other ill": (
        "Ask openly rather than guess, and choose a calm moment for it",
        "Prepare for either outcome, and do the first step of it this week",
        "Talk it through with someone who is not involved",
    ),
}
