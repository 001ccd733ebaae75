"""The replies to declined questions, by kind and language (CARE-01 … CARE-03, CARE-05).

`{emergency}` are the emergency numbers, `{lines}` a sentence with the help lines; both come from `help_lines`.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from liuyao.care.help_lines_parameter import RegionalHelp
from liuyao.care.kinds import Kind
from liuyao.reading.language import Language
from liuyao.reading.wording.spelling import traditional


class Wording(NamedTuple):
    """The replies of one language. `after` is for follow-ups in a session without a cast to read."""

    declined: Mapping[Kind, str]
    after: Mapping[Kind, str]
    note: str
    emergency: str
    no_number: str
    lines: str
    comma: str


_TALK_ZH: Final = "{lines}别处请打当地的急救或报警电话；findahelpline.com 列有各地的援助热线。"
_CRISIS_ZH: Final = (
    "谢谢你愿意说出来。听起来你很不好受，我很担心你，也担心你说的那个人。"
    "这件事我不用卦来回答：人的平安，比任何卦都要紧。\n\n"
    "如果现在就有危险，或者已经受伤、吃了药，哪怕还没觉得怎样，也请马上拨打 {emergency}。"
    "离开手边能伤人的东西，别一个人待着；若是你担心的人，请陪在身边。\n\n"
    + _TALK_ZH
    + "也请现在就告诉一个你信得过的人：“我很难受，需要你陪着我。”你不必一个人扛。"
)
_CRISIS_EN: Final = (
    "Thank you for telling me. It sounds very hard, and I am worried about you, and about anyone you are speaking of. "
    "I won't answer this with a reading: your safety matters more.\n\n"
    "If there is danger now, or someone is already hurt or has taken something, please call {emergency} right away, "
    "even if it does not feel serious yet. Move away from anything that could do harm, and do not be alone; if it is "
    "someone else, stay with them.\n\n"
    "{lines}Elsewhere, call your local emergency number; findahelpline.com lists help lines in every country. Please "
    "also tell one person you trust, now: “I am not well, I need you with me.” You do not have to carry this alone."
)
_VIOLENCE_ZH: Final = (
    "听得出来你现在很难受，或者很害怕。有人可能受到伤害，这件事我不用卦来回答。\n\n"
    "如果你或别人现在就有危险，请先离开，到安全的地方，马上拨打 {emergency}。有人伤害你，不是你的错。"
    "如果是你怕自己会伤到人，请放下手边的东西，走开，找一个信得过的人陪着你。\n\n"
    + _TALK_ZH
    + "先让所有人都平安，别的事都可以慢慢来。"
)
_VIOLENCE_EN: Final = (
    "I can hear how much pain, anger or fear is in this. Someone may get hurt, so I won't answer it with a reading."
    "\n\nIf you or anyone else is in danger now, please get to a safe place and call {emergency} right away. If "
    "someone hurts you, it is not your fault. If you are afraid of what you might do, put down what is in your hands, "
    "walk away, and have someone you trust stay with you.\n\n{lines}Elsewhere, call your local emergency number; "
    "findahelpline.com lists help lines in every country. First let everyone be safe; all else can wait."
)

_UNSURE_ZH: Final = (
    "你的意思我没有完全明白，所以这一问先不起卦。可能是我多心；但你的话里，好像有些要紧的事。\n\n"
    "如果你或身边的人正难受、想到死或伤害，或者身体有危险，请现在就告诉一个信得过的人，或拨打 {emergency}。"
    "病情和用药请问医生。{lines}findahelpline.com 列有各地的援助热线。\n\n"
    "若只是平常的事，请换个说法再问一次；也可以问问眼下能做些什么，我们一起看。"
)
_UNSURE_EN: Final = (
    "I am not sure I understood you, so I have not read a cast on this. I may be wrong, but something serious may be "
    "behind your words.\n\n"
    "If you or someone near you is struggling, thinking of death or hurting someone, or in physical danger, please "
    "tell a person you trust, or call {emergency}. For illness and medicine, ask a doctor. {lines}findahelpline.com "
    "lists help lines in every country.\n\n"
    "If it is an everyday matter, please ask again in other words. You can also ask what can be done now, and we will "
    "look at that together."
)

_CHINESE: Final = Wording(
    declined={
        Kind.SELF_HARM: _CRISIS_ZH,
        Kind.VIOLENCE: _VIOLENCE_ZH,
        Kind.EMERGENCY: (
            "请先别问卦：这可能很紧急。现在就拨打 {emergency}，说清地点和情形，照接线员说的做。"
            "别处请打当地的急救或报警电话。\n\n"
            "若是急症或受伤：不要自己开车去，让人陪着；除了医生为这种情况开的急救药（如肾上腺素笔、哮喘喷雾），"
            "不要自行用药或进食；若是中毒，不要催吐，把药瓶或包装留给医生。"
            "若是迷路或走不出来：留在安全的地方别再走，保暖，省着电，让人看得见你。"
            "若有火、煤气或水：人先离开，到外面或高处再打电话。"
            "若有人闯入或跟着你：去有人的地方，或把门关牢，小声打电话也可以。\n\n"
            "等人平安了，别的事再慢慢问。"
        ),
        Kind.LIFESPAN: (
            "会这样问，心里一定不好受。但这事关生死，我不作判断：没有哪一卦说得准，说了只会让人更难受。\n\n"
            "病情会怎样，请问主治医生；想知道怎样少些痛苦、多些陪伴，可以问医院的安宁疗护或社工。"
            "如果现在情况危急，请拨打 {emergency}。\n\n"
            "如果你愿意，可以换一个问法，看看现在能做什么、怎样陪伴、怎样照顾好自己。"
        ),
        Kind.TREATMENT: (
            "吃药、治疗都不容易。但停药、换药、加减药量，或要不要继续治疗，我不作判断：这事关身体的安危，请不要因为一卦就改动。\n\n"
            "请先照医嘱，尽快问开药的医生或药师；若是担心副作用、费用或太辛苦，也请直接告诉他们，多半有别的办法。"
            "若已停药而不舒服，请拨打 {emergency}或马上就医。\n\n"
            "如果你愿意，可以换一个问法，看看现在能做些什么。"
        ),
        Kind.UNSURE: _UNSURE_ZH,
    },
    after={
        Kind.SELF_HARM: "我还记挂着你刚才说的话，所以这里不再断卦。"
        "如果现在就有危险，请马上拨打 {emergency}。{lines}"
        "也请找一个信得过的人陪着你。想问别的事，等心里安稳些，再另起一卦。",
        Kind.VIOLENCE: "我还记挂着刚才说的事，所以这里不再断卦。如果有人有危险，请马上拨打 {emergency}。{lines}"
        "想问别的事，等大家都平安了，再另起一卦。",
        Kind.EMERGENCY: "刚才说的可能很紧急，请先拨打 {emergency}；若是生病或受伤，马上就医。这件事我不断卦。"
        "人平安了，想问别的事，请另起一卦。",
        Kind.LIFESPAN: "这还是事关生死，我不作判断；病情请问主治医生。可以问问现在能做什么，或者就别的事另起一卦。",
        Kind.TREATMENT: "用药和治疗的事，我不作判断，请问开药的医生或药师。"
        "可以问问现在能做什么，或者就别的事另起一卦。",
        Kind.UNSURE: "刚才那一问没有起卦，所以没有卦可以接着说。如果心里难受或有危险，请拨打 {emergency}，"
        "或找一个信得过的人。{lines}若是平常的事，请换个说法另起一卦。",
    },
    note="你之前说的话我还记挂着。如果难受，请拨打 {emergency}，或找一个信得过的人陪着你。{lines}",
    emergency="、",
    no_number="当地的急救电话",
    lines="想找人说说话，可以打{lines}。",
    comma="、",
)
_ENGLISH: Final = Wording(
    declined={
        Kind.SELF_HARM: _CRISIS_EN,
        Kind.VIOLENCE: _VIOLENCE_EN,
        Kind.EMERGENCY: (
            "Please do not wait for a reading: this may be an emergency. Call {emergency} now, say where you are and "
            "what is happening, and do what the dispatcher says. Elsewhere, call the local emergency number.\n\n"
            "If someone is ill or hurt: do not drive yourself, and do not be alone. Take no food or medicine unless "
            "it was prescribed for just this (such as an EpiPen or an inhaler). If it is poisoning, do not make anyone "
            "vomit, and keep the bottle or the packet for the doctors. If you are lost or cut off: stay where it is "
            "safe, keep warm, save the battery, and make yourself seen. In fire, smoke, gas or water: get out or up "
            "first, then call. If someone has broken in or follows you: go where there are people or a door that "
            "locks; a whispered call is enough.\n\n"
            "Once everyone is safe, there is time for other questions."
        ),
        Kind.LIFESPAN: (
            "I am sorry you have to ask this. It is about life and death, so I won't answer it with a reading: no cast "
            "can tell how long someone has, and a guess would only cause pain.\n\n"
            "Please ask the doctor in charge what to expect; a palliative care team or a hospital social worker can "
            "say how to ease things and be close. If there is danger now, call {emergency}.\n\n"
            "If you like, ask instead what can be done now, how to be there for them, or how to look after yourself."
        ),
        Kind.TREATMENT: (
            "Medicine and treatment can be hard to bear. Whether to stop or change them is not for a reading to say: "
            "it is about someone's safety, so please change nothing because of a cast.\n\n"
            "Keep to what was prescribed and ask the doctor who prescribed it, or a pharmacist, soon. Tell them about "
            "side effects, cost or strain, too: there is often another way. If something was stopped and you feel "
            "unwell, call {emergency} or see a doctor at once.\n\n"
            "If you like, ask instead what can be done now."
        ),
        Kind.UNSURE: _UNSURE_EN,
    },
    after={
        Kind.SELF_HARM: "I am still worried about what you said, so I won't read a cast here. If there is danger now, "
        "please call {emergency}. {lines}Please have someone you trust stay with you. For another matter, make a new "
        "cast when you feel steadier.",
        Kind.VIOLENCE: "I am still worried about what was said, so I won't read a cast here. If anyone is in danger, "
        "please call {emergency}. {lines}For another matter, make a new cast when everyone is safe.",
        Kind.EMERGENCY: "What was said may be an emergency: please call {emergency} first, or see a doctor; I "
        "won't read a cast about it. Once everyone is safe, make a new cast for another matter.",
        Kind.LIFESPAN: "This is still about life and death, so I won't read a cast about it; please ask the doctor in "
        "charge. You can ask what can be done now, or make a new cast for another matter.",
        Kind.TREATMENT: "Medicine and treatment are not for a reading to decide; please ask the doctor or the "
        "pharmacist. You can ask what can be done now, or make a new cast for another matter.",
        Kind.UNSURE: "I read no cast before, so there is none to go on from. If you are struggling or in danger, "
        "please call {emergency} or tell someone you trust. {lines}If it is an everyday matter, make a new cast in "
        "other words.",
    },
    note="I am still thinking of what you said before. If you are struggling, please call {emergency}, or have someone "
    "you trust stay with you. {lines}",
    emergency=" or ",
    no_number="your local emergency number",
    lines="To talk to someone, call {lines}. ",
    comma=", or ",
)


def _traditional(words: Wording) -> Wording:
    def table(texts: Mapping[Kind, str]) -> dict[Kind, str]:
        return {kind: traditional(text) for kind, text in texts.items()}

    return words._replace(
        declined=table(words.declined),
        after=table(words.after),
        note=traditional(words.note),
        no_number=traditional(words.no_number),
        lines=traditional(words.lines),
    )


WORDING: Final[Mapping[Language, Wording]] = {
    Language.SIMPLIFIED: _CHINESE,
    Language.TRADITIONAL: _traditional(_CHINESE),
    Language.ENGLISH: _ENGLISH,
}


def declined(kind: Kind, language: Language, help_: Sequence[RegionalHelp]) -> str:
    """The reply to a declined question."""
    return _filled(WORDING[language].declined[kind], language, help_)


def after(kind: Kind, language: Language, help_: Sequence[RegionalHelp]) -> str:
    """The reply to a follow-up of a declined question, without a cast to read."""
    return _filled(WORDING[language].after[kind], language, help_)


def note(language: Language, help_: Sequence[RegionalHelp]) -> str:
    """The note below a reading in a session in which someone was in danger."""
    return _filled(WORDING[language].note, language, help_)


def _filled(text: str, language: Language, help_: Sequence[RegionalHelp]) -> str:
    words = WORDING[language]
    numbers = list(dict.fromkeys(number for region in help_ for number in region.emergency))
    lines = [
        line.name if line.number in line.name.split() else f"{line.name} {line.number}"
        for region in help_
        for line in region.lines
    ]
    help_lines = words.lines.format(lines=words.comma.join(lines)) if lines else ""
    return text.format(emergency=words.emergency.join(numbers) or words.no_number, lines=help_lines).rstrip()
