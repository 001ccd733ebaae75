"""The sentences that carry a reading and a follow-up answer, in English, and the tables beside them."""

from typing import Final

SENTENCES: Final = {
    # Labels
    "line": "[{relation}] [{branch}] in [{place}]",
    "hidden": "[{relation}] [{branch}] under [{place}]",
    "use": "[{relation}] [{branch}]",
    "focus": "the [用神]",
    "use keyword": "用神 {relation}",
    "month": "[{branch}月]",
    "day": "[{branch}日]",
    "hour": "[{branch}时]",
    "moves": "moves",
    "stirs": "is stirred by the day (<暗动>)",
    "rescue moves": "it moves",
    "rescue day": "the [日辰] supports it",
    "likewise": "so does {actor}",
    "separator": "; ",
    "comma": ", ",
    "stop": ".",
    # The cast
    "asked": "You asked: “{question}”",
    "cast": "The cast of a {month} and a {day}, with {void} void (<旬空>), is {gua}",
    "cast changing": "The cast of a {month} and a {day}, with {void} void (<旬空>), is {gua} changing to {target}; "
    "the [动爻] of the cast: {lines}",
    "plate": "From line 1 up: {lines}",
    "plate line": "{use}{marks}",
    "plate marks": " ({marks})",
    "plate world": "you",
    "plate response": "the other side",
    "plate moving": "moving",
    # The choice of 用神, by `Choice`
    "party": "your {party}",
    "focus intro": "The [用神] of this question is [{relation}]",
    "世爻": "The [用神] of this question is the [世爻] itself: {line}",
    "应爻": "The [用神] of this question is the [应爻], which stands for the other side: {line}",
    "独现": "{intro}, and the only such line is {line}",
    "临月日": "{intro}; of more than one such line, the one that is itself the [月建] or the [日辰] is taken: {line}",
    "发动": "{intro}; of more than one such line, the moving one is taken: {line}",
    "持世": "{intro}; of more than one such line, the one in the [世爻] is taken: {line}",
    "不破": "{intro}; of more than one such line, the one that is not [月破] is taken: {line}",
    "不伤": "{intro}; of more than one such line, the one that is not [日破] is taken: {line}",
    "不空": "{intro}; of more than one such line, the one that is not [旬空] is taken: {line}",
    "临应": "{intro}; of more than one such line, the one in the [应爻] is taken: {line}",
    "近世": "{intro}; of more than one such line, the one nearest the [世爻] is taken: {line}",
    "伏神": "{intro}, which no line bears, so the [伏神] is taken: {line}",
    "assumed": "The question does not say whether a man or a woman asks, so a man is assumed and [妻财] taken",
    # The other lines
    "at rest": "All six lines are at rest (<六爻安静>), so none feeds or overcomes the [用神]",
    "only stirred": "No line moves; the day stirs only {lines} (<暗动>), which cannot feed or overcome the [用神]",
    "only itself stirred": "No line moves; the day stirs only the [用神] itself (<暗动>), and no other line feeds or "
    "overcomes it",
    "untouched": "Lines move, but none of them can feed or overcome the [用神]",
    "ghost in hand": "What moves is [子孙] taking [官鬼] in hand",
    "only itself": "The [用神] alone moves, and no other line feeds or overcomes it",
    "alone": "{actor} is the only line that moves (<独发>), and the matter mostly turns on it",
    "emerges": "with the [飞神], the [月建] and the [日辰] taken together, the [伏神] can come out",
    "stays under": "with the [飞神], the [月建] and the [日辰] taken together, the [伏神] cannot come out yet",
    # The verdict
    "上上签": "there is clearly more help than harm",
    "中上签": "help is at least equal to harm",
    "中下签": "there is more harm than help",
    "下下签": "there is far more harm than help",
    # Advice
    "help": "Help can come from {people}",
    "harm": "Obstacles may come from {people}",
    "harm in illness": "Mind the effect of {people}",
    "in its time": "When the time comes, {action}",
    "health short": "Go by what your doctor says",
    "illegal short": "It may be against the law, so ask a lawyer before anything else",
    "legal short": "Have a lawyer look at it before you act",
    "finance short": "Check the risks yourself before you commit any money",
    "pregnancy short": "Go by your check-ups and your doctor",
    "stakes short": "Risk only what you can afford to lose, and ask a professional first",
    "health": "A reading does not replace a diagnosis; go by what your doctor says",
    "illegal": "This may be against the law, and may hurt someone; no cast is a reason for it. If you are forced to, "
    "ask the police or a lawyer for help",
    "legal": "A reading does not replace legal advice; consult a lawyer before important steps",
    "finance": "A reading does not replace professional financial advice; check the risks yourself before you commit",
    "pregnancy": "In pregnancy and birth, go by your check-ups and your doctor; a reading does not replace them",
    "stakes": "Do not stake all your savings, a loan or a pledge on a reading; work out what you can afford to lose "
    "and ask a professional first",
    # Instead of verdict and action, beside a grave caution
    "held": "Whether to do it is for you and {who} to decide, and a cast is one view among others",
    "held outlook": "How this turns out is nothing to stake on a cast; go through it with {who}",
    "lean well": "The signs lean your way; {end}",
    "lean later": "The signs lean your way, though it will take time; {end}",
    "lean ill": "The signs are not with you at the moment; {end}",
    "unnamed well": (
        "In general terms the signs lean your way, but that is no yes to anything in particular: you have not said "
        "what it is about"
    ),
    "unnamed later": (
        "In general terms the signs lean your way later rather than now, and that is no yes to anything in particular: "
        "you have not said what it is about"
    ),
    "unnamed ill": (
        "In general terms the signs are not with you at the moment; what that means depends on what it is about, which "
        "you have not said"
    ),
    "lean decision": "the decision belongs to you and {who}",
    "lean outlook": "{who} can tell you where it really stands",
    "who decides health": "your doctor",
    "who decides pregnancy": "your doctor",
    "who decides legal": "your lawyer",
    "who decides illegal": "a lawyer",
    "who decides finance": "an adviser who earns nothing by it",
    "who decides stakes": "an adviser who earns nothing by it",
    "considered": "Talk it over with {who} first, and decide on this step after that",
    # The cast of a question that was asked before
    "asked again": "You have asked this once already, and the first reading still holds",
    "asked often": "You keep coming back to this one question, which mostly means that it will not let you rest; "
    "leave the casts here, take a walk, and ask again when something has changed",
    "first stands": "What the first cast said still holds; this one is only laid out below, with no verdict of its own",
    # 应期, by `Wait`
    "伏神出现": "For the timing, the [伏神] has to come out: in a {first}, its own, or a {second}, which uncovers it",
    "出空填实": "For the timing, wait until {subject} is void no longer: a {first} fills it, or a {second} wakes it",
    "填破": "For the timing, the break has to be mended: by a {first}, its own, or a {second}, which joins with it",
    "冲开墓库": "{subject} is shut in its [墓]; for the timing, wait for a {first}, which breaks it open",
    "冲开合绊": "{subject} is tied up; for the timing, wait for a {first}, which shakes it free",
    "冲去变爻": "The trouble is in what {subject} changes to; for the timing, wait for a {first} to clash it away, "
    "or its own {second}",
    "冲去变爻 once": "The trouble is in what {subject} changes to; for the timing, look to a {first}, which "
    "clashes it away and is its own as well",
    "变爻出空": "What {subject} changes to is [旬空]; for the timing, wait for a {first}, when it leaves the void",
    "变爻值日": "For the timing, look to a {first}, the branch that {subject} changes to",
    "伏吟待冲": "{subject} only repeats itself; for the timing, look to a {first}, which clashes it awake",
    "subject": "the [用神]",
    "旺极待墓": "{subject} is very strong; for the timing, look to a {first}, its [墓], or a {second}, its clash",
    "动待值合": "{subject} is in motion; for the timing, look to a {first}, its own, or a {second}, its combination",
    "暗动待值合": "{subject} is stirred by the day's clash; for the timing, look to a {first}, its own, "
    "or a {second}, its combination",
    "静待值冲": "{subject} rests; for the timing, look to a {first}, its own, or a {second}, which wakes it",
    "衰待生旺": "The [用神] is weak, and things pick up only in a time that feeds it: {all}",
    "两现应空破": "{branch} bears the same relation and is void or broken, so it may answer too: note a {first}",
    # After the time of a reading
    "return": "after {date}, you can come back and say how it went",
    "return gravely": "after {date}, you can come back and say how things are",
    # A time with another plate, by `Ambiguity`
    "moment note": "On the time of the cast: {clauses}",
    "moment verdict": "{cause}, {verdict}",
    "moment 节": "it is within three minutes of a change of month; by the {month}",
    "moment 时": "it is within three minutes of a change of hour; by the {hour}",
    "moment 日": "it is within three minutes of 23:00, when the day changes; by the {day} and the {hour}",
    "moment 零点": "if the day changed at midnight, by the {day}",
    "moment 零点后": "it is just after midnight; if the day changed there and the clock is fast, by the {day}",
    "moment 夏令时": "mainland China kept summer time then; by {clock} in standard time",
    "moment 真太阳时": "true solar time is used here; by {clock} of the clock, a {day} and {hour}",
    "moment same": "the verdict is the same",
    "moment other": "the grade would be {sign}",
    "moment later": "the grade stays {sign}, but later",
    "moment sooner": "the grade stays {sign}, and sooner",
    "moment opposite": "the answer would be the opposite",
    # Follow-ups
    "obstacles": "The obstacles, largest first: {reasons}",
    "obstacles none": "The cast shows no marked harm, so there is no need to look for trouble",
    "direction": "{use} belongs to {element}; what feeds it is {source}, so {directions} is worth a look as well",
    "that time": "that time",
    "and": " and ",
}

PEOPLE: Final = {
    "父母": "elders, an institution or the paperwork",
    "兄弟": "peers, friends or competitors",
    "子孙": "younger people, those who work for you or someone with the right skill",
    "妻财": "money, practical means or a woman close to you",
    "官鬼": "a superior, an authority or the rules",
}
"""Whom or what a line of each relation stands for."""

IN_ILLNESS: Final = {
    "父母": "elders or the hospital",
    "兄弟": "relatives and friends",
    "子孙": "doctors, medicine and rest",
    "妻财": "food and daily habits",
    "官鬼": "the illness itself",
}
"""The same in a question of health."""

EXPLAINED: Final[dict[str, str]] = {}
"""Glosses stand in their place in English."""

STANDS_FOR: Final = {
    "父母": "papers, houses and elders",
    "兄弟": "peers and rivalry",
    "子孙": "the young, and relief",
    "妻财": "money and what is wanted",
    "官鬼": "rank, rules and pressure",
    "career 官鬼": "the job",
    "study 父母": "your study",
    "wealth 妻财": "money",
    "belongings 妻财": "what was lent",
    "debt 妻财": "the money",
    "love 妻财": "the one you have in mind",
    "love 官鬼": "the one you have in mind",
    "lost 妻财": "what was lost",
    "lost 父母": "what was lost",
    "lost 子孙": "the animal that was lost",
    "pets 子孙": "the animal",
    "documents 父母": "the paperwork",
    "dwelling 父母": "the house",
    "permit 父母": "the permit",
    "children 子孙": "the child",
    "pregnancy 子孙": "the child",
    "kin 兄弟": "your friend or sibling",
    "rain 父母": "rain",
    "fair 妻财": "fair weather",
    "naming 父母": "the name",
}
"""What the 用神 of a matter, or a relation, stands for."""

DIRECTIONS: Final = dict(
    zip(
        "子丑寅卯辰巳午未申酉戌亥",
        (
            *("north", "north-east", "north-east", "east", "south-east", "south-east"),
            *("south", "south-west", "south-west", "west", "north-west", "north-west"),
        ),
        strict=True,
    )
)
"""The direction of each branch."""

ELEMENT_DIRECTIONS: Final = {
    "木": "the east",
    "火": "the south",
    "土": "the centre or a corner",
    "金": "the west",
    "水": "the north",
}
"""The direction of each element."""
