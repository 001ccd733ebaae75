"""What a grade means for each matter, and what to do about it, in English. Nothing is promised."""

from typing import Final

NOUNS: Final = {
    "career": "work",
    "study": "study and exams",
    "wealth": "money",
    "love": "love and marriage",
    "health": "health",
    "journey": "travel",
    "return": "someone's return",
    "lost": "something lost",
    "lawsuit": "a legal dispute",
    "documents": "documents and property",
    "children": "children",
    "partner": "working with others",
    "kin": "siblings and friends",
    "rain": "rain",
    "fair": "fair weather",
    "dwelling": "house and feng shui",
    "date": "the choice of a date",
    "naming": "a name",
    "dream": "a dream",
    "contest": "a contest",
    "belongings": "something lent or borrowed",
    "debt": "a debt or loan",
    "permit": "a permit or visa",
    "pets": "a pet",
    "pregnancy": "pregnancy and birth",
    "general": "the matter as a whole",
}
"""The matter as a noun."""

VERDICTS: Final = {
    "career": (
        "The matter at work can move forward and stands a good chance",
        "The matter at work can succeed, though there is a hurdle or two to clear",
        "At work there is more against you than for you; go slowly",
        "The matter at work is unlikely to come off now; hold your ground rather than move",
    ),
    "study": (
        "Study and exams are well supported and stand a good chance",
        "The result is within reach, but there is a weak point to mend",
        "The pressure is high and the result still some way off",
        "The hoped-for result is unlikely this time",
    ),
    "wealth": (
        "There is a way to the money and the chance is good",
        "The money can be had, but not all at once",
        "The money takes much effort for little return",
        "The way to the money is blocked, and forcing it risks a loss",
    ),
    "love": (
        "The relationship can succeed, and the chance is good",
        "The relationship has prospects, but both sides must adjust",
        "A good deal stands between the two of you, and progress is hard",
        "The relationship is unlikely to work out and should not be forced",
    ),
    "health": (
        "Health is well supported, and an illness may be expected to improve",
        "Health is sound on the whole, but it still needs care",
        "Health needs more care and rest than usual, and improvement takes time",
        "Health is under heavy pressure; take it seriously",
    ),
    "journey": (
        "The journey has a good chance of going smoothly",
        "The journey can be made, with something to watch on the way",
        "A good deal stands in the way; better postponed",
        "The journey is not favoured; better not to go",
    ),
    "return": (
        "A return can be expected, and the chance is good",
        "They can come back, but not very soon",
        "The return is delayed and out of sight for now",
        "A return is unlikely for now",
    ),
    "lost": (
        "It may well be found",
        "It can be found, but it will take some effort",
        "It is hard to find; act early",
        "It is unlikely to be found",
    ),
    "lawsuit": (
        "In the dispute you hold the better position",
        "The dispute can be managed, but leave yourself some room",
        "In the dispute you are rather on the defensive",
        "The dispute is not in your favour; avoid a fight",
    ),
    "documents": (
        "The papers or property can be settled, and the chance is good",
        "The papers or property can be settled, but a step is still missing",
        "The papers or property meet with delay",
        "The papers or property are unlikely to be settled now",
    ),
    "children": (
        "The matter of children has a good chance of going well",
        "The matter of children can go well, with attention",
        "The matter of children brings some worry and moves slowly",
        "The matter of children is not going well now and needs care",
    ),
    "partner": (
        "The cooperation can succeed, and the chance is good",
        "The cooperation is worth discussing, but the terms must be clear",
        "The cooperation meets resistance; do not trust too easily",
        "The cooperation is unlikely to work; make other plans",
    ),
    "kin": (
        "The person you ask about stands well, and things are looking up",
        "The person you ask about is steady on the whole, with a small obstacle",
        "The person you ask about is under pressure and needs attention",
        "The person you ask about is in difficulty and needs support",
    ),
    "rain": (
        "The signs of rain are clear",
        "There are signs of rain, but not of much",
        "The signs of rain are weak",
        "Rain is unlikely",
    ),
    "fair": (
        "The signs of fair weather are clear",
        "It may well clear, with cloud or rain in between",
        "The signs of fair weather are weak",
        "It is unlikely to clear",
    ),
    "dwelling": (
        "The house is well supported and good to live in",
        "The house is sound on the whole, with a thing or two to put right",
        "The house is under some strain; put it right before you settle",
        "The house is not favoured now; better wait",
    ),
    "date": (
        "The day suits",
        "The day will do, with some care",
        "The day does not suit well; change it if you can",
        "The day is not favoured; choose another",
    ),
    "naming": (
        "The name is well supported and can be used",
        "The name will do, though it could be better",
        "The name has little support; think again",
        "The name does not suit; choose another",
    ),
    "dream": (
        "The dream need not trouble you; the time ahead is calm on the whole",
        "The dream shows a worry, but little is likely to come of it",
        "The dream shows that you are under pressure; take care",
        "Hold still for now, and take a little more care than usual",
    ),
    "contest": (
        "The chance of winning is good",
        "It can be won, with a hurdle or two",
        "The other side is stronger; the chance is rather low",
        "This one is hard to win",
    ),
    "belongings": (
        "It can be expected back, and the chance is good",
        "It will come, but not at the first asking",
        "It takes more asking than it should",
        "It is unlikely to come for now",
    ),
    "debt": (
        "The money can be expected, and the chance is good",
        "The money can be had, but not all at once",
        "The money takes much effort for little return",
        "The money is unlikely to come now",
    ),
    "permit": (
        "The permit can be expected, and the chance is good",
        "The permit can be had, but a step is still missing",
        "The permit meets with delay",
        "The permit is unlikely to be granted now",
    ),
    "pets": (
        "Things are looking up for the animal",
        "The animal is steady on the whole and needs some care",
        "The animal is rather weak; do not take it lightly",
        "Things are not going well for the animal; look after it soon",
    ),
    "pregnancy": (
        "The signs for a child are well supported",
        "The signs for a child are steady on the whole, with attention",
        "The signs for a child are rather weak, and progress slow",
        "The signs for a child are not there now",
    ),
    "general": (
        "The matter has much in its favour and can be pursued",
        "The matter can succeed, with some ups and downs",
        "The matter meets more resistance than help; be steady, not hasty",
        "The matter is not favoured now; hold still",
    ),
}
"""Of each matter, the verdict of 上上签, 中上签, 中下签, 下下签."""

ACTIONS: Final = {
    "career": (
        "Take the initiative: state what you want and on what terms, face to face",
        "Hold on to what you have for now, and let nothing go before something new is settled",
    ),
    "study": (
        "Keep to your plan of study and have papers and materials ready early",
        "Work on the weakest subject first, and keep a fallback",
    ),
    "wealth": (
        "Go ahead, but in steps and with sums you can afford to lose",
        "Put nothing new in for now; settle what is already owed before you talk further",
    ),
    "love": (
        "Speak openly and say what each of you expects",
        "Slow down, and go by what the other person does rather than says",
    ),
    "health": (
        "Keep to any treatment that is given and to regular rest, and note how things change",
        "See a doctor soon; do not put it off, and do not stop medication on your own",
    ),
    "journey": (
        "You can go; check the route and your papers once more beforehand",
        "Postpone if you can; if you must go, have another route ready",
    ),
    "return": (
        "Go and look, or get in touch, yourself",
        "Ask people nearby or close to them rather than simply waiting",
    ),
    "lost": (
        "Start where you last saw it, and search soon",
        "Report the loss soon, and ask people nearby to keep an eye out",
    ),
    "lawsuit": (
        "Put your evidence in order and proceed step by step; a settlement on good terms is also open",
        "Aim for a settlement or a smaller loss; do not widen the quarrel",
    ),
    "documents": (
        "You can sign, once every clause has been checked",
        "Do not sign yet; first clear up the missing steps and doubtful clauses",
    ),
    "children": (
        "Carry on step by step, and do not skip check-ups or conversations",
        "Give it more time and attention, and ask a professional early when in doubt",
    ),
    "partner": (
        "Keep talking, and put duties and shares in writing",
        "Try it on a small scale first, and do not show your whole hand",
    ),
    "kin": (
        "Talk to them directly; they are able to respond",
        "Learn what troubles them first, then speak of what you need",
    ),
    "rain": ("Plan for rain", "There is no need to plan around rain"),
    "fair": ("Outdoor plans can go ahead", "Have shelter or another date ready for outdoor plans"),
    "dwelling": (
        "You can move in or build; check light, air and hidden faults first",
        "Do not hurry to move or build; put right what is wrong first",
    ),
    "date": (
        "You can plan for that day",
        "Change the day if you can; if not, have another way ready",
    ),
    "naming": (
        "You can use it; try it in daily life for a while",
        "Think of two or three more and compare; there is no hurry",
    ),
    "dream": (
        "Carry on as usual, and speak openly about what worries you",
        "Take fewer risks for now, and sort out what worries you",
    ),
    "contest": (
        "Show early what you do best",
        "Mend your weakest point first, and do not rush",
    ),
    "belongings": (
        "Ask for it in one friendly sentence, and name a day",
        "Ask once more, and arrange something else in the meantime",
    ),
    "debt": (
        "Talk it over in person, and put the sum and the date in writing",
        "Lend nothing more for now; for what is already owed, put your evidence in order",
    ),
    "permit": (
        "Submit it once the papers are complete, and follow its progress",
        "Complete the missing papers and ask what is unclear before you submit",
    ),
    "pets": (
        "Look after it as usual, and watch how it eats",
        "Take it to a vet soon; do not put it off",
    ),
    "pregnancy": (
        "Keep to your check-ups, and follow your doctor's advice",
        "See a doctor soon, and take no medicine on your own",
    ),
    "general": (
        "Go ahead as planned, one step at a time",
        "Keep things as they are for now, and clear the largest obstacle before you move",
    ),
}
"""Of each matter, what to do when help outweighs harm and when it does not."""
