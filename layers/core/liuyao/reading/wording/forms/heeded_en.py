"""What a reading tells to mind and to do about a matter of one's own, by what acts in it, in English."""

from typing import Final

ADVICE: Final[dict[str, tuple[str, ...]]] = {
    # What to mind
    "heed self well people": (
        "Mind the people more than the matter: be punctual, be friendly, and thank them at the end",
        "Find out beforehand who will be there, and have a word ready for each",
    ),
    "heed self well time": (
        "Mind the time: come early, and do not let it be squeezed between other things",
        "Do not overdo the preparation; be rested instead",
    ),
    "heed self well self": (
        "Mind that you are yourself: say what you mean, in few words",
        "Do not talk yourself down; let them see what you can do",
    ),
    "heed self well course": (
        "Mind the details at the end: what was agreed, and who does what next",
        "Keep to one thread, and do not try to bring in everything",
    ),
    "heed self ill people": (
        "Mind what others may object to, and have one calm sentence ready for it",
        "Listen more than you talk at first, and do not let yourself be drawn into an argument",
    ),
    "heed self ill time": (
        "Mind the time: leave twice as much of it as you think you need",
        "Keep it short, and do not expect a decision on the day",
    ),
    "heed self ill self": (
        "Mind your own nerves: sleep beforehand, and have your three main points on paper",
        "Do not promise anything on the spot; say that you will think it over",
    ),
    "heed self ill course": (
        "Mind the weakest part first: work out what you will say or do about it",
        "Check the papers, the place and the time once more the day before",
    ),
    # What to do about it
    "how self well people": (
        "Ask someone who has managed it to show you how they began",
        "Bring in the person whose word counts, and tell them plainly what you need",
    ),
    "how self well time": (
        "Begin this week, while things are moving",
        "Take the next good opportunity; do not wait for a perfect one",
    ),
    "how self well self": (
        "Begin with the part that is entirely up to you",
        "Decide on one thing you will do every day for two weeks, and keep to it",
    ),
    "how self well course": (
        "Take it apart into three steps, and do the first one today",
        "Do more of what has already worked, and leave out the rest",
    ),
    "how self ill people": (
        "Find out who or what stands in the way, and talk about that first",
        "Do not try to do it alone; ask one person to go through it with you",
    ),
    "how self ill time": (
        "Do only the most necessary thing now, and the rest when this stretch is over",
        "Give it two weeks' rest, and begin afresh with a small step",
    ),
    "how self ill self": (
        "Rest first, and cut what you ask of yourself by half",
        "Settle first what you really want; the way follows from that",
    ),
    "how self ill course": (
        "Find the one point at which it goes wrong every time, and change only that",
        "Stop what has not worked, and try the opposite on a small scale",
    ),
    # What to do about a cause
    "why self people": (
        "Say to whoever it concerns what you need from them, in one sentence",
        "Ask somebody who sees it from outside what they think is wrong",
    ),
    "why self time": (
        "Take one or two things off your plate for the next two weeks",
        "Do not draw conclusions from this stretch; look at it again in a month",
    ),
    "why self self": (
        "Get some rest first, and change one small habit this week",
        "Write down for a week when it happens; you will see the pattern",
    ),
    "why self course": (
        "Look for what was left unfinished, and finish or drop it",
        "Go back to the point where it last went well, and compare",
    ),
    # How something will go
    "course self well people": (
        "Let others do a part of it; it will be better for it",
        "Tell the people concerned early what you have in mind",
    ),
    "course self well time": ("Go ahead as planned, and use the next few weeks", "Keep it at the pace it has now"),
    "course self well self": (
        "Rely on what you know, and begin with what you do best",
        "Say early on what you want from it",
    ),
    "course self well course": (
        "Finish what has been begun before you add to it",
        "Note what goes well, and do more of it",
    ),
    "course self ill people": (
        "Talk to whoever might object, before it comes to that",
        "Agree beforehand who does what",
    ),
    "course self ill time": (
        "Plan more time and less to do than you first thought",
        "Keep it small this time, and have a way out ready",
    ),
    "course self ill self": (
        "Keep your expectations low and your evenings free",
        "Look after your strength first, and do not take on anything new",
    ),
    "course self ill course": (
        "Keep a little in reserve, and put off what can be put off",
        "Deal with the weakest point now, before it starts",
    ),
    "cost self well": (
        "Ask for a written price first, and hold them to it",
        "Ask what it would cost to do only what is necessary",
    ),
    "cost self ill": (
        "Get a second price before you agree to anything",
        "Set a limit now, and ask to be told before it is passed",
        "Put a third on top when you plan, so that it does not catch you out",
    ),
    "why made": (
        "Change one thing at a time, and note what difference it makes",
        "Follow a proven recipe or manual to the letter once, and compare",
        "Ask someone who does it well to watch you do it once",
    ),
    "worry self well": (
        "Keep an eye on it, and have it looked at if it gets worse",
        "Note when it happens, and mention it the next time you are there anyway",
    ),
    "worry self ill": (
        "Have it looked at this week rather than next",
        "Do not put it off, and note until then when it happens",
    ),
}
