"""What a reading tells to mind and to do about a matter of one's own, by what acts in it, in Chinese."""

from typing import Final

ADVICE: Final[dict[str, tuple[str, ...]]] = {
    # What to mind
    "heed self well people": ("最要留意的是人：准时、客气，走的时候道声谢", "先弄清楚有谁在场，每个人都备一句话"),
    "heed self well time": ("最要留意的是时间：早点到，别夹在别的事中间赶", "准备够了就好，养足精神更要紧"),
    "heed self well self": ("照平常的自己就好，话说得短一点、实在一点", "别先把自己说低了，让人看见你会什么"),
    "heed self well course": ("最要留意收尾：说定了什么、接下来谁做什么", "抓住一条主线，别什么都想讲"),
    "heed self ill people": ("先想好别人会挑哪一点，备一句平静的话", "开头多听少说，别被拉进争论里"),
    "heed self ill time": ("时间多留一倍，别赶", "时间短一点，别指望当天就有结果"),
    "heed self ill self": ("先稳住自己：前一晚睡好，三个要点写在纸上", "当场别答应什么，就说想一想再回"),
    "heed self ill course": ("先补最弱的那一处，想好到时怎么说、怎么做", "前一天把要带的、地点、时间再核对一遍"),
    # What to do about it
    "how self well people": ("找个办成过的人，问他是怎么起头的", "请说话管用的那个人出面，直接说你需要什么"),
    "how self well time": ("这一周就开始，趁着势头好", "碰到下一个合适的机会就做，不必等最好的"),
    "how self well self": ("从完全由你作主的那一部分开始", "定一件每天做的小事，坚持两周"),
    "how self well course": ("拆成三步，今天先做第一步", "管用的多做一点，别的先去掉"),
    "how self ill people": ("先弄清楚卡在哪个人、哪件事上，就谈那一点", "别一个人扛，请一个人陪你理一遍"),
    "how self ill time": ("现在只做最要紧的，别的过了这阵再说", "先歇两周，再从一小步重新开始"),
    "how self ill self": ("先歇一歇，把对自己的要求减一半", "先想清楚真正要的是什么，办法跟着就有了"),
    "how self ill course": ("找出每次都出岔子的那一点，只改那里", "不管用的先停，换个相反的做法小试一下"),
    # What to do about a cause
    "why self people": ("对有关的人说一句你需要什么，一句就够", "请一个旁观的人说说他看到的问题"),
    "why self time": ("接下来两周先推掉一两件事", "别拿这一阵下结论，过一个月再看"),
    "why self self": ("先好好歇一歇，这一周改一个小习惯", "记一周，看看都在什么时候发生，规律就出来了"),
    "why self course": ("找出没了结的那一件，做完它，或者放掉它", "回想上一次顺的时候，对比一下差在哪里"),
    # How something will go
    "course self well people": ("分一部分给别人做，效果会更好", "早点把打算告诉有关的人"),
    "course self well time": ("照计划走，把接下来几周用好", "保持现在的节奏就好"),
    "course self well self": ("靠自己熟的那一套，从最拿手的开始", "早点说出你想要什么"),
    "course self well course": ("先把开了头的做完，再添新的", "记下顺的地方，多照那样做"),
    "course self ill people": ("谁可能反对，先去谈一谈，别等闹起来", "谁做什么，事先讲定"),
    "course self ill time": ("时间多留一点，要做的少排一点", "这次规模小一点，留条退路"),
    "course self ill self": ("期望放低一点，晚上留给自己", "先顾好精神，别再接新的事"),
    "course self ill course": ("手上留点余地，能往后放的往后放", "最弱的那一处，趁还没开始先处理"),
    "cost self well": ("先要一份书面报价，照报价来", "问问只做必要的那一部分要多少"),
    "cost self ill": ("先多问一家的价，再答应", "现在就定个上限，超过之前要先问你", "打预算时多留三成，免得措手不及"),
    "why made": (
        "一次只改一样，记下有什么不同",
        "照一份可靠的做法一步不差地做一次，再比较",
        "请一个做得好的人在旁边看你做一遍",
    ),
    "worry self well": ("留意着，变厉害了再找人看", "记下什么时候发生，下次顺便问一声"),
    "worry self ill": ("这一周就找人看，别拖", "别放着，先记下都在什么时候发生"),
}
