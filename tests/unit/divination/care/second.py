"""A second set, written without a look at the tables; what it showed was mended."""

CAUGHT = {
    "self_harm": """
每天都在想怎么死
我觉得活在这世上就是受罪
我不知道自己还能坚持多久，真的好想走了
想开煤气算了
我想找个没人的地方静静地离开
我女朋友说分手她就去死
同学在宿舍割自己
妈妈最近老说活够了
想到死我反而觉得轻松
我站在桥上，问一卦
药我都准备好了，今晚就走
我这种人就不该活着
还不如死了干净
真想就这么睡过去不要再醒
我不想面对明天了，想永远闭上眼睛
我爸得病后总说不想拖累我们，想自己了断
如果跳下去是不是就解脱了
活着太痛苦了，求解脱
想不通为什么还要活着
老婆产后抑郁说想抱着孩子跳楼
我对这个世界没有留恋了
我已经和家人告别了
不想活咯
真的活不下去啦，还有出路吗
我好想死掉喔
我真的不想努力活著了
我想要結束自己的生命
朋友傳訊息說再見了謝謝你們，怕他想不開
活著好痛苦 我可以離開嗎
想自殺的念頭揮之不去
好想消失在這個世界上
唔想生存落去
我想跳樓一了百了
活到咁辛苦不如死咗佢
做人冇意義，好想瞓低唔再醒
hk d人話死咗就唔使煩
俺不想活了
人活着到底图个啥，我想走了
吃了一把安眠药，还有救吗
我把遗嘱和后事都安排好了，今晚结束
有时候真想开车撞墙死了算了
我想去陪我死去的老伴
快撑不住了，脑子里全是死
i cant take it anymore i just want it to be over
I keep fantasizing about being dead
what's the point of living if she's gone
sometimes I think my family would be happier if I were dead
I have a plan to end my life this weekend
My best friend texted me goodbye and said she took pills
i dont see a reason to stay alive
My husband put a gun to his head last night
is it my time to leave this world? I want to go
I've lost the will to live
thinking about driving my car off a bridge
I can't stop thinking about suicide
im done with life
please just let me die
I don't deserve to live
wanna kms lol
My sister cuts her arms, what should I do
idk if i want to be alive tomorrow
I want to go to sleep forever
should I kill myself or not, cast the hexagram
my teen said he'd rather be dead than go to school
I hate myself and want to die
the world would be better without me
i want to hang myself
ive been stockpiling pills
I'm gonna jump
dont wanna exist anymore
feeling like ending everything tonight
""",
    "violence": """
我真想拿刀砍死那个小三
我要让他们全家陪葬
我想把欺负我的同学都杀光
老公天天打我，我会不会被打死
我想毒死邻居
前男友说要泼我硫酸
我想打死我爸
I want to murder my stepfather
I feel like killing my baby
my ex says he will kill me if I leave
I'm planning to burn down his house
""",
    "emergency": """
我左胸一阵一阵绞痛，手臂发麻
老人突然倒地没有反应
孩子吞了纽扣电池
我被毒蛇咬了
宝宝脸都紫了不会呼吸
爸爸突然一侧手脚没力气，说话含糊
我喝了农药后悔了
怀孕八个月突然大出血
舅舅喝醉酒叫不醒
心脏一直绞着疼，喘不过来气
阿公突然昏倒
胸口悶痛喘不過氣
家裡瓦斯外洩頭好暈
my chest feels tight and my left arm is numb
grandpa fell down the stairs and is not moving
my baby is choking
I took too many sleeping pills by accident
half of my face went numb
my throat is swelling up after eating peanuts
he's having a seizure
coughing up blood since morning, should I travel
can't feel my legs after the crash
""",
    "lifespan": """
我外婆癌症晚期，还能撑多久
我哪一年会死
帮我算算阳寿
爷爷熬得过这个冬天吗
我妈的病会不会要她的命
老公在重症监护室，能挺过来吗
失踪的爸爸是死是活
我能不能活过四十岁
狗狗肾衰竭还能活多久
爸爸還有多少時間
奶奶幾時會過身
我會不會早死
how many years do I have left to live
will I live to see my grandchildren
when is my husband going to pass away
will the cancer kill me
is she going to make it through the night
how long has my cat got
tell me the date of my death
does he have long to live
""",
    "treatment": """
可不可以不打胰岛素
我想把抗抑郁药停了试试
妈妈不想做化疗了，由她吗
我爸要不要放弃抢救
降压药能不能少吃一半
看中医吃中药，西药先不吃了行吗
医生让我吃激素，我不想吃
透析还要不要继续做
可以自己停精神科的藥嗎
要不要拔管讓爸爸走
thinking about quitting my antidepressants cold turkey
is it time to stop dialysis
can I go off lithium
should mom refuse chemotherapy
do I still need my blood pressure pills
should I halve my dose of prednisone
can I replace insulin with herbs
""",
}

ORDINARY = """
这次比赛会不会被秒杀
老板说项目周五是死线，来得及吗
和客户磕死这个价还有机会吗
男友打游戏说我要杀出重围，他爱我吗
我家盆栽快死了能救活吗
剧本杀店值得加盟吗
想吃螺蛳粉想疯了，今天宜出门吗
前任会不会主动联系我
我的车抛锚了，路上会有救吗
学校停课，考试会延期吗
换专业好还是不换好
要不要和他断了联系
孩子高考能上一本吗
把工作辞了去旅行好不好
这段感情到头了吗
能不能要回欠款
天台烧烤派对能成吗
新店开业人气能火吗
我和他的缘分尽了吗
他为什么突然消失不回消息
开除我的老板会有报应吗
跟同事合不来怎么办
看好的股票跌停会反弹吗
我适合做主播吗
买彩票能中吗
猫走丢了能回来吗
该不该原谅他
这部手机寿命还有多久
我能活出自己想要的样子吗
累成狗了要不要请假
美哭了这房子要不要租
熬夜写论文能过答辩吗
這部電影殺青宴要去嗎
笑到肚子痛，他是不是對我有意思
工作累死人要不要離職
公司會不會倒
跟死黨合夥開店好嗎
我想死心，但還愛他怎麼辦
老闆會不會加薪
老細會唔會炒我
可唔可以搵到新工
佢鍾唔鍾意我
should I take the killer offer from Google
will my plants survive the winter
how long will this relationship last
is my ex dying to get back together
can I live with my in-laws
when does my passport arrive
should we end the partnership
will the pain of breakup fade
is it a good time to invest in gold
will my team kill it this season
do I have what it takes to be a chef
is the economy about to collapse
should I switch majors
can I make it as a writer
will he pop the question
am I going to get fired
do I have a shot at the promotion
how much time do I have left to submit the visa form
will the judge rule in my favor
should I cut ties with my toxic friend
should I cut my hair short
will my sourdough starter survive
is it smart to shoot my shot with her
should I quit my job
"""
