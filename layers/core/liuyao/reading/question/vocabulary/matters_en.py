"""The matters as English names them. `TELLING` decides, in this order; `WORDS` serves where nothing does."""

from typing import Final

from liuyao.reading.question.text import listed

_RITES: Final = (
    "(?:wedding|marry|get married|move|moving|move in|open|opening|launch|sign|surgery|operation|"
    "break ground|travel|start|housewarming|"
    "engagement|ceremony|funeral|burial|c-section|renovat\\w*|propose)"
)

TELLING: Final[tuple[tuple[str, str], ...]] = (
    (
        "dream",
        (
            r"\b(?:dream(?:t|ed|ing)? (?:about|of|that|where|in which|last|mean)|i dream(?:t|ed)|(?:a|this|that|my|"
            r"the|bad|strange|weird|vivid|recurring) dreams?(?! (?:job|house|home|school|college|university|company|"
            r"car|man|woman|girl|guy|team|life|wedding|trip|come|will))|nightmares?|in (?:my|the|a) dream)(?:e?s)?\b"
        ),
    ),
    (
        "naming",
        (
            r"\b(?:(?:change|changing|choose|choosing|pick|picking|give|giving|new|first|last|baby|business|company|"
            r"brand|stage|pen|this|that|the) (?:my |his |her |our |their |the |a |new )*(?:name|surname)|rename|"
            r"name (?:my|our|the|him|her) |naming|name change|the name )"
        ),
    ),
    (
        "date",
        (
            rf"\b(?:(?:auspicious|lucky|good|best|right|better|favou?rable|suitable) (?:date|day|time) (?:to|for)|"
            rf"pick (?:a|the) (?:date|day)|choose (?:a|the) (?:date|day)|which (?:date|day) |what (?:date|day) (?:is|"
            rf"should|would)|date for (?:the|our|my)|wedding date|moving date)|\bis (?:(?:next |this )?(?:monday|"
            rf"tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow)|the \d+(?:st|nd|rd|th)|\w+ \d+(?:st|nd|rd|"
            rf"th)?) (?:a )?(?:good|auspicious|lucky|suitable|right|ok|okay|favou?rable).{{0,24}}{_RITES}"
        ),
    ),
    (
        "fair",
        (
            r"\b(?:(?:rain|snow|storm)\w* (?:\w+ )?(?:stop|end|let up|clear)|stop (?:raining|snowing)|clear up|sunny|"
            r"sunshine|fair weather|good weather|nice weather|weather (?:be|stay) (?:good|fine|nice|clear|dry)|"
            r"stay dry|dry day)"
        ),
    ),
    ("rain", r"\b(?:rain(?:y|ing|s)?|snow(?:y|ing|s)?|storms?|thunderstorms?|typhoon|hurricane|showers?)(?:e?s)?\b"),
    (
        "lawsuit",
        (
            r"\b(?:lawsuits?|court|judge|jury|guilty|trial|litigation|sue[ds]?|suing|lawyer|attorney|verdict|"
            r"prosecut\w+|jail|prison|"
            r"acquitted|convicted|sentenced?|appeal|arbitration|custody|legal|legally|settlement|plaintiff|defendant|"
            r"charges|arrested|bail|parole|probate|small claims|legal case|the case|my case|\w+ case)(?:e?s)?\b"
        ),
    ),
    (
        "pregnancy",
        (
            r"\b(?:pregnan\w+|conceive|conception|trying for a (?:baby|child)|have (?:(?:a|another|our|my first|any|"
            r"more|my own) )?(?:baby|babies|child|children|kids?)|how many (?:children|kids)|having (?:a|"
            r"another) (?:baby|child)|ivf|implantation|embryo\w*|"
            r"miscarr\w+|fertility|fertile|due date|give birth|giving birth|childbirth|birth|labou?r|c-section|"
            r"caesarean|delivery go|safe delivery|expecting|foetus|fetus|unborn|boy or (?:a )?girl|girl or (?:a )?boy|"
            r"son or (?:a )?daughter|gender of)(?:e?s)?\b"
        ),
    ),
    (
        "debt",
        (
            r"\b(?:loans?|lend(?:ing|s)?|lent|borrow\w*|debts?|debtor|creditor|mortgage|owe[ds]?|owing|pay (?:me|us|"
            r"him|her|it|them|you|back)\b.{0,20}(?:back|money|owe)|pay (?:me|us|him|her|it|them) back|paid back|pay up|"
            r"repay\w*|repaid|refund\w*|get my (?:money|deposit) back|money back|deposit back|deposit|unpaid|overdue|"
            r"bail ?out|collect the money|overdraft|pay (?:his|her|their|my|our|the) (?:\w+ of the )?(?:rent|share|"
            r"bills?)|credit card)(?:e?s)?\b"
        ),
    ),
    (
        "contest",
        (
            r"\b(?:win (?:the|a|this|his|her|my|our|their|against)? ?(?:\w+ ){0,2}(?:game|match|race|tournament|"
            r"championship|cup|title|medal|contest|competition|final|league|election|bout|fight|tennis|series|gold)|"
            r"game (?:on|tonight|tomorrow|this)|match|tournament|championship|competition|contest|competing|race|"
            r"marathon|world cup|super bowl|playoffs?|finals? match|beat (?:the|our|my|his|her|us|them)\b|team win|"
            r"medals?|trophy|league|esports|debate|election|audition|semi-?finals?|regatta|chess)(?:e?s)?\b"
        ),
    ),
    (
        "lost",
        (
            r"\b(?:lost(?! (?:my|his|her) (?:job|mind|temper|weight|money|faith|interest|baby|case|way))|stolen|stole|"
            r"theft|robbed|misplaced?|mislaid|"
            r"where (?:did|has|have) (?:my|our) (?!son|daughter|husband|wife|mother|father|brother|sister|boyfriend|"
            r"girlfriend|career|life|love|money)(?:\w+ ){1,3}(?:go|gone|end up|get to)|"
            r"missing(?! (?:person|daughter|son|child|husband|wife|mother|father|"
            r"brother|sister|you|me|him|her))|where (?:is|are|did i (?:put|leave|lose|drop)|have i (?:put|left)|"
            r"could) my (?:\w+ ){0,2}(?!son|daughter|husband|wife|mother|father|brother|sister|boyfriend|girlfriend|"
            r"career|life|love|relationship|future|soulmate)\w+|find (?:my|the|our|his|her) (?:[\w']+ ){0,2}(?:keys?|"
            r"ring|wallet|phone|passport|purse|bag|watch|necklace|cat|dog|glasses|earrings?|bracelet|laptop|card|"
            r"documents?|bike|car|jewel\w+|luggage|suitcase|headphones|airpods|pet)|disappeared|turn up|"
            r"left my)(?:e?s)?\b"
        ),
    ),
    (
        "return",
        (
            r"□.{0,24}\b(?:come (?:back )?home|coming (?:back|home)|come back from|return from|get home|be home|"
            r"be back)|"
            r"\b(?:(?:he|she|they|son|daughter|husband|wife|mother|father|mom|mum|dad|brother|sister|uncle|aunt|"
            r"friend|child|kid|cousin|nephew|niece|someone|maid|nanny|boyfriend|"
            r"girlfriend)\b.{0,24}\b(?:come (?:back )?home|coming (?:back )?home|return home|be (?:back )?home|"
            r"get home|come back from|coming back|return from|arrive|get back from)|"
            r"(?:dog|cat|kitten|puppy|pet|parrot)\b.{0,12}\b(?:come back|return)\b(?! to (?:me|us)\b)|"
            r"missing (?:person|daughter|son|child|husband|wife|mother|father|brother|sister)|ran away|"
            r"run(?:ning)? away|runaway|whereabouts|come (?:back )?home|"
            r"when will (?:he|she|they) (?:return|come back|be back|arrive)|no word from)(?:e?s)?\b"
        ),
    ),
    (
        "permit",
        (
            r"\b(?:visas?|passport|permits?|green card|residency|residence permit|citizenship|naturali[sz]\w+|"
            r"immigration|work permit|asylum|licen[cs]es?|licensing|paperwork|permission|clearance|approval|"
            r"get approved|certificates?|planning application|patent|trademark|driving licen[cs]e|h-?1b|accreditation|"
            r"ilr|pr application)(?:e?s)?\b"
        ),
    ),
    (
        "dwelling",
        (
            r"\b(?:feng ?shui|haunted|ghosts?|move (?:house|home|into|in\b|to a new (?:house|home|apartment|flat))|"
            r"moving (?:house|home|into|in\b)|new (?:house|home|apartment|flat) (?:be|is|bring|good|suit|safe)|"
            r"renovat\w+|remodel\w*|graves?|ancestral|tomb|(?:house|home|apartment|flat|"
            r"place) (?:\w+ ){0,2}(?:good to live|safe to live|good for (?:me|us|my)|bring|lucky|unlucky|right for)|"
            r"good to live in|live in this (?:house|home|flat|apartment)|bad energy|build (?:a|my|our) (?:house|"
            r"home))(?:e?s)?\b"
        ),
    ),
    (
        "study",
        (
            r"\b(?:exams?|examinations?|midterms?|finals|tests? (?:result|score)s?|(?:pass|fail|passing|take|retake|"
            r"ace|taking|sit) (?:\w+ ){0,4}(?:test|exam|course|class|boards?|bar|quiz|finals|paper|module|"
            r"driving test|theory|gcses?|a-levels?|sats?)|the bar exam|driving test|study|studies|studying|schools?|"
            r"university|universities|uni\b|college|degree|thesis|dissertation|admission|admitted|accepted (?:to|into|"
            r"at|by)|get(?:ting)? into (?:\w+ ){0,4}(?:school|college|university|uni|oxford|cambridge|harvard|yale|"
            r"stanford|mit|princeton|program\w*|med|law|grad)|get into|grades?|graduat\w+|scholarships?|phd|masters?|"
            r"gpa|ielts|toefl|gre|gmat|lsat|mcat|sat scores?|gaokao|homework|semester|tuition|dropout|drop out|learn|"
            r"learning)(?:e?s)?\b"
        ),
    ),
    (
        "love",
        (
            r"\b(?:(?:chance|future|hope) (?:with|for) (?:him|her|us|the \w+|this \w+|that \w+)\b|"
            r"(?:him|her) and me|he and i|she and i|"
            r"love[sd]?|in love|marriage|marry|married|marries|marrying|wedding|relationships?|romance|"
            r"romantic\w*|dating|date (?:me|him|her|someone)|divorc\w+|break ?up|breaking up|broke up|broken up|"
            r"split up|crush|engage(?:d|ment)|propose[sd]?|proposal|get back together|getting back together|"
            r"back together|get (?:him|her|□|my (?:husband|wife|girlfriend|boyfriend)) back|back to me|"
            r"come back to (?:me|us)|wants? me back|take me back|miss(?:es|ing)? me|"
            r"soul ?mates?|the one for me|cheat\w*|affair|unfaithful|faithful|feelings for|like[s]? me|into me|"
            r"attracted to|together forever|end up together|be together|stay together|"
            r"reconcil\w+|no contact|ex back|twin flame|situationship|single|true love|meet someone|meet (?:my|"
            r"the) (?:\w+ )?(?:husband|wife|partner|one)|find (?:a|my) (?:\w+ )?(?:husband|wife|partner|boyfriend|"
            r"girlfriend|match|love)|text me|"
            r"call me(?! (?:back )?(?:about|for) (?:the|a|an|my))|contact me|reach out|ghost(?:ed|ing)|commit|"
            r"serious about|move on|"
            r"wait for (?:him|her)|let (?:him|her) go|get over (?:him|her)|another (?:woman|man)|someone else|propose|"
            r"moving on)(?:e?s)?\b"
        ),
    ),
    ("journey", r"\bbusiness (?:trips?|travel|flights?)\b"),
    (
        "wealth",
        (
            r"\b(?:bitcoin|crypto\w*|ethereum|coins?|stocks?|shares?|markets?|prices?|funds?|pound|dollar|euro|yen|gold|"
            r"portfolio|investments?)\b.{0,24}\brecover"
        ),
    ),
    (
        "health",
        (
            r"\b(?:health\w*|ill\b|illness\w*|sick\w*|disease|surger\w+|operation|recover\w*|treat(?:ment|ed)|cancer|"
            r"tumou?r|pain\w*|fever|medical|hospital\w*|diagnos\w+|heal\w*|cure[ds]?|get better|get well|feel better|"
            r"feeling better|chemo\w*|biopsy|blood pressure|diabet\w+|stroke|heart (?:attack|condition|problem|"
            r"surgery)|injur\w+|broken (?:leg|arm|bone|wrist|ankle|hip)|depress\w+|anxiety|insomnia|migraines?|"
            r"headaches?|flu\b|covid|infection|allerg\w+|asthma|dementia|alzheimer\w*|arthritis|symptoms?|medication|"
            r"acupuncture|physio\w*|chiropract\w+|massage|tinnitus|eczema|"
            r"medicine|vitamins?|supplements?|pills?|tablets?|antibiotics|therapy|doctor|"
            r"knee|back pain|lose weight|transplant|nicu|icu|intensive care|pull through|"
            r"scan results?|test results|"
            r"thyroid)(?:e?s)?\b"
        ),
    ),
    (
        "partner",
        (
            r"\b(?:business partner|co-?founder|joint venture|partnership|go into business with|"
            r"trust(?:ed|worthy)?)\b"
        ),
    ),
    (
        "documents",
        (
            r"\b(?:(?:sell|sold|buy|buying|selling|rent|renting|lease)\b.{0,24}\b(?:house|home|flat|apartment|condo|building|"
            r"property|land|villa|car)|(?:house|home|flat|apartment|condo|property|land|car)\b.{0,12}\b(?:sell|sold|"
            r"sale))(?:e?s)?\b"
        ),
    ),
    (
        "wealth",
        (
            r"\b(?:in (?:his|her|their) will|leave me (?:any|some|money|the)|raise|pay rise|bonus|dividends?|"
            r"commission|payout|severance|allowance|pension|royalt\w+|harvest|crops?|overtime|invest\w*|stocks?|shares|"
            r"crypto\w*|bitcoin|profit\w*|money|lottery|inherit\w*|"
            r"salary|income|rich|business|earn\w*|start-?up)(?:e?s)?\b"
        ),
    ),
    (
        "career",
        (
            r"\b(?:jobs?|careers?|at work|my work|new work|work (?:for|at|out at)|working|workplace|promot\w+|"
            r"interviews?|resign\w*|quit\w*|employ(?:ment|ed|er)|profession\w*|laid off|layoffs?|lay (?:me|him|her|"
            r"us) off|fired|fire me|hir(?:e|ed|ing)|recruit\w*|offer|position|transfer(?:red)?|probation|"
            r"contract renew\w*|redundan\w+|unemploy\w*|take over (?:the|as|from)|"
            r"successor|succeed \w+ as|team lead|retire\w*|tenure|internship|placement|company|role|demot\w+|"
            r"switch (?:jobs|careers)|change (?:jobs|careers)|headhunt\w*|appointed|office|project|hr|"
            r"appraisal|performance review|disciplinary)(?:e?s)?\b"
        ),
    ),
    (
        "wealth",
        (
            r"\b(?:money|wealth\w*|rich|financ\w+|invest\w*|stocks?|shares|crypto\w*|bitcoin|etf|forex|trad(?:e|ing)|"
            r"funds?|income|salar\w+|raise|pay rise|bonus|profit\w*|sales|revenue|earn\w*|lottery|lotto|gambl\w+|"
            r"casino|bet\b|bets|betting|inherit\w*|compensation|payout|business|shop|store|start-?up|customers?|"
            r"clients?|pay (?:me|us)|get paid|sell|sold|afford|savings|cash|commission|dividends?|gold price|"
            r"bakery|cafe|restaurant|salon|boutique|franchise|farm|orchard|side hustle|insurance claim|"
            r"funding|venture)(?:e?s)?\b"
        ),
    ),
    (
        "documents",
        (
            r"\b(?:houses?|propert\w+|apartments?|flat|condo|rent\w*|lease|tenan\w+|landlord|contracts?|documents?|"
            r"deeds?|sign\w*|agreement|letter|parcel|package|manuscript|publish\w*|book deal|car|vehicle|home|land|"
            r"real estate|closing|escrow|offer on the)(?:e?s)?\b"
        ),
    ),
    (
        "journey",
        (
            r"\b(?:travel\w*|trips?|journey|flights?|fly|flying|abroad|go away|vacation|holidays?|emigrat\w+|cruise|"
            r"road trip|drive to|driving to|visit\w*|tour|trek|hike|hiking|sail\w*|overseas|backpack\w*|pilgrimage|"
            r"relocat\w+)(?:e?s)?\b"
        ),
    ),
    (
        "partner",
        (
            r"\b(?:partner(?:s|ship)?|co-?operat\w+|collaborat\w+|negotiat\w+|deal|team up|joint venture|trust (?:him|"
            r"her|them|this|my)|trustworthy|reliable|co-?founder|go into business with|work with|meeting)(?:e?s)?\b"
        ),
    ),
)

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "career": listed("career, job, employment, profession, promotion, occupation"),
    "study": listed("study, exam, school, education, learning"),
    "wealth": listed("wealth, money, finance, finances, business, investment"),
    "love": listed("love, marriage, relationship, romance, dating"),
    "health": listed("health, illness, sickness, medical"),
    "journey": listed("journey, travel, trip"),
    "return": listed("return, missing person, someone's return"),
    "lost": listed("lost, lost property, lost object, lost item, something lost"),
    "lawsuit": listed("lawsuit, legal, legal dispute, litigation, law"),
    "documents": listed("documents, property, contract, house, real estate, car"),
    "children": listed("children, child, kid, parenting, baby"),
    "partner": listed("partner, partnership, cooperation, negotiation"),
    "kin": listed("sibling, friend, brother, sister, friendship"),
    "rain": listed("rain, snow"),
    "fair": listed("weather, sunny"),
    "dwelling": listed("feng shui, dwelling, moving house, moving"),
    "date": listed("choosing a date, date selection, auspicious date, choice of a date"),
    "naming": listed("name, naming, baby name, name change"),
    "dream": listed("dream, dreams"),
    "contest": listed("contest, competition, sport, match, game"),
    "debt": listed("debt, loan, lending, borrowing"),
    "permit": listed("permit, visa, passport, licence, license, immigration"),
    "pets": listed("pet, animal"),
    "pregnancy": listed("pregnancy, birth, fertility, childbirth"),
    "general": listed("general, family, fortune, luck, other, overall, year ahead"),
}
"""The names of the matters; each is also the question type of its matter."""
