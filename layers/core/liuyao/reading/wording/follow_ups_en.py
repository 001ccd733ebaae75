"""Sentences of answers to follow-ups, in English, beside those of `answers_en`."""

from typing import Final

FOLLOW_UPS: Final = {
    "instead eases": "what a change would have to ease: {reasons}",
    "instead itself": "Whether the new plan itself comes off is asked by itself, with a cast of its own",
    "somebody else": "that person",
    "person feeds": "{whom} can be a help in this",
    "person same": "{whom} pulls the same way as you in this",
    "person overcomes": "{whom} is more likely to get in the way of this",
    "person drained": "{whom} would take more out of this than come in with",
    "person overcome": "{whom} has little weight in this",
    "person weak": "{whom} is not free to do much at present",
    "person ground": "{whom} is read from {line}, and what you ask about from {focus}",
    "likely best": "it is quite likely to go well for you",
    "likely good": "it is more likely than not to go well for you, though not by a wide margin",
    "likely later": "it is likely to go well for you, but not soon",
    "likely poor": "it is less likely than not to go well for you, though the chance is not gone",
    "likely bad": "it is unlikely to go well for you this time",
    "likely figure": "a cast gives no percentage; it weighs what helps against what harms",
    "line roles": (
        "you are read from the [世爻], {world}; the other side from the [应爻], {response}; and what you ask about "
        "from the [用神], {focus}"
    ),
    "line roles self": (
        "you and what you ask about are read from one line, the [世爻], {world}; the other side from "
        "the [应爻], {response}"
    ),
    "line roles other": (
        "you are read from the [世爻], {world}; the other side and what you ask about from one line, "
        "the [应爻], {response}"
    ),
    "line named": "{what} is read from {lines}",
    "line placed": "that line is {line}",
    "line placed self": "that line, {line}, is the one you are read from",
    "line placed other": "that line, {line}, is the one the other side is read from",
    "line placed focus": "that line, {line}, is the one that what you ask about is read from",
    "line decides": "the matter turns most on {line}",
    "who against": "A cast names no one; {told}",
    "who against other": "what resistance there is comes from the other side",
    "who against nobody": "no line of this cast stands against you",
    "taken": "a line that stands for a thief stirs in this cast, so it may have been taken",
    "taken not": "no line that stands for a thief stirs in this cast, so it is more likely mislaid than taken",
    # Where it turns to somebody or something else
    "as for": "As for {whom}: {told}",
    "matter of": "{whom} and {noun}",
    "turned ground": "this is read from {line} of the same cast; a cast of its own says more",
    # Yes, no or mixed
    "confirm withheld": "neither yes nor no: {told}",
    "confirm good best": "yes: {told}",
    "confirm good good": "on the whole yes: {told}",
    "confirm good later": "yes, only not at once: {told}",
    "confirm good poor": "not quite: {told}",
    "confirm good bad": "no, I am afraid: {told}",
    "confirm ill best": "no, on the contrary: {told}",
    "confirm ill good": "no, it leans the other way: {told}",
    "confirm ill later": "no, it only takes longer: {told}",
    "confirm ill poor": "it leans that way for now: {told}",
    "confirm ill bad": "yes, I am afraid so: {told}",
    "either hope best": "yes: {told}",
    "either hope good": "mostly yes: {told}",
    "either hope later": "yes, only not at once: {told}",
    "either hope poor": "more no than yes: {told}",
    "either hope bad": "no: {told}",
    "either harm best": "no: {told}",
    "either harm good": "most likely no: {told}",
    "either harm later": "no, though it takes a while to be sure: {told}",
    "either harm poor": "more yes than no: {told}",
    "either harm bad": "yes, I am afraid: {told}",
    "either best": "good, as far as the cast goes: {told}",
    "either good": "mixed, with more good than ill: {told}",
    "either later": "good in the end, only not soon: {told}",
    "either poor": "mixed, with more ill than good: {told}",
    "either bad": "not good: {told}",
    "also for": "It also counts for it that {reason}",
    "also against": "It also counts against it that {reason}",
    # Doubts
    "doubt fact": "“{fact}”: what you know at first hand counts for more than a cast, so go by that",
    "doubt no proof": "you may well doubt it: a cast is no proof",
    "doubt adviser": "For something like this, go by {who}",
    "doubt clear": "read again, the cast still says “{said}”; its signs agree, but that is no proof",
    "doubt leaning": "you may well doubt it: read again, the cast says “{said}”, but only as a leaning",
    "doubt close": "your doubt has a point: the cast says “{said}”, but it was a close call",
    "doubt mixed": "your doubt has a point: the cast says “{said}” by one rule, while most signs point the other way",
    "doubt clear unquoted": "I read it again, and it comes out the same; its signs agree, but that is no proof",
    "doubt leaning unquoted": "you may well doubt it: read again, it comes out the same, but only as a leaning",
    "doubt close unquoted": "your doubt has a point: it was a close call",
    "doubt mixed unquoted": "your doubt has a point: one rule decided it, while most signs point the other way",
    "doubt because": "It rests on this: {reason}",
    "doubt because nothing": "It rests on the sum of small signs",
    "doubt against": "On the other side: {reason}",
    "doubt against nothing": "Nothing in the cast speaks for the other side",
    # Who somebody is
    "who no name": "a cast names no one",
    "who sex": "a cast gives no name; by the old rules it is {sex}",
    "who place": "a cast gives no name; by the old rules it is {place}",
    "who kind": "As a kind of person: {kind}",
    "who unnamed": (
        "a cast names no one, so it cannot say whether it is {whom}; the kind of person it shows is {kind}"
    ),
    "who warned": "That is a kind and no proof, so do not accuse anyone on the strength of it",
    "who is close": "somebody close to you: at home, next door or in your own team",
    "who is far": "somebody not from your closest circle",
    "who held": "Leave that to {who}",
    "who is": "a cast gives no name, but a kind of person: {kind}",
    "who is none": "no one stands out in this cast; if there is somebody after all, look to {kind}",
    "who met": "a cast gives no name, but a manner: somebody {manner}",
    "who both": "{sex}, {place}",
    "who also": "By the old rules it is {told}",
    "who manner": "The manner is that of somebody {manner}",
    "who man": "a man rather than a woman",
    "who woman": "a woman rather than a man",
    "who met near": "The line lies in the lower half, so you may well meet through people you already know",
    "who met far": "The line lies in the upper half, so it is more likely somebody from outside your circle",
    "who ground": "the person is read from {line}",
    "spirit 龙": "kind and well-mannered, who likes things pleasant",
    "spirit 雀": "quick with words, who likes to talk",
    "spirit 勾": "steady and slow to change, who sticks to things",
    "spirit 蛇": "restless, who often thinks twice and says half",
    "spirit 虎": "direct and strong-willed, who is quick to act",
    "spirit 玄": "quiet and hard to read, who keeps things to themselves",
    # Another way, and comparisons
    "plan named": "“{plan}”",
    "plan unnamed": "the other way",
    "plan second": "{plan} has more going for it than what you asked about, so it is worth trying",
    "plan first": "{plan} has less going for it than what you asked about, so I would not change for that",
    "plan first ill": (
        "{plan} does not make it better by this cast; the way you asked about is still the stronger one"
    ),
    "plan even": "{plan} makes little difference: the cast weighs both ways about the same",
    "other first": "what you asked about has more going for it than “{other}”",
    "other second": "“{other}” has more going for it than what you asked about",
    "other even": "there is little between what you asked about and “{other}”; take the more convenient",
    "months better": "{first} is better than {second} for this",
    "months even": "there is little between {first} and {second} for this; take the more convenient",
    # What somebody else thinks of the asker
    "third warm": "{whom} is well disposed to you and glad to help",
    "third against": "{whom} has reservations about you and may well press you or find fault",
    "third fed": "{whom} does not mind you, but expects you to make the effort",
    "third yields": "{whom} will not stand in your way, but is not close to you either",
    "third alike": "{whom} treats you as an equal, as one of the same side",
    "third open": "that is not settled yet and may change as you get to know each other",
    "third ground": "{whom} is read from {line}, and you from the [世爻], {world}",
    # How strong a line is
    "strength high": "{line} is strong in this cast",
    "strength low": "{line} is on the weak side in this cast",
    "season 旺": "it is of {element}, which is in season in the {month}",
    "season 相": "it is of {element}, which the {month} feeds",
    "season 休": "it is of {element}, whose season is just past in the {month}",
    "season 囚": "it is of {element}, which has no strength in the {month}",
    "season 死": "it is of {element}, which the {month} overcomes",
    "season day for": "the {day} bears it up",
    "season day against": "the {day} weighs on it",
    "strength of focus": (
        "It is the very line that what you ask about is read from, so it bears on the answer directly"
    ),
    "strength of self": "It stands for you, and tells how much strength there is on your side",
    "strength of other": "It stands for the other side, and tells how much strength there is there",
    "strength of aside": (
        "It is not the line that what you ask about is read from, so its strength alone decides nothing"
    ),
    "strength whole": "The answer goes by the whole cast: {told}",
    "line hinders": "what holds it up most is {line}: {reason}",
    "line helps": "what helps most is {line}: {reason}",
    "line hinders none": "no line holds it up",
    "line helps none": "no line helps it along",
    # Not what was asked, too vague, a sum
    "not asked": "I am sorry, I may have taken you wrongly: I read it as a question about {noun}",
    "not asked told": "Asked like that, the cast says: {told}",
    "not asked next": (
        "Put it to me in one sentence, whether, when, who or what to do; if it is another matter, it needs a cast of "
        "its own"
    ),
    "plainly best": "put plainly, it is good: {told}",
    "plainly good": "put plainly, it leans to the good: {told}",
    "plainly later": "put plainly, it is good, only slow: {told}",
    "plainly poor": "put plainly, it leans against you: {told}",
    "plainly bad": "put plainly, it is not good: {told}",
    "less unnamed": "a smaller sum",
    "less at stake": "“{amount}” only makes smaller what may be lost; it does not change the cast",
    "less told": "whether to do it stays as it was: {told}",
    "part well": "“{amount}” comes more easily than the whole, and may well come first",
    "part ill": "even “{amount}” is not easy at present, though easier than the whole",
    "matters not": "that does not change the cast, which still says: {told}",
    "matters own": "What you tell me the cast has not weighed, so put it on that side of the scales yourself",
    "month safest": "{month} is the easiest by the cast, but let a professional settle which month it is",
    "month least hard": "{month} is the least hard for it",
    "month pointed to": "{month} first, since the cast points to it; next to that, {other}",
    "month best": "{month} is the best for it",
    "doubt first cast": "of two casts for one and the same question the earlier one counts",
    "meant from": "“{words}” comes from this: {told}",
    "opposed": (
        "{whom} being against it is a real obstacle that the cast has not weighed, so hear the reasons to the end first"
    ),
    "opposed told": "As to the matter itself, the cast still says: {told}",
    "rival told": "As to you, it stays: {told}",
    # What to say to somebody
    "say to": "“{words}” is how you might put it to {whom}",
    "say": "“{words}” is how you might put it",
    "say love well": "You have been on my mind, and I would like to see you and talk. Which day suits you?",
    "say love ill": "I am not asking for an answer now. I would only like to hear how you see it, so take your time.",
    "say kin well": (
        "There is something I have wanted to talk over with you. Is now a good time? I would like to hear you first."
    ),
    "say kin ill": (
        "I know it has not been easy for you. I have not come to argue, I would only like to hear your side."
    ),
    "say work well": (
        "I would like to talk about what comes next: this is what I can do, and this is what I hope for. Can we agree?"
    ),
    "say work ill": (
        "What is the one thing you would like me to do better first? I will work on it and come back to you."
    ),
    "say money well": "I have put the sum, the date and the terms on one page. Can we settle it like this?",
    "say money ill": (
        "I will not settle anything today. Please send me the terms in writing, and I will answer once I "
        "have read them."
    ),
    "say feared well": (
        "Something has been making me uneasy, and I would rather ask you than guess. Will you tell me about it?"
    ),
    "say feared ill": "There are a few things I want to be clear about. Tell me how it is, and I will hear you out.",
    "say decision well": (
        "I have a plan, and before I settle it I would like to talk it over with you. How do you see it?"
    ),
    "say decision ill": (
        "I have decided nothing yet. I would like to hear what you think, and talk again in a few days."
    ),
    "say health well": "I am here. Tell me what you need, and I will come to the doctor with you.",
    "say health ill": (
        "You do not have to be brave about it. Tell me what hurts, and we will ask the doctor together."
    ),
    "say other well": "I would like to settle this: here is what I ask for. Does that work for you?",
    "say other ill": "I would like to hear how you see it first. You need not answer me now.",
    "say tell well": (
        "There is something I would like you to hear from me first. It looks hopeful, but it is not settled yet."
    ),
    "say tell ill": (
        "There is something I would like you to hear from me. It is not settled, and I only need you to listen."
    ),
    "say told well": "The cast is on your side in this, so say it once, plainly, and then listen",
    "say told later": "The cast is not against your speaking, only an answer is slow to come, so leave time after it",
    "say told ill": (
        "The cast is not on your side for now, so ask and do not press, and neither promise nor end anything this time"
    ),
    "say guarded": "settle what to say with {who} before you speak",
    "say guarded words": "Until then tell only what you know for certain, and neither promise nor sign anything",
    # Corrections
    "corrected": "put right to “{right}”, the same cast says: {told}",
    "corrected unnamed": "put right, the same cast says: {told}",
    "corrected same": "noted; that changes neither the cast nor the line it is read from, so it stays: {told}",
    "corrected line": "it is read from {line} now",
    "corrected line same": "the line it is read from stays the same, {line}",
    # How it is done
    "method general": (
        "three coins thrown six times make six lines; old tables give each line an element, and the month and "
        "day of the "
        "cast make it strong or weak"
    ),
    "method time": (
        "a date comes from the line of the question: the day or month that bears its sign, frees it or feeds "
        "it, by the "
        "old calendar"
    ),
    "method chance": (
        "the throw itself is chance; after it nothing is: the same six lines at the same time always give the same "
        "reading"
    ),
    "method program": "a program works it out by the fixed rules of old Chinese books; it guesses nothing",
    "method belief": (
        "no science stands behind it: it is an old Chinese practice with fixed rules, good for thinking a "
        "matter through"
    ),
    "method birthday": "no birthday is needed: only the throw, its date and hour, and your question",
    "method span": "a cast speaks of one matter until it has changed, mostly of some months",
    "method example": (
        "In yours, what you ask about is read from {line}, on a {day} in a {month}: what feeds that line "
        "counts for it, what "
        "overcomes it counts against it"
    ),
    # What no cast tells
    "beyond number": "a cast gives no numbers, so I will not make one up",
    "beyond place": "a cast gives no address, only a direction: {direction}",
    "beyond words": "a cast does not show what was said or written",
    "beyond else": "that is beyond what a cast can tell",
    "beyond instead": "About your question it says: {told}",
    # Remarks
    # A time that is named, beside now
    "next span": "the next {words}",
    "then better": "{words} is rather better for this than now",
    "then same": "{words} is much the same for this as now",
    "then worse": "{words} is harder for this than now",
    "then months": "{how}: {told}",
    "then whole": "The answer itself stays: {told}",
    "then unplaced": "the cast does not know when “{words}” falls, so hold it against this: {told}",
    "when rough": "Take it as a guide, not as a fixed date",
    "sooner": "I cannot promise it sooner: the earliest time this cast shows is {date}",
    "sooner unknown": "the cast shows no earlier time, and I will not promise one",
    "date said": "the time that the reading pointed to is {date}, and no other",
    "no date said": "the reading named no date, and I will not make one up",
    # What a follow-up brings in
    "age": "{age} is taken in, but no age changes the cast, so it stays: {told}",
    "age careful": "{age} is taken in, but no age changes the cast",
    "name cast": "one cast answers one question, so ask about {name} with a cast of its own",
    "if they told": "as things stand it remains: {told}",
    "if they": "If it comes to that, it is a new situation, for which you may cast anew",
    "no side": "a cast takes no side between two people",
    "no side told": "On the matter itself it says: {told}",
    "no side talk": "Talk it over, each with the reason that counts most",
    "not all": (
        "no, not with everything, whatever a cast says: put in only what you can afford to lose, and ask an adviser "
        "who earns nothing by it"
    ),
    "news stays": "Go by that first; where it leaves the matter open, the cast still leans this way: {told}",
    "elsewhere": "that is a matter of its own, and one cast answers one matter: make a new cast for it",
    "elsewhere first": "This one only says of the first: {told}",
    "where next": "then look next to the {direction}",
    "where unsure": "That is a hint of the cast and no certainty",
    "where next ground": "the next place is read from {line}",
    "term here": "In your cast: {reason}",
    "term not here": "In your cast nothing turns on it",
    "ask change": "whether to change is for you to decide, and a second opinion first costs little",
    "doubt other reading": (
        "each cast answers its own question at its own time, so another one may say something else"
    ),
    "doubt stands": "This one stays as it is: {told}",
    "in short because": "{told}, because {reason}",
    "likely because": "It rests on this: {reason}",
    "likely because against": "It rests on this: {reason}",
    "other itself": "That is only how this cast weighs the two; “{other}” deserves a cast of its own",
    "which itself": "That is only how this cast weighs the two; a cast for either says more",
    "thanks": "you are welcome; may it go well",
    "bye": "goodbye, and all the best with it",
    "noted": "all right; ask whenever you want to know more",
    "hello": "hello, I am here; ask whatever you like about your cast",
    "program": "I am a program that reads casts by the old rules, no person; ask me anything about yours",
    "fact": "that is a fact to look up, and a cast answers none: it only weighs how a matter of yours goes",
    "no blame": "a cast puts the blame on nobody, and it is seldom all one person's doing",
    "blame reason": "What weighs in it here: {reason}",
    "meant": "by “{words}” the reading means how the whole leans: {told}",
    "meant careful": "by “{words}” the reading means no more than a leaning; for the rest go to {who}",
    "ask well": (
        "you may well ask; the cast finds little behind the fear, so put it as a question and not as a charge"
    ),
    "ask ill": "yes, ask, but not in the heat of the moment: first be clear what you will do with either answer",
    "ask openly": "I would not look behind their back, which costs trust whatever you find; ask openly instead",
    "ask how": "Choose a quiet hour, name what you have seen yourself, and leave time for the answer",
    "none": "I can only speak about your cast; ask for instance why, when, or what to do",
    "glad well": "I am glad with you; may it go on so",
    "glad ill": "I am glad you take it well; still, be careful with it, for the cast says: {told}",
    "feeling fear": "it is only human to be nervous about this",
    "feeling anger": "it is no wonder that this makes you angry",
    "feeling grief": "I am sorry, that is hard",
    "feeling well": "The cast is on your side, though: {told}",
    "feeling well unsaid": "The cast itself is on your side, though",
    "feeling ill": "The cast shows how things lean for now, which is no judgement of you and can still change",
    "feeling adviser": "Do not carry it alone: talk to {who}",
    "news": "thank you for telling me; what has really happened counts for more than a cast",
    "news done": "then it is done, and what counts now is how you go on with it",
    "news done well": "then it is done, and the cast speaks for it: go on step by step",
    "news done ill": "then it is done; the cast advised caution, so keep a way back where you can",
    "news joy": "what good news, I am so glad for you",
    "news ill expected": "I am sorry to hear that; it is what the cast was wary of",
    "news ill unexpected": "I am sorry; the cast had leaned the other way, but what has really happened counts",
    "news next": "If a new question comes of it, cast for that one",
    # More, why, in short
    "certainty rate": "nobody has an honest figure for how often a cast is right",
    "certainty open": "nothing in a cast is fixed: it shows a tendency, and what you do makes a difference",
    "mind means": "For you it comes to this: {told}",
    "ask whom": "the best to turn to: {who}, {direction} of you if you have the choice",
    "ask manner": "Choose somebody {manner}",
    "more for": "What speaks for it: {reasons}",
    "more against": "What speaks against it: {reasons}",
    "more time": "The time to look to is {date}",
    "why well after all": "it is no “no”: it can work out because {reasons}",
    "why feared well": "what you fear is unlikely because {reasons}",
    "why feared ill": "what you fear is possible because {reasons}",
    "in short": "in short: {told}",
}
