"""Other ways to say sentences of the catalogues, in English, by the sentence's key.

Each says what the sentence of the key says and has the same fields.
"""

from typing import Final

WAYS: Final[dict[str, tuple[str, ...]]] = {
    "can best": ("yes, that should work", "yes, very probably"),
    "can good": ("probably yes, though not without some effort", "yes, more likely than not"),
    "can later": ("yes, though it will take longer than you would like",),
    "can poor": ("rather not, as things stand", "probably not, so do not count on it"),
    "can bad": ("no, it does not look like it", "most likely not this time"),
    "will best": ("yes, very probably", "yes, by all the signs"),
    "will good": ("yes, more likely than not", "on the whole yes"),
    "will later": ("yes, only later than you would like",),
    "will poor": ("probably not for now", "probably not, so do not count on it"),
    "will bad": ("most likely not", "no, it does not look like it"),
    "is best": ("yes, very probably",),
    "is good": ("yes, more likely than not",),
    "is later": ("not yet, but it is getting there",),
    "is poor": ("rather not",),
    "is bad": ("probably not",),
    "should best": ("yes, I would", "yes, this is a good moment for it"),
    "should good": ("yes, with a little care", "more speaks for it than against it"),
    "should later": ("yes, only wait for a better moment",),
    "should poor": ("better not yet", "more speaks against it than for it just now"),
    "should bad": ("no, not as things stand", "better not"),
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
        "probably not yet, so talk it over with the doctors",
        "probably not for now, so take good care of each day",
    ),
    "can bad in illness": (
        "probably not yet, so talk it over with the doctors",
        "probably not for now, so take good care of each day",
    ),
    # What is not wished for
    "harm best": ("no, so you can rest easy", "no, there is no sign of it"),
    "harm good": ("probably not", "on the whole no"),
    "harm later": ("no, though it will weigh on you a little longer",),
    "harm poor": ("possibly yes, so be prepared",),
    "harm bad": ("probably yes, so take it seriously",),
    "harm is best": ("no, there is no sign of it",),
    "harm is good": ("on the whole no",),
    "harm is later": ("no, though it will weigh on you a little longer",),
    "harm is poor": ("possibly yes, so be prepared",),
    "harm is bad": ("probably yes, so take it seriously",),
    "harm has best": ("no, there is no sign of it",),
    "harm has good": ("on the whole no",),
    "harm has later": ("no, though it will weigh on you a little longer",),
    "harm has poor": ("possibly yes, so be prepared",),
    "harm has bad": ("probably yes, so take it seriously",),
    # Where no yes or no may be said
    "open best": ("if you hope for it, clearly yes, and if you fear it, clearly no",),
    "open good": ("if you hope for it, rather yes, and if you fear it, rather no",),
    "open later": ("if you hope for it, yes in time, and if you fear it, no",),
    "open poor": ("if you hope for it, rather no, and if you fear it, rather yes",),
    "open bad": ("if you hope for it, clearly no, and if you fear it, clearly yes",),
    "feared good": ("what you fear is unlikely; there is more here to calm you than to worry you",),
    "feared later": ("what you fear is unlikely, and the worry will pass, if not at once",),
    "feared poor": ("what you fear is possible, and it is better to prepare",),
    "feared bad": ("what you fear is quite likely; there is good ground for your worry",),
    "hoped best": ("what you hope for is very likely",),
    "hoped good": ("what you hope for is likely: there is more for it than against it",),
    "hoped later": ("what you hope for is likely, only it needs time",),
    "hoped poor": ("rather not for now: there is more against your hope than for it",),
    "hoped bad": ("probably not: there is little ground for your hope at present",),
    # Letting go
    "leave best": ("there is no need to give this up",),
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
    "when open": ("look to {date}",),
    "when harm": (
        "nothing shows it coming; be a little careful around {date}",
        "it will most likely not come; stay steady around {date}",
    ),
    "when harm likely": (
        "if it comes, then most likely around {date}, so prepare before",
        "be most careful around {date}",
    ),
    "time later": ("the likely time is {date}", "It takes until about {date}"),
    "time later harm": ("After {date} your mind will be easier", "It should be quiet after {date}"),
    "time": ("It is likeliest on or around {date}", "The time to expect it is {date}"),
    "time beyond": (
        "Nothing falls within {words}; the next time is {date}",
        "The time does not fall within {words}, but around {date}",
    ),
    "later than asked": (
        "it can come about, but somewhat after the time you ask about",
        "there is hope, but not within the time you ask about",
    ),
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
    "unnamed well": ("On the whole the cast is kind to you at present; but it cannot tell of what you do not name",),
    "unnamed ill": (
        "On the whole more is against you than for you just now; but the cast cannot tell of what you do not name",
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
    "wish best": ("yes, very probably",),
    "wish good": ("more likely than not, yes",),
    "wish later": ("it is getting there, but not yet",),
    "wish poor": ("rather not",),
    "wish bad": ("probably not",),
    "will later today": ("yes, only not first thing",),
}

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
