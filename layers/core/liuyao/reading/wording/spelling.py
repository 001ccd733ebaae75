"""The Traditional Chinese spelling of the Simplified catalogues: a closed table of their characters.

Not a general converter: the catalogues avoid words whose characters have several traditional forms.
Hexagram names come from the wire object (guaNameHant). Canonical terms follow the same table: 应爻 → 應爻,
冲 → 沖, 克 → 剋, 签 → 籤; branches (丑) and elements keep their form.
"""

from typing import Final

_SIMPLIFIED = (
    "与专业东两个为习书争于云亲产从会伤体余关兴养写决准减划则办务动势协单压发变后听咨嘱围处备复头夹学对寻实尽属师帮并应当归忧户扩报担挂损据数断无时显暂杂条来极检气没"
    "滞独环现状疗着碍离稳竞笔签绊绝续绵缓缘缠约线节范药虑虚补规见触计认讲设证诉诊试询语说请调谈财账贪费轻较辞达过运还这进远迟迹适里钱长问间闷险难静项顺须题额风飞饮骤"
    "优兽凭场宠择梦胜负赛贷选递隐带齐孙冲克络联转临侣医库开强愿摇摊沟泄牵虽辈键别谢紧马拨边让电话热点员车护装给寿样宁换么顾继们记刚积参经觉错种况喷雾肾终阴将随亏传倾内响结统细维观论阳机坏够宽怀旧托贵驿禄该谁钟标国陆盘惊蛰“”"
    "钥赔遗资许础敛衬预输恼败绑谨胆敌废饱赢温纯宫兑松乐简脸犹尝轨恶泼奖尔腾蛮抠严励罚绷厉"
    "万丢买乱价众伙伞偿儿净凑几劝劲劳卖卧却厅双号吓图块坚垫墙声夸导层屉岗弃张弯录态总悬惯抢拟拢拦拧挡挣挤掺搅摆撑攒晒晓术权柜桥楼欢汇涨满灯灵烦琐盖码确礼税类纠级纪纲纸练绍绕绩绳编缝缩网职脚荐虫订讨训评识词误诺读责货贴赞赶轮软辩迁迈违连邻采释针铁银销门闯闲闹阵阶际陈页顶顿领飘饭驱龙渐铺验赚"
)
_TRADITIONAL = (
    "與專業東兩個為習書爭於雲親產從會傷體餘關興養寫決準減劃則辦務動勢協單壓發變後聽諮囑圍處備復頭夾學對尋實盡屬師幫並應當歸憂戶擴報擔掛損據數斷無時顯暫雜條來極檢氣沒"
    "滯獨環現狀療著礙離穩競筆籤絆絕續綿緩緣纏約線節範藥慮虛補規見觸計認講設證訴診試詢語說請調談財賬貪費輕較辭達過運還這進遠遲跡適裡錢長問間悶險難靜項順須題額風飛飲驟"
    "優獸憑場寵擇夢勝負賽貸選遞隱帶齊孫沖剋絡聯轉臨侶醫庫開強願搖攤溝洩牽雖輩鍵別謝緊馬撥邊讓電話熱點員車護裝給壽樣寧換麼顧繼們記剛積參經覺錯種況噴霧腎終陰將隨虧傳傾內響結統細維觀論陽機壞夠寬懷舊託貴驛祿該誰鐘標國陸盤驚蟄「」"
    "鑰賠遺資許礎斂襯預輸惱敗綁謹膽敵廢飽贏溫純宮兌鬆樂簡臉猶嘗軌惡潑獎爾騰蠻摳嚴勵罰繃厲"
    "萬丟買亂價眾夥傘償兒淨湊幾勸勁勞賣臥卻廳雙號嚇圖塊堅墊牆聲誇導層屜崗棄張彎錄態總懸慣搶擬攏攔擰擋掙擠摻攪擺撐攢曬曉術權櫃橋樓歡匯漲滿燈靈煩瑣蓋碼確禮稅類糾級紀綱紙練紹繞績繩編縫縮網職腳薦蟲訂討訓評識詞誤諾讀責貨貼贊趕輪軟辯遷邁違連鄰採釋針鐵銀銷門闖閒鬧陣階際陳頁頂頓領飄飯驅龍漸鋪驗賺"
)

_TABLE: Final = str.maketrans(_SIMPLIFIED, _TRADITIONAL)
_ONLY_TRADITIONAL: Final = frozenset(_TRADITIONAL) - frozenset(_SIMPLIFIED) - frozenset("「」著")  # 著作
_SPELT_BOTH_WAYS: Final = frozenset("里后余准范云于几松据克托“”")  # 公里, 皇后
_ONLY_SIMPLIFIED: Final = frozenset(_SIMPLIFIED) - frozenset(_TRADITIONAL) - _SPELT_BOTH_WAYS


def traditional(text: str) -> str:
    """Return a text of the Simplified catalogues in traditional characters."""
    return text.translate(_TABLE)


def is_traditional(text: str) -> bool:
    """Whether a text has a character, of those in the table, that only the traditional spelling has."""
    return not _ONLY_TRADITIONAL.isdisjoint(text)


def is_simplified(text: str) -> bool:
    """Whether a text has a character, of those in the table, that only the simplified spelling has."""
    return not _ONLY_SIMPLIFIED.isdisjoint(text)
