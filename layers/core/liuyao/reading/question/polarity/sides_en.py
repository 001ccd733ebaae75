"""Whose side the asker is on, and what becomes of whom, in lower-case English."""

from typing import Final

from liuyao.reading.question.text import Expression

_TO_ME: Final = r"(?:me|my|us|our|mine|ours)\b"
PURPOSE: Final = Expression(
    r"\bso (?:that )?(?:i|we|my \w+|our \w+)(?:'ll| can| could| will| may| might)? "
    r"(?!.*\b(?:los[et]\w*|fail\w*|have to|must|miss|can't|cannot|worr\w+)\b)(?!(?:am|are|is|was|were)\b)"
)
"""What the event is to be good for."""
UNWANTED: Final = Expression(
    r"\b(?:nobody|no one|no-one|none of us) (?:else )?(?:really )?(?:wants?|likes?)\b|\b(?:short straw|god forbid)\b"
)
"""What nobody wants, in the question itself."""
NOT_WANTED: Final = Expression(
    r"\b(?:i|we)(?: really| so| just)? (?:don't|do not|didn't) (?:\w+ )?want (?:to |him to |her to |"
    r"them to )(?P<deed>(?!be\b|go\b|have\b)\w{3,})"
)
"""What the asker does not want to do or be done."""
DREAD: Final = Expression(
    r"[ ,.?!;:-]*(?:but |and |cos |because |please )*(?:(?:i|we)(?:'m| am|'re| are)? (?:really |absolutely |so |just |"
    r"kind of "
    r"|honestly |secretly )*(?:dread(?:ing)?|hat(?:e|ing) (?:it|that|the)|can'?t (?:stand|face|bear|afford) (?:it|"
    r"that|the|"
    r"another)|(?:do not|don'?t) want (?:it|that|this|to)\b|hop(?:e|ing) not)|please no|god forbid|heaven forbid|"
    r"hope not|dreading it)\b"
)
"""What is said of the event right behind it."""
WISH: Final = Expression(r"\b(?:finally|at (?:long )?last|fingers crossed|hopefully)\b")

_PEOPLE: Final = (
    r"thie(?:f|ves)|burglars?|robbers?|muggers?|scammers?|fraudsters?|con ?(?:man|men|artists?)|crooks?|swindlers?|"
    r"hackers?|vandals?|stalkers?|bull(?:y|ies)|harassers?|abusers?|"
    r"enem(?:y|ies)|nemesis|(?:hit-and-run|drunk) driver|squatters?|trespassers?|poachers?|loan sharks?|slumlord|"
    r"deadbeat|creep|jerk|loser|scumbag|"
    r"culprits?"
)
_DISLIKED: Final = (
    r"(?:annoying|awful|horrible|horrid|nasty|toxic|noisy|loud|barking|yapping|smelly|stinking|nosy|rude|creepy|"
    r"crooked|"
    r"corrupt|incompetent|lying|cheating|abusive|dreadful|insufferable|obnoxious|bullying|violent|pesky|sleazy|"
    r"good-for-nothing|no-good)"
)
_WRONGED_ME: Final = (
    r"(?:who|that|which)(?:'s|'ve|'d| has| have| had| is| are| was| were| keeps?)? (?:\w+ly )?(?:t[ao]k(?:e|es|ing)|"
    r"took|"
    r"st(?:ole|olen|eals?|ealing)|nick\w*|scam\w*|conn?\w*|cheat\w*|robb?\w*|hit|attack\w*|assault\w*|bull(?:y|ied|ies|"
    r"ying)|harass\w*|stalk\w*|report\w*|su(?:ed|es|ing)|beat\w*|dump\w*|hurt\w*|key(?:ed|s)|damag\w+|brok?e\w*|"
    r"trash\w*|cop(?:y|ied|ies|ying)|rip(?:s|ped|ping)? off|blam\w+|threat\w+|wreck\w*|ruin\w*|bad-?mouth\w*|wak\w+)"
    rf"[^,?;]{{0,30}}?\b{_TO_ME}|(?:who|that) (?:ripped|wound|stitched) (?:me|us) \w+|(?:with|and) (?:the|his|her|"
    rf"their|that) "
    r"(?:drums?|barking|smoking|loud \w+|noise|yappy \w+|parties|stink\w*)"
)
_BURDENS: Final = (
    r"(?:the|my|our|this|that|a|any) (?:[\w-]+ )?(?:fine|penalty|(?:parking|speeding) ticket|late fee|surcharge|ban|"
    r"suspension|curfew|detention|tax bill|debt|eviction(?: notice)?|audit|sentence|points on my licen[cs]e)s?\b|fines|"
    r"(?:claims?|cases?|lawsuits?|suits?|charges?|complaints?|allegations?|accusations?|appeals?|objections?|"
    rf"disciplinary|order|warrant) (?:[^,?;]{{0,30}} )?against {_TO_ME}|(?:barking|building|traffic|drilling) noise|"
    r"noise|stench|roadworks|mould|mold|rats?|mice|cockroaches|bed ?bugs|weeds"
)
FOES: Final = Expression(
    rf"\b(?:(?:{_PEOPLE})\b(?: [^,?;]{{0,20}}?\b{_WRONGED_ME})?|"
    rf"(?:my|our|the|that|this|those|his|her|their|next door's) {_DISLIKED} [\w'-]+(?: next door| upstairs|"
    rf" downstairs)?|"
    rf"[\w'-]+,? (?:{_WRONGED_ME}))"
)
"""Whom the asker is against, by the words themselves."""
BURDENS: Final = Expression(rf"\b(?:{_BURDENS})\b")
"""What burdens the asker."""
TOLD_HARM: Final = Expression(
    r"\b(?:it|that|this|they|he|she)(?:'d|'ll|'s|'re| would| will| is| are| has| have| keeps?)? (?:\w+ly )?(?:be )?"
    r"(?:block|ruin|wreck|spoil|destroy|disturb|bother|annoy|driv|keep|wak|overlook|tak|flood|shad|cost|threat|bull|"
    rf"harass)\w*\b[^.?!;]*\b{_TO_ME}"
)
"""What somebody or something does to the asker, told beside the question."""
THEY: Final = Expression(r"^(?:will|is|are|has|have|did|does|do|can|could|would) (?:he|she|they)\b|\b(?:him|them)\b")
"""Whom the asking clause may mean where the asker is against somebody who was told before."""
NEIGHBOURS: Final = Expression(r"\b(?:next door|the neighbou?rs?|(?:my|our) neighbou?rs?)(?:'s?)?(?: [\w-]+){0,3}")
"""Who may do the harm that is told."""
_DONE: Final = (
    r"caught|found(?: out| guilty)?|arrested|nicked|jailed|punished|fined|charged|prosecuted|convicted|sentenced|"
    r"deported|"
    r"fired|sacked|dismissed|demoted|expelled|suspended|evicted|kicked out|banned|rejected|refused|denied|turned down|"
    r"dropped|thrown out|tossed out|struck out|withdrawn|cancell?ed|waived|scrapped|lifted|overturned|quashed|revoked|"
    r"written off|removed|exposed|beaten|knocked out|eliminated|disqualified|outvoted|outbid|taken (?:down|away|"
    r"to court)|"
    r"torn down|stopped|blocked|reduced|rehomed|moved on|transferred|replaced|told off|held to account"
)
HARMED: Final = Expression(
    rf"\b(?:(?:be|get|gets|being|been|getting|is|are|was|were|have been|has been) (?:\w+ly |ever )?(?:{_DONE})|lose|"
    rf"loses|losing|"
    r"fail|fails|flop|flops|go bust|go under|quit|quits|resign|resigns|giv(?:e|es|ing) up|back(?:s|ing)? (?:down|off|"
    r"out)|"
    r"drop(?:s|ping)? out|pull(?:s|ing)? out|mov(?:e|es|ing) (?:out|away|on)|leave|leaves|leaving|go(?:es)? away|stop|"
    r"stops|"
    r"slip up|mess up|trip up|own up|confess|apologi[sz]e|pay for it|get what|fac(?:e|ing) (?:justice|charges|trial)|"
    r"go(?:es|ing)? to (?:jail|prison|court)|end up in (?:jail|prison)|disappear|fade|end|cease|retire|calm down|"
    r"quieten)\b"
)
"""What befalls the subject, to its ill or its end."""
HARMS: Final = Expression(
    r"\b(?:reject|refuse|deny|decline|dismiss|throw out|toss out|strike out|drop|cancel|waive|scrap|withdraw|lift|"
    r"overturn|"
    r"quash|revoke|write off|remove|reduce|fire|sack|demote|arrest|catch|find|jail|fine|punish|charge|prosecute|"
    r"convict|"
    r"expel|evict|ban|block|beat|outbid|get rid of|take down|tear down|kick out|deal with|fight off|win against|"
    r"see off|"
    r"stop|turn down|get out of|clear|settle|leave|dump|divorce|break up with|split (?:up )?(?:with|from)|see through)"
    r"(?:e?s|ing|ned|ped|ed|d)?\b"
)
"""What is done to the object, to its ill or its end."""
_ENDED: Final = (
    r"dropped|thrown out|tossed out|struck out|withdrawn|cancell?ed|waived|scrapped|lifted|overturned|quashed|revoked|"
    r"written off|removed|reduced|dismissed|rejected|paid off|cleared|settled"
)
ENDED: Final = Expression(
    rf"\b(?:(?:be|get|gets|being|been|getting) (?:\w+ly |ever )?(?:{_ENDED})|go(?:es)? away|stop|stops|end|ends|fail|"
    rf"fails|"
    r"fall apart|disappear|fade|ease|cease)\b"
)
ENDS: Final = Expression(
    r"\b(?:reject|dismiss|throw out|toss out|strike out|drop|cancel|waive|scrap|withdraw|lift|overturn|quash|revoke|"
    r"write off|"
    r"remove|reduce|get rid of|deal with|fight|beat|win against|stop|get out of|be let off|let \w+ off|get off|clear|"
    r"avoid|"
    r"escape|dodge)(?:e?s|ing|ned|ped|ped|ed|d)?\b"
)
FAVOURED: Final = Expression(
    r"\b(?:win|wins|winning|succeed|succeeds|(?:be|get|gets|being|getting) (?:\w+ly )?(?:promoted|approved|accepted|"
    r"granted|"
    r"elected|chosen|picked|selected|released|let off|acquitted|re-?elected|renewed|extended|published|allowed)|"
    r"get away|"
    r"gets away|walk free|get off|go ahead|goes ahead|go through|come back|comes back|mov(?:e|es|ing) in|spread|"
    r"get the)\b"
)
FAVOURS: Final = Expression(
    r"\b(?:approve|grant|accept|promote|choose|pick|elect|support|renew|extend|allow|permit|believe|side with|"
    r"forgive|release|let off)(?:e?s|ing|d|ed)?\b"
)
BETWEEN: Final = Expression(r"^ (?:me|us)\b|[,?;]| (?:so|if|when|while|because) ")
"""What does not stand between a verb and its object."""
ME: Final = Expression(r" (?:me|us|my|our)\b(?! way)")
NOT: Final = Expression(r"\b(?:not|never|without|nobody|no one|fail to|refuse to)\b|n't\b")
RELEASES: Final = Expression(
    r"\bleave (?:me|us|my [\w-]+|our [\w-]+) (?:alone|be|in peace)\b|\b(?:get|lay) off (?:my|our) (?:back|case)\b|"
    r"\boff the hook\b|\blet (?:me|us) off\b|\bgo easy on (?:me|us)\b|\bspare (?:me|us)\b|\b(?:stop|quit|give up) "
    r"(?!lov|help|support|pay|call|text|talk|see|speak|com|car|answer|writ|visit)\w+ing\b|"
    r"\b(?:pay|settle|cough up|hand over)\b[^,?;]*\b(?:owed?|owes|overdue|unpaid|outstanding|back pay|arrears)\b|"
    r"\b(?:overdue|unpaid|outstanding) (?:[\w-]+ ){0,2}(?:be|get) (?:paid|settled|cleared)\b"
)
"""What lets the asker alone, or gives what they are owed."""
DUTY: Final = Expression(
    r"\b(?:jury (?:duty|service)|(?:night|late|early|graveyard|weekend|christmas(?: day| eve)?|new year'?s?(?: day|"
    r" eve)?|"
    r"holiday|sunday|saturday|bank holiday|extra|double) (?:shift|duty|roster|rota)s?|overtime|detention|reservist|"
    r"national service|military service|conscription|on call|the (?:washing[- ]up|dishes|chores|bill|blame|short straw|"
    r"worst|graveyard)|clean[- ]up duty|probation|quarantine)\b"
)
"""What people would rather leave to others."""
FALLS_TO_ME: Final = Expression(r"\b(?:i|me|we|us|my|our|kena)\b")
_OFF: Final = (
    r"(?:fir|sack|dismiss|evict|expel|demot|suspend|su|prosecut|charg|arrest|fin|penali[sz]|punish|audit|inspect|blam|"
    r"report|scam|cheat|rob|mugg|hack|bull|stalk|threaten|dump|ditch|ghost|reject|exclud|bann|replac|accus|kick|throw|"
    r"boot|deport|conscript|draft|investigat)(?:e|es|ed|ing|led|ling|ied|ies|y)?"
)
DONE_TO_ME: Final = Expression(
    rf"\b{_OFF} (?:me|us)\b|\b(?:lay|lays|laying|laid) (?:me|us) off\b|\b(?:kick|throw|boot)(?:s|ing|ed)? (?:me|"
    rf"us) out\b|"
    r"\b(?:tell|tells|telling|told|grass(?:es|ed|ing)?|dob(?:s|bed|bing)?) (?:on (?:me|us)|(?:me|us) in)\b|"
    r"\bcontest(?:s|ing|ed)? (?:my |our |the )?(?:dad|mum|mom|father|mother|gran|will)\b"
)
"""What another does to the asker, in any form of the verb."""
