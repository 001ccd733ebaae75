"""Says in what manner, with whom and in what condition, in English.

`SPIRITS` is the character of the acting line's 六神 where help outweighs harm, where it does not and where it takes
time; `PLACES` is where it points to in a search. `HELPERS` and `HINDERERS` are by the acting line's relation,
`CONDITIONS` by a state of the plate.
"""

from typing import Final

Lines = tuple[str, ...]

SPIRITS: Final[dict[str, tuple[Lines, Lines, Lines]]] = {
    "龙": (
        (
            "Be warm about it and take the straight road",
            "A little generosity will make others want to help",
            "If you are glad of it, let it show; it carries people along",
        ),
        (
            "There is no need to keep up appearances; the plain truth is easier",
            "Take polite words for what they are, and count what is done",
            "Keep fewer social duties, and save your strength for this",
        ),
        ("Be kind to those involved meanwhile; when it is time, they will help", "Stay friendly while you wait"),
    ),
    "雀": (
        (
            "Say what needs saying; the right word does most here",
            "Put it in writing and send it, rather than holding it in",
            "Ask two more people; the news you need is with one of them",
        ),
        (
            "Say a little less, and spare yourself a quarrel",
            "Do not send what you wrote in anger",
            "Take hearsay at a discount until you have checked it",
        ),
        ("Write down now what you will say, and say it then", "Listen more than you conclude for now"),
    ),
    "勾": (
        (
            "Go slowly, and make each step firm before the next",
            "Do it by the book; here that is the short way",
            "Patience is your advantage",
        ),
        (
            "Do not go over old ground; settle one thing",
            "Do not take on more; clear what is in your hands",
            "It cannot be hurried, so leave some slack in the week",
        ),
        (
            "Use the wait to put the groundwork in order",
            "Do a little every day, and it will be ready by then",
        ),
    ),
    "蛇": (
        (
            "The path bends a few times; try another way round",
            "Think one step further, and you will miss the trouble",
            "Where the usual way fails, try a new one",
        ),
        (
            "Do not scare yourself; check what you are afraid of",
            "What you think at night, decide by day",
            "If it sounds too neat, ask where it comes from",
        ),
        ("Do not brood while you wait; think the details through", "Keep two other ways in hand"),
    ),
    "虎": (
        (
            "Be brisk: once decided, do it",
            "Do it in one go, and rest afterwards",
            "You may be firm, as long as you are in the right",
        ),
        (
            "Do not meet force with force; half a step back gives you room",
            "Slow down, above all where it feels urgent",
            "When your temper rises, walk away for ten minutes",
        ),
        (
            "Save your strength, and do it in one go when the time is there",
            "Do not jump the gun; a later start is steadier",
        ),
    ),
    "玄": (
        (
            "Keep it quiet until it is done",
            "A word in private does more than one in company",
            "Mind what is left unsaid",
        ),
        (
            "Keep a note of what was said, and clear up what is vague",
            "Do not rely on word whose source you do not know",
            "If you have a doubt, ask openly; do not brood",
        ),
        ("Say nothing yet, and prepare quietly", "Ask around in private before you take a position"),
    ),
}

PLACES: Final[dict[str, Lines]] = {
    "龙": (
        "Look first where it is tidy, bright and often visited",
        "Try the wardrobe and the tidy part of the living room",
    ),
    "雀": ("Look around papers, electrical things and the stove", "Try where the light is on and the phone is used"),
    "勾": ("Look low down, in corners and among clutter", "Try the floor, and the very back of the drawers"),
    "蛇": ("Look among cables and cords, and in gaps", "Feel along the folds of the sofa and the like"),
    "虎": ("Look by the door, by the road and near things of metal", "Try the places you pass through every day"),
    "玄": (
        "Look in the dark, near water and under covers",
        "Try what you never see: under the bed, the bottom of the trunk",
    ),
}

HELPERS: Final[dict[str, Lines]] = {
    "父母": (
        "Someone older, or the office in charge, is willing to help, so ask",
        "Papers in good order will speak for you",
        "Ask someone with more years; they see further",
    ),
    "兄弟": (
        "One of your friends or colleagues would lend a hand, so do not do it alone",
        "Find a peer who has done the same, and ask how",
        "Your peers hear things early; ask one more of them",
    ),
    "子孙": (
        "A word from someone who knows the trade will save you much work",
        "Someone younger has a good idea; hear it",
        "Take it more lightly, and it will go better",
    ),
    "妻财": (
        "The money and means at hand are enough; use them",
        "Show the practical gain, and a yes comes more easily",
        "Someone careful close to you can think of what you miss",
    ),
    "官鬼": (
        "Go by the rules; this time they are on your side",
        "Let someone whose word counts speak for you",
        "Step by step through the procedure is the fastest way",
    ),
}

HINDERERS: Final[dict[str, Lines]] = {
    "父母": (
        "Paperwork may trip you; ask about it early",
        "Hear your elders out, without agreeing on the spot",
        "Do not let the formalities wear out your patience",
    ),
    "兄弟": (
        "One of your peers is after the same thing; do not show your hand too soon",
        "Set a limit to what favours may cost",
        "Agree beforehand how money and credit are shared",
    ),
    "子孙": (
        "Do not take it too lightly: keep the times you promised",
        "Say what is important yourself, not through others",
        "Mistakes come when you relax, so look it over once more at the end",
    ),
    "妻财": (
        "Costs may outgrow the plan; draw a line first",
        "Do not let a small gain distract you",
        "Talk of money by itself, apart from the rest",
    ),
    "官鬼": (
        "The rules are tight; take no short cut",
        "Those above have reasons of their own; find them out before you speak",
        "When the pressure is high, put things in order first",
    ),
}

HELPERS_IN_LOVE: Final[dict[str, Lines]] = {
    "父母": ("Your family would put in a word; let them know", "It goes more easily with someone older at the table"),
    "兄弟": ("A friend of you both can build a bridge", "Meet with a few friends; it is easier than alone"),
    "子孙": (
        "Do something enjoyable together, and the mood will follow",
        "Keep it light and laugh a little; talking comes easily then",
    ),
    "妻财": (
        "A small gift with some thought says more than words",
        "Look after them in some practical way; they will remember it",
    ),
    "官鬼": ("One clear promise will put them at ease", "Be on time and keep your word; they notice"),
}

HINDERERS_IN_LOVE: Final[dict[str, Lines]] = {
    "父母": (
        "Hear what the family says, but do not let it become your quarrel",
        "Talk your elders round slowly; nothing has to be settled at once",
    ),
    "兄弟": (
        "Do not listen much to talk, and do not compare",
        "Take your friends' advice lightly; it is the two of you who live with it",
    ),
    "子孙": (
        "A joke too far can hurt; hold back a little",
        "Do not promise for the pleasure of the moment what you cannot keep",
    ),
    "妻财": ("Keep money out of it", "Do not count who gives more"),
    "官鬼": ("Leave the pressure of work outside when you meet", "Do not hold too tightly; leave them some room"),
}

HELPERS_IN_ILLNESS: Final[dict[str, Lines]] = {
    "父母": (
        "Elders and the hospital can help; ask when you need it",
        "Bring the earlier records along; they help the doctor see",
    ),
    "兄弟": (
        "Let relatives and friends take a share; not everything is yours to do",
        "Have a friend come for a walk and a talk",
    ),
    "子孙": (
        "Doctors, medicine and rest are a real help now; do all of it",
        "Follow the doctor, and count peace of mind as medicine too",
    ),
    "妻财": ("A small change in what is eaten will help", "Regular, light meals will do good"),
}

HINDERERS_IN_ILLNESS: Final[dict[str, Lines]] = {
    "父母": (
        "Put worries aside for a while, so that they do not weigh on the body",
        "Tests and forms are tiresome; go through them with patience",
    ),
    "兄弟": (
        "Fewer parties and late nights for now",
        "Hear other people's cures and leave them; the doctor's word counts",
    ),
    "妻财": (
        "Eat lightly, and not for the taste alone",
        "Talk about the cost with the family; do not keep it to yourself",
    ),
    "官鬼": (
        "Do not grit your teeth; note what is wrong and tell the doctor",
        "If you are tense, say so; it helps to be heard",
    ),
}

CONDITIONS: Final[dict[str, Lines]] = {
    "旬空": (
        "Nothing is firm yet, so make no final decision now",
        "Much is still in the air; count it when it has landed",
        "Until there is firm word, do not promise too much",
    ),
    "世空": (
        "Make up your own mind first",
        "Ask yourself first whether you truly want it",
        "While your mind is not made up, say neither yes nor no",
    ),
    "世化回头克": ("Know your way back before you move", "Too quick a step would tire you first"),
    "世破": (
        "You are rather tired now; look after yourself first",
        "Take a breath, and talk when your strength is back",
    ),
    "世衰": ("Gather strength before the larger step", "Your strength is limited; choose the one thing that matters"),
    "应空": ("The other side has not decided, so do not press", "Count what they promise when you see it done"),
    "世应相冲": (
        "Where the two of you differ, let it rest for now",
        "Write down where you differ, and talk at another time",
    ),
    "用神伏藏": (
        "It has not come into the open yet; ask around a little",
        "What you see is not all of it; wait for a little more news",
    ),
    "合绊": ("First finish the small thing that ties you", "Let go of one of the strings you hold"),
    "日墓": ("It is a little stuck; find an occasion to open it", "Another place or another hour will loosen it"),
    "反吟": ("It will go back and forth; one change is no reason to lose heart", "Confirm once more what was agreed"),
    "伏吟": ("If it goes round in circles, change the way you do it", "Do not start over and over; change one thing"),
    "化退神": ("Do not put it off; it loses force with time", "What can be settled today, do not leave to next month"),
    "游魂": (
        "Let your mind settle; do not change the plan every other day",
        "Think of one thing at a time, and the mind will stop drifting",
    ),
    "世去生用": (
        "You will probably have to give first; decide how much",
        "Give a little, and see the answer before you give more",
    ),
    "六冲卦": ("Confirm once more what was agreed", "People and times may change; have a second date"),
}

MEANINGS: Final[dict[str, str]] = {
    "龙": "joy and the straight road",
    "雀": "words and papers",
    "勾": "slowness and holding fast",
    "蛇": "bends and doubts",
    "虎": "haste and force",
    "玄": "what is hidden",
}
"""What each 六神 stands for."""
