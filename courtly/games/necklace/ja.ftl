necklace = クイーンズ・ネックレス
    .tagline = 宝石を買い、泥棒や贋作者を雇い、伏せて出す。3回の販売で王宮御用達を目指す。

## Moves

necklace-do-buy = { $card }を買う（場札{ $slot }）
    .log = { $name }：{ $card }を買った
necklace-do-end = 手番を終える
    .log = { $name }：手番を終え、場札が値下がりした
necklace-do-confessor = 司祭：{ $target }の手札を見る
    .log = { $name }：司祭で{ $target }の手札を見た
necklace-do-courtier = 廷臣：3デュカード増やす
    .log = { $name }：廷臣で購入資金を3デュカード増やした
necklace-do-forger = 贋作者：{ $target }に{ $gem }を捨てさせる
    .log = { $name }：{ $target }に贋作者を使い、{ $gem }を指定した
necklace-do-favorite = 愛人：{ $gem }を一番人気にする
    .log = { $name }：愛人で{ $gem }を一番人気にした
necklace-do-thief = 泥棒：{ $target }から1枚盗む
    .log = { $name }：{ $target }に泥棒を使った
necklace-do-musketeers = マスケット兵3枚：王妃のネックレスを手に入れる
    .log = { $name }：マスケット兵3枚で王妃のネックレスを手に入れた
necklace-do-cancel = マスケット兵で贋作者を無効にする
    .log = { $name }：マスケット兵で贋作者を無効にした
necklace-do-discard = { $card }を捨てる
    .log = { $name }：{ $card }を捨てた
necklace-do-show_hand = 手札を見せる（その宝石はない）
    .log = { $name }：その宝石がないので、贋作者を使ったプレイヤーに手札を見せた
necklace-do-take = 王妃：{ $card }をもらう
    .log = { $name }：王妃で{ $card }を手に入れた
necklace-do-decline = 場札に置く
    .log = { "" }
necklace-do-cardinal = 枢機卿：販売を自分の次の手番の終わりまで延ばす
    .log = { $name }：枢機卿で販売を自分の次の手番の終わりに延期した
necklace-do-no_cardinal = 枢機卿は使わない
    .log = { $name }：枢機卿を使わなかった
necklace-do-lay = { $card }を出す
    .log = { $name }：{ $card }を出した
necklace-do-ring = 指輪を{ $gem }につける
    .log = { $name }：指輪を{ $gem }につけた
necklace-do-king = 国王を{ $gem }に出す
    .log = { $name }：国王を{ $gem }に出した
necklace-do-necklace = 王妃のネックレスを{ $gem }に出す
    .log = { $name }：王妃のネックレスを{ $gem }に出した
necklace-do-banker = 銀行家を出す
    .log = { $name }：銀行家を出した
necklace-do-clear = 伏せたカードをすべて手札に戻す
    .log = { $name }：伏せたカードをすべて手札に戻した
necklace-do-commit = これで決定
    .log = { $name }：出すカードを決めた
necklace-do-lay_open = { $card }を見せて出す
    .log = { $name }：{ $card }を見せて出した
necklace-do-ring_open = 指輪を{ $gem }につけて見せる
    .log = { $name }：指輪を{ $gem }につけて見せた
necklace-do-king_open = 国王を{ $gem }に出して見せる
    .log = { $name }：国王を{ $gem }に出して見せた
necklace-do-necklace_open = 王妃のネックレスを{ $gem }に出して見せる
    .log = { $name }：王妃のネックレスを{ $gem }に出して見せた
necklace-do-banker_open = 銀行家を見せて出す
    .log = { $name }：銀行家を見せて出した
necklace-do-alchemist = 錬金術師：{ $card }を{ $gem }に変える
    .log = { $name }：錬金術師で{ $card }を{ $gem }に変えた
necklace-do-no_alchemist = 錬金術師は使わない
    .log = { "" }
necklace-do-tile = 流行
    .log = 流行：{ $gem }
necklace-do-start = 最初のプレイヤー
    .log = 最初のプレイヤーは{ $player }
necklace-do-deal = 初手
    .log = { $card_id ->
        [queens_necklace] 王妃のネックレスが配られ、受け取った人が身につけた
       *[other] { $name }：初手に{ $card }が来た
    }
    .open = { $card_id ->
        [queens_necklace] 王妃のネックレスが配られ、受け取った人が身につけた
       *[other] 初手に{ $card }が来た
    }
necklace-do-turn_up = 補充
    .log = 場札に{ $card }が出た
necklace-do-draw = 占星術師
    .log = 占星術師で山札から{ $card }を引いた
    .hidden = 占星術師で山札から1枚引いた
necklace-do-merchant = 商人
    .log = 商人が登場した。販売の時だ
necklace-do-steal = 泥棒
    .log = { $card_id ->
        [musketeer] 引かれたのもマスケット兵。捨て札になり、今度は逆に1枚引く
       *[other] 引かれたのは{ $card }
    }
    .joined = { $card_id ->
        [musketeer] { $name }：泥棒を使ったが、{ $target }のマスケット兵に逮捕され、逆に1枚引かれる
       *[other] { $name }：泥棒で{ $target }から{ $card }を盗んだ
    }
    .joined-hidden = { $name }：泥棒で{ $target }から1枚盗んだ
necklace-do-stops = 国王
    .log = 国王により{ $gem }の販売は取り消された
necklace-do-sells = 販売
    .log = { $player }：{ $gem }を{ $pounds }ポンドで販売した
necklace-together = 全員が販売に出すカードを選んだ
necklace-do-pays = 献金
    .log = { $player }：王妃のネックレスを出した{ $wearer }に50ポンドを献金した

## Cards: what each does in a line, and the whole of it

necklace-card-ruby_1 = ルビー1個
necklace-card-ruby_2 = ルビー2個
necklace-card-ruby_3 = ルビー3個
necklace-card-emerald_1 = エメラルド1個
necklace-card-emerald_2 = エメラルド2個
necklace-card-emerald_3 = エメラルド3個
necklace-card-diamond_1 = ダイヤ1個
necklace-card-diamond_2 = ダイヤ2個
necklace-card-diamond_3 = ダイヤ3個
necklace-card-amber_1 = 琥珀1個
necklace-card-gem = 宝石カード
    .does = 最多なら販売できる
    .detail = 販売のときに出します。その宝石をもっとも多く出したプレイヤーだけが現金にできます。同数なら全員が売れます。全員の合計が少ない宝石ほど高くなります。
necklace-card-ring = 指輪
    .does = 売れたら1個ぶん増える
    .detail = 販売のとき、自分の出した宝石につけます。その宝石を売れたら、指輪1枚につき1個ぶん多く稼げます。最多を競う数や稀少度には数えません。売れなければ無駄になります。
necklace-card-king = 国王
    .does = その宝石は誰も売れない
    .detail = 販売のとき、自分の出した宝石に重ねます。その宝石は自分も含めて誰も売れません。ただし、王妃のネックレスが重なれば無効です。1回の販売に1人1枚まで。
necklace-card-queens_necklace = 王妃のネックレス
    .does = 国王に対抗、50ポンド
    .detail = 販売のとき、自分の出した宝石に重ねます（最多でなくてもかまいません）。その宝石に出された国王は無効になり、国王を出したプレイヤーから50ポンドをもらいます。誰が身につけているかは全員に見えます。
necklace-card-banker = 銀行家
    .does = 売れた宝石1個につき+10
    .detail = 販売のとき、宝石と一緒に出します。種類を問わず、売れた宝石すべてが1個あたり10ポンド高くなります。
necklace-card-confessor = 司祭
    .does = 手札を見る
    .detail = 影響フェイズに使います。プレイヤー1人の手札全部を自分だけが見ます。
necklace-card-courtier = 廷臣
    .does = 3デュカード増える
    .detail = 影響フェイズに使います。この手番の購入資金が3デュカード増えます。
necklace-card-forger = 贋作者
    .does = 宝石を1枚捨てさせる
    .detail = 影響フェイズに使います。プレイヤー1人と宝石1種類を指定します。相手はその宝石カードを1枚選んで捨てます。1枚もなければ手札をあなたに見せます。マスケット兵で無効にされることがあります。
necklace-card-favorite = 愛人
    .does = 宝石を一番人気にする
    .detail = 影響フェイズに使います。選んだ宝石を一番人気にします。それより上にあった宝石は1段ずつ下がります。
necklace-card-thief = 泥棒
    .does = 1枚盗む
    .detail = 影響フェイズに使います。相手の手札からランダムに1枚もらいます。マスケット兵を引くと逮捕され、どちらも捨て札になり、逆に相手があなたの手札から1枚引きます。
necklace-card-alchemist = 錬金術師
    .does = 出した宝石を変える
    .detail = 販売で全員のカードが表になったときに使います。自分の出したルビー、エメラルド、ダイヤのカード1枚を、この3種類の別の宝石に変えます。稀少度はその後で数えます。琥珀には使えません。
necklace-card-astrologer = 占星術師
    .does = 山札から1枚引く
    .detail = 買ったらただちに捨て、山札から1枚引いて伏せたまま手札に入れます。商人なら先に販売が行われます。
necklace-card-cardinal = 枢機卿
    .does = 販売を延ばす
    .detail = ほかのプレイヤーの手番に商人が登場したときに使います。販売は自分の次の手番の終わりまで延びます。
necklace-card-musketeer = マスケット兵
    .does = 泥棒と贋作者を防ぐ
    .detail = 泥棒に引かれると泥棒を逮捕します。贋作者を使われたら、捨てて無効にできます。影響フェイズに3枚出すと、王妃のネックレスを持ち主または場札から手に入れます。
necklace-card-queen = 王妃
    .does = 出た宝石をもらう
    .detail = 自分の格下げフェイズの補充で宝石カードが出たとき、王妃を捨ててそれをもらいます。
necklace-card-merchant = 商人
    .does = 販売が始まる
    .detail = 山札の1/3、2/3、底の近くに1枚ずつあります。登場するたびに販売が行われます。

necklace-group-gem = 宝石カード
necklace-group-sale = 販売カード
necklace-group-influence = 影響カード
necklace-group-special = 特殊カード

necklace-gem-ruby = ルビー
necklace-gem-emerald = エメラルド
necklace-gem-diamond = ダイヤ
necklace-gem-amber = 琥珀

## The table

necklace-fashion = 流行
necklace-fashion-place = { $gem }：流行+{ $bonus }
necklace-fashion-help = 売れた宝石1個につき、流行のぶんだけ価値が上がります。愛人で変えられます。
necklace-rarity = 稀少度
necklace-row = 場札
necklace-buy-for = { $card }を{ $n }デュカードで買う
necklace-ladder-short = 今{ $now }、次の手番は{ $next }
necklace-ladder-last = 今{ $now }、その後は捨て札
necklace-empty-slot = 空き
necklace-ducats = 残り{ $n }デュカード
necklace-budget-of = { $name }の残り{ $n }デュカード
necklace-hand = あなたの手札
necklace-hand-empty = なし
necklace-hand-gem = 宝石
necklace-hand-sale = 販売
necklace-hand-influence = 影響
necklace-hand-special = 特殊
necklace-times = ×{ $n }
necklace-clock = { $n ->
    [1] 1回目の販売
    [2] 2回目の販売
   *[other] 3回目の販売
 }
necklace-clock-in = { $n ->
    [0] 次のカードが商人
   *[other] あと{ $n }枚で商人
 }
necklace-clock-between = あと{ $least }〜{ $most }枚で商人
necklace-clock-now = { $n ->
    [1] 1回目の販売中
    [2] 2回目の販売中
   *[other] 3回目の販売中
 }
necklace-clock-merchant = 商人が登場。枢機卿で延期されるかもしれません
necklace-clock-over = 販売はすべて終了
necklace-clock-held = { $name }の横に商人がいます。{ $name }の次の手番の終わりに販売です。
necklace-deck = 山札{ $n }枚
necklace-ledger = 各人の宝石の数（わかっている分）
necklace-ledger-open = 各人の宝石の数
necklace-overview = 全カード
necklace-overview-help = ゲーム全体の枚数、捨て札の枚数、まだ見ていない枚数です。
necklace-overview-all = 全部で
necklace-overview-gone = 捨て札
necklace-overview-unseen = 未見
necklace-last-sale = 前回の販売
necklace-close = 閉じる
necklace-go-on = 次へ進む
necklace-wears = { $name }が王妃のネックレスを身につけている
necklace-chosen = { $card }を使う
necklace-whom = 誰に使いますか？
necklace-which-gem = どの宝石にしますか？

necklace-seat-cards = 手札{ $n }枚
necklace-seat-pounds = { $n }ポンド
necklace-seat-necklace = 王妃のネックレスを身につけている
necklace-seat-merchant = 商人が横にいる：次の手番の終わりに販売
necklace-seat-ready = 決定
necklace-seat-known = わかっている手札
    .short = 判明
necklace-seat-public = 公開された手札
    .short = 判明
necklace-seat-open = 手札
necklace-seat-unknown-short = 不明{ $n }枚
necklace-seat-unknown = { $n ->
    [0] ほかにはない
   *[other] 不明{ $n }枚
 }
necklace-seat-lacks = 贋作者のとき{ $gem }を持っていなかった

## Sales

necklace-sale = { $n ->
    [1] 1回目の販売
    [2] 2回目の販売
   *[other] 3回目の販売
 }
necklace-tray = 出すカード
necklace-tray-empty = 手札から選んでください。伏せたカードは、全員が決めるまで誰にも見えません。
necklace-manner = カードの出し方
necklace-manner-covered = 伏せて出す
necklace-manner-open = 見せて出す
necklace-manner-help = 次に出す1枚は、すぐに全員に見えます。手札には戻せません。
necklace-open = 公開
necklace-tray-gem = { $gem }：{ $n ->
    [0] まだ出していない
   *[other] { $n }個
 }
necklace-tray-worth = 売れたら{ $least }〜{ $most }
necklace-tray-bankers = 銀行家：1個につき+{ $n }
necklace-tray-all = { $gem }を全部
necklace-rivals = わかっているほかの人の個数
necklace-rivals-help = 紋章：わかっているほかの人の個数（＋はまだあるかも）
necklace-rival = { $name }：{ $more ->
    [yes] わかっているのは{ $n }個。もっとあるかもしれません
   *[no] { $n }個
 }
necklace-alchemist-card = 表の中から、変える自分のカードを選んでください。
necklace-alchemist-gem = 表の中から、どの宝石に変えるかを選んでください。
necklace-alchemist-pick = 錬金術師で{ $card }を変える
necklace-lay-with = どの宝石につけますか？
necklace-show-nothing = 1枚も出さない
necklace-show-nothing-sure = 宝石をすべて手元に残し、今回は何も売りません。よろしいですか？
necklace-show-nothing-back = カードを選ぶ
necklace-show-cards = { $n }枚を出す
necklace-waiting-others = { $names }を待っています
necklace-step-shown = 宝石展示
necklace-steps = 順を追って見るか、数字に触れると理由が出ます。
necklace-all-stones = 全員の個数
necklace-step-sold = 販売
necklace-explain-shown = 全員が出したカードを一斉に表にします。出したカードはすべて捨て札になります。同じ宝石は個数を合わせて数えます。
necklace-explain-rarity = 全員の個数を種類別に数え、少ないものから順に+30、+20、+10、+0。同数なら人気の高い宝石のほうが稀少です。指輪は数えません。
necklace-explain-price = 稀少度と流行を足したものが、宝石1個の価値です。
necklace-explain-sold = 宝石ごとに、もっとも多く出した人だけが売れます。同数なら全員です。宝石と指輪1個ごとに価値ぶん、銀行家1枚につきさらに10ポンド。
necklace-explain-gifts = 同じ宝石に国王と王妃のネックレスが出ると、国王を出した人はネックレスを出した人に50ポンドを献金します。
necklace-step-price = 1個の価値
necklace-cell-stones = { $n }個
necklace-cell-sum = { $stones }×{ $price }＝{ $sum }
necklace-cell-sum-rings = （{ $stones }＋指輪{ $rings }）×{ $price }＝{ $sum }
necklace-cell-plus-banker = { $price }＋{ $bonus }
necklace-why-rarity = { $gem }：全員で{ $n }個。少ないものから順に+30、+20、+10、+0です。同数なら人気の高い宝石のほうが稀少です。
necklace-why-price = { $gem }：流行{ $fashion }＋稀少度{ $rarity }で、1個{ $sum }ポンドです。
necklace-why-sold = { $name }は{ $gem }を売って{ $sum }ポンド稼ぎました。
necklace-why-less = { $name }の{ $gem }は最多でないので売れません。
necklace-why-worthless = { $gem }は流行も稀少度も+0なので、今回は価値がありません。
necklace-why-stopped = 国王が{ $gem }の販売を取り消しました。誰も売れません。
necklace-why-void = 王妃のネックレスにより、{ $gem }の国王は無効です。
necklace-why-gift = { $name }は国王を出したので、{ $wearer }に50ポンドを献金しました。
necklace-why-alchemist = { $name }の錬金術師が{ $card }を{ $gem }に変えました。
necklace-gift = 献金
necklace-total = 合計
necklace-laid-so-far = 各プレイヤーがここまでに出したカードです。
necklace-nothing-shown = 誰も何も出しませんでした。

## What to do now

necklace-prompt-turn = { $n }デュカードで1枚以上購入。影響カードは先に使えます。
necklace-prompt-buy = { $n ->
    [0] 資金はもうありません。手番を終えてください。
   *[other] 残り{ $n }デュカード。買うか、手番を終えてください。
 }
necklace-prompt-too-little = 残り{ $n }デュカードでは買えません。手番を終えてください。
necklace-prompt-nothing = 買えるカードがありません。手番を終えてください。
necklace-prompt-courtier = まだ買えません。廷臣を使えば3デュカード増えます。
necklace-prompt-influence = 買えません。影響カードか手番終了を選んでください。
necklace-prompt-forger = { $name }の贋作者が{ $gem }をねらっています。
necklace-prompt-queen = { $card }が出ました。王妃でもらいますか？
necklace-prompt-queen-none = { $card }が出ました。
necklace-prompt-cardinal = 商人が登場しました。枢機卿で販売を延ばしますか？
necklace-prompt-cardinal-none = 商人が登場しました。
necklace-prompt-show = 販売です！　出すカードを選んでください。
necklace-prompt-sale = 販売の結果です。確認したら次へ進んでください。
necklace-prompt-alchemist = 全員のカードが表です。錬金術師を使いますか？
necklace-prompt-alchemist-none = 全員のカードが表になりました。
necklace-prompt-confessor = 司祭：手札を見る相手を選んでください。
necklace-prompt-thief = 泥棒：盗む相手を選んでください。
necklace-prompt-favorite = 愛人：一番人気にする宝石を選んでください。
necklace-prompt-forger-target = 贋作者：相手を選んでください。
necklace-prompt-forger-gem = 贋作者：宝石を選んでください。

## In sentences

necklace-plain-table = 場の様子
necklace-plain-fashion = 流行：{ $list }
necklace-plain-turn = { $name }の手番です。残り{ $n }デュカードです。
necklace-plain-slot = { $slot }：{ $card } { $ladder }
necklace-plain-player = { $name }：{ $pounds }ポンド、{ $cards }
necklace-plain-known = わかっている手札は{ $list }です。{ $unknown }。
necklace-plain-publicly = 公開された手札は{ $list }です。{ $unknown }。
necklace-plain-whole-hand = 手札：{ $list }。
necklace-plain-card = { $card }（{ $n }枚）：{ $does }
necklace-plain-tray = 伏せて出したカード：{ $list }
necklace-plain-open = 見せて出したカード：{ $list }
necklace-plain-lays = { $name }が見せて出したカード：{ $list }
necklace-plain-covers = { $name }が伏せて出したカード：{ $list }
necklace-plain-sale = { $gem }：全員で{ $stones }個、流行{ $fashion }＋稀少度{ $rarity }＝{ $price }
necklace-plain-shown = { $name }が出したのは{ $list }、稼ぎは{ $sum }ポンドです
necklace-none = なし
necklace-with = { $card }（{ $gem }）

## The end

necklace-outcome-sale = { $n ->
    [1] 1回目の販売
    [2] 2回目の販売
   *[other] 3回目の販売
 }
necklace-outcome-gifts = 献金
necklace-outcome-total = 合計
necklace-outcome-tie-break = 同点なら、最後の販売で多く稼いだほうの勝ちです。

## Options

necklace-preset-seed = 2003年版のルール
necklace-preset-fuzzy-merchants = 商人の登場が読めない
necklace-preset-re-edition-2015 = 2015年の再版
necklace-preset-thin-deck = 2人用の薄い山札
necklace-preset-tuned = 価格を調整
necklace-option-ladders = 価格
    .value-0 = 1から13まで
    .value-1 = 1から15まで
    .value-2 = シミュレーションによる調整値
    .help = 最高価格と最低価格は資料によって異なります。後者ではネックレスが15まで、琥珀、司祭、廷臣は4までになります。調整値では、資料のない価格が別の値になります。
necklace-option-rarity_zero_counts = 誰も出さなかった宝石
    .value-1 = 稀少度タイルを取る
    .value-0 = 取らない
    .help = 前者ではもっとも稀少とみなし、+30をほかの宝石から奪います。
necklace-option-banker_applies_to_rings = 銀行家の10ポンド
    .value-1 = 指輪にもつく
    .value-0 = 宝石だけ
    .help = 指輪で増えた1個ぶんも10ポンド高くなるかどうか。
necklace-option-influence_needs_turn_start = この手番に盗んだ影響カード
    .value-0 = すぐに使える
    .value-1 = 次の手番から
    .help = 再版では、手番の初めに手札にあった影響カードだけを使えます。
necklace-option-trio_scope = マスケット兵3枚で手に入るネックレス
    .value-1 = プレイヤーから、または場札から
    .value-0 = プレイヤーからだけ
    .help = 場札にある王妃のネックレスも、マスケット兵3枚で手に入るかどうか。
necklace-option-tie_break = 最後に同点なら
    .value-0 = 勝利を分け合う
    .value-1 = 最後の販売で決める
    .help = ルールには書かれていません。
necklace-option-merchant_jitter = 1枚目と2枚目の商人
    .value-0 = ちょうど1/3と2/3
    .value-3 = 前後3枚までずれる
    .help = 販売の時期を数えて当てられないようにします。
necklace-option-row_size = 場札
    .value-5 = 5枚
    .value-4 = 4枚
    .help = 多くの資料では5枚です。
necklace-option-thin_deck = 山札
    .value-0 = すべてのカード
    .value-1 = 30枚を抜く
    .help = 2人では手札がとても多くなるためです。枚数は独自に決めました。

## Why not

necklace-refusal-too-dear = 資金が足りません。
necklace-refusal-not-on-offer = そのカードは場札にありません。
necklace-refusal-buy-first = 買えるカードがあるので、先に1枚以上買ってください。
necklace-refusal-not-in-hand = そのカードは手札にありません（またはもうありません）。
necklace-refusal-influence-over = もう購入を始めています。影響カードは購入の前に使ってください。
necklace-refusal-just-taken = この手番に手に入れたカードなので、次の手番から使えます。
necklace-refusal-no-target = 手札のない相手や自分には使えません。
necklace-refusal-no-necklace = 王妃のネックレスを手に入れられる相手がいません。
necklace-refusal-necklace-in-deck = 王妃のネックレスはまだ山札の中なので、手に入れられません。
necklace-refusal-three-musketeers = マスケット兵が3枚必要です。
necklace-refusal-gem-first = 先に宝石カードを出してください。
necklace-refusal-open-gem-first = 見せて出すには、先に宝石カードを見せて出してください。
necklace-refusal-one-king = 国王は1回の販売に1枚までです。
necklace-refusal-another-gem = 贋作者が指定した宝石ではありません。
necklace-refusal-has-gem = その宝石を持っているので、1枚捨ててください。
necklace-refusal-true-gem = それでは何も変わりません。
necklace-refusal-no-gem-shown = そのカードは出していません。
necklace-refusal-not-now = 今はできません。
necklace-no-purchase-in-sales = 販売の間は、カードを買えません。
necklace-lacks-ducats = あと{ $n }デュカード足りません。
necklace-lacks-musketeers = ネックレスを手に入れるには、マスケット兵があと{ $n }枚必要です。
necklace-no-target = 手札のある相手がいません。
necklace-only-in-sales = 今は使えません。販売のときに出すカードです。
necklace-not-for-sales = 販売では出せないカードです。
necklace-all-laid = もうすべて出しています。

## 最後に持っているもの（集計）

necklace-owned-card = { $card }

## ヒントで数えるもの

necklace-counted-pounds = { $many ->
   *[other] { $n }ポンド
  }
necklace-counted-ducats = { $many ->
   *[other] { $n }デュカード
  }
necklace-counted-cards = { $many ->
   *[other] 手札 { $n }
  }
necklace-counted-stones = { $many ->
   *[other] 宝石 { $n }個
  }
necklace-counted-leads = { $many ->
   *[other] 最多の宝石 { $n }種類（わかっている分）
  }
necklace-copies = { $many ->
    [1] { "" }
   *[other] ×{ $many }
  }
necklace-counted-ruby_1 = { necklace-card-ruby_1 }{ necklace-copies }
necklace-counted-ruby_2 = { necklace-card-ruby_2 }{ necklace-copies }
necklace-counted-ruby_3 = { necklace-card-ruby_3 }{ necklace-copies }
necklace-counted-emerald_1 = { necklace-card-emerald_1 }{ necklace-copies }
necklace-counted-emerald_2 = { necklace-card-emerald_2 }{ necklace-copies }
necklace-counted-emerald_3 = { necklace-card-emerald_3 }{ necklace-copies }
necklace-counted-diamond_1 = { necklace-card-diamond_1 }{ necklace-copies }
necklace-counted-diamond_2 = { necklace-card-diamond_2 }{ necklace-copies }
necklace-counted-diamond_3 = { necklace-card-diamond_3 }{ necklace-copies }
necklace-counted-amber_1 = { necklace-card-amber_1 }{ necklace-copies }
necklace-counted-ring_ruby = 指輪（{ necklace-gem-ruby }）{ necklace-copies }
necklace-counted-ring_emerald = 指輪（{ necklace-gem-emerald }）{ necklace-copies }
necklace-counted-ring_diamond = 指輪（{ necklace-gem-diamond }）{ necklace-copies }
necklace-counted-ring_amber = 指輪（{ necklace-gem-amber }）{ necklace-copies }
necklace-counted-king_ruby = 国王（{ necklace-gem-ruby }）
necklace-counted-king_emerald = 国王（{ necklace-gem-emerald }）
necklace-counted-king_diamond = 国王（{ necklace-gem-diamond }）
necklace-counted-king_amber = 国王（{ necklace-gem-amber }）
necklace-counted-necklace_ruby = 王妃のネックレス（{ necklace-gem-ruby }）
necklace-counted-necklace_emerald = 王妃のネックレス（{ necklace-gem-emerald }）
necklace-counted-necklace_diamond = 王妃のネックレス（{ necklace-gem-diamond }）
necklace-counted-necklace_amber = 王妃のネックレス（{ necklace-gem-amber }）
necklace-counted-banker = { necklace-card-banker }{ necklace-copies }

## はじめてのゲーム

necklace-lesson-goal = あなたは宝石商の見習いです。3年の間このカウンターで宝石を買い、年に一度販売します。3回目の販売のあと、もっとも多くポンドを稼いだ人の勝ち。上の札は流行です。いまはエメラルドが+30、ダイヤは+0です。
necklace-lesson-influence = 購入資金は毎手番10デュカード。持ち越せません。買い始める前に、青い影響カードを使えます。廷臣を使うと資金が3増えます。使ってみましょう。
    .other = それもできます。でも廷臣は買い始めたら使えません。取り消して、先に廷臣を使いましょう。
necklace-lesson-buy = 金の輪のある数字が今の価格です。流行のエメラルド2個が6デュカード。指輪は2デュカードで、売れた宝石を1個ぶん増やしてくれます。両方買って、手番を終えましょう。
    .other = それもできます。ここでは取り消して、エメラルド2個と指輪を買いましょう。
necklace-lesson-sink = 売れ残りは1段安くなりました。金の輪は手番ごとに下がり、落ちたカードは捨て札です。泥棒がなくなりましたね。新しいカードは一番高い価格から。山札から商人が出ると、販売が始まります。
necklace-lesson-show = 販売です。売りたいものを全員が伏せて出します。出したカードは売れなくてもなくなります。種類ごとに、最多の人だけが売れます。各プレイヤーの横には、全員が知っているカードが並んでいます。エメラルドを2枚とも出して、指輪を重ねましょう。ルビー1個は{ $rival }の3個に勝てないので、取っておきます。
    .other = { $rival }の横を見てください。ルビーが3個あります。取り消して、エメラルド2枚と指輪を出しましょう。
necklace-lesson-sold = 売れました！ 3個と指輪で4個ぶん、1個20ポンドです。1個の価値は流行＋稀少度。みんなの出した数が少ない宝石ほど高くなります。エメラルドは4個出たので+0。ダイヤは3個で、{ $third }は1個50ポンドで売りました。
necklace-lesson-king = 次の販売です。{ $third }はダイヤを5個も買いました。全員が見ています。あなたには国王があります。国王を重ねた宝石は、誰も売れません。ダイヤ1個を出して国王を重ね、ルビーを売りましょう。
    .other = ダイヤは5個対1個です。取り消して、ダイヤに国王を重ねましょう。誰もダイヤを売れなくなります。
necklace-lesson-stopped = ダイヤ5個がだいなしです！ ただし王妃のネックレスには気をつけて。同じ宝石に出されると国王は無効になり、50ポンドを献金することになります。誰が身につけているかは、全員に見えます。
necklace-lesson-own = これでもう遊べます。大事なことは3つ。少ない数で最多をねらう。買うところは全員に見られている。デュカードは残さず使う。では、自分のゲームを始めましょう。ヒントも使えます。
