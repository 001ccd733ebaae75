"""Other ways to say sentences of the catalogues, in English, by the sentence's key.

Each says what the sentence of the key says and has the same fields. `OUTLOOKS` follow the verdict of a grade.
"""

from typing import Final

_HEADS: Final = {
    "can": ("yes", "yes", "yes", "it will be hard for now", "probably not"),
    "will": ("yes", "yes", "yes", "it does not look likely for now", "probably not"),
    "is": (
        "yes",
        "on the whole yes",
        "yes in the end",
        "not really, as far as one can see",
        "it does not look like it",
    ),
    "should": ("yes", "yes", "yes", "better hold back for now", "not now"),
}
"""Yes or no, by the state: best, good, later, poor, bad."""

_TAILS: Final = {
    "can": (
        (
            "what you have is just what it takes",
            "it should go more smoothly than you think",
            "the way is open",
            "most of what it takes is there",
            "this is a good time for it",
            "clearly more speaks for it than against",
        ),
        (
            "after a false start or two",
            "with some care for the details",
            "though it takes some effort",
            "with one thing to watch on the way",
            "though not as fast as you might wish",
            "the direction is right and the details want work",
        ),
        (
            "it is time that is missing, not a way",
            "a later start will be the safer one",
            "but give it a little longer",
            "the chance lies ahead rather than here",
            "once one thing has passed",
            "only later than you would like",
        ),
        (
            "the hurdle is higher than it looks",
            "it wants more preparation first",
            "there is more in the way than on your side",
            "something is still missing",
            "a few things are not in order yet",
            "the effort has not found its place yet",
        ),
        (
            "the pieces do not join for now",
            "let yourself off this time",
            "the current runs the other way",
            "forcing it would wear you out",
            "too much is missing",
            "another time or another way would be better",
        ),
    ),
    "will": (
        (
            "the outline of it can be seen already",
            "the course is fairly plain",
            "the signs are quite clear",
            "this is a good time for it",
            "things are moving that way",
            "clearly more speaks for it than against",
        ),
        (
            "after a false start or two",
            "with a little patience",
            "though not as fast as you might wish",
            "with one thing to watch on the way",
            "but not in one step",
            "the direction is right",
        ),
        (
            "it is time that is missing, not a way",
            "though the turn has yet to come",
            "but give it a little longer",
            "the chance lies ahead rather than here",
            "once one thing has passed",
            "only later than you would like",
        ),
        (
            "the hurdle is higher than it looks",
            "it is still on the slow side",
            "there is more in the way than behind it",
            "something is still missing",
            "nothing has gathered speed yet",
            "there is some distance left",
        ),
        (
            "the turn has not come",
            "nothing is stirring there at present",
            "the current runs the other way",
            "no beginning of it shows",
            "forcing it would wear you out",
            "your heart is better spent elsewhere for now",
        ),
    ),
    "is": (
        (
            "what you see fits",
            "it bears looking at closely",
            "the signs are quite clear",
            "the cast is fairly plain about it",
            "as far as a cast can tell",
        ),
        (
            "for the better part",
            "so long as you do not count on all of it",
            "though not all the way",
            "there is truth in it",
            "in the main, with details to see to",
        ),
        ("though it cannot be seen yet", "and in a while it will be plain", "but it takes time to show"),
        (
            "what you see does not quite fit",
            "it falls a little short",
            "the signs are thin",
            "it is too early to conclude",
            "watch a while longer",
        ),
        (
            "it does not fit",
            "the two do not match",
            "the cast shows no sign of it",
            "it is some way off",
            "what is visible does not bear it out",
        ),
    ),
    "should": (
        (
            "what is needed is in place",
            "there is no cause to wait",
            "time and conditions are right",
            "it is a sound step",
            "now is a good moment",
            "more of it will go smoothly than not",
        ),
        (
            "in small steps",
            "with something kept in reserve",
            "once a detail or two is settled",
            "and see as you go",
            "only do not rush",
            "with some room left",
        ),
        (
            "when an occasion offers",
            "after some more preparation",
            "but choose the time",
            "though not these days",
            "prepare now and do it then",
            "a little later it will go better",
        ),
        (
            "you are not quite ready",
            "ask two more people first",
            "what stands in the way is still there",
            "something is still missing",
            "let things loosen first",
            "looking on a while costs nothing",
        ),
        (
            "conditions would not bear it",
            "find your footing first",
            "the effort would not pay",
            "it is the time that is wrong, not you",
            "keep your strength for later",
            "what you have is worth keeping",
        ),
    ),
}


def _replies() -> dict[str, tuple[str, ...]]:
    return {
        f"{way} {state}": tuple([f"{head}{', ' if head[:3] == 'yes' else ': '}{tail}" for tail in tails])
        for way, heads in _HEADS.items()
        for state, head, tails in zip(("best", "good", "later", "poor", "bad"), heads, _TAILS[way], strict=True)
    }


WAYS: Final[dict[str, tuple[str, ...]]] = _replies() | {
    # Whether, in illness
    "will later in illness": ("yes, little by little", "yes, given time"),
    "can later in illness": ("yes, little by little", "yes, given time"),
    "will poor in illness": (
        "not easily for now, so do fully what the doctors ask",
        "not easily for now, so take it slowly",
    ),
    "can poor in illness": (
        "not easily for now, so do fully what the doctors ask",
        "not easily for now, so take it slowly",
    ),
    "will bad in illness": (
        "little sign of it shows for now, so talk it over with the doctors",
        "little sign of it shows for now, so take good care of each day",
    ),
    "can bad in illness": (
        "little sign of it shows for now, so talk it over with the doctors",
        "little sign of it shows for now, so take good care of each day",
    ),
    # What is not wished for
    "harm best": (
        "that is unlikely, and nothing in the cast points to it",
        "that is unlikely, so let it go from your mind",
        "that is unlikely, as things hold steady",
        "that is unlikely, so live as usual",
    ),
    "harm good": (
        "on the whole no, and a little attention is enough",
        "on the whole no, at most a small ripple",
        "on the whole no, so there is no need to dread it",
        "on the whole no, if you keep on as you do",
    ),
    "harm later": (
        "no, though it may weigh on you a while yet",
        "no, and in a while it will be quiet",
        "no, once this stretch is behind you",
    ),
    "harm poor": (
        "it is possible, and early preparation will keep you calm",
        "it is possible, but there is time to meet it",
        "it is possible, so keep a way out",
        "it is possible, so do not leave it to the last day",
    ),
    "harm bad": (
        "it is a real possibility, and it is not too late to prepare",
        "it is a real possibility, so have your way out ready",
        "it is a real possibility, so each day of planning helps",
        "it is a real possibility, so protect what matters most",
    ),
    # Where no yes or no may be said
    "open best": (
        "as to your own good, things stand well",
        "seen simply from your side, this cast is with you",
        "you do not say which outcome you hope for; for yourself, the way is smooth",
        "leaving the outcome open, it is in your favour",
    ),
    "open good": (
        "as to your own good, there is more for you than against you",
        "seen simply from your side, the good outweighs, with a point or two to watch",
        "you do not say which outcome you hope for; for yourself, it goes well on the whole",
        "leaving the outcome open, it is mostly in your favour",
    ),
    "open later": (
        "as to your own good, the time for it is still to come",
        "seen simply from your side, the better part lies ahead",
        "you do not say which outcome you hope for; for yourself, it starts slowly and then goes well",
        "leaving the outcome open, waiting is in your favour",
    ),
    "open poor": (
        "as to your own good, it is uphill for you just now",
        "seen simply from your side, little comes easily for now",
        "you do not say which outcome you hope for; for yourself, it takes effort for now",
        "leaving the outcome open, you do better to take it slowly",
    ),
    "open bad": (
        "as to your own good, it is not with you now, so keep steady",
        "seen simply from your side, this is a time to hold",
        "you do not say which outcome you hope for; for yourself, take it gently now",
        "leaving the outcome open, look after your own side first",
    ),
    "feared best": (
        "taking this as something you fear, it goes well for you and is not likely to come",
        "read as a worry of yours, things are in your favour, so breathe out",
        "if this is what you fear, the cast does not show it coming",
    ),
    "feared good": (
        "taking this as something you fear, it goes mostly well for you, with a little care",
        "read as a worry of yours, it is rather unlikely",
        "if this is what you fear, the chance of it is small",
    ),
    "feared later": (
        "taking this as something you fear, it is unlikely, but you will be easier only in a while",
        "read as a worry of yours, it should settle with time",
    ),
    "feared poor": (
        "taking this as something you fear, it may come, and early preparation keeps you calm",
        "read as a worry of yours, it wants some attention now",
        "if this is what you fear, think of a way out now",
    ),
    "feared bad": (
        "taking this as something you fear, the chance is not small, so protect what matters most",
        "read as a worry of yours, it is against you for now, and it is not too late to prepare",
        "if this is what you fear, each day of planning helps",
    ),
    "hoped best": (
        "taking this as something you hope for, it is quite likely",
        "read as a hope of yours, things are in your favour",
        "if this is what you hope for, the way is open",
    ),
    "hoped good": (
        "taking this as something you hope for, it can be had with some effort",
        "read as a hope of yours, it leans your way",
        "if this is what you hope for, slowly it will come",
    ),
    "hoped later": (
        "taking this as something you hope for, it can come, later",
        "read as a hope of yours, the better part lies ahead",
    ),
    "hoped poor": (
        "taking this as something you hope for, there is some distance left",
        "read as a hope of yours, something is still missing",
    ),
    "hoped bad": (
        "taking this as something you hope for, the chance is small now, so do not strain",
        "read as a hope of yours, it is not with you now",
    ),
    # Letting go
    "leave best": (
        "there is no need, the better part lies ahead",
        "there is no need, what you want is still here",
        "there is no need, a little further and you will see",
    ),
    "leave good": (
        "not yet, a frank talk comes first",
        "not yet, the trouble can be solved",
        "not yet, give it one more chance",
    ),
    "leave later": ("not yet, wait for one more turn", "not yet, in time it will be plain"),
    "leave poor": (
        "you may consider it seriously, and slowly",
        "you may consider it seriously, once your own days are in order",
    ),
    "leave bad": (
        "you may consider it, and letting go may be kind to yourself",
        "you may consider it, as holding on wears you out",
    ),
    # How much
    "much best": ("the cast names no sum, but it is a good one", "no figure shows, though the share is not small"),
    "much good": (
        "the cast names no sum; enough, if not ample",
        "no figure shows; something comes in, but do not count too high",
    ),
    "much later": ("the cast names no sum; it grows later on", "no figure shows; little at first, then more"),
    "much poor": ("the cast names no sum; less than you hope", "no figure shows; do not expect much"),
    "much bad": ("the cast names no sum; for now more goes out than comes in", "no figure shows; mind what goes out"),
    # When
    "when best": ("most probably around {date}", "the time points to {date}", "{date} is the likeliest"),
    "when good": ("look to {date}", "something should stir around {date}", "roughly {date}"),
    "when later": ("a little later: {date} will tell", "not just yet; look to {date}", "with patience, around {date}"),
    "when poor": (
        "nothing is in sight yet; things may loosen around {date}",
        "it cannot be said yet; look again around {date}",
    ),
    "when bad": (
        "it is not in sight for now; see around {date} whether anything has changed",
        "it will not be easy; take {date} as a point to look again",
    ),
    "when open": (
        "as to time, {date} matters most",
        "there should be word around {date}",
        "the time to watch is {date}",
    ),
    "when harm": (
        "nothing shows it coming; be a little careful around {date}",
        "it will most likely not come; stay steady around {date}",
    ),
    "when harm likely": (
        "if it comes, then most likely around {date}, so prepare before",
        "be most careful around {date}",
    ),
    "time later": (
        "As to time, look to {date}",
        "It should loosen around {date}",
        "Something should show around {date}",
        "Note {date} for now",
    ),
    "time later harm": ("After {date} your mind will be easier", "It should be quiet after {date}"),
    "time": ("It goes best around {date}", "For the day, make use of {date}", "Keep an eye on {date}"),
    "time beyond": (
        "Nothing falls within {words}; the next time is {date}",
        "The time does not fall within {words}, but around {date}",
    ),
    "later than asked": (
        "it can come about, but somewhat after the time you ask about",
        "there is hope, but not within the time you ask about",
    ),
    "will later today": ("yes, slowly at first and then it comes", "yes, only give the beginning some patience"),
    "time later today": ("That day, look to {date}", "The hour that counts is {date}"),
    "stretch best": (
        "over {words}, most of it runs well, so begin what you have in mind",
        "over {words}, you have the strength to take a few steps forward",
        "{words} is a strong stretch, so make use of it",
    ),
    "stretch good": (
        "over {words}, it runs well on the whole, with a point or two to watch",
        "over {words}, there is more good than bad, at a steady pace",
        "over {words}, it goes up and down, and mostly up",
    ),
    "stretch later": (
        "over {words}, the start is slow and the rest easier",
        "over {words}, hold back at first; it picks up later",
        "the better part of {words} is its second half",
    ),
    "stretch poor": (
        "over {words}, it takes more effort, so do not hurry",
        "over {words}, less runs by itself, so keep it steady",
        "over {words}, find your footing first, and take on less",
    ),
    "stretch bad": (
        "over {words}, keep what you have and look after yourself",
        "over {words}, take on nothing large, and guard what matters",
        "{words} is rather uphill, so take it gently",
    ),
    "period": (
        "make use of {good}, and hold back in {ill}",
        "put what matters into {good}, and keep {ill} steady",
        "{good} runs most easily; in {ill}, take more care",
    ),
    "period good": ("make use of {good}", "put what matters into {good}", "{good} runs most easily"),
    "period ill": ("hold back in {ill}", "in {ill}, take more care", "keep {ill} steady, and live the rest as usual"),
    "period even": (
        "one part is much like another; no time stands out",
        "there are no great heights or depths; keep your usual pace",
        "the months differ little, so there is no need to choose",
    ),
    # 应期, by `Wait`
    "伏神出现": (
        "what is hidden must show itself first: look to a {first}, its own, or a {second}, which lifts the cover",
        "the hidden line comes out in a {first}, its own time, or when a {second} opens what covers it",
    ),
    "出空填实": (
        "{subject} is void for now and counts once it is filled: by a {first}, or by the knock of a {second}",
        "{subject} is an empty place to be filled; a {first} does it, or a {second} that clashes with it",
    ),
    "填破": (
        "what is broken must be mended first: look to a {first}, or to a {second}, which joins with it",
        "it answers once the break is mended, in a {first} or in a {second} that joins with it",
    ),
    "冲开墓库": ("{subject} is as if locked away until a {first} opens it",),
    "冲开合绊": ("{subject} is tied up until a {first} shakes it loose",),
    "冲去变爻": (
        "the trouble lies in what {subject} turns into: a {first} clears it away, and a {second} is its own time",
    ),
    "变爻值日": ("a {first} counts as well, the time of what {subject} turns into",),
    "伏吟待冲": ("{subject} goes round in circles until a {first} wakes it",),
    "旺极待墓": ("{subject} is almost too strong; it settles in a {first}, its [墓], or a {second}, its clash",),
    "动待值合": (
        "{subject} is already moving; a {first}, its own time, or a {second}, which joins with it, should tell",
        "{subject} moves, so it answers in its own time, a {first}, or when a {second} joins with it",
    ),
    "静待值冲": (
        "{subject} is still and waits for its time: a {first} is its own, and a {second} wakes it",
        "{subject} is quiet, so it answers in its own time, a {first}, or when a {second} stirs it",
    ),
    "衰待生旺": ("the [用神] is weak, and it gains only when something feeds it: {all}",),
    # After the time of a reading
    "return": (
        "when {date} is behind you, do come back and say how it turned out",
        "right or wrong, you are welcome back with the news after {date}",
        "once there is news after {date}, do come back with it",
        "after {date}, you can come back and compare this reading with what happened",
        "keep {date} in mind, and come back afterwards if you like",
        "some time after {date}, come back and say where it stands",
        "good news or bad, come back after {date}",
        "did it come true? You can come back and say once {date} is over",
        "if anything changes after {date}, you are welcome back to talk about it",
    ),
    "return gravely": (
        "after {date}, you can come back and say how it has gone",
        "once {date} has passed, you can tell how things have been",
    ),
    "asked again": (
        "This question has had its cast already; the first counts most, and this one only adds to it",
        "It is only human to ask twice; the first reading still counts",
    ),
    "asked often": (
        "You have asked this several times, and more casts will not make it clearer; let it rest a few days",
        "That you keep asking shows how much it matters to you; keep the first reading, and give yourself a rest today",
    ),
    "anger best": ("the anger is over, and you can talk as usual", "there is hardly any anger left"),
    "anger good": (
        "it is mostly forgiven, though a sore spot is left",
        "it is mostly over; a first word is missing",
    ),
    "anger later": ("a little anger is left, and it will pass with time",),
    "anger poor": ("the anger is still there; do not ask for an answer yet", "it is not forgiven yet; speak gently"),
    "anger bad": ("the anger has not eased, and it will take time", "it is still raw; give it time before you talk"),
    "mind poor": ("the other side's thoughts are elsewhere for now",),
    "mind bad": ("there is no sign for now that the other side means to help",),
    "mind poor in love": ("the other person keeps a distance for now, so do not press",),
    "mind bad in love": ("the other person's heart is not in it for now",),
    "mind yet": ("{told}; still, it can take a good turn", "{told}, but that is not the last word"),
    # What to do
    "in its time": ("Not today, but once the time has come, {action}", "Wait for the time, and then {action}"),
    "lean well": (
        "More speaks for you than against you here; {end}",
        "On the whole the cast is on your side; {end}",
        "It looks better for you than not; {end}",
        "There is good ground for hope here; {end}",
    ),
    "lean later": (
        "It leans your way, but not yet; {end}",
        "Time is on your side here, and it will take some; {end}",
        "It looks better for you later than now; {end}",
    ),
    "lean ill": (
        "More stands in your way than helps you just now; {end}",
        "It does not look easy for you at present; {end}",
        "The signs ask you to go slowly here; {end}",
        "For now the cast leans the other way; {end}",
    ),
    "lean decision": (
        "what to do is for you and {who} to settle",
        "weigh it with {who} and then decide",
        "the next step is one to take with {who}",
    ),
    "lean outlook": (
        "for how things really stand, {who} knows best",
        "{who} sees more of it than a cast does",
        "ask {who} what that means in practice",
    ),
    "held outlook": (
        "Nobody should rest this on a cast; {who} can show you where you stand",
        "For this a cast is too little to go by, and {who} can tell you more",
    ),
    "held": (
        "This step is one to settle with {who}, and a cast can only add a word",
        "You and {who} know more of this than a cast does, so decide it together",
        "Take the question of whether to do it to {who}; a cast is one voice among several",
    ),
    "considered": (
        "Let {who} look at this step before you decide",
        "Before you take this step, go through it once with {who}",
    ),
    "which action": (
        "Before you choose, write down what each gives and what each costs",
        "Settle which point matters most to you, and see which of them meets it",
        "Go and look at both, and ask around, before you decide",
    ),
    "pass on": ("A word you might give your {party}: {action}", "For your {party}: {action}"),
    # The grounds
    "focus intro": (
        "For {noun} the line to look at is [{relation}], the [用神]",
        "[{relation}] stands for {meaning} and is the [用神] here",
        "The [用神] here is [{relation}], for {meaning}",
        "What stands for {meaning} is [{relation}], the [用神]",
    ),
    "grade": (
        "Taken together, {balance}, so the grade is {sign}",
        "Weighing it all, {balance}: the grade is {sign}",
        "On balance {balance}, and the grade is {sign}",
    ),
    "grade decided": (
        "One thing settles this cast: {reason}; so the grade is {sign}",
        "What decides here is that {reason}; the grade is {sign}",
        "The deciding point: {reason}; hence the grade is {sign}",
    ),
    "alone": (
        "the only line in motion is {actor}, and most of it turns there",
        "{actor} moves alone (<独发>), so the matter mostly begins there",
    ),
    "at rest": (
        "No line moves (<六爻安静>), so the [用神] has only month and day to help or harm it",
        "The six lines are all at rest (<六爻安静>)",
    ),
    "untouched": ("There are moving lines, but none reaches the [用神]", "What moves does not touch the [用神]"),
    "only itself": (
        "The [用神] is the one that moves, and nothing else acts on it",
        "Only the [用神] is in motion; no other line interferes",
    ),
    "not weighed": ("these are noted aside and change nothing", "a note only, outside the judgement"),
}

OUTLOOKS: Final[dict[str, tuple[str, ...]]] = {
    "best": (
        "it should get easier as you go",
        "nothing large stands in the way",
        "this is a strong time for it",
        "you can go about it with confidence",
    ),
    "good": (
        "there is more to like than to mind",
        "slower is steadier here",
        "after the first stretch it goes smoothly",
        "a little care with details will do",
    ),
    "later": (
        "the better part lies ahead",
        "slow first, quicker later",
        "in a while it will loosen",
        "it cannot be hurried, and need not be",
    ),
    "poor": (
        "steady first, then forward",
        "one step after another, without haste",
        "sort out the hard part, then go on",
        "keep more than you reach for",
    ),
    "bad": (
        "look after yourself first",
        "let this stretch pass and look again",
        "what you have is what matters now",
        "give yourself some time",
    ),
}
"""What may follow a verdict, by the state of the matter."""

OUTLOOKS_IN_ILLNESS: Final[dict[str, tuple[str, ...]]] = {
    "best": ("regular hours will keep it so", "an easy mind helps"),
    "good": ("gentle care will do", "steady habits will be repaid"),
    "later": ("give the body some time", "one day after another"),
    "poor": ("put rest first", "neither push through nor frighten yourself"),
    "bad": ("let a doctor have a look soon", "let those around help"),
}
"""The same in a question of health."""

VERDICTS: Final[dict[str, tuple[str, ...]]] = {
    "best": (
        "In matters of {noun}, most of it goes your way",
        "As to {noun}, you are well placed",
        "Where {noun} is concerned, the road is open",
        "For {noun}, the prospects are good",
    ),
    "good": (
        "In matters of {noun}, it leans your way, with a bump or two",
        "As to {noun}, there is more forward than back",
        "Where {noun} is concerned, there is hope, with some effort",
        "For {noun}, it is steady with something to gain",
    ),
    "poor": (
        "In matters of {noun}, it takes some effort",
        "As to {noun}, it is slow and not yet running",
        "Where {noun} is concerned, things are tight for now",
        "For {noun}, there is rather more in the way",
    ),
    "bad": (
        "In matters of {noun}, it is not running well for now",
        "As to {noun}, do not force it yet",
        "Where {noun} is concerned, the time is not on your side",
        "For {noun}, it is uphill at present",
    ),
}
"""Other verdicts of a grade, for any matter but those that say it in their own way."""

GENERAL_VERDICTS: Final[dict[str, tuple[str, ...]]] = {
    "best": (
        "Much works for you here, so you can go forward",
        "It stands on a good base and should run well",
        "The road is open for this",
    ),
    "good": (
        "It can be done, with a bend or two on the way",
        "It leans your way, with some patience",
        "There is hope for it, with some effort",
    ),
    "poor": (
        "There is rather more in the way, so keep it steady",
        "It is tight for now; ease off before you go on",
        "It is not running yet and takes some effort",
    ),
    "bad": (
        "It is not running well for now, so hold what you have",
        "The time is not on your side here; do not force it",
        "It is uphill at present; let it rest a while",
    ),
}
"""The same where no matter is named."""
