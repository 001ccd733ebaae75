"""The reasons of a judgement in plain words, in English, by the reason's term.

No term of the art. Those of month, day and the line itself are predicates of what the line stands for ("the job …");
the others are clauses that stand alone. `{who}` is whom the acting line stands for (`WHO`). A term that may weigh
either way has ` for` or ` against` behind its name.
"""

from typing import Final

PLAIN: Final[dict[str, tuple[str, ...]]] = {
    # For: the month
    "临月建": (
        "is at its strongest this month",
        "has this whole month behind it",
        "is well placed this month",
        "stands at its peak this month",
    ),
    "月令旺": (
        "is strong just now",
        "is at full strength this month",
        "has good timing on its side",
        "is in good shape this month",
    ),
    "月建生": (
        "is well supported this month",
        "is being helped along this month",
        "has support behind it this month",
        "is in good hands this month",
    ),
    "月合": ("fits in well with what goes on this month", "gets a helping hand this month"),
    # For: the day
    "临日辰": (
        "is at its strongest right now",
        "carries real weight these days",
        "is on a good run just now",
        "is at its most active these days",
    ),
    "日辰扶": (
        "gets some backing these days",
        "has something working for it these days",
        "gets a hand these days",
        "finds an ally these days",
    ),
    "日辰生": (
        "is getting help these days",
        "gains a little strength each day",
        "has just received some support",
        "gains from each day as it comes",
    ),
    "长生": ("is young and still growing", "has only just started and has staying power"),
    "合起": ("has just been woken by something recent", "has found an occasion to move"),
    "暗动": ("looks still but is already on the move", "is stirring under the surface"),
    "冲空": ("was hanging in the air and is about to settle", "was empty and is about to be filled"),
    # For: the line itself
    "回头生": ("has support coming up behind it", "gains ground as it goes"),
    "化进神": ("gathers strength with every step", "is still growing"),
    "回头合": ("has someone to catch it once it moves", "finds a place to land further on"),
    "飞来生伏": ("looks blocked, but what blocks it turns out to help", "is out of sight but in good hands"),
    "飞神空破": ("is blocked only by something that will not hold", "is behind a hurdle that gives way at a touch"),
    "飞神休囚": ("is held back by something with little force", "is behind an obstacle with little strength left"),
    # For: the other lines
    "元神发动": (
        "you have {who} behind you",
        "help is coming from {who}",
        "{who} can be counted on",
        "support comes from {who}",
    ),
    "同气相扶": ("you and {who} pull the same way", "you are not alone in this, with {who} beside you"),
    "克处逢生": ("there is pressure, but also a way out of it", "help turns up inside the difficulty"),
    "三合生扶": ("several things come together to help", "the people and the timing are both with you"),
    "贪生忘克": ("what stood in the way has turned to help", "what could be trouble is busy elsewhere"),
    # For: the asker and the other side
    "用神持世": ("it lies in your own hands", "the initiative is yours", "what you want is within your reach"),
    "用神生世": ("it is coming your way", "you need not chase it, because it leans towards you"),
    "用神合世": ("you and it go well together", "there is goodwill on both sides"),
    "世用比和": ("you and it are on the same side", "you are in step with it"),
    "用来克世": ("it will come to your door by itself", "it is already on its way to you"),
    "世化回头生": ("once you move, help follows", "you grow stronger as you set out"),
    "世旺": (
        "you stand on firm ground",
        "you have the strength to carry it",
        "you are not short of strength",
        "your own side is solid",
    ),
    "世应相合": (
        "the other side thinks as you do",
        "you and the other side fit together",
        "you and the other side are of like mind",
    ),
    "应来生世": ("the other side is willing to help you", "the other side is well disposed to you"),
    "世应比和": ("the two sides are evenly matched and can talk", "you and the other side are in the same position"),
    "世去克应": ("you have the situation in hand", "the initiative is yours, not theirs"),
    "持世有利": ("what protects you is close by", "you bring what this needs"),
    # For: the whole
    "发动有利": ("what can relieve it is already on the move", "the part that can help has begun to act"),
    "官星有力": ("those who judge think well of you", "your standing counts"),
    "六合卦": ("the whole picture is one of things coming together", "people and things fit together easily"),
    "六冲卦 for": ("what is tangled comes apart easily", "what drags on can be ended cleanly"),
    "六冲变六合": ("it begins in disorder and draws together", "the later part is better than the first"),
    "六合变六合": ("it holds together from first to last", "people stay with it throughout"),
    "变卦六合": ("things draw together in the end", "it joins up at the close"),
    "局生世爻": ("several forces all run towards you", "those around you are helping you along"),
    "世化用神": ("one move of yours brings it within reach", "you need only walk over and take it"),
    "福动解鬼": ("someone comes to lift what weighs on you", "the worry you carry will lift"),
    "近病逢冲": ("what has come newly tends to pass, by the old rule", "what came fast goes fast"),
    "近病逢空": ("is of a new complaint, which by the old rule tends to pass", "came fast and goes fast"),
    "近病化空": ("is of a new complaint, which by the old rule tends to pass", "came fast and goes fast"),
    "福神解病": ("care and medicine are doing their work", "doctor and medicine suit"),
    "官父持世": ("what you are going for is within reach", "the result you want leans your way"),
    "官父生世": ("what you are going for is moving towards you", "those who judge are inclined to let you through"),
    "冲中逢合": ("it looks like coming apart, and this day holds it together", "it parts first and joins later"),
    "争端冲散": ("the dispute looks like breaking up", "the quarrel will fade by itself"),
    "化退知返": ("has begun to turn for home", "is on its way back"),
    "变出用神": ("it cannot be seen yet, but one turn brings it out", "it will show itself around the bend"),
    "归魂 for": ("they mean to come back", "they still think of the old place"),
    "应空 for": ("the other side has little to stand on", "the other side is unsure as well"),
    "局生应爻 for": ("the other side is well placed too",),
    # Against: the month
    "休": (
        "is just past its best and has less drive than a while ago",
        "is losing strength this month",
        "is resting after its best time",
        "is past its peak for now",
    ),
    "囚": (
        "makes little headway this month",
        "has no room to move this month",
        "is hemmed in this month",
        "can hardly move this month",
    ),
    "月建克": (
        "has this month against it",
        "is under pressure this month",
        "is out of favour this month",
        "has bad timing against it",
    ),
    "月破": ("has been knocked off its feet this month", "stands on loose ground this month"),
    "破而有救": ("took a knock this month, though not a deep one", "is not quite firm this month"),
    # Against: the day
    "日辰克": (
        "is under pressure these days",
        "is held up by something these days",
        "is being squeezed these days",
        "meets with resistance these days",
    ),
    "泄于日辰": (
        "is spending its strength on odds and ends",
        "gives more than it gets these days",
        "is busy serving something else these days",
        "is being worn down these days",
    ),
    "日墓": ("is stuck for the moment", "is at a standstill these days"),
    "日绝": ("is at its weakest these days", "cannot gather strength these days"),
    "合绊": ("is tied up with something else", "is held back by another matter"),
    "日破": ("has been scattered by the last few days", "has been thrown off course these days"),
    "日冲": ("is wavering these days", "is unsettled just now"),
    # Against: the line itself
    "旬空": (
        "is still empty: nothing firm stands behind it yet",
        "has nothing firm behind it so far",
        "cannot be grasped yet",
        "has no firm ground for now",
    ),
    "动不为空": ("is moving but has no result yet", "has begun, but is not yet real"),
    "旺不为空": ("is there, but not yet in your hands", "has a base, but is not settled yet"),
    "回头克": ("gets going and is then held back", "starts fast and then loses ground"),
    "化退神": ("is drawing back", "loses push the longer it waits"),
    "回头冲": ("takes two steps forward and one back", "is settled one day and wavers the next"),
    "化空": ("has nothing to stand on at the next step", "leads into something still empty"),
    "化破": ("is unsteady at the next step",),
    "化墓": ("tends to stall later on", "slows down later"),
    "化绝": ("runs short of strength later", "does not have the strength to last"),
    "用神伏藏": (
        "is still hidden",
        "lies below the surface, out of sight",
        "has not come to the surface",
        "is covered up for now",
    ),
    "飞来克伏": ("is covered by a larger matter", "has something else weighing on it"),
    "伏去生飞": ("is losing its strength to something else",),
    "伏墓于飞": ("is crowded out by something else",),
    "久病逢空": ("is of an old complaint, which wants patience", "is about something old that cannot be hurried"),
    "久病化空": ("is of an old complaint, which wants patience", "is about something old that cannot be hurried"),
    "用神化鬼": ("may turn into a worry later", "picks up another concern on the way"),
    "鬼化用神": ("has a worry mixed into it", "is tangled up with what troubles you"),
    "随鬼入墓": ("is closed in by worry", "is not free at present"),
    "三刑俱全": ("is pulled from several ends", "is caught between several matters"),
    "化进不归": ("still wants to go on, not back", "is still out there"),
    # Against: the other lines
    "忌神发动": (
        "resistance comes from {who}",
        "you first have to get past {who}",
        "{who} may stand in the way",
        "there is friction with {who}",
    ),
    "仇神克元神": ("the help you have is held back by {who}", "what could help is tied up by {who}"),
    "仇神生忌神": ("the resistance grows through {who}", "it is made harder by {who}"),
    "三合克伤": ("several things press on the same point", "the people and the timing are both against it"),
    "生之不起": ("help is offered but does not reach you",),
    "元神受伤": ("what could help has been hurt itself", "the support behind it has not recovered"),
    "忌神化进": ("the resistance is growing", "what blocks it is gaining force"),
    # Against: the asker and the other side
    "用神克世": ("it weighs on you", "you find it heavy to carry"),
    "用神冲世": ("you are in two minds about it", "you want it and fear it at once"),
    "世去生用": ("you have to give first and receive later", "most of the effort is yours"),
    "世去克用": ("your way of doing it runs against what you want", "you hold it so tightly that you push it off"),
    "世化回头克": ("a move of yours would land first on yourself", "haste would tire you first"),
    "世空": (
        "you have not made up your mind",
        "your heart is not settled",
        "your own mind is still going back and forth",
    ),
    "世破": ("you are on shaky ground yourself this month", "you are a little out of sorts yourself"),
    "世衰": (
        "you are rather tired at present",
        "you have not got your energy back yet",
        "you are running a little low yourself",
        "your own side is thin at the moment",
    ),
    "世应相冲": (
        "you and the other side do not meet",
        "you and the other side think very differently",
        "you and the other side are at odds just now",
    ),
    "应来克世": (
        "the other side is harder than you",
        "the other side has the upper hand",
        "the other side's word weighs more than yours",
    ),
    "世去生应": ("it is mostly you who give way", "you give much and they give little"),
    "应空": (
        "the other side is not in earnest yet",
        "the other side has not decided",
        "the other side has no clear answer to give yet",
    ),
    "持世不利": (
        "your own position does not quite suit this",
        "you carry a burden of your own",
        "where you stand is not quite the right spot for this",
    ),
    "世化官鬼": ("a move of yours would first bring worry", "haste adds to the trouble"),
    "医不相宜": (
        "the present course of seeing doctors may not be the right one",
        "a second doctor's opinion would help",
    ),
    "子孙持世": ("you like your freedom, and the rules here do not suit you", "your heart is not wholly in it"),
    "世爻破损": ("your own base is thin just now", "you need to regain some strength first"),
    "兄弟持世": ("money near you tends to be shared out", "what comes in goes out on others"),
    "身命逢空": ("something at the root is still empty", "a part of your heart is not settled"),
    "持世克配": ("your temper and theirs do not go together", "the two of you grate on each other"),
    "世动逢合": ("something keeps you from leaving yet", "what you have in hand is not finished"),
    # Against: the whole
    "发动不利": ("the wrong part of the picture has begun to move", "something that does not suit is under way"),
    "官星无力": ("those who judge have not noticed you yet", "your standing does not count for much yet"),
    "六冲卦": ("the whole picture is one of things coming apart", "what was agreed may change"),
    "六合卦 against": ("what is tangled does not come apart", "what drags on cannot be cut yet"),
    "六合变六冲": ("it starts warm and may cool", "the start is easy and the close is hard"),
    "六冲变六冲": ("neither start nor end is quiet", "it keeps changing and will not settle"),
    "伏吟": ("it goes round in circles", "it wants to move and cannot"),
    "反吟": ("it goes back and forth", "it is settled and undone in turn"),
    "游魂": ("neither mind nor direction is settled", "you are here, but your heart is elsewhere"),
    "归魂": ("it favours staying near over going far", "it is a time to keep rather than to venture"),
    "变卦六冲": ("it tends to come apart later", "the close may bring a change"),
    "变卦六合 against": ("it will be tangled again later",),
    "变卦游魂": ("the mind drifts later on", "the direction wavers further on"),
    "变卦归魂": ("it comes round to where it began",),
    "久病逢冲": ("an old complaint wants patience", "what is old cannot be hurried"),
    "近病逢合": ("this kind of complaint lingers a while", "it mends slowly and wants patience"),
    "局归他人": ("what you want tends to go to somebody else", "the gain is somebody else's"),
    "局生应爻": ("the gain falls to the other side", "the advantage is on the other side"),
    "财福伤名": ("other thoughts take your attention", "part of your mind is elsewhere"),
    "身命逢冲": ("beginning is easy and lasting is hard", "the direction tends to change halfway"),
}

WHO: Final[dict[str, str]] = {
    "父母": "someone older",
    "兄弟": "friends",
    "子孙": "someone who knows how",
    "妻财": "the means at hand",
    "官鬼": "those in charge",
}
"""Whom the acting line stands for."""

WHO_AGAINST: Final[dict[str, str]] = WHO | {
    "兄弟": "others who want the same",
    "子孙": "a moment of carelessness",
    "妻财": "the cost of it",
    "官鬼": "rules, or those in charge",
}
"""The same of a line that hinders."""

WHO_IN_LOVE: Final[dict[str, str]] = {
    "父母": "the elders at home",
    "兄弟": "friends around you",
    "子孙": "the ease of your hours together",
    "妻财": "everyday acts of care",
    "官鬼": "the promises between you",
}
"""The same in love."""

WHO_AGAINST_IN_LOVE: Final[dict[str, str]] = {
    "父母": "opinions in the family",
    "兄弟": "other people and their talk",
    "子孙": "a passing mood",
    "妻财": "money and chores",
    "官鬼": "work and its pressure",
}

WHO_IN_ILLNESS: Final[dict[str, str]] = {
    "父母": "elders and the hospital",
    "兄弟": "relatives and friends",
    "子孙": "doctors, medicine and rest",
    "妻财": "food and daily habits",
    "官鬼": "the complaint itself",
}
