"""What a reading answers first, by the form of the question and the state of the matter, in English.

Sentences without their stop. States: `best`, `good`, `later` (delayed), `poor`, `bad`. `{who}` is the person asked
about, `{date}` a date, `{kind}` a kind of person (`KINDS`).
"""

from typing import Final

REPLIES: Final[dict[str, tuple[str, ...]]] = {
    # How something will go
    "course best": ("It should go well", "It looks good from start to finish", "All in all it should go well"),
    "course good": (
        "It should go reasonably well, with a hitch or two",
        "On the whole it should go well, if not perfectly",
        "It is likely to turn out all right in the end",
    ),
    "course later": (
        "It should go well, but after a slow start",
        "It comes right in the end, only later than you would like",
    ),
    "course poor": (
        "It is likely to be harder than you would like",
        "Expect it to go rather unevenly",
        "It will probably be a bit of an uphill stretch",
    ),
    "course bad": (
        "It does not look good as things stand",
        "It will probably not go the way you hope",
        "This looks like a difficult stretch",
    ),
    # How somebody or something is
    "state best": ("Things are going well", "All is well at the moment"),
    "state good": ("Things are all right on the whole", "It is going reasonably well, with some ups and downs"),
    "state later": (
        "It is slow going for now, but getting better",
        "Things are a little flat at the moment and will pick up",
    ),
    "state poor": ("Things are not easy at the moment", "It is a rather strained time"),
    "state bad": ("Things are difficult at the moment", "It is a hard stretch just now"),
    "state of best": ("{who} is doing well", "All is well with {who}"),
    "state of good": (
        "{who} is doing all right on the whole",
        "{who} is managing well enough, with some ups and downs",
    ),
    "state of later": ("{who} is still finding their feet, but it is getting better",),
    "state of poor": ("{who} is not having an easy time of it", "{who} is under some strain at the moment"),
    "state of bad": ("{who} is having a hard time just now", "This is a difficult stretch for {who}"),
    # How something went
    "result best": ("It very likely went well", "It went well, probably better than you think"),
    "result good": ("It probably went well, apart from a detail or two", "It went well enough, by the look of it"),
    "result later": ("It went well enough, though you may have to wait to hear so",),
    "result poor": ("It probably did not go quite as well as you hoped", "It looks a little short of what you wanted"),
    "result bad": ("It probably did not go well", "I would not count on a good result this time"),
    # Whether to rely on somebody or something, in terms of the asker's good
    "trust best": ("You can rely on this", "This looks sound and above board"),
    "trust good": (
        "On the whole you can rely on this, with the usual checks",
        "This looks sound, if not perfect in every detail",
    ),
    "trust later": ("It looks sound, but give it time to show before you rely on it",),
    "trust poor": ("I would be careful here", "I would not rely on this without checking it first"),
    "trust bad": ("I would not rely on this", "There is reason for caution here: better not to build on it"),
    # When
    "when best best": ("{date} is a good time", "The best time for it is {date}"),
    "when best good": ("A good time for it is {date}", "{date} suits it well"),
    "when best later": ("Not straight away: {date} is a better time", "Wait a little: the good time for it is {date}"),
    "when best poor": ("There is no really good time just now; the least bad is {date}",),
    "when best bad": ("Now is a poor time for it; look again {date}",),
    # How much, how many, how likely
    "amount best": ("A cast gives no figure, but it looks large: reckon with the upper end of what you had in mind",),
    "amount good": ("A cast gives no figure, but it looks like a fair amount, above the middle of your range",),
    "amount later": ("A cast gives no figure: rather little if it is settled now, and more if you wait",),
    "amount poor": ("A cast gives no figure, but it looks rather small: nearer the lower end of what you had in mind",),
    "amount bad": ("A cast gives no figure, but it looks small: reckon with the lowest you had in mind, or less",),
    "count best": ("A cast gives no number, but expect it to be more rather than fewer than you reckon with",),
    "count good": ("A cast gives no number, but it should be about as many as you hope for, give or take a few",),
    "count later": ("A cast gives no number: few at first, and more later on",),
    "count poor": ("A cast gives no number, but expect rather fewer than you hope for",),
    "count bad": ("A cast gives no number, but expect few",),
    "chance best": ("A cast gives no percentage, but the chances are very good",),
    "chance good": ("A cast gives no percentage, but the chances are better than even",),
    "chance later": ("A cast gives no percentage: the chances are slim right now and better later",),
    "chance poor": ("A cast gives no percentage, but the chances are somewhat below even",),
    "chance bad": ("A cast gives no percentage, but the chances are small",),
    # Which of several that are not named
    "which unnamed best": ("One cast cannot single one out of several, but you would do well with this choice",),
    "which unnamed good": ("One cast cannot single one out of several, but there is a decent one among them",),
    "which unnamed later": ("One cast cannot single one out of several, but it does say not to choose in a hurry",),
    "which unnamed poor": ("One cast cannot single one out of several, and none of them seems to stand out yet",),
    "which unnamed bad": (
        "One cast cannot single one out of several, and none of them looks quite right as things are",
    ),
    # Who
    "who did": ("A cast names no one; what it points to is {kind}, by nature {trait}",),
    "who helps": ("A cast names no one, but the kind of person to turn to is {kind}",),
    "who kind": ("A cast names no one; the kind of person it points to is {kind}, by nature {trait}",),
    # Why
    "why": (
        "The likeliest cause is that {cause}",
        "What seems to be behind it is that {cause}",
        "Most of all, {cause}",
    ),
    # After what to do or to mind: how it stands
    "outlook best": ("There is every chance that this comes right", "This can be put right without much trouble"),
    "outlook good": ("It can come right, step by step", "There is a fair chance that it works out"),
    "outlook later": ("It can come right, but give it time", "It will take a while, so do not judge it too early"),
    "outlook poor": (
        "It will not change quickly, so go for small steps",
        "Do not expect too much at once; it is hard going for now",
    ),
    "outlook bad": (
        "As things stand you will hardly change it, so look after yourself first",
        "It is stuck for now, so have another way ready",
    ),
    "objection best": ("Not at all: I would go ahead",),
    "objection good": ("No, not if you take it one step at a time", "On the whole no: there is nothing wrong with it"),
    "objection later": ("No, but I would wait a little first",),
    "objection poor": ("A little, yes: I would hold off for now", "It is not the best moment for it"),
    "objection bad": ("I would not do it as things are", "As things stand, yes: I would leave it"),
    "when far": ("It will take a good while yet: the cast points as far ahead as {date}",),
    "when far in illness": (
        "It may take its time: the cast points as far ahead as {date}, so ask a doctor rather than wait for that",
    ),
    "cost best": ("A cast gives no figure, but expect less than you fear",),
    "cost good": ("A cast gives no figure, but it should stay within what you reckon with",),
    "cost later": ("A cast gives no figure: it may look high at first and come down",),
    "cost poor": ("A cast gives no figure, but reckon with rather more than you have planned",),
    "cost bad": ("A cast gives no figure, but it is likely to be dear",),
    "worry best": ("No, there is no need to worry", "No, it is nothing serious, by the look of it"),
    "worry good": ("Not really; a little attention is enough", "Probably not"),
    "worry later": ("Not really, though it may be a while before you can be sure",),
    "worry poor": ("A little, yes: it is better looked into", "It is worth looking into"),
    "worry bad": ("Yes, I would take it seriously and have it looked into",),
    "tell well": ("It should be taken well enough", "You will probably be relieved afterwards, and so may they"),
    "tell ill": (
        "It may not be taken well at first, so stay calm and do not argue",
        "Expect some displeasure, and let it pass",
    ),
}

KINDS: Final[dict[str, str]] = {
    "父母": "someone older, or with an official position",
    "兄弟": "someone of your own standing: a colleague, a neighbour, a friend",
    "子孙": "someone younger, who means no harm and does not think much about it",
    "妻财": "someone to whom it is a matter of money or convenience",
    "官鬼": "someone with a say over you, or who keeps out of sight",
}
HELPERS: Final[dict[str, str]] = {
    "父母": "someone older and more experienced, such as a teacher or a relative",
    "兄弟": "a friend or colleague who is in the same position",
    "子孙": "someone younger, or someone who simply knows how it is done",
    "妻财": "someone who can help in practical ways, with money or with their hands",
    "官鬼": "someone with authority, who is in a position to decide",
}
"""The kinds of people whom the acting line stands for."""

CAUSES: Final[dict[str, tuple[str, ...]]] = {
    "other warm": (
        "they mean no ill: they have too much on their plate and put this off",
        "they mean well, but do not see how much it matters to you",
    ),
    "other alike": (
        "each of you is waiting for the other to make the first move",
        "you are both as stubborn as each other",
    ),
    "other cold": (
        "they see the matter quite differently and would rather avoid it",
        "the two of you want different things from this",
    ),
    "other pressing": (
        "they want to do it their own way and do not like to be told",
        "they feel that it is up to them and not to anyone else",
    ),
    "other given": (
        "they have got used to your making all the effort",
        "you give so much that they need not do anything",
    ),
    "other wary": ("they feel pressed and keep their distance", "they are afraid of what you may ask of them"),
    "other unsettled": ("they have not made up their own mind yet", "they do not know what to say, and so say nothing"),
    "time": ("too much is going on at once at the moment", "this is a strained stretch, and it will pass"),
    "self": ("you have been carrying too much and are short of strength", "you are in two minds about it yourself"),
    "people": ("other people pull in a different direction", "somebody else's interests get in the way"),
    "course": ("something that was started has never been settled", "one part of it has never been put on firm ground"),
    "wealth time": ("this is a stretch in which more goes out than comes in", "the season is against it"),
    "wealth self": ("there is no clear limit to what you put into it", "it is run more on feeling than on figures"),
    "wealth people": ("too many people have a hand in it", "others are after the same money"),
    "wealth course": (
        "there is a leak in it that has never been closed",
        "it starts well each time and is not carried through",
    ),
    "thing time": ("something in its day has changed",),
    "thing self": ("it picks up your own unrest",),
    "thing people": ("somebody or something nearby unsettles it",),
    "thing course": ("a habit has set in that nobody has broken so far",),
    "made time": ("the conditions are not right: too cold, too dry or too hurried",),
    "made self": ("one step is being rushed",),
    "made people": ("something that goes into it is not as it should be",),
    "made course": ("one step in the middle is left out or only half done",),
    "near warm": ("they have a lot on their mind, and it is not about you",),
    "near alike": ("each of you is waiting for the other to make the first move",),
    "near cold": ("they want something else just now than you do",),
    "near pressing": ("they want to decide for themselves and do not like to be told",),
    "near given": ("they have got used to your doing everything",),
    "near wary": ("they feel under pressure, and draw back from it",),
    "near unsettled": ("they do not quite know themselves what they want",),
}
"""Why something is so: by how another stands to the asker, else by what acts."""

MINDS: Final[dict[str, tuple[str, ...]]] = {
    "other warm": ("they are better disposed to you than it may seem", "there is goodwill on their side"),
    "other alike": ("the two of you are as set on having your way as each other",),
    "other cold": ("at the moment the two of you see this quite differently",),
    "other pressing": ("they are the stronger one here and know it",),
    "other given": ("at the moment most of the effort comes from you",),
    "other wary": ("they feel a little under pressure from you",),
    "other unsettled": ("they have not made up their mind yet",),
}
"""How another stands to the asker, as the reason of a piece of advice."""
