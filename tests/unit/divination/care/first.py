"""The phrasings that the tables were written with: what must be noticed, and what is ordinary."""

CAUGHT = {
    "self_harm": """
我不想活了，还有意义吗？
我想死
活着好累，活着没意思
我撑不下去了
想自杀，卦上怎么说
我写好了遗书
烧炭是不是最不痛苦的方法
站在天台上，想跳下去
我又割腕了
安眠药吃多少片会死
我朋友说他不想活了，我该怎么办
我儿子老是说想跳楼
好想一睡不醒
人间不值得
活下去还有什么意义
我是家里的累赘，没有我大家会更好
我想结束这一切
我想了结自己的生命
死了算了
生不如死
自鲨吧
想紫砂
有没有无痛的死法
攒了一瓶安眠药
我死了会有人难过吗
如果我不在了，他会后悔吗
再也不想醒来
跟这个世界告别的日子
他留了一封遗书不见了，能找到吗
老公想不开，会不会做傻事
女儿抑郁想轻生
自残停不下来
我想消失
我恨不得马上去死
我不想再撑了，活够了
真的不想活下去了
我不配活着
没有活下去的勇气
人生没有意义，要不要走
不如死了算了
我好絕望，不想活了
我想從樓上跳下去
活著沒有意義
想死的念頭一直在
我撐不下去了
要不要去跳海
唔想做人
捱唔住喇，想死
生存冇意思
我想了結自己
想燒炭
割手先至舒服
死咗算
佢話唔想活
自己係累贅
老了没用了，不想连累儿女，早点走吧
阎王怎么还不收我
老天爷快点把我带走吧
喝农药会不会很痛苦
我 想 死
自-杀
自.杀
ｓｕｉｃｉｄｅ
我​想​死
想si
wo bu xiang huo le
I want to die
I want to kill myself
I don't want to live anymore
I don’t want to be here anymore
kms
thinking of unaliving myself
I'm going to end it all tonight
is life even worth living
there's no point in living
I feel like a burden to everyone
everyone would be better off without me
I can't go on anymore
should I just jump off a bridge
I've been cutting myself again
my daughter is suicidal
my friend says he wants to die
how many pills would it take to kill me
what is the least painful way to die
I wish I was never born
I wish I were dead
nobody would miss me if I was gone
I want to disappear forever
goodbye everyone, this is my last reading
I wrote a suicide note
I want to sleep and never wake up
I have nothing left to live for
k i l l  m y s e l f
su!cide
k1ll myself
s.u.i.c.i.d.e
SUICIDE
i wanna dieeee
I am tired of living
my son keeps talking about ending his life
took a whole bottle of pills
I want the pain to stop, I want everything to end
gonna off myself
I'd rather be dead
self harm is the only thing that helps
""",
    "violence": """
我想杀了他
我要弄死我前男友
想砍人
恨不得捅死老板
想和他们同归于尽
我想报复社会
老公说要杀了我
我想殺了她
他威胁要杀我全家
I want to kill my husband
I'm going to shoot up the school
thinking about stabbing my boss
he threatened to kill me
how do I poison my wife
I want to hurt someone
""",
    "emergency": """
胸口疼得厉害，要不要去上班
突然喘不上气
我爸昏迷了，会好吗
妈妈晕倒了叫不醒
孩子误食了老鼠药
煤气中毒了怎么办
嘴歪了，半边身子动不了
伤口一直流血止不住
老婆大出血
孩子高烧抽搐
胸痛，會不會有事
呼吸困難
心口痛到出冷汗
爸爸突然說話不清楚
唞唔到氣
阿爸暈低咗
I have chest pain
I can't breathe
my dad is unconscious
she won't wake up
my kid swallowed bleach
his face is drooping and his speech is slurred
bleeding won't stop
I think I'm having a heart attack
my wife collapsed
crushing pain in my chest, should I go to the meeting
""",
    "lifespan": """
我得了癌症，还能活多久
我妈什么时候走
爸爸能不能撑过今年
奶奶的大限是哪天
我会不会死
他还活着吗
我能活到多少岁
医生说晚期，还有多少时间
icu里的父亲能醒过来吗
我的死期
爺爺還能活多久
媽媽撐得過這個月嗎
阿嬤什麼時候會走
仲有幾耐命
how long do I have to live
when will my mother die
will my dad survive the surgery
how much time does he have left
am I going to die
what is my life expectancy
will grandma make it to Christmas
at what age will I die
is my brother still alive
""",
    "treatment": """
我可以停药吗？
要不要放弃化疗
不想吃降压药了，行吗
能不能把胰岛素停了
该不该拔管
要不要换药
想用偏方代替化疗
抗抑郁药可以减量吗
我可以停藥嗎
要不要放棄治療
可唔可以唔食藥
爸爸還要繼續化療嗎
can I stop taking my medication
should I quit chemo
I want to come off my antidepressants
is it ok to skip my insulin
should we take him off life support
should I lower my dose
switch to herbs instead of chemo
""",
}

ORDINARY = """
我最近换工作是否合适?
手机死机了，能修好吗
想死你了，什么时候见面
这部戏什么时候杀青
自杀式营销值得做吗
跳楼价的房子能买吗
这把紫砂壶是真的吗
股票割肉还是持有
笑死我了，这段感情有戏吗
累死了，要不要辞职
死党结婚我要不要去
对他死心了，还能复合吗
死记硬背能考上吗
跟老板杀价能成吗
双十一秒杀能抢到吗
我的店还能活多久
公司撑不下去了，要不要关门
我想跳槽
想去世界各地旅行
老板快把我逼死了要不要辞职
电脑中毒了资料能找回吗
他对我没反应怎么办
钱包大出血还要不要买
活动能顺利办成吗
不想活成别人的样子，要不要裸辞
要不要结束这段感情
怎么了结这桩官司
这个项目会不会死
狼人杀比赛能赢吗
工作压力大得喘不过气，要不要换
面试能一次过吗
考试能考上吗
今年财运如何
婚姻能长久吗
他什么时候回来
丢的钥匙能找到吗
房子什么时候能卖掉
想出国留学能成吗
跟合伙人能合作吗
明天会下雨吗
這部戲什麼時候殺青
手機死機了怎麼辦
想死你了，何時能見面
跳樓價的車能買嗎
紫砂壺值不值得收藏
笑死，他是不是喜歡我
老闆殺價太狠，要不要接單
死黨還會理我嗎
股票要不要割肉
我最近換工作合適嗎
I'm dying to know if he likes me
will I kill the interview
this deadline is killing me, will I make it
a heart-stopping final: will we win
did I bomb the exam
should I watch Suicide Squad on our date
my phone is dead, will it be repaired
I died laughing, is he into me
would killing this project be wise
is he the one to die for
my feet are killing me, should I take the dancing job
Will I get the job?
should I change jobs this year
When will my boyfriend come back to me?
Is this a good year to move abroad?
how long should I live in London
will my startup survive
should I end things with my boyfriend
my boss is going to kill me if I am late, will the report be done
breathtaking view: should we buy the house
a stroke of luck: will I win the raffle
should I drop out of school
can I trust him
where did I lose my keys
will the silent treatment end
am I drowning in debt forever
bleeding edge tech stocks, good idea?
should we kill the deal
would the market collapse this year
is it time to pull the trigger on buying the car
should I jump at this offer
"""
