"""What to do about a matter or a thing the question names, in English.

Of each, the ways to say it where help outweighs harm, then where it does not. A matter's come after those of
`verdicts_en.ACTIONS`; a thing's stand alone. Each may follow "When the time comes, ".
"""

from typing import Final

Sides = tuple[tuple[str, ...], tuple[str, ...]]

MATTERS: Final[dict[str, Sides]] = {
    "career": (
        (
            "List what you got done in the last few months, so that you have it to hand when you talk",
            "Find the person who can actually decide, and talk to them first",
            "Write the role you want on a single page and bring it with you",
            "Do the most important task on your desk really well; openings tend to follow",
        ),
        (
            "Do one thing of your own well first, and put the bigger change off",
            "Say less and note more until things are clearer",
            "Have something to fall back on before you try the hard step",
            "Find out which person or which form it hangs on, and begin there",
        ),
    ),
    "study": (
        (
            "Keep one fixed hour a day and redo what you got wrong",
            "Work through two full papers against the clock, and your hand will be steadier",
            "Secure the parts you know best, then turn to the hard ones",
            "Sleep and eat well, and add nothing new in the last few days",
        ),
        (
            "Pick the two places where you lose most, and mend only those",
            "Show your work to a teacher or to someone who has passed; it helps more than longer hours",
            "Halve the plan: what you finish is what carries you",
            "Treat this round as practice, and put the next date in your diary now",
        ),
    ),
    "wealth": (
        (
            "Settle on a figure beforehand, and stop when you reach it",
            "Make the most of your steadiest source of income first",
            "List what is owed to you and ask for it, item by item",
            "Note what comes in and goes out, and look at it once a week",
        ),
        (
            "Keep what you have for now, and leave the large expenses for later",
            "However good an offer sounds, do the sums before you say yes",
            "Stop the one expense you cannot account for",
            "Hold on to what you have before you reach for more",
        ),
    ),
    "love": (
        (
            "Meet, and say in person what you have only been typing",
            "Do one small thing they once said they liked; it says more than an argument",
            "Say plainly what you are hoping for, and listen to the answer",
            "Do not guess; simply ask what they think",
        ),
        (
            "Give each other a few days; write less, and more gently",
            "Ask nothing, bring up nothing old, and watch what they do next",
            "Look after your own days first; that is what gives this room to change",
            "Work out which one thing you cannot give up, before you talk about the future",
        ),
    ),
    "health": (
        (
            "Steady your hours first: sleep enough, eat on time, and note when something feels wrong",
            "Put the next check-up in the calendar, and go",
            "Walk a little every day, within your strength, and do not rush to catch up",
            "Write down what you want to ask the doctor, and go through it point by point",
        ),
        (
            "Make an appointment, and describe from the start what has been troubling you",
            "Let some work wait, and put rest into every day",
            "Take someone from the family along, so that two of you hear what is said",
            "Take medicine as prescribed, and ask the doctor before you change anything",
        ),
    ),
    "journey": (
        (
            "Set out a little earlier and leave yourself half a day of slack",
            "Check tickets, papers and the place to stay today",
            "Tell someone at home your route, and travel with an easier mind",
            "Make a short packing list and tick it off before you leave",
        ),
        (
            "See whether you can go a few days later, or by another way",
            "If you must go, take a ticket that can be changed or refunded",
            "Settle the most urgent part by phone beforehand, so that less hangs on the trip",
            "Thin out the plan; do not put several things on one day",
        ),
    ),
    "return": (
        (
            "Send a few friendly words and ask how they are",
            "Name a particular day for what you want to settle",
            "Ask at the places they usually go",
            "Leave them an easy way to begin",
        ),
        (
            "Ask through someone you both trust",
            "Be ready for a wait, and do not watch the door every day",
            "List the places to look and cross them off one by one",
            "Leave word how you can be reached",
        ),
    ),
    "lost": (
        (
            "Walk that day's route again, backwards",
            "Try the pockets and drawers you seldom open",
            "Ask whoever was with you that day",
            "Leave your number at the desk or office there",
        ),
        (
            "Block cards and change passwords first; do not wait until it is found",
            "Let someone else at home look with fresh eyes",
            "Give it two days, then replace it",
            "Write a clear description and leave it where people nearby will see it",
        ),
    ),
    "lawsuit": (
        (
            "Put the story on one page by date, and number the evidence to match",
            "Mark every deadline first, and miss none",
            "Write down what you want to say, and let your lawyer read it before it goes out",
            "Decide beforehand what you could live with, and you will negotiate more calmly",
        ),
        (
            "Have a lawyer go through the papers, and mend the weakest point first",
            "Say less, and keep everything in writing",
            "Work out what going on would cost before you rule out a settlement",
            "Do not provoke the other side; let the procedure run",
        ),
    ),
    "documents": (
        (
            "Read what you are to sign from the first line, and circle what you do not understand",
            "See that price, date and liability are written plainly before you sign",
            "Keep one copy and one original apart",
            "Make one appointment and settle it in one go",
        ),
        (
            "Pay no deposit yet; check title and formalities first",
            "Take someone who knows the business along for a look",
            "Get every spoken promise in writing, and wait if they will not",
            "Look at two more and compare; nothing has to happen this week",
        ),
    ),
    "children": (
        (
            "Give the child the most relaxed hour of your day",
            "Praise one particular thing; it does more than ten good reasons",
            "Compare notes with the teacher or the doctor",
            "Let the child make one small decision",
        ),
        (
            "Hear the child out before you say what you think",
            "Ask for a little less for now, and steady sleep and meals first",
            "Talk to the teacher or the doctor once, and name what worries you",
            "Set your own hurry aside for a few days",
        ),
    ),
    "partner": (
        (
            "Write on one page who puts in what and who looks after what",
            "Do one small job together first and see how it goes",
            "Keep the accounts open to both of you from day one",
            "Agree how you would part; it helps you last",
        ),
        (
            "Put in no money yet; watch how they work for a month or two",
            "Ask someone who has worked with them",
            "Raise your greatest worry openly and see how they take it",
            "Keep your own clients and savings to yourself for now",
        ),
    ),
    "kin": (
        (
            "Ring them, catch up first, then come to the point",
            "Share a meal; it will be easier to say there",
            "Ask outright for the one small thing they can do",
            "Let them take a part of it off you",
        ),
        (
            "Ask what has been hard for them before you ask for anything",
            "Take it slowly and leave old matters alone",
            "Do one small thing for them, so that they know you are there",
            "Give them a few days, then talk",
        ),
    ),
    "rain": (
        (
            "Take an umbrella, and shoes that do not mind the wet",
            "Move what is outdoors forward or inside",
            "Bring in the washing and set out a little early",
        ),
        (
            "Keep to your plans; a small umbrella in the bag is enough",
            "Leave outdoor plans as they are, with an hour in reserve",
            "Do not worry about rain; one look at the sky before you go will do",
        ),
    ),
    "fair": (
        (
            "Settle the outdoor plans, and take water and a hat",
            "Washing and outings can go on that day",
            "Keep the booking of the place",
        ),
        (
            "Ask now about a place indoors",
            "Use the dry hours and do not fill the day",
            "If you move it, tell the others early",
        ),
    ),
    "dwelling": (
        (
            "Spend a few nights there before you buy more for it",
            "Try every window, tap and switch once",
            "Make one bright corner in the living room and one in the bedroom",
        ),
        (
            "Air it, mend the leaks and clear the clutter; it will feel different",
            "Try bed and desk in another place for a week",
            "Ask about the neighbours and the noise first",
        ),
    ),
    "date": (
        (
            "Walk through the order of the day the day before",
            "Book people and things early, and the day itself will be calm",
            "Put it in the morning and leave some time behind it",
        ),
        (
            "Keep a second date ready that suits everyone",
            "If it has to be that day, do the important step the day before",
            "Ask one more person to help on the day",
        ),
    ),
    "naming": (
        (
            "Say it aloud with the surname a few times; if it runs easily, keep it",
            "Write it a few times, and ask the family",
            "Use it at home for a month and see whether you still like it",
        ),
        (
            "Change one syllable and say it again",
            "List five, and let everyone at home pick two",
            "Look at sound and meaning apart, and mend the one that jars",
        ),
    ),
    "dream": (
        (
            "Write the dream down, and put it away",
            "Ring the person in the dream and say hello",
            "Go to bed early tonight, without a screen",
        ),
        (
            "List what has been weighing on you, and finish one thing",
            "Go slowly these days, and think before you say something important",
            "Tell the dream to someone you trust",
        ),
    ),
    "contest": (
        (
            "Do it as you have practised it, with nothing new on the day",
            "Go through the whole of it once beforehand, as if it were the day",
            "Be there early, and take a quiet minute before it begins",
            "Show what you do best early on",
        ),
        (
            "Pick the one thing that goes wrong most often, and practise only that",
            "Keep it simple on the day, and do that without a mistake",
            "Have someone watch you once beforehand and tell you what they see",
            "Leave the result alone, and enjoy taking part",
        ),
    ),
    "belongings": (
        (
            "Offer to fetch it yourself, at an hour that suits them",
            "Ask in passing, and say when you need it",
            "Thank them for looking after it, and settle the day",
        ),
        (
            "Ask once more in writing, kindly, with a day by which you need it",
            "Ask a neighbour or a friend to mention it",
            "Find another for the time being, and decide what it is worth to you",
        ),
    ),
    "debt": (
        (
            "Fix a day to meet, and write down sum and dates together",
            "Instalments are fine, as long as each has its date",
            "Stay friendly, name the exact sum, and bring the proof",
        ),
        (
            "Gather the IOU and the transfers first",
            "When you ask, talk of one thing only: how much, on which day",
            "Have someone present whom you both know",
            "Plan as if it will take a while, and arrange your own budget first",
        ),
    ),
    "permit": (
        (
            "Tick the list off item by item, and get what is missing today",
            "Ask about its progress every few days once it is in",
            "Make two spare copies, and check names and dates",
        ),
        (
            "Ring first and ask which paper is missing, then go",
            "Let someone who has had one read your papers",
            "Leave more time at the end; do not hand it in on the last day",
        ),
    ),
    "pets": (
        (
            "Look every day at how it eats and behaves, and note it",
            "Keep its place clean and put out more water",
            "Keep up its vaccinations and worming",
        ),
        (
            "Ring the vet today and describe the last few days",
            "Go back to the food it is used to",
            "Keep the house quiet and do not let it be startled",
        ),
    ),
    "pregnancy": (
        (
            "Go to every check-up, and write down what worries you for the doctor",
            "Put eating and sleeping first; the rest can wait",
            "Go to one appointment together, so that both of you hear the doctor",
        ),
        (
            "Make an appointment, and ask what the next step would be",
            "Look after your body first, and set yourself no deadline",
            "Have both of you examined; do not carry it alone",
        ),
    ),
    "general": (
        (
            "Cut it into three steps, and take the first one this week",
            "Fix a day to begin, and begin on it",
            "Tell one person who will back you, then go on",
            "Begin with what you have; it need not all be ready",
        ),
        (
            "Write down the one thing it sticks on, and work on that alone",
            "Stop for a moment, and ask someone who has been through it",
            "Do not stake everything at once; try one small step",
            "Keep things steady, and spend the time preparing",
        ),
    ),
}

THINGS: Final[dict[str, Sides]] = {
    "interview": (
        (
            "Bring your introduction down to two minutes, and have three examples ready for the interview",
            "Read up on what they are doing now, and prepare two questions for them",
            "Be there fifteen minutes early and take the first sentence slowly; the rest will follow",
            "Write down the three things the job asks for, with an example of each",
            "In the interview, give facts and figures rather than adjectives",
        ),
        (
            "Have someone interview you at home, with the very questions you dread",
            "Go to the interview, and send off two or three other applications as well",
            "Work out how to speak of the weakest part of your CV; saying it openly beats avoiding it",
            "Think less about the result before the interview, and prepare just the first two minutes",
            "Take this interview as practice; write the questions down afterwards for the next one",
        ),
    ),
    "new job": (
        (
            "Get duties, pay and starting day of the new job in writing before you say yes",
            "Talk to somebody on the new team about an ordinary day there",
            "When you talk about pay, say first what you bring, then the figure",
            "Space out the two handovers, so that you are not in two places at once",
        ),
        (
            "Keep your present work steady until the new job is in writing",
            "Find out why they are hiring and why the last person left",
            "Write down the one thing you hope the change would mend, and see whether it can be mended here",
            "Give it three more months of looking; do not leave for the sake of leaving",
        ),
    ),
    "resign": (
        (
            "Have the next step and three months of expenses ready before you hand in your notice",
            "Keep your notice short and friendly, and put the handover in a list",
            "Pick a day when something on your desk is just finished",
        ),
        (
            "Keep the notice in the drawer, and talk to your manager once about what could change",
            "Write down why you want to leave, and read it again in two weeks",
            "Look around quietly, and resign when something is settled",
            "Take two days off first, and decide when you are rested",
        ),
    ),
    "promotion": (
        (
            "Ask your manager for half an hour, say that you want the promotion, and ask what is still missing",
            "Put three things you achieved this year on one page, and get it to whoever decides",
            "Take on a job nobody wants, and let it be seen when it is done",
            "Find someone senior who would speak for you, and talk to them first",
        ),
        (
            "Find out what the promotion is judged on, and work on the one point you lack",
            "Ask for work that shows, rather than for the title, this round",
            "Agree to talk again in three months, and write down the goal",
            "If somebody else goes first, let it be; mend your own weak point meanwhile",
        ),
    ),
    "raise": (
        (
            "Put in figures what you saved or earned for the company, and bring them to the talk about pay",
            "Find out what the same work pays elsewhere, and name a figure you can defend",
            "Ask when something of yours has just gone well",
        ),
        (
            "Let the raise wait a little, and ask for a task whose result can be seen",
            "Ask what would earn you the raise, and write it down",
            "If money cannot move yet, talk about leave, training or duties",
        ),
    ),
    "layoff": (
        (
            "Go on doing your work well; there is no need to ask around",
            "Put this year's results on one page; having it will steady you",
            "Set aside three months of expenses, and you will worry less",
        ),
        (
            "Quietly bring your CV up to date, and get in touch with two or three old colleagues",
            "Trim your spending, and keep a few months in hand",
            "Read up on notice and severance, so that you can talk about them if you must",
            "Tell your family; do not carry it alone",
        ),
    ),
    "boss": (
        (
            "Bring it down to one point, and raise it in person at a quiet moment",
            "Report first, ask second; a yes comes more easily that way",
            "Do first what matters most to your boss",
        ),
        (
            "Leave a trace in writing, with a short note when something is done",
            "If you are angry, sleep on it before you answer",
            "Where you differ, talk about the matter, not the person",
            "Ask a colleague you trust whether you are reading too much into it",
        ),
    ),
    "exam": (
        (
            "Sit two full papers against the clock, and settle how you will divide the exam time",
            "Go over your mistakes once more; in the last three days, only those",
            "Do what you know first, leave the hard ones to the end, and leave nothing blank",
            "Check papers and route the day before, so that the exam day is only the exam",
            "Write what you forget most on one sheet for each subject, and read it at the door",
        ),
        (
            "Take the subject that costs you most, and give it the first half hour of every day",
            "Do half as many questions, and understand each one",
            "Show a teacher your mistakes, and find out at which step they happen",
            "Sit the exam, and put the resit or the next date in your diary too",
            "Secure the marks within reach, and let the hardest questions go",
        ),
    ),
    "thesis": (
        (
            "Let your supervisor see the outline before you rewrite",
            "Put the conclusion on the first slide, and take the rest slowly",
            "Write a fixed five hundred words a day, and edit afterwards",
        ),
        (
            "Mend the point your supervisor raised, and leave the rest for later",
            "Try the talk on a friend, and ask where they lost you",
            "Make the subject of the thesis narrower; a finished one is what counts",
        ),
    ),
    "admission": (
        (
            "Go over the application once more today, and remind your referees",
            "Put one thing in your statement that nobody else could write",
            "While you wait, list what would have to be done next",
        ),
        (
            "Add one or two safer places, and your mind will be easier",
            "Write a note that explains the weakest part of the application",
            "Let somebody who was admitted read it",
        ),
    ),
    "home": (
        (
            "See the place twice, once by day and once in the evening",
            "Get title, loan and the day of the keys straight, and into the contract",
            "Add tax, repairs and the move to the price before you compare",
            "If you like it, talk about terms now, and keep some room in your first offer",
        ),
        (
            "Make no commitment on the place yet; see two more and compare",
            "Write down the monthly payment, and ask whether life is still comfortable after it",
            "Take someone who knows houses along, and look at damp, light and noise in turn",
            "Where you have doubts about the place, ask for the answer in writing",
        ),
    ),
    "rent": (
        (
            "See that deposit, term and repairs are in the lease, point by point",
            "Photograph every room on the day you move in",
            "Agree with the landlord how to reach each other",
        ),
        (
            "Read the lease before you pay, and do not sign what is unclear",
            "Keep it in writing with the landlord, and keep it civil",
            "Have a second place in mind, so that you need not give in",
        ),
    ),
    "contract": (
        (
            "Read money, dates and penalties in the contract aloud before you sign",
            "Put every spoken promise into the contract first",
            "Keep the original safe, and the day it runs out in your calendar",
        ),
        (
            "Let the contract lie for two days, and have it read by someone who knows",
            "If one clause cannot be explained, do not sign yet",
            "List all your changes and raise them in one talk",
        ),
    ),
    "business": (
        (
            "Look after the customers who come back, and give them something real",
            "Make the most of what sells best, and add the rest slowly",
            "Do the accounts every week, and see where the money really comes from",
            "Ask ten people who would really buy, before you open",
        ),
        (
            "Make the business a little smaller for now; rent and stock come first",
            "Stop new spending for a month, and see what happens without it",
            "Try one season at the smallest cost before you think of growing",
            "Find someone who has run such a business, and ask where they lost money",
        ),
    ),
    "invest": (
        (
            "Use only money you will not need soon, and put it in over several dates",
            "Write down beforehand when you would get out, and keep to it",
            "Look at the price once a week, not every day",
        ),
        (
            "Watch without buying for now, and keep some cash",
            "For what is already in, decide how much loss you can bear",
            "Let any tip lie for three days, then check it yourself",
            "Do not add money to win back a loss",
        ),
    ),
    "owed money": (
        (
            "Agree on a day and a sum, and write it down",
            "Take a part of it if you can; the rest follows more easily",
            "Bring the IOU or the transfers; be friendly, and exact about the sum",
        ),
        (
            "Put the IOU and the transfers together before you ask",
            "Lend no more, however good the reason",
            "Ask for one day and one sum, and leave old stories out",
            "Ask somebody they respect to say a word",
        ),
    ),
    "loan": (
        (
            "Understand rate, term and penalties before you borrow, and borrow no more than you need",
            "Have statements and proof of income complete, and hand them in once",
            "Work out what you can repay easily each month, and borrow by that",
        ),
        (
            "Let the loan wait, and see which expense can be put off",
            "If it is urgent, ask a regular bank, and nobody whose interest is unclear",
            "Put what you owe in order, and pay the dearest first",
        ),
    ),
    "ex": (
        (
            "Send a light hello, without a word about getting back, and see how it is taken",
            "Meet once, talk about now, and leave old scores alone",
            "Know why you parted, and let the change be seen",
            "Explain less, and ask more about how they have been",
        ),
        (
            "Pause for two or three weeks, and see what you still want then",
            "Stop checking for news, and keep the evenings for yourself",
            "Write it down, do not send it, and decide in the morning",
            "Write down why you want them back: is it this person, or not being alone?",
        ),
    ),
    "crush": (
        (
            "Find something you both like, and ask them along",
            "Ask how they are, and remember the small things they tell you",
            "You need not say it all at once; let them feel at ease with you first",
            "Pick an evening without hurry, and tell them face to face",
        ),
        (
            "Be friends first, and do not press for an answer",
            "See whether they ever get in touch first; count over a month",
            "Leave half of it unsaid, and give them time",
            "Do not put your whole heart in one place; live your own days too",
        ),
    ),
    "marriage": (
        (
            "Talk through three things: money, where to live, and both families",
            "Pick a date that hurries neither family",
            "Each write down what you want most of the years ahead, and compare",
        ),
        (
            "Let the wedding wait, and find a way with the thing you argue about most",
            "Live some ordinary weeks together first, and see",
            "Hear every objection at home to the end before you answer",
            "Do not fix a date for age or appearance",
        ),
    ),
    "meeting someone": (
        (
            "Say yes to invitations for a while, friends' introductions included",
            "Tell two or three friends that you would like to meet someone",
            "Keep the first meeting short: one cup of tea",
            "Go where you do what you really like; those you meet there will suit you",
        ),
        (
            "Fill your own days first; it need not be this month",
            "Take people slowly: for three meetings, watch how they treat others",
            "Cut the list of what you look for to three, and let the rest go",
            "Make room first: what is past should be past",
        ),
    ),
    "quarrel": (
        (
            "Whoever speaks first loses nothing; “I was not fair either” is enough",
            "Choose a time when neither is tired, and talk of this one thing",
            "Say “I feel”, not “you always”",
        ),
        (
            "Let two days pass; nothing said in anger counts",
            "Leave right and wrong aside, and ask what hurt most",
            "If you cannot agree, stop, and fix a day to go on",
            "Ask somebody you both trust what they see",
        ),
    ),
    "lost item": (
        (
            "Start from where you last used it, and walk that day's route backwards",
            "Try coat pockets, the lining of your bag and under the seats first",
            "Ask those you met that day; one of them has probably seen it",
            "Ask at the lost-property desks of the shops and buses of that day",
        ),
        (
            "Block any cards first, then search in peace",
            "Let someone at home look again; your own eyes skip what they know",
            "Give it two days, then have it replaced",
            "Leave a description and your number with people and offices nearby",
        ),
    ),
    "parcel": (
        (
            "Look the tracking number up, and see where it last stopped",
            "Ring the courier, and agree on a time for the delivery",
            "Ask the neighbours, the porter and the pick-up point whether someone took it in",
        ),
        (
            "Report it to the seller and the courier, and keep the reference number",
            "Save the order, the payment and the tracking page, and claim within the time allowed",
            "Do not wait for a message; ring the courier until you have an answer",
        ),
    ),
    "home sale": (
        (
            "Look at what has sold nearby lately, and settle the lowest price you would take",
            "Tidy and brighten the rooms, and take new pictures",
            "Have title, loan and taxes in order, so that an offer finds you prepared",
            "Let a second agent show it, and be generous with viewing times",
        ),
        (
            "If the price is on the high side, come down one small step, not all the way",
            "Ask those who came why they did not buy, and put one thing right before the next viewing",
            "Hand over no keys before the money is there",
            "Write the day of payment into the contract, and what happens if it passes",
        ),
    ),
    "pet lost": (
        (
            "Call softly near home after dark, when it is quiet",
            "Put its blanket and food by the door",
            "Put its picture and your number up nearby and online",
            "Ask the vets and shelters around whether someone has brought it in",
        ),
        (
            "Ask the neighbours to look under cars, on the stairs and in cellars",
            "Leave your number with the shelters and vets around",
            "Widen the circle a little each day, at the same hour",
            "Put up its picture and your number at corners and in shops",
            "Keep food out and a door open; some come home on their own",
        ),
    ),
    "trip": (
        (
            "Leave half a day free in the plan, and a delay will not matter",
            "Keep a picture of tickets and papers",
            "Know the way of the first day before you leave",
            "Carry some medicine and cash",
        ),
        (
            "Put the trip off by a few days if you can",
            "Buy what can be refunded, the hotel included",
            "Have a second route, so that a change finds you ready",
            "Leave one stop out and travel more easily",
        ),
    ),
    "visa": (
        (
            "Tick off the visa papers one by one, each in its own folder",
            "See that savings, job and dates tell the same story",
            "Take the first appointment there is; do not leave it to the last week",
        ),
        (
            "Add a note on whatever was asked or missing before",
            "Book flights and rooms that can be refunded",
            "Let someone who got the same visa read your papers",
            "Leave more time at the end, and fix no dates yet",
        ),
    ),
    "court": (
        (
            "Put the story on one page by date, and go over it with your lawyer",
            "Number the evidence by date, and bring the originals",
            "Stay with the facts, and answer what is asked",
        ),
        (
            "Have your lawyer look at the weakest point, and mend what can be mended",
            "Know your terms for a settlement, and bring them",
            "Mark the deadlines of the court first; miss none",
            "Say little about the case elsewhere",
        ),
    ),
    "operation": (
        (
            "Have the doctor write down what to mind before and after, with a copy for the family",
            "Prepare as the doctor says, and see to food and sleep",
            "Arrange turns for whoever sits with the patient, so that everyone rests",
        ),
        (
            "Ask the doctor to go through risks and benefits again, and ask on the spot",
            "List past illnesses and present medicine for the doctor",
            "If you are uneasy, hear a second doctor",
        ),
    ),
    "moving": (
        (
            "Spend half a day in the new place before the move, for the light and the noise",
            "Pack over three days, and only carry on the last",
            "Order water, power and internet early",
        ),
        (
            "Put the move back a little, and have the faults mended first",
            "Move a part, sleep there a few nights, and see",
            "Settle the old lease and the deposit before you move",
        ),
    ),
    "car": (
        (
            "Drive the car once, and read its service book",
            "Count insurance, parking and fuel into the price",
            "See three dealers before you talk price",
        ),
        (
            "Do not hurry with the car; have it looked at first",
            "Work out what the loan takes every month",
            "Wait a month or two and watch the price",
        ),
    ),
    "match": (
        (
            "Warm up well, and play the first ten minutes at your own pace",
            "Find their weaker side, and go there again and again",
            "When you lead, go on as before",
        ),
        (
            "Hold your own side first, and let them hurry",
            "A lost point is past; start the next one fresh",
            "Rehearse once the situation you fear most",
        ),
    ),
}
