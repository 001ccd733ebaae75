"""What to do where a question is of no topic with words of its own, in English; and where what is lost may lie.

`NEUTRAL` is by what kind of question it is, by what carries the verdict, and by the side: where help outweighs harm,
then where it does not. What carries it is `people` (another line acts), `time` (month and day) or `self` (the line
itself, and the asker's own).
"""

from typing import Final

Sides = tuple[tuple[str, ...], tuple[str, ...]]

NEUTRAL: Final[dict[str, Sides]] = {
    # Should I
    "should people": (
        (
            "Tell whoever it touches first, and then begin",
            "Take the help that is offered with it",
            "Do it together with someone who has done it before",
        ),
        (
            "Ask the one who is against it what would make it all right",
            "Hear one more opinion before you choose, best from someone with nothing to gain",
            "Talk it over once more with the person it touches most",
        ),
    ),
    "should time": (
        (
            "Do it in the next few days, while it comes easily",
            "Begin small this week, and add to it later",
            "Do not wait for a better moment; this one will do",
        ),
        (
            "Leave it for a week or two, and see whether you still want it then",
            "Put it off, and note down what would have to change first",
            "Do nothing about it for now; little is lost by waiting",
        ),
    ),
    "should self": (
        (
            "Decide what matters most to you in it, and begin with that",
            "Try it once before you make it a habit",
            "Set yourself a simple limit, and start",
        ),
        (
            "Do only the smallest part of it first, one that can be undone",
            "Find out the one thing you do not know yet before you choose",
            "Write down what you would give up for it, and sleep on that",
        ),
    ),
    # Will somebody else do something
    "other people": (
        (
            "Remind {who} once, politely, and leave it at that",
            "Thank {who} in advance, and whoever has helped it along",
        ),
        (
            "Do not rely on {who} alone: ask somebody else today as well",
            "Ask {who} what is in the way, and offer a way round it",
        ),
    ),
    "other time": (
        (
            "Remind {who} once, politely, the day before",
            "Agree the time with {who} once more, and then leave it",
        ),
        (
            "Ask {who} for a clear yes or no and a firm time, and have a second way ready",
            "Give it a few days, and then ask {who} once more, plainly",
        ),
    ),
    "other self": (
        (
            "Have everything ready on your side, so that it is easy for {who}",
            "Say to {who} in one sentence what you need",
        ),
        (
            "Tell {who} once, calmly, what you want and by when",
            "Ask {who} for a little less, or offer to come halfway",
        ),
    ),
    # What somebody thinks
    "mind people": (
        (
            "Say something friendly first, and see what comes back",
            "Do one small thing together, and it will show",
            "Ask them openly for their opinion on something small",
        ),
        (
            "Do not go by what others say of it; ask them yourself, kindly",
            "Keep your distance for a while, and stay polite",
            "Clear up one small misunderstanding, and leave the rest",
        ),
    ),
    "mind time": (
        (
            "Find a quiet moment this week to talk",
            "Carry on as you are, and let it grow",
            "Say something friendly first, and see what comes back",
        ),
        (
            "Wait a little before you bring it up",
            "Give it time, and judge by what they do rather than by their mood",
            "Ask nothing of them for now, and see whether it eases",
        ),
    ),
    "mind self": (
        (
            "Be as you always are; there is nothing to prove",
            "Say plainly that you enjoy their company",
            "Ask, rather than guess",
        ),
        (
            "Do not read too much into it, and spend time with those who are easy with you",
            "Ask once, openly, and take the answer as it is",
            "Think of what you may have said yourself, and put that right first",
        ),
    ),
    # What the asker cannot do much about
    "thing": (
        (
            "There is nothing you need to do about {it} now; look again in a day or two",
            "Leave {it} as it is, and let it take its time",
        ),
        (
            "Do not count on {it}, and have something else ready",
            "There is little to do but wait; think of another way in case {it} lets you down",
        ),
    ),
    # What the asker does, or how it goes with them
    "event people": (
        (
            "Let others help, and give each of them one small job",
            "Ask someone who has done it before for the one thing to mind",
            "Say beforehand who does what, and then trust them with it",
        ),
        (
            "Find out who may mind, and speak to them first",
            "Settle beforehand who does what, so that nobody has to guess",
            "Ask one person you trust to see to the awkward part with you",
        ),
    ),
    "event time": (
        (
            "Go on as you have planned it",
            "Give it a fixed hour this week",
        ),
        (
            "Have a second plan ready, and decide now when you would turn to it",
            "Allow more time than you think it needs",
            "Keep it short and simple this time",
        ),
    ),
    "event self": (
        (
            "See to the part that is in your hands, and leave the rest",
            "Do the next small step today",
        ),
        (
            "Look for its weakest point today, and mend only that",
            "Do your own part early, so that nothing hangs on the last hour",
            "Begin with the part you find hardest, while you are fresh",
        ),
    ),
}

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "龙": (
        "Look first where it is tidy, bright and often visited",
        "Try the wardrobe and the tidy part of the living room",
    ),
    "雀": (
        "Look around papers, electrical things and the stove",
        "Try the desk, and wherever letters and chargers lie",
    ),
    "勾": ("Look low down, in corners and among clutter", "Try the floor, and the very back of the drawers"),
    "蛇": ("Look among cables and cords, and in gaps", "Feel along the folds of the sofa and the like"),
    "虎": ("Look by the door, by the road and near things of metal", "Try the places you pass through every day"),
    "玄": (
        "Look in the dark, near water and under covers",
        "Try what you never see: under the bed, the bottom of the trunk",
    ),
}
