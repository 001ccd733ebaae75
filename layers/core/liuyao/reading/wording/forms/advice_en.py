"""What a reading advises, by the form of the question, who may act, the side of the cast and what acts, in English.

Keys are `form agent side group`, from which the last words may be missing: what fits most closely is taken. Sides are
`well` and `ill`; groups are those of `reading.acting.group`. Every sentence is complete and names nothing but "this",
"it" and "they". `{date}` is the last day of the likely time.
"""

from typing import Final

from liuyao.reading.wording.forms import heeded_en, people_en

ADVICE: Final[dict[str, tuple[str, ...]]] = (
    {
        # Will it come about: what the asker can do for it
        "whether self well people": (
            "Tell one or two people who can help what you are hoping for, and let them",
            "Ask someone who has managed this before what made the difference",
            "Thank whoever has helped so far, and keep them up to date",
        ),
        "whether self well time": (
            "Use the next week or two, while things are moving",
            "Do what is still open in the next few days rather than next month",
            "Keep to your plan, and do not add anything new to it now",
        ),
        "whether self well self": (
            "Do your own part carefully, and the rest should follow",
            "Trust your own preparation, and do not let others rush you",
            "Say plainly what you want when the moment comes",
        ),
        "whether self well course": (
            "Finish one thing before you begin the next, and it will come together",
            "Keep going at the pace you have; there is no need to force it",
            "Have the last details ready early, so that nothing holds you up at the end",
        ),
        "whether self ill people": (
            "Find out who else has a say in this, and talk to them before you do anything more",
            "Ask an outsider to look at it with you; a fresh pair of eyes helps here",
            "Do not rely on one person alone; ask a second one as well",
        ),
        "whether self ill time": (
            "Have a second plan ready, and decide now when you would turn to it",
            "Put off what can wait, and try again when this busy stretch is over",
            "Aim for the smaller result this time, and keep the big one for later",
        ),
        "whether self ill self": (
            "Get a good night's rest before you go on; you will do it better then",
            "Decide first how much this is worth to you, and stop there",
            "Prepare the weakest part of it first",
        ),
        "whether self ill course": (
            "Look for the one point that is still open, and settle that before anything else",
            "Start again with the smallest step that can be finished this week",
            "Do not put anything into this that you cannot afford to lose",
        ),
        # Will another do it
        "whether other well people": (
            "Leave the door open, and let them know that you are looking forward to it",
            "A friendly word through someone you both know would do no harm",
        ),
        "whether other well time": (
            "Send one short, friendly reminder, and then leave it",
            "Give them the next few days, and make it easy for them to say yes",
        ),
        "whether other well self": (
            "Say once and clearly what you are hoping for, and then let them come",
            "Have your own side ready, so that it does not hang on you",
        ),
        "whether other well course": (
            "Agree on a day and a time, and confirm it the day before",
            "Do not chase them; it is on its way",
        ),
        "whether other ill people": (
            "Ask someone else as well, so that you do not depend on one person",
            "Find out what is keeping them before you ask again",
        ),
        "whether other ill time": (
            "Make plans that do not depend on them, and be glad if it works out after all",
            "Wait a week or so, and then ask once more, briefly and without reproach",
        ),
        "whether other ill self": (
            "Ask for less, or make the first move yourself",
            "Stop waiting by the phone, and fill the time with something of your own",
        ),
        "whether other ill course": (
            "Ask for a clear yes or no, and set yourself a date after which you go another way",
            "Go by what they do from now on, not by what was promised",
        ),
        "whether thing well": (
            "There is nothing you need to do for it now; look again in a few days",
            "Leave it to take its course, and have your own part ready",
            "Keep an eye on it, and do not change anything that works",
        ),
        "whether thing ill": (
            "Have something else ready in case it does not work out",
            "Ask today whether it can still be put right, and by whom",
            "Do not count on it in your plans, and you will be less put out if it fails",
        ),
        # Will something unwanted happen
        "harm well people": (
            "Keep up good relations with the people concerned, and do not bring it up more than you have to",
            "Ask someone who knows the ropes, and you will see that it is less serious",
        ),
        "harm well time": (
            "Carry on as usual, and do not let the worry make your decisions",
            "Give it a few weeks; the worry will fade by itself",
        ),
        "harm well self": (
            "Do your own part properly, and there is nothing for anyone to hold against you",
            "Write down what worries you, and put it aside for this week",
        ),
        "harm well course": (
            "Keep what you have in writing, just in case, and then leave it be",
            "Go on as you are, and only watch that nothing is left half done",
        ),
        "harm ill people": (
            "Speak to the person who decides before the decision is made",
            "Ask somebody who has been through it what they would do first",
        ),
        "harm ill time": (
            "Prepare for it now while you still have time, starting with the most important thing",
            "Put something aside for it, so that it does not catch you unawares",
        ),
        "harm ill self": (
            "Write down what you would do if it happened, and do the first step of it today",
            "Fix your own weak spot first, since that is where it would hit you",
        ),
        "harm ill course": (
            "Get everything important in writing, and keep copies",
            "Do not wait for it to be announced; ask directly how things stand",
        ),
        # Should I
        "should self well people": (
            "Tell the people it affects first, and then do it",
            "Take up the help you are offered; it will be easier together",
            "Ask someone who has done it what they would do differently",
        ),
        "should self well time": (
            "Do it in the next few days, while it comes easily",
            "Make a small start this week, and add to it later",
            "There is no need to wait for a better moment",
        ),
        "should self well self": (
            "Be clear about what matters most to you in it, and begin there",
            "Set yourself one simple limit, and begin",
            "Trust your own judgement here, and do not ask too many others",
        ),
        "should self well course": (
            "Do it step by step, and look after each step whether you want the next",
            "Settle the practical details first, and the rest will follow",
            "Try it once on a small scale before you make it permanent",
        ),
        "should self ill people": (
            "Talk once more to the person it affects most",
            "Hear what someone says who has nothing to gain from it, and then decide",
            "Ask those who are against it what would set their minds at rest",
        ),
        "should self ill time": (
            "Leave it for a week or two, and see whether you still want it then",
            "Wait: nothing is lost by waiting, and you will see more clearly",
            "Put it off, and note what would have to change first",
        ),
        "should self ill self": (
            "Write down what you would give up for it, and sleep on that",
            "Ask yourself what you really want from it; there may be an easier way to that",
            "Do not decide while you are tired or annoyed",
        ),
        "should self ill course": (
            "Find out the one thing you do not know yet, before you choose",
            "If you must, take only a step that you can take back",
            "Look at what went wrong the last time, and change that first",
        ),
        "leave self well": (
            "Say what would have to change for you to be glad to stay",
            "Give it a fixed time, such as three months, and then look again",
            "Change one thing that bothers you before you give up the whole",
        ),
        "leave self ill": (
            "Do not do it in anger; choose a quiet moment and have the next step ready",
            "Talk to someone you trust first, and then decide in your own time",
            "Work out what you need to stand on your own feet, and begin with that",
        ),
        # Is it to be relied on
        "trust well": (
            "The usual checks are enough: what was agreed in writing, and a receipt for what you pay",
            "Begin with something small, and widen it as it proves itself",
            "Ask for one reference or proof all the same; a sound offer will not mind",
        ),
        "trust ill": (
            "Check it with someone independent before you pay or promise anything more",
            "Get it in writing, and pay only for what has been done or delivered",
            "Ask one question to which you already know the answer, and see what comes back",
            "Find out what other people have gone through with it before you go on",
        ),
        # When
        "when self well": (
            "Have your own part ready by then, so that nothing waits for you",
            "If nothing has happened by {date}, ask where it has got stuck",
            "Mark the date, and go on with other things until then",
        ),
        "when self ill": (
            "Ask now what is holding it up, rather than waiting for news",
            "If nothing has moved by {date}, try another way",
            "Plan as if it came later, and be glad if it comes sooner",
        ),
        "when best self well": (
            "Prepare what you want to say or do in two or three points until then",
            "Keep that time free, and tell whoever is concerned beforehand",
            "Choose a quiet hour on that day rather than a busy one",
        ),
        "when best self ill": (
            "Use the time until then to prepare, and do not force it",
            "If it cannot wait, keep it small and have a way back",
            "Ask first whether the other people concerned have time for it",
        ),
        "where self": (
            "Begin close by, and widen the search from there",
            "Try that side first, and ask the people who are there every day",
        ),
        # Which
        "which self": (
            "Write down what matters most to you, and see which of the two gives you that",
            "Before you settle on one, compare the two point by point",
            "Sleep on it once, and if you still lean the same way, take that one",
        ),
        "which unnamed self": (
            "Strike out the weakest one first, and then cast for each of the others by name",
            "Cast once for each of them by name, and compare the answers",
            "Note the one thing it must have, and see which of them has it",
        ),
        # How much, how many, how likely
        "amount self well": (
            "Name your own figure first, a little above what you hope for",
            "Do not take the first figure; there is room to ask for more",
            "Have two or three good reasons ready for the figure you want",
        ),
        "amount self ill": (
            "Plan with the lower figure, and take anything above it as a bonus",
            "Do not spend it before you have it",
            "Decide now on the least that you would accept",
        ),
        "count self well": (
            "Be ready for a few more than you expect",
            "Have something in reserve, so that it does not run short",
        ),
        "count self ill": (
            "Plan for the smaller number, and make it good for those",
            "Ask a few people personally; that works better than a general call",
        ),
        "chance self well": (
            "Do your own part well, and the rest is likely to follow",
            "Go for it, but do not put everything on this one chance",
        ),
        "chance self ill": (
            "Have a second way ready, and treat this one as a try",
            "See whether you can raise the odds with one thing you have left out so far",
        ),
        # Who
        "who did self": (
            "Do not accuse anyone on the strength of a cast; note times and facts, and let them speak",
            "Ask openly and without blame whether anyone knows about it",
            "Change what makes it easy, and it may stop without your having to know who it was",
            "Keep the matter to yourself for a few days, and watch quietly",
        ),
        "who helps self": (
            "Ask for one small and definite thing; that is easy to grant",
            "Think of who has helped you before, and begin there",
            "Say what you need plainly, and say thank you soon",
        ),
        "who self": (
            "Do not settle on a name too soon; see who acts that way of their own accord",
            "Keep your eyes open in everyday places rather than searching for it",
        ),
        # How somebody is
        "state other well": (
            "A short message will be welcome; there is no need to worry",
            "Ask what is going well just now, and enjoy hearing it",
            "Let things be as they are, and plan the next visit or call",
        ),
        "state other ill": (
            "Call and listen for a while before you give any advice",
            "Offer one practical thing that you can do for them this week",
            "Ask how things really are, and do not be put off by the first “fine”",
            "Send something small that shows that you are thinking of them",
        ),
        "state self well": (
            "Keep doing what you are doing",
            "Use the good spell for the thing you have been putting off",
        ),
        "state self ill": (
            "Take one thing off your list this week",
            "Change the one thing that costs you most, and leave the rest",
        ),
        # How something went
        "result self well": (
            "Put it out of your mind until you hear, and do something pleasant",
            "Keep what you prepared; you may need it for the next step",
            "A short note of thanks, where it fits, will leave a good last impression",
        ),
        "result self ill": (
            "Note today what went well and what did not, while you still remember",
            "Find out when you can try again, and set aside the weakest part for practice",
            "Wait for the result before you judge it; nothing can be changed about it now",
        ),
        "open well": (
            "There is nothing you need to do about it now; look again in a few days",
            "Carry on as you are, and keep an eye on it",
            "Do your own part well, and let the rest show itself",
            "Have what you need ready early, and then leave it be",
        ),
        "open ill": (
            "Prepare for either outcome, and do the first step of it this week",
            "Keep your own affairs in order, and put nothing at risk just now",
            "Ask someone who knows about it to have a look",
            "Have something else in hand, so that not everything depends on it",
        ),
        "harm other well": (
            "Be as you always are, and do not bring it up",
            "Do your own part well, and give it no more thought this week",
            "A friendly word now and then is all it needs",
        ),
        "harm other ill": (
            "Choose a calm moment, and ask openly whether something is the matter",
            "Go by what they do over the next two weeks, not by what you hear or imagine",
            "See first to what matters to you, and talk about it afterwards",
        ),
        "support other well": (
            "Let them know that you believe in it, and leave the doing to them",
            "Ask what they need from you, rather than how it is going",
            "Take one everyday chore off their hands in the days before",
        ),
        "support other ill": (
            "Ask what would help, and keep your own advice for later",
            "Help them find a second way, without talking the first one down",
            "Be there afterwards, whatever comes of it",
        ),
    }
    | people_en.ADVICE
    | heeded_en.ADVICE
)
