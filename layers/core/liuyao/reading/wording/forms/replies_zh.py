"""What a reading answers first, by the form of the question and the state of the matter, in Simplified Chinese.

Keys and fields are those of `replies_en`.
"""

from typing import Final

REPLIES: Final[dict[str, tuple[str, ...]]] = {
    # How something will go
    "course best": ("会很顺", "看起来从头到尾都不错", "整体上很看好"),
    "course good": ("大体上不错，中间有一两个小波折", "总的来说还可以，不会十全十美", "最后应该还是好的"),
    "course later": ("先慢后顺，开头要多等一等", "最后会好，只是比你盼的晚一点"),
    "course poor": ("会比你想的吃力一些", "不会太顺，起起伏伏的", "这一段偏费力"),
    "course bad": ("照眼下看不太乐观", "恐怕不会照你希望的那样走", "这是比较难的一段"),
    # How somebody or something is
    "state best": ("眼下很好", "现在一切都不错"),
    "state good": ("大体还好", "总的来说不错，有时有点起伏"),
    "state later": ("眼下还慢一点，正在往好的方向走", "现在平淡一些，过一阵会起来"),
    "state poor": ("眼下不太轻松", "这阵子有些吃紧"),
    "state bad": ("眼下比较难", "这阵子不好过"),
    "state of best": ("{who}现在挺好的", "{who}那边一切都好"),
    "state of good": ("{who}大体还好", "{who}总的来说不错，有时有点起伏"),
    "state of later": ("{who}还在适应，正慢慢好起来",),
    "state of poor": ("{who}最近不太轻松", "{who}这阵子心里有些压力"),
    "state of bad": ("{who}这阵子不好过", "{who}眼下比较难"),
    # How something went
    "result best": ("多半很好，比你自己想的还好", "应该是顺利的"),
    "result good": ("大体不错，有一两处小失误", "看起来还可以"),
    "result later": ("其实还可以，只是消息要等一等才来",),
    "result poor": ("恐怕比你期望的差一点", "不算理想，差了一口气"),
    "result bad": ("恐怕不太理想", "这一次别抱太大希望"),
    # Whether to rely on somebody or something, in terms of the asker's good
    "trust best": ("靠得住，可以放心", "看起来是正当可靠的"),
    "trust good": ("大体靠得住，该看的手续照看就好", "基本可以放心，小地方留点神"),
    "trust later": ("看起来可靠，但先处一段时间再放心",),
    "trust poor": ("要留个心眼", "没核实之前，先别太当真"),
    "trust bad": ("不太靠得住，别把事情压在上面", "这里头有问题，要多防一手"),
    # When
    "when best best": ("{date}就是好时候", "最合适的是{date}"),
    "when best good": ("{date}比较合适", "合适的时候在{date}"),
    "when best later": ("先不急，{date}更合适", "再等一等，好时机在{date}"),
    "when best poor": ("眼下没有特别好的时候，相对好的是{date}",),
    "when best bad": ("这一阵都不太合适，到{date}再看",),
    # How much, how many, how likely
    "amount best": ("具体数目卦里看不出，往你估的高处想就对了",),
    "amount good": ("具体数目卦里看不出，应该还不错，比你估的最高数略低一点",),
    "amount later": ("具体数目卦里看不出，先少后多",),
    "amount poor": ("具体数目卦里看不出，多半靠近你估的低处",),
    "amount bad": ("具体数目卦里看不出，要照你估的最低数打算，甚至更少",),
    "count best": ("具体数目卦里看不出，只会比你估的多，不会少",),
    "count good": ("具体数目卦里看不出，和你盼的差不多，上下差几个",),
    "count later": ("具体数目卦里看不出，先少后多",),
    "count poor": ("具体数目卦里看不出，会比你盼的少一些",),
    "count bad": ("具体数目卦里看不出，不会多",),
    "chance best": ("卦里不报几成，机会是很大的",),
    "chance good": ("卦里不报几成，过半是有的",),
    "chance later": ("卦里不报几成，眼下机会小，往后会大起来",),
    "chance poor": ("卦里不报几成，大概不到一半",),
    "chance bad": ("卦里不报几成，机会不大",),
    # Which of several that are not named
    "which unnamed best": ("一卦没法在几个里面点出一个，好在这一次怎么选都不会差",),
    "which unnamed good": ("一卦没法在几个里面点出一个，不过里面是有合适的",),
    "which unnamed later": ("一卦没法在几个里面点出一个，只看得出一点：不要急着选",),
    "which unnamed poor": ("一卦没法在几个里面点出一个，眼下也没有哪一个特别突出",),
    "which unnamed bad": ("一卦没法在几个里面点出一个，照眼下看，也没有哪一个完全合适",),
    # Who
    "who did": ("卦指不出是谁，看起来像是{kind}",),
    "who helps": ("卦指不出是谁，可以找的是这样的人：{kind}",),
    "who kind": ("卦指不出是谁，看起来像是{kind}",),
    # Why
    "why": ("最可能的原因是：{cause}", "多半是因为{cause}", "说到底，{cause}"),
    # After what to do or to mind: how it stands
    "outlook best": ("这件事很有希望好起来", "不用太费力就能理顺"),
    "outlook good": ("各让一步就能好起来", "还是有希望的"),
    "outlook later": ("能好起来，但要给它时间", "要一段时间，别太早下结论"),
    "outlook poor": ("一时半会儿变不了，小步来就好", "眼下有点难，别指望一次见效"),
    "outlook bad": ("照眼下看很难改变，先把自己照顾好", "这件事暂时僵着，另备一条路"),
}

KINDS: Final[dict[str, str]] = {
    "父母": "年纪长一些、或是有些身份的人",
    "兄弟": "和你平起平坐的人，同事、邻居、朋友这一类",
    "子孙": "年纪轻一些、没有恶意、也没多想的人",
    "妻财": "图个钱或方便的人",
    "官鬼": "管得着你、或是不太露面的人",
}
HELPERS: Final[dict[str, str]] = {
    "父母": "年长、经验多的，比如老师或长辈",
    "兄弟": "和你处境差不多的朋友或同事",
    "子孙": "年轻些的，或是真正懂这一行的",
    "妻财": "能在钱或实际事情上搭把手的",
    "官鬼": "有权作主、说话管用的",
}

CAUSES: Final[dict[str, tuple[str, ...]]] = {
    "other warm": ("对方没有恶意，只是手上事情太多，一拖再拖", "对方心是好的，只是没看出这件事对你有多要紧"),
    "other alike": ("两边都在等对方先开口", "两个人一样倔，谁也不肯先退"),
    "other cold": ("对方的想法和你很不一样，索性避开不谈", "两个人在这件事上要的不是一回事"),
    "other pressing": ("对方觉得自己占着上风，不必让步", "对方凡事想照自己的来"),
    "other given": ("对方习惯了都由你来出力", "你给得太多，对方就不用做什么了"),
    "other wary": ("对方觉得有压力，所以躲着", "对方怕你接下来有别的要求"),
    "other unsettled": ("对方自己也还没想清楚", "对方不知道该怎么说，干脆就不说"),
    "time": ("眼下同时压过来的事太多", "这是一阵子的事，时机正好不顺"),
    "self": ("你自己撑得太久，有点累了", "你自己心里也有两种想法"),
    "people": ("别人的打算和你不在一个方向", "中间夹着别人的利害"),
    "course": ("有一件事开了头，一直没有了结", "其中有一块从来没有打牢"),
    "wealth time": ("这一段本来就是出多进少的时候", "眼下的行情不帮忙"),
    "wealth self": ("投进去多少，心里没有定数", "多半凭感觉，少看账"),
    "wealth people": ("钱的事上牵扯的人太多", "别人也在争同一块"),
    "wealth course": ("有个漏洞一直没堵上", "每次开头都好，后面没跟上"),
}

MINDS: Final[dict[str, tuple[str, ...]]] = {
    "other warm": ("对方其实是有善意的，只是没表现出来", "对方心里是愿意的"),
    "other alike": ("你们两个一样有主见，谁也不肯先退",),
    "other cold": ("眼下两个人想的不是一回事",),
    "other pressing": ("这里对方强一些，自己也清楚",),
    "other given": ("眼下多半是你在出力",),
    "other wary": ("对方在你面前有点压力",),
    "other unsettled": ("对方自己还没拿定主意",),
}
