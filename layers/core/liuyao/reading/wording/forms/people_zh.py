"""What a reading advises about another person, by how that person stands to the asker (世应), in Chinese."""

from typing import Final

ADVICE: Final[dict[str, tuple[str, ...]]] = {
    # What to do about somebody
    "how other warm": (
        "找个安静的时候，和气地把你想要的直接说出来，也问问对方想要什么",
        "先一起做件高兴的事，之后再提",
    ),
    "how other alike": ("各退一步：你改一样，请对方也改一样", "你先让一小步，别等对方道谢"),
    "how other cold": ("眼下别争，先客客气气处一两周，再只提一件事", "请对方把想法说完，你先不接话"),
    "how other pressing": (
        "只守住你最在意的那一条，平静地坚持，别的可以让",
        "用一句客气的话划清界线，对方再试，还是这一句",
    ),
    "how other given": ("你少做一点，留个位置让对方来", "提一个具体的请求，请对方也出一份力"),
    "how other wary": ("把压力放下来：多问少说，别让对方觉得非答应不可", "先说你觉得好的地方，再提一件小事"),
    "how other unsettled": (
        "提一个小而具体的办法，定好日子，让对方只需答“好”或“不好”",
        "给对方几天想一想，说好哪天再谈",
    ),
    # Why somebody does something
    "why other warm": ("客气地再问一次，只问一个一句话能答的问题", "换个方式，打电话或当面说，别只发文字"),
    "why other alike": ("你先开口，别计较是谁起的头", "说说如果只看你，你会怎么做，也问问对方"),
    "why other cold": ("隔一周，再问问对方是怎么看的", "找出两个人都同意的一点，从那里谈起"),
    "why other pressing": ("把要的写成文字，短一点，写明哪天之前要答复", "请一个对方肯听的人出面说"),
    "why other given": ("先停一停，别追着，看对方怎么做", "直接说出你需要对方做哪一份"),
    "why other wary": ("要求小一点，也说明不答应没关系", "语气里别带责怪，问问怎样对方会轻松些"),
    "why other unsettled": ("给两个选择，问对方偏哪一个", "给几天时间，然后请对方给个准话"),
    # What somebody thinks
    "mind other warm": ("自然地让对方知道你喜欢跟他相处", "这一周约一件简单的小事一起做"),
    "mind other alike": ("这一次你先主动联系", "你希望对方问你的那句话，你先问出口"),
    "mind other cold": ("先保持一点距离，礼数照旧，别追问原因", "多跟待你好的人在一起，这件事先放着"),
    "mind other pressing": ("挑一件小事客气地说“不”，看对方怎么接", "别一味讨好，找个平静的时候说出你的想法"),
    "mind other given": ("下一步让对方来走，看他走不走", "你少做一点，看得比问得清楚"),
    "mind other wary": ("相处轻松一点，这几周先别提要求", "从小事上让对方看到你靠得住"),
    "mind other unsettled": ("别逼答案，提一件小事，来不来随意", "看接下来几周做了什么，别盯着一两条消息"),
}
