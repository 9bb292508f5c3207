tiny_court = 小さな宮廷
    .tagline = 廷臣3枚と栄誉1つの伏せ入札。最善手をすべて計算できる小ささ。
tiny_court-do-bid = { $coins ->
        [0] 入札しない
       *[other] コイン{ $coins }枚で入札する
    }
    .log = { $coins ->
        [0] { $name }は入札しなかった
       *[other] { $name }はコイン{ $coins }枚で入札した
    }
    .hidden = { $name }は入札を決めた
tiny_court-do-deal = { $courtier }を配る
    .log = { $name }に{ $courtier }が配られた
    .open = { $courtier }が配られた
    .hidden = 廷臣が1枚配られた
tiny_court-do-offer = { $honour }を出す
    .log = 王が出した栄誉は{ $honour }
tiny_court-courtier-page = 小姓
tiny_court-courtier-knight = 騎士
tiny_court-courtier-lord = 大臣
tiny_court-honour-ring = 指輪
tiny_court-honour-crown = 王冠
tiny_court-option-honours = 栄誉の数
    .value-1 = 1つ
    .value-2 = 2つ
tiny_court-preset-one-honour = 栄誉1つ
tiny_court-preset-two-honours = 栄誉2つ
