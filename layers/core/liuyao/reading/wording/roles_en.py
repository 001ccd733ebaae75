"""The sentences of a reading's first two paragraphs by what they are for, in English.

Keys and fields are those of `roles_zh`.
"""

from typing import Final

ROLES: Final[dict[str, tuple[str, ...]]] = {
    # Whom or what the line is of
    # The answer as a statement in the asker's words
    "surely": ("most likely", "very likely", "probably"),
    "course best": ("very well", "well"),
    "course good": ("well on the whole", "well, with a hitch or two"),
    "course later": ("well in the end, after a slow start",),
    "course poor": ("less smoothly than you would like", "with some difficulty"),
    "course bad": ("with difficulty, as things stand", "badly, as things stand"),
    "echo hope best": (
        "yes: {yes}",
        "yes, {you}",
        "yes, the signs are good: {yes}",
        "yes, it looks well, and {you}",
        "yes, things are in order for it, and {you}",
    ),
    "echo hope good": (
        "on the whole yes: {yes}",
        "yes, {you}, with a hitch or two on the way",
        "yes, {you}, if not quite as smoothly as you wish",
        "probably yes: {yes}",
        "yes, {you}, though it takes some effort",
    ),
    "echo hope later": (
        "yes, but not at once: {yes} later on",
        "yes, given time: {you}",
        "yes, {you}, only later than you would like",
        "not yet, but {you}",
    ),
    "echo hope poor": (
        "rather not for now: {no}",
        "probably not: as things stand, {no}",
        "probably not: {no}",
        "rather not, as more speaks against it than for it: {no}",
        "probably not, so do not count on it: {no}",
    ),
    "echo hope bad": (
        "no: {no}",
        "no, {no}",
        "most likely not: {no}",
        "no, the signs are against it: {no}",
    ),
    "echo harm best": ("no: {no}", "no, {no}", "no, you can rest easy: {no}", "no, there is no sign of it: {no}"),
    "echo harm good": (
        "on the whole no: {no}",
        "probably not: {no}",
        "no, not if you take some care: {no}",
        "rather not: {no}",
    ),
    # Of the weather: whether it comes, not whether that is good
    "echo weather best": ("yes, {you}", "the signs are clear: {yes}", "yes: {yes}"),
    "echo weather later": ("yes, but not at once: {yes} later on", "yes, {you}, only later"),
    "echo weather poor": ("probably not: {no}", "rather not: {no}", "as things stand, {no}"),
    "echo weather bad": ("no: {no}", "no, {no}", "there is no sign of it: {no}"),
    "unnamed": (
        "Say in a sentence what you have in mind and whom it concerns, and ask about that",
        "Put into words what it is that you would do, and ask again about that",
        "Name what this is about first; then the answer can be about it",
    ),
    "echo should best": (
        "yes, you can {deed}",
        "yes: it is a good time to {deed}",
        "go ahead and {deed}",
        "yes, it makes sense to {deed}",
        "the conditions are good, so {deed}",
    ),
    "echo should good": (
        "yes, you can {deed}, one step at a time",
        "on the whole yes: {deed}, but do it with care",
        "yes, it is worth trying to {deed}",
        "more speaks for it than against it, so you can {deed}",
    ),
    "echo should poor": (
        "better not {deed} for now",
        "not now: it is better not to {deed} just yet",
        "more speaks against it than for it, so do not {deed} yet",
        "wait a little before you {deed}",
        "for the moment I would not {deed}",
    ),
    "echo should bad": (
        "no, do not {deed} now",
        "better leave it: do not {deed} for now",
        "the signs are against it, so do not {deed} now",
        "no: this is not the time to {deed}",
    ),
    # Why
    "because well but": (
        "{main}, though {but}",
        "{main}. One thing to watch: {but}",
        "it is true that {but}, but {main}",
    ),
    "because well": ("{main}", "{main}"),
    "because ill but": (
        "{main}, though {but}",
        "it is true that {but}, but {main}",
        "{but}; the trouble is that {main}",
    ),
    "because ill": ("{main}", "the trouble is that {main}"),
    "which ill": (
        "neither is easy at present, so this is only by comparison",
        "that said, either will take some effort now",
        "there is little in favour of either, so you need not choose in haste",
    ),
    "which well": (
        "the gap is not wide, so let your own liking count",
        "both can be made to work, so let your own liking count as well",
    ),
    "kind money poor": (
        "Nobody likes to lose out, and checking twice is no shame",
        "It is only human to be impatient with a thing like this",
        "Hold on to what you can, and you will feel steadier",
        "No progress yet does not mean wasted effort",
        "Being careful is not being timid",
        "Money and paperwork wear anyone out; look again after a night's sleep",
    ),
    "spectator": (
        "Watch it with friends, and win or lose there will be something to talk about",
        "Take it as a good show, and put no money on it",
        "Decide beforehand how late you will stay up for it",
        "Cheer as you like, and do not take a defeat to heart",
        "Keep your eye on the players you enjoy, and let the score be",
    ),
    "prepare": (
        "Before you go, write the story on one page by date, and take the papers along",
        "Write down the three things you most need to know, and ask them one by one",
        "Put your documents in order by date, and you will answer more calmly",
        "Make an appointment for this week, and ask what you should bring",
        "Ask two people, and see where their answers differ",
    ),
    "prepare for a doctor": (
        "Put recent changes, medicines and questions on one page for the appointment",
        "Sort the test results by date, and write down the three questions that matter most",
        "Have someone from the family come along, so that one listens and one takes notes",
        "Ask the doctor for a time to talk, and go through your worries one by one",
    ),
    "lost outside": (
        "Ring the lost-property office of the line, the shop or the place, and describe it exactly",
        "Fill in the lost-property form today, with place, time and what makes it yours",
        "Go back to the counter or the last stop, and ask who hands things in there",
    ),
    "lost outside as well": (
        "Things handed in often turn up only after two or three days, so ask again",
        "Ask your bank or whoever issued it to block what could be misused",
        "Leave your number with the staff of the place",
    ),
    "kind support good": (
        "That you stand behind them is a help in itself",
        "Your calm will do more for them than one more reminder",
        "They can feel that somebody believes in them",
    ),
    "kind support later": ("Waiting with someone is a kind of help", "Your patience gives them room"),
    "kind support poor": (
        "You worry because you care; let them feel that more than the worry",
        "One result says little about them, or about you",
        "A warm meal and an open ear help more than good advice now",
    ),
    "kind grave": (
        "This is a lot to carry, and you do not have to carry it alone",
        "It makes sense that this weighs on you",
        "Asking is already a careful step, so be kind to yourself as well",
        "Whatever comes of it, let somebody close to you know",
        "Take it one day at a time, and rest when you can",
    ),
    "kind hope poor": (
        "After waiting so long, be gentle with yourselves",
        "It is nobody's fault, and not for want of trying",
        "Lean on each other; that matters most",
        "Let the days be a little lighter, and the body will follow",
    ),
    "kind hope later": (
        "After waiting so long, be gentle with yourselves",
        "Late is not never",
        "Lean on each other; that matters most",
    ),
    # How sure
    "sure clear": (
        "the signs agree with each other, but they show a leaning and not a promise",
        "this is about as plain as a cast gets, and still no guarantee",
        "the signs point one way; what you do still counts",
        "take it as a fairly clear sign, not as settled",
        "few casts are this much of one mind, though life still has its say",
        "the cast speaks plainly; how you use it is up to you",
        "everything points the same way, and only time can confirm it",
        "it could hardly be clearer, and it is still only a cast",
    ),
    "sure leaning": (
        "that is a leaning, not a certainty",
        "the cast leans this way without settling it",
        "I would not stake everything on it, but that is how it leans",
        "not every sign agrees, so leave some room for change",
        "the direction shows; the details may still change",
        "there is a leaning here, and there are loose ends too",
        "it has good grounds, but not all of them",
        "more likely than not is as far as I would go",
    ),
    "sure close": (
        "honestly, it is close: the signs are nearly even",
        "it hangs in the balance, and a small change could tip it",
        "the two sides weigh almost the same, so hold this answer lightly",
        "this is a narrow call, so take it as one view",
        "a little more on the other side and the answer would change",
        "it is nearly a draw, which makes your own part count all the more",
        "the cast gives no ringing answer here, so do not lean on it alone",
        "call it slightly better than a coin toss",
    ),
    "sure mixed": (
        "it is not clear-cut, though, so hold this lightly",
        "other signs point the other way, so take it with a pinch of salt",
    ),
    # Meeting the asker
    "kind work poor": (
        "A hard stretch does not mean that you did badly",
        "Going slowly is not losing; it keeps your choices open",
        "It takes some sense to stop and ask before pushing on",
        "You do not have to carry all of this at once",
        "Stopping for a while is not giving up",
        "You have done what you could; a pause is allowed",
        "When it is hard, mind your meals and your sleep first",
    ),
    "kind study poor": (
        "One result says little about how hard you worked",
        "When it feels hard, you are usually learning",
        "Please do not measure yourself by one result",
        "One bad day does not undo the work",
        "Take a breath, then turn the page",
        "Marks go up and down, and you are still you",
    ),
    "kind study good": (
        "The work you have put in is not wasted",
        "You are doing the right things; keep at them",
        "Keep your mind steady, and your hand will be",
        "You are better prepared than you think",
    ),
    "kind love poor": (
        "It hurts, and you need not pretend otherwise",
        "This does not mean that there is something wrong with you",
        "Caring for someone is no mistake; look after yourself too",
        "I am sorry; I know this is not what you hoped to hear",
        "If it hurts, it is all right to cry",
        "You deserve to be treated well",
        "Do not blame yourself, and do not blame them just yet",
        "It was not for nothing that you cared",
        "Night thoughts weigh more than they should; look again by day",
    ),
    "kind love good": (
        "It is a fine thing to care so much",
        "There is no need to be nervous; be as you always are",
        "What is meant sincerely can be said slowly",
        "Treasure this, and do not sell yourself short",
    ),
    "kind love later": (
        "Waiting is hard, so fill your own days meanwhile",
        "You need not guess every day; time will tell",
        "Have something to hope for, and live your days all the same",
        "What comes slowly often stays",
    ),
    "kind care poor": (
        "You worry because you care; let yourself rest too",
        "Whoever looks after others has to eat and sleep as well",
        "These are hard days, so let people help you",
        "It is natural to be afraid; say so to someone close",
        "Get through today first; tomorrow can wait",
    ),
    "kind care good": ("That you care so much is a help in itself", "Those around you can see how much you care"),
    "kind care later": (
        "Getting better takes time; take it day by day",
        "Slow is all right, and mind your own strength",
    ),
    "kind lost poor": ("Anybody would be annoyed, so do not blame yourself", "It happens to the most careful people"),
    "kind lost good": ("Do not panic, and look slowly", "Sit down for a minute first, then look"),
    "kind return poor": (
        "Waiting wears one out, so look after yourself",
        "It is not that you did not wait well enough",
    ),
    "kind return later": ("Waiting is hard; find something to keep your hands busy", "Late does not mean never"),
    # A fear that the question names
    "fear nerves": (
        "Nerves are normal: be there twenty minutes early, and breathe out slowly three times",
        "You mention nerves: go through the whole of it once as if it were real, and it will feel familiar",
        "Let yourself pause for two seconds when nerves come, and rehearse once with a friend today",
        "Picture the moment you dread, and write down the first small thing you will do in it",
    ),
    "fear refusal": (
        "You fear a no: decide now what you will answer to it, and it loses its sting",
        "If you fear a no, ask for something smaller first that is easy to grant",
    ),
    "fear money": (
        "You worry about money: write down tonight what you have and the most you could lose, and stop there",
        "Money worries grow in the dark, so list what comes in and goes out each month and look at the gap",
    ),
    "fear regret": (
        "You fear choosing wrongly: write three lines on each outcome, and see which regret you could live with",
        "If you fear regret, take the step that can be undone before the one that cannot",
    ),
    "fear time": (
        "You fear running out of time: do the longest step today and put the rest behind it",
        "If time is the worry, count backwards from the last day and see when you must begin",
    ),
    "fear family": (
        "You worry about your family: tell the easiest of them first, and let that person help",
        "If you fear disappointing them, say first in three sentences how you mean to take care of it",
    ),
    "fear alone": (
        "You fear being alone with it: have a meal with someone you trust this week and say it aloud",
        "It is heaviest when nobody knows, so tell one person today",
    ),
    "fear failing": (
        "You fear it may fail: write down two things you would do then, and your hand will be steadier",
        "If you fear failing, cut it down to the smallest step and do only that one today",
    ),
    "fear other": (
        "Write down what you fear, and beside it one small thing in your power, and do that today",
        "A worry gets lighter when it is spoken, so tell somebody today",
    ),
    # Before the plate
    "details": (
        "The cast and the reasoning follow, for those who want them",
        "How this was worked out is below; you can skip it",
        "Below are the cast and the grounds, if you care for the details",
    ),
}
