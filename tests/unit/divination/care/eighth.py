"""Phrasings of an eighth set, written after the tables were mended for the sixth and the seventh."""

from typing import Final

CAUGHT: Final = {
    "self_harm": """
我好想死啊，卦能告诉我什么时候吗
被爸妈骂完只想跳楼
同桌手臂上全是刀痕，我该告诉老师吗
这破人生我一天都不想过了
我已经决定了，周五就结束
每天醒来都希望自己死了
有没有人告诉我为什么要活着
妹妹吞了一整盒感冒药说不想活
我儿子在游戏里跟朋友说想自杀
我真係唔想做人喇
不如死咗佢算啦
老伴走後，我成日想跟佢走
食安眠藥食幾多粒先死得
我諗過好多次由橋度跳落海
屋企人冇咗我會開心啲
好想從這個世界消失
我覺得自己活著只會拖累家人
病人跟我說他想自殺，我該怎麼辦
昨天在醫院頂樓站了很久，差點跳下去
不想再醒來上班，永遠睡著就好
I've been thinking about suicide since I came home
My gun is looking at me again
I don't see myself being alive next year
They'd all be better off without me
I lost my squad and I want to go with them
Why am I still alive when they're not?
my son say he want to kill him self
my daughter is cutting her self, will she stop
she write goodbye letter to us
he say life no meaning, he want die
my kid took lots of pills, he is at hospital, will he do it again
i want to die lol
thinking about jumping off the bridge near school
i hate myself and i wanna disappear forever
nobody would care if i killed myself
can the cast tell me if i should keep living
what is the point of living
""",
    "violence": """
我要杀了那个骗子
想放火烧了前夫的房子
他威胁要杀我全家
我差点掐死自己的孩子
我想打死我老豆
I want to kill my stepfather
I'm going to shoot my ex
my husband beat me every night, will he stop
I have thoughts of stabbing my roommate
""",
    "emergency": """
我爸突然倒地，没有呼吸了
奶奶中风了吗，半边脸歪了
宝宝吞了一颗纽扣电池
阿爺話心口痛，透唔到氣
同事突然抽搐口吐白沫
媽媽吐血了
我流血流个不停
My wife can't breathe
My grandpa had a stroke
my kid drink bleach
my baby is not breathing
severe chest pain since this morning
""",
    "lifespan": """
外婆还能活几年
爸爸的病还有救吗
我會不會早死
阿媽仲有幾多日命
醫生說我爸只剩三個月，是真的嗎
How long will my mother live?
will my father die from the cancer
Am I going to die young?
Is grandma going to make it?
""",
    "treatment": """
能不能停掉抗抑郁药
想讓爸爸放棄急救
我唔想再做化療
高血压药可以不吃了吗
Can I stop taking my antidepressants?
should my dad stop the chemo
is it ok to skip insulin today
我要不要拒绝手术
""",
}

ORDINARY: Final = """
这局还能翻吗，队友太坑了
卡关三天了，什么时候能过
这个英雄会不会被砍
换不换皮肤
深渊打不过，是命不好吗
基金绿得我心慌，要不要跑
要不要抄底
股票什么时候涨
币圈寒冬还要多久
这道糖醋排骨要怎么做才好吃
鱼要活杀还是冰鲜
酵母死了，面团还能发吗
新片票房会不会扑街
该不该让女主在第三集死掉
纪录片拍死亡题材有人看吗
狗狗拆家怎么治
猫咪会不会喜欢新猫粮
仓鼠还能养吗
昙花今晚会开吗
多肉化水了能救吗
草坪黄了还有救吗
手机进水了还能修好吗
平板用了五年还能撑多久
公司要裁员，我会被砍吗
店能撑过今年吗
这个品牌还有救吗
他对我死心了吗
暗恋好辛苦，要不要告白
最近累死了，适合旅行吗
我怕死，要不要坐飞机
打邊爐食乜好
隻貓成日抓我，點算
隻股仲有冇得救
個plan會唔會死
部手機仲有冇得救
股票套牢了，心好痛
遊戲帳號被鎖，救得回來嗎
這盆花還能活嗎
老闆要砍我的獎金嗎
他已讀不回，是不是死心了
Will we win the ranked match tonight?
Should I respec my character or restart?
Is this stock going to die?
Should I sell before the crash?
How long will this bear market last?
Is my steak dead if I overcook it?
Can this sauce be saved?
Should the hero die at the end?
Will my short film kill at Sundance?
My cat is a killer of curtains, should I train her?
Will my orchid live?
Are my tomatoes dying?
My laptop is on its last legs, should I buy a new one?
How much life is left in my car?
Will the shop make it through winter?
Is the brand dead?
Am I killing it at work?
I'm sick of my job, should I leave?
My ex broke my heart, will I find love?
I can't live without coffee, should I cut down?
My back is killing me, should I see a physio?
That exam was murder, did I pass?
Will he shoot down my proposal?
I would die for that bag, should I buy it?
"""
