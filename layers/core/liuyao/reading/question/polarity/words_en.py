"""Expressions of what is feared and hoped for, in lower-case English."""

from typing import Final

FEARED: Final = (
    r"\b(?:fired|sacked|laid off|let go\b(?! of)|dismissed|made redundant|terminated|expelled|evicted|"
    "deported|demoted|replaced|passed over|sued|charged with|prosecuted|convicted|arrested|jailed|"
    r"imprison\w*|prison|jail|fined|penali[sz]ed|punished|blamed|scammed|cheat\w*|lied|lie to|lying|deceiv\w+|"
    r"betray\w*|swindled|conned|robbed|mugged|hacked|bullied|harass\w*|rejected|refused|denied|declined|"
    r"turned down|foreclose\w*|bankrupt\w*|go bust|go under|goes under|fall through|falls? apart|relapse|"
    r"recur|come back to haunt|worsen|worse|miscarr\w+|complications|accident|divorced?|break up|split up|"
    r"dump(?:ed)? me|leave me|leave us|abandon\w*|forget (?:about )?me|affair|unfaithful|lose (?:my|our|the|"
    "it|money|everything|custody|him|her)|losing|fail|flunk|regret|sick|fall ill|stroke|cancer|malignant|"
    "delayed|cancell?ed|postponed|called off|be late|miss the|missing the|break down|broken into|stolen|"
    "ruined|damaged|suspended|revoked|banned|withheld|frozen|reduced|slashed|be cut|get cut|seized|scrapped|"
    r"shelved|scam|fraud|trap|trouble|danger\w*|at risk|cursed|doomed|in debt|broke|go wrong|go badly|"
    r"end badly|backfire|crash|plunge|tank|raise the rent|rent (?:go up|rise|increase)\w*|object to|hate me|"
    "hates me|despise|resent|behind my back|hurt|caught|relegated|withdrawn|homeless|alone forever|in vain|"
    r"too late|mistake|worry|worried|afraid|hopeless|regress)\b|\b(?:sue|fire|sack|reject|refuse|evict|expel|"
    "get back at|dump|ditch|betray|blackmail|attack|accuse|denounce|report|stalk|threaten|replace|dismiss|blame|punish|"
    "scold|exploit|ignore|undermine|sabotage|harm|get rid of|drop|cheat|copy|turn against|stop loving|"
    r"fall out of love with) (?:me|us|my|our)\b|\b(?:pay|salary|bonus|hours|budget|funding|wages|pension|"
    r"benefits|scholarship)\b.*\b(?:cut|lost|taken away|lower)\b|\b(?:prices?|costs?|taxes|bills|premiums?|"
    r"rent|rates)\b.*\b(?:rise|increased?|go up|raised|jump)\b|\b(?:shares?|stocks?|investment|fund|savings|"
    r"portfolio|coins?|sales|profits?)\b.*\b(?:fall|drop|down|collapse|shrink|lose value)\b|\b(?:collapse|"
    "close down|shut down|go out of business|liquidated|downsize|bad news|bad luck|disaster|setback|scandal|"
    r"gossip|gain weight|burn out|wasting my time|waste of|risky|sabotaged?|overlooked|excluded|disappoint\w*|"
    r"humiliat\w*|embarrass\w*|be angry|be against|against us|leak|flood|burgled|burn down|drop out|"
    r"other woman|another woman|another man|get into (?:trouble|debt|a fight))\b"
)
HOPED: Final = (
    r"\b(?:lower|reduce|cut|waive) (?:our|my|the|your) (?:rent|fees?|bill|fine|tuition)\b|"
    r"\bthe (?:right one|one) for me\b|"
    r"\b(?:pass|ace|admitted|accepted|approved|approve|granted|hired|hire me|promoted|promotion|"
    r"raise(?! the rent)|bonus|be (?:fixed|repaired|mended|delivered|over|quiet)|do well|get in\b|settle in|bloom|"
    "show up|renewed|extended|get (?:the|a) (?:job|offer|role|grant|scholarship|loan)|"
    r"get into (?!debt|trouble|fight)|succeed|success\w*|recover\w*|heal|get better|get well|pull through|"
    "cured|win|acquitted|cleared|reconcile|get back together|forgive me|marry me|propose|love me|"
    r"come back to me|come home|be found|turn up|(?:give|get|pay|hand|send)(?: \w+){0,3} back(?! at)|give back|profit|"
    "break even|survive|find (?:a|my|love|work)|be saved|saved|go well|smoothly|work out|come true|trust|"
    "(?:commission|salary|wages|refund|payment|dividend|money)(?: be| get)? (?:paid|come|arrive|through)|"
    "faithful|honest|sincere|reliable|genuine|benign|negative|get pregnant|conceive|say yes|agree|"
    r"be published|take off|improve|be happy|safe|safely|in time|on time)\b|\b(?:call|text|contact|help|"
    r"support|choose|believe|want|miss|accept|understand|like|trust|need|join|invite) (?:me|us)\b|\b(?:refund|"
    "compensation|graduate|sell (?:the|my|our|well)|buyer|sponsor|get married|engaged|be together|"
    "stay together|be paid|get paid|get rich|earn|rebound|grow|double|selected|chosen|elected|offered|"
    "invited|rewarded|praised|forgiven|released|right (?:choice|one|person|for me)|good (?:choice|match|"
    "investment|news|sign|for me)|worth it|any hope|a chance|have hope|second chance|make friends|be fine|"
    "be all right|be okay|clear up|come back healthy|visa for|be healthy|lose weight|get fit|sleep (?:well|"
    r"better)|better job|good grades|new job|a job|find work|be a hit|sell well|go through|find out who)\b"
)
RELIEF: Final = (
    r"\b(?:avoid(?!\w* (?:me|us)\b)\w*|escap\w+|dodg\w+|evade|get out of|get rid of|spared?|safe from|"
    r"surviv\w+|overcome|get over|recover from|quit|kick|beat|shake off|pay off|clear|prevent|get through|"
    r"free of|free from|instead of|get away with(?:out)?|without (?:being|getting|having to|paying))\b"
)
ILLS: Final = (
    r"\b(?:pain|ache|headaches?|cough|fever|bleeding|swelling|rash|itch\w*|nausea|insomnia|anxiety|noise|"
    "debts?|illness|infection|inflammation|lawsuit|charges|fine|penalty|accusation|complaint|harassment|"
    r"quarrel|conflict|feud|war|crisis|bullying|addiction|nightmares?|drought)\b"
)
ENDS: Final = (
    r"\b(?:stop|go away|end|ends|ease|fade|pass|subside|disappear|heal|come down|clear up|improve|get better|"
    r"dropped|dismissed|cancell?ed|withdrawn|waived|lifted|over|cease|resolved|settled|get over)\b"
)
OUTSIDER: Final = (
    "^(?:will|is|are|does|did|has|would|could|can|might|may) (?:(?:my|the|our|his|her) )?(?:rivals?|"
    r"competit\w+|other (?:team|side|candidate|man|woman)|enem\w+|opponents?|opposing|president|minister|"
    r"mayor|government|ex\b|colleague|neighbou?rs?|cousin|interest rates?|price of|dollar|market|election|"
    "strike|law|meeting)"
)
THIRD: Final = (
    "^(?:will|is|are|does|did|has|would|could|can|might|may) (?:he|she|they|my (?:brother|sister|father|"
    r"mother|friend|parents))\b(?!.*\b(?:me|us|my|our)\b).*\b(?:divorce\w*|leave|leaving|split|break up|"
    r"resign|quit|move|retire|sell|marry|remarry|married|give up|pregnant|know)\b"
)
SELF: Final = r"\b(?:i|me|my|we|us|our|mine|ours)\b"
OWN: Final = SELF + (
    r"|\b(?:it|landlord|landlady|boss|company|employer|school|rent|"
    r"say(?:s|ing)? yes|agree|repl(?:y|ies))\b"
)
"""Whose event the asker's own is: theirs, of who has power over them, or what is answered to them."""
MENDS: Final = r"\b(?:fix|repair|mend|sort out|clean up) (?:it|this|that|my|our|his|her|their|the)\b"
"""What puts something right, whatever is wrong with it."""
FOR_ASKER: Final = (
    r"\b(?:fix|repair|mend|help|agree|stop|quiet\w*|pay|give back|return|apologi[sz]e|reply|answer|clean|clear|"
    r"turn (?:it|the \w+) down|move (?:his|her|their) car)\b"
)
"""What somebody else does for the asker's good."""
_AUX: Final = "am|are|is|was|were|do|does|did|has|have|had|will|would|can|could|should|might|must"
TAGS: Final = (
    (
        "",
        (
            r"(?<!\bsay)(?<!\bsays)(?<!\bsaid)(?<!\bbe)(?<!\bis)(?<!\bare)(?<!\ball)(?<!\bgo)(?<!\bturn out)"
            r"(?:,? |^)(?:right|correct|huh|ok|okay|yes|no|yeah|surely|eh|innit|"
            rf"(?:(?:{_AUX})(?:n't)?|won't|can't|ain't) (?:i|we|you|he|she|it|they|there)(?: not)?)$"
        ),
    ),
    ("will", "^won't(?= )"),
    ("can", "^can't(?= )"),
    (r"\1", rf"^({_AUX})n't(?= )"),
)
"""What suggests an answer, and what a plain question has instead: "won't I" asks what "will I" does."""
FRAMES: Final = r"(?!)"
NEGATIONS: Final = r"n't\b|\bnot\b|\bnever\b"
NEUTRAL: Final = r"\bwhether or not\b|\bor not\b|\bnot (?:only|yet)\b"
NEGATED: Final = r"^(?:will|would|can|could|might|may|do|does|is|are|am) .*\b(?:not|never)\b(?! (?:only|yet))"
"""Whether something does not happen."""
MODALS: Final = (
    ("will", (r"^(?:will|won't|would|may|might)\b")),
    ("can", (r"^(?:can|could|able)\b")),
)
LEAVING: Final = (
    r"\b(?:give up|let go|quit on|walk away|drop out|divorce|break up|leave (?:him|her|them|my|you)|"
    r"leave your|forget (?:him|her)|move on|end (?:it|the relationship|things))\b"
)
