"""The words by which a question in English tells the kind of answer wanted: the first that occurs decides."""

from typing import Final

from liuyao.reading.question.asks import Asks

KINDS: Final[tuple[tuple[Asks, str], ...]] = (
    (
        Asks.SEX_OF_CHILD,
        (
            r"\b(?:boy|son)s? or (?:a |my )?(?:girl|daughter)|\b(?:girl|daughter)s? or (?:a )?(?:boy|son)|\b(?:sex|"
            r"gender) of|baby's (?:sex|gender)|\bhaving a (?:boy|girl)|\bbe a (?:boy|girl)\b"
        ),
    ),
    (
        Asks.WHO,
        (
            r"\bwhat (?:kind|sort|type) of (?:a )?(?:person|man|woman|guy|girl|people|partner|boss|colleague)\b|"
            r"\bwho is (?:he|she|he or she) like\b|\bwhat (?:is|will|would) (?:he|she|he or she|they) (?:be )?like\b|"
            r"^(?:and |so )?who (?:\w+ )?(?:likes?|loves?|fancies|hates?|has a crush|is into|is interested)\b"
        ),
    ),
    (
        Asks.WHICH,
        (
            r"\bwhichever\b|\bwhich\b(?! (?:(?:of the )?(?:next |coming )?(?:\w+ )?(?:days?|dates?|"
            r"months?|years?|seasons?|weeks?|weekends?|quarters?|half|halves|part)|way|"
            r"direction|doctor)\b)|\bwhat (?:school|college|university|job|city|"
            r"country|option|major|date|career)\b|^(?!(?:will|would|can|could|is|are|am|do|does|did|has|have|was|were)\b)"
            r"(?:[\w'-]+ ){1,4}or (?:[\w'-]+ ){0,6}[\w'-]+$|"
            r"(?:\bshould\b|\bbetter\b|\bis it\b|\bdo (?:i|we)\b|\bor should\b|\bshall\b|"
            r"\bchoose between\b|\bpick between\b).{0,90}\bor\b(?! (?:not|so|something|later|more|less|two|three|"
            r"worse)\b)"
        ),
    ),
    (
        Asks.HOW_MUCH,
        (
            r"\bhow (?:much|many|large|big|high|old)\b(?! (?:longer|time|days|weeks|months|years))|\bwhat (?:price|"
            r"grade|score|mark|salary|chance|percentage)\b|\bwhat are (?:my|the|his|her|our) (?:chances|odds)\b|"
            r"\bat what price\b"
        ),
    ),
    (
        Asks.WHERE,
        (r"\bwhere\b|\b(?:which|what) (?:direction|way|place|room|location|city|country)\b|\bwhereabouts\b"),
    ),
    (
        Asks.WHEN,
        (
            r"\bwhen (?:will|can|should|do|does|is|are|am|would|could|might|shall|exactly|'s)\b|^when\b|\bhow (?:soon|"
            r"long|many (?:days|weeks|months|years)|much (?:longer|time))\b|"
            r"\b(?:what|which) (?:of the )?(?:next |coming )?(?:\w+ )?(?:days?|dates?|months?|years?|time|weeks?|"
            r"weekends?|seasons?|quarters?|half|part)\b|\bby when\b|\btiming\b"
        ),
    ),
    (
        Asks.WHY,
        r"^(?:and |so |but )?why\b|\bhow come\b|\bwhat(?:'s| is| was) (?:up|wrong|the matter|the reason|the cause)\b",
    ),
    (
        Asks.HOW,
        (
            r"\bhow (?:can|do|could|should|might) (?:i|we) (?!know\b|tell\b|look\b|stand\b)|"
            r"\bwhat(?:'s| is) the best way\b"
        ),
    ),
    (
        Asks.OTHERS_MIND,
        (
            r"\bwhat (?:does|do|is|are|did) .{0,40}\b(?:think|feel|want|thinking|feeling|intend|intentions?|mind)\b|"
            r"\bhow (?:does|do|is) .{0,40}\b(?:feel|see me|think|feeling)\b|\b(?:does|do|is|are) .{0,40}\b(?:love|"
            r"like|miss|want|hate|care|think(?:ing)?|feel(?:ings?)?|into|interested|attracted|serious|regret|respect|"
            r"trust|sincere)\b.{0,12}\b(?:me|us|about me|of me|for me|in me|with me|about us)\b|\bdoes (?:he|she|"
            r"my \w+) (?:regret|miss me)|\b(?:his|her|their) (?:feelings|intentions|thoughts)\b|\bfeelings for me\b|"
            r"\bstill love"
        ),
    ),
    (
        Asks.WHO,
        # Not one who is told of: will the man who tunes the piano come?
        r"^(?!(?:will|would|can|could|is|are|am|do|does|did|has|have|was|were|should|shall)\b).*\bwho(?:m|se)?\b",
    ),
    (
        Asks.SHOULD,
        (
            r"(?<!how )\bshould\b|\bshall (?:i|we)\b|\bought\b|\b(?:is|would) (?:it|this|that|now|next \w+|\w+day|"
            r"today|tomorrow) .{0,24}\b(?:good|wise|better|worth|right|smart|advisable|ok|okay|best|safe to|auspicious|"
            r"suitable)\b|\bbetter (?:to|off|if)\b|\bworth (?:it|\w+ing)\b|\bgood idea\b|\bdo i need to\b|"
            r"\bwhat day should\b|\bis it time\b|"
            r"^(?:so |and |or )?do (?:i|we) (?:just |finally |still |really )?(?:take|accept|go|stay|leave|"
            r"call|text|tell|ask|buy|sell|sign|move|quit|keep|wait|book|invest|apply|let|give|marry|forgive|say|send|put|start|switch|hire|"
            r"bring|bet|rent|join|try|confront|confess|reply|answer|resign|break|end|stop|choose|pick|order|trust|lend|"
            r"push|hold|report|return|swap|renew|cancel|plant|fix|repair|invite|enrol|enroll|study|wear)\b"
        ),
    ),
    (Asks.WHY, r"\bwhy\b"),
    (
        Asks.HOW,
        (
            r"\bhow (?:can|do|could|should|might) (?:i|we)\b|\bhow to\b|\bwhat (?:can|should|must|could|do) (?:i|"
            r"we) do\b|\bwhat is the best way\b"
        ),
    ),
    (Asks.HOW_IS, r"^(?:and )?how\b|\bwhat (?:will|does|is|about|kind|sort|happens|are)\b"),
    (
        Asks.WHETHER,
        (
            r"^(?:will|would|can|could|is|are|am|do|does|did|has|have|may|might|was|were)\b|"
            r"^(?:won't|can't|(?:would|could|is|are|do|does|did|has|have|was|were)n't)\b|, ?(?:right|"
            r"correct|huh)$|\b(?:will|would|can|could|is|are|do|does|has|have|am|whether|if)\b"
        ),
    ),
)
