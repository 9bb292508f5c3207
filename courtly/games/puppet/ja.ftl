puppet = あやつりキングダム
    .tagline = 部下を2人ずつ密かに選び、相手の手を読んで操れ。名誉を集めて貴族入りを目指そう。

## Moves

puppet-do-keep = { $servant }を選ぶ
    .log = { $name }：{ $servant }を選んだ
    .hidden = { $name }：職業を1枚選んだ
puppet-do-reveal = { $servant }を公開する
    .log = { $name }：{ $servant }を公開した
puppet-do-gain = 効果：{ $good }を{ $amount }得る
    .log = { $name }：{ $good }を{ $amount }得た
puppet-do-kill = { $target }の{ $servant }を暗殺する
    .log = { $name }：死神で{ $target }の{ $servant }を指定した
puppet-do-steal = { $target }の{ $servant }の効果を奪う
    .log = { $name }：小悪魔で{ $target }の{ $servant }を指定した
puppet-do-offer = 効果：{ $goods }を戻して名誉を得る
    .log = { $name }：{ $goods }を戻して名誉を得た
puppet-do-clear = { $refill ->
        [1] { $building }を捨てて1枚補充する
       *[other] { $building }を捨て、補充しない
    }
    .log = { $refill ->
        [1] { $name }：場の{ $building }を捨て、1枚補充した
       *[other] { $name }：場の{ $building }を捨てた（補充なし）
    }
puppet-do-lead = 効果：親マーカーを受け取る
    .log = { $name }：親マーカーを受け取った
puppet-do-look = 効果：イベントの山の一番上を見る
    .log = { $name }：イベントの山の一番上を見た
puppet-do-put = { $where_id ->
        [top] 山の上に戻す
       *[other] 山の底に戻す
    }
    .log = { $where_id ->
        [top] { $name }：イベントを山の上に戻した
       *[other] { $name }：イベントを山の底に戻した
    }
puppet-do-rob = 効果：親から{ $good }を奪う
    .log = { $name }：親から{ $good }を1奪った
puppet-do-decline = 効果を受けない
    .log = { $name }：奪った効果を受けなかった
puppet-do-take = { $good }を1得る
    .log = { $name }：銀行から{ $good }を1得た
puppet-do-buy = { $building }を購入する
    .log = { $name }：{ $building }を購入した
puppet-do-end = 手番を終える
    .log = { "" }
puppet-do-pay = { $building }の税を払う
    .log = { $name }：{ $building }の税を払うことにした
puppet-do-forgo = { $building }を手放す
    .log = { $name }：{ $building }を手放すことにした
puppet-do-decide =
    .hidden = { $name }：税をどうするか決めた

puppet-do-parent = 最初の親
    .log = 最初の親は{ $player }
puppet-do-build = 建物
    .log = { $building }が公開された
puppet-do-deal = 配られた職業
    .log = { $name }：{ $servant }が配られた
    .open = { $servant }が配られた
puppet-do-event = イベント
    .log = イベント：{ $event }
puppet-do-peek = 見たイベント
    .log = 一番上のイベントは{ $event }
    .joined = { $name }：イベントの山の一番上（{ $event }）を見た
puppet-do-killed = 暗殺
    .log = { $player }の{ $servant }は暗殺された。手番はここで終了
puppet-do-stolen = 効果を奪われた
    .log = { $player }の{ $servant }の効果は{ $thief }に奪われた
puppet-do-missed = はずれ
    .log = { $player }への指定は、この職業ではなかった
puppet-do-reward = 報酬
    .log = { $player }：{ $good }を{ $amount }得た
puppet-do-paid = 納税
    .log = { $player }：{ $building }の税を払った
puppet-do-lost = 建物を失う
    .log = { $player }：税を払わず、{ $building }を失った
puppet-do-nothing = 何も得ない
    .log = イベントで得る人はいなかった

puppet-together = 全員が職業を選んだ

## Names

puppet-good-gold = 金
puppet-good-food = 食料
puppet-good-soldier = 兵力
puppet-good-honour = 名誉
puppet-goods-gold-gold = 金2
puppet-goods-food-food = 食料2
puppet-goods-soldier-soldier = 兵力2
puppet-goods-gold-food = 金1と食料1
puppet-goods-gold-soldier = 金1と兵力1
puppet-goods-food-soldier = 食料1と兵力1
puppet-where-top = 上
puppet-where-bottom = 底

puppet-servant-alchemist = 錬金術師
    .does = 金+{ $n }
    .detail = { $doubles ->
        [1] 銀行から金を{ $n }得ます。有効なイベントが「魔導書」なら2倍です。自分の「雑貨屋」の分が追加されます。
       *[other] 銀行から金を{ $n }得ます。自分の「雑貨屋」と、有効なイベント「魔導書」の分が追加されます。
    }
puppet-servant-smith = 鍛冶屋
    .does = 兵力+{ $n }
    .detail = 銀行から兵力を{ $n }得ます。自分の「武器屋」の分が追加されます。
puppet-servant-cook = 料理人
    .does = 食料+{ $n }
    .detail = 銀行から食料を{ $n }得ます。自分の「食堂」の分が追加されます。
puppet-servant-reaper = 死神
    .does = 職業を暗殺
    .detail = ほかのプレイヤー1人と職業を1つ指定します。そのプレイヤーがこのラウンド中にその職業を公開したら、手番はそこで終了します。効果も基本資材も建物もありません。
puppet-servant-elephant = 象使い
    .does = 基本資材2→名誉{ $n }
    .detail = 基本資材を2つ（同じものでも異なるものでもかまいません）銀行に戻し、名誉を{ $n }得ます。
puppet-servant-foundation = 財団
    .does = 建物を入れ替え
    .detail = 場の建物カード1枚を捨て山へ移します。その後、建物の山から1枚補充してもかまいません。
puppet-servant-general = 将軍
    .does = 親になる
    .detail = { $reorders ->
        [1] 親マーカーを受け取り、以降、親になります。次の周は、このラウンドのうちでも自分から始まります。
       *[other] 親マーカーを受け取り、以降、親になります。手番順が変わるのは次のラウンドからです。
    }
puppet-servant-hermit = 隠者
    .does = イベントを見る
    .detail = イベントの山の一番上のカードを自分だけ見て、山の上か底に戻します。
puppet-servant-imp = 小悪魔
    .does = 効果を奪う
    .detail = ほかのプレイヤー1人と職業を1つ指定します。そのプレイヤーがこのラウンド中にその職業を公開したら、効果は自分が受けます。手番の残りは公開した本人が行います。
puppet-servant-princess = 姫
    .does = 親から{ $n }奪う
    .detail = 親のもつ名誉・金・兵力・食料のどれか1種を{ $n }つ奪います。自分が親のときは何も起こりません。

puppet-event-war = 戦争
    .does = 兵力が最も多いプレイヤー全員が名誉を{ $n }得ます。
puppet-event-tax = 徴税
    .does = 建物ごとに税を払います。払わない建物は失います。
puppet-event-grimoire = 魔導書
    .does = { $doubles ->
        [1] 最も新しいイベントである間、錬金術師の金が2倍になります。
       *[other] 最も新しいイベントである間、錬金術師の金が{ $n }増えます。
    }
puppet-event-conscription = 徴兵
    .does = 全員が兵力を{ $n }得ます。

puppet-building-palace = 王宮
puppet-building-treasury = 宝物庫
puppet-building-garden = 王宮庭園
puppet-building-quarry = 採石場
puppet-building-arena = 闘技場
puppet-building-botanic = 植物園
puppet-building-ranch = 牧場
puppet-building-cathedral = 聖堂
puppet-building-barracks = 兵舎
puppet-building-store = 雑貨屋
puppet-building-weapon = 武器屋
puppet-building-diner = 食堂
puppet-building-arch = 凱旋門
puppet-building-island = 領主の島
puppet-building-forest = 魔法の森
puppet-building-black = 裏取引所

puppet-category-royal = 王室
puppet-category-large = 大規模施設
puppet-category-general = 一般施設
puppet-category-natural = 自然施設
puppet-category-shadow = 闇施設

## Options

puppet-option-princess = 姫
    .value-1 = 使う
    .value-0 = 抜く
    .help = 職業は10枚、姫を抜けば9枚。抜くと相手の選んだ職業を予想しやすくなります。初めてのプレイにおすすめです。
puppet-option-general_reorders = 1周目の将軍
    .value-0 = 手番順はそのまま
    .value-1 = 2周目は新しい親から
    .help = 親マーカーが移ったとき、同じラウンドの2周目の手番順を変えるかどうか。
puppet-option-grimoire_doubles = 魔導書
    .value-0 = 金を1追加
    .value-1 = 錬金術師を2倍
    .help = 魔導書の効果は確かなことがわかっていません。どちらの解釈でも遊べます。
puppet-option-deduction = 推理の手助け
    .value-0 = なし
    .value-1 = あり
    .help = 各プレイヤーに、その人が知りうる範囲で、相手がまだ持ちうる職業を示します。
puppet-option-cards = カードの数値
    .value-0 = 復元値
    .value-1 = このサーバーのカードファイル
    .value-2 = シミュレーションによる調整値
    .help = コスト・税・勝利点は復元した数値です（ルール参照）。ゲームをお持ちの方は本当の数値をファイルで入力できます。調整値は、最初の親もほかの人と同じくらい勝てるように探したものです。
puppet-option-round_limit = ラウンド数の上限
    .value-0 = なし
    .value-30 = 30ラウンド
    .value-60 = 60ラウンド
    .help = このラウンドの終わりに、ゲームは終了します。「なし」のときは第100ラウンドです。
puppet-preset-seed = 『プリンセスワンダー』版
puppet-preset-first-game = 初めてのプレイ：姫なし・推理の手助けあり
puppet-preset-tuned = カードの数値を調整

## Why not

puppet-refusal-not-your-turn = あなたの番ではありません。
puppet-refusal-draft-first = 先に職業を1枚選んでください。
puppet-refusal-not-in-hand = その職業は手札にありません。
puppet-refusal-not-face-down = その職業はあなたの前に伏せられていません。
puppet-refusal-reveal-first = 先に職業カードを公開してください。
puppet-refusal-already-revealed = この手番ではもう職業を公開しました。
puppet-refusal-not-now = 今はできません。
puppet-refusal-effect-done = この職業の効果はもう受けました。効果は1回だけです。
puppet-refusal-effect-stolen = この職業の効果は奪われました。
puppet-refusal-other-servant = それは別の職業の効果です。
puppet-refusal-put-first = 先にイベントを山の上か底に戻してください。
puppet-refusal-no-such-amount = その効果で得られる数ではありません。
puppet-refusal-yourself = 自分は指定できません。
puppet-refusal-no-card-down = そのプレイヤーの前に伏せた職業はありません。
puppet-refusal-lies-open = その職業はもう公開されています。
puppet-refusal-not-in-play = その職業は使われていません。
puppet-refusal-not-enough = その資材が足りません。
puppet-refusal-not-in-row = その建物は場にありません。
puppet-refusal-you-are-parent = あなたが親です。自分から奪うことはできません。
puppet-refusal-parent-has-none = 親はその資材を持っていません。
puppet-refusal-steal-first = 先に奪った効果を受けるか、受けないかを決めてください。
puppet-refusal-nothing-stolen = 奪った効果はありません。
puppet-refusal-took-already = この手番ではもう基本資材を獲得しました。
puppet-refusal-bought-already = この手番ではもう建物を購入しました。
puppet-refusal-too-dear = その建物のコストを払えません。
puppet-refusal-no-tax-now = 今は徴税ではありません。
puppet-refusal-tax-first = 先に税をどうするか決めてください。
puppet-refusal-not-yours = その建物はあなたのものではありません。
puppet-refusal-no-tax-due = その建物に税はかかりません。
puppet-refusal-decided-already = その建物についてはもう決めました。

## What to do now

puppet-prompt-keep-first = 職業を1枚選んで伏せてください。残りの2枚は{ $name }に渡ります。
puppet-prompt-keep-second = 渡された2枚から1枚選んでください。残りは場の中央に伏せます。
puppet-prompt-reveal = 伏せた職業のうち1枚を公開してください。
puppet-prompt-reveal-last = 残った職業を公開してください。
puppet-prompt-act = { $servant }：効果・基本資材・建物を好きな順に行ってください。
puppet-prompt-act-killed-effect = { $servant }：効果は受けられません。基本資材・建物の獲得はできます。
puppet-prompt-act-more = 基本資材や建物を獲得するか、手番を終えてください。
puppet-prompt-end = 手番を終えてください。
puppet-prompt-steal = { $name }の{ $servant }の効果を奪いました。効果を受けてください。
puppet-prompt-put = イベントを山の上か底に戻してください。
puppet-prompt-tax = 徴税：建物ごとに税を払うか手放すかを決めてください。

## The table

puppet-round = 第{ $n }ラウンド
puppet-round-of = 第{ $n }ラウンド（全{ $limit }ラウンド）
puppet-part-draft = ドラフト
puppet-part-first = 1周目
puppet-part-second = 2周目
puppet-part-end = エンド
puppet-goal = { $n }点でゲーム終了
puppet-points = { $n }点／{ $goal }点
puppet-parent = 親
    .short = 親
puppet-parent-detail = 毎ラウンド、最初に手番を行います。親マーカーは将軍でのみ移ります。
puppet-worth = { $n }点
puppet-amount = { $good }{ $n }
puppet-no-goods = 資材なし

puppet-event-now = 有効なイベント
puppet-event-none = イベントはまだありません
puppet-event-older = 公開中
puppet-event-past = もう効果なし
puppet-event-pile = 山に残るイベント
puppet-event-seen = { $event }（{ $where }）
puppet-event-history = これまで
puppet-event-shuffled = 次のイベントのあと山をシャッフル
puppet-event-top = 一番上にあるのを見た
puppet-event-place = 上から{ $n }枚目にあるのを見た

puppet-row = 場の建物
puppet-row-pile = 山：{ $n }枚
puppet-row-discard = 捨て山：{ $n }枚
puppet-row-discarded = 捨て山：{ $names }
puppet-cost = コスト
puppet-tax = 税
puppet-tax-none = なし
puppet-untaxed-now = 税なし
puppet-missing = あと{ $goods }
puppet-affordable = 購入できる
puppet-payable = 資材は足りている
puppet-place-empty = 補充はエンドパートで
puppet-effect-helps = 所有者は{ $cause }で{ $good }を{ $n }多く得ます。
puppet-effect-untaxed = 所有者はすべての税を無視できます（この建物の税も）。
puppet-effect-none = 効果なし。
puppet-short-untaxed = 税を無視
puppet-own-cards = 数値はこのサーバーのカードファイルのものです。
puppet-tuned-cards = 数値はシミュレーションで探した調整値で、出典はありません。

puppet-last-round = 前のラウンド
puppet-face-down = 伏せた職業
puppet-killed = 暗殺された
puppet-servant-met = { $servant }（{ $fate }）
puppet-stolen = 奪われた
puppet-servants-of = { $name }の職業
puppet-servants-hand = 手札
puppet-servants-yours = あなたの職業
puppet-buildings-of = { $name }の建物
puppet-buildings-none = 建物はまだありません
puppet-mark-kill = { $by }→{ $servant }：暗殺？
puppet-mark-steal = { $by }→{ $servant }：奪う？
puppet-mark-kill-detail = { $by }は死神で{ $target }の{ $servant }を指定しています。
puppet-mark-steal-detail = { $by }は小悪魔で{ $target }の{ $servant }を指定しています。
puppet-mark-hit = 的中
puppet-mark-over = 外れ
puppet-can-hold = 持ちうる職業
puppet-memory-passed = 渡した2枚：{ $servants }
puppet-memory-centre = 中央に伏せた：{ $servant }
puppet-memory-received = 渡された2枚：{ $servants }
puppet-waiting = ほかのプレイヤーの選択を待っています。

puppet-act-effect = 効果
puppet-act-good = 基本資材
puppet-act-building = 建物
puppet-done = 済み
puppet-effect-none-now = 今は効果を受けられません。
puppet-lacks-two-goods = 戻す基本資材が2つありません。
puppet-lacks-face-down = ほかのプレイヤーの前に伏せた職業はありません。
puppet-lacks-building = 場に建物がありません。
puppet-played = このラウンド
puppet-building-none-now = 購入できる建物はありません。
puppet-naming-whom = 誰の職業を指定しますか？
puppet-naming-which = { $name }が伏せていると思う職業を選んでください。
puppet-naming-out = ここにはない：{ $servants }
puppet-give-up = 手放す
puppet-choose-servant = 職業を選んでください
puppet-clear-which = どの建物を捨てますか？
puppet-clear-refill = 補充する
puppet-clear-leave = 補充しない
puppet-sure = 基本資材をまだ獲得していません。このまま手番を終えますか？
puppet-sure-yes = このまま終える
puppet-back = 戻る
puppet-seen-event = 見えたカード：{ $event }

puppet-seat-servants = 伏せた職業{ $n }枚
    .short = 伏せ札{ $n }枚
puppet-seat-choosing = 選択中
puppet-seat-chosen = 選択済み

puppet-outcome-made = 名誉{ $honour }＋建物{ $buildings }
puppet-outcome-building = { $building } { $n }
puppet-outcome-honour-tie = 勝利点は同点。名誉チップの最も少ない{ $name }の勝利です。
puppet-outcome-parent-tie = 勝利点も名誉チップも同じ。親マーカーを持つ{ $name }の勝利です。
puppet-outcome-clockwise-tie = 勝利点も名誉チップも同じ。親から時計回りで最初の{ $name }の勝利です。
puppet-outcome-most = 勝利点の最も多い{ $name }の勝利です。
puppet-outcome-places = 同点の順位は、名誉チップの少ない順、それも同じなら親から時計回りの順です。
puppet-outcome-limit = ラウンド数の上限に達しました。

## 最後に持っているもの（集計）

puppet-owned-building = { $building }

## ヒントで数えるもの

puppet-counted-points = { $many ->
   *[other] { $n }点
  }
puppet-part-honour = 名誉
puppet-part-buildings = 建物
puppet-counted-gold = 金 { $n }
puppet-counted-food = 食料 { $n }
puppet-counted-soldier = { $many ->
   *[other] 兵力 { $n }
  }
puppet-counted-honour = 名誉 { $n }

## はじめてのゲーム

puppet-lesson-goal = 部下に資材を集めさせ、その資材で建物を建てます。建物と名誉が勝利点です。ラウンドの終わりに誰かが10点になれば、ゲームは終わり。あなたは親マーカーを持っているので、最初に動きます。
puppet-lesson-draft = ラウンドの初めは、職業をこっそり選びます。3枚から1枚を選んで伏せ、残り2枚を左隣の{ $rival }に渡します。錬金術師は金を2得られます。錬金術師を選びましょう。
    .other = どちらもよい職業です。でも最初は資材を得られる職業にしましょう。取り消して、錬金術師を選んでください。
puppet-lesson-second = { $third }から2枚が回ってきました。ここからも1枚を選びます。残りは場の中央に伏せられ、このラウンドでは使われません。姫は親から奪う職業ですが、親はあなたです。兵力を2得る鍛冶屋を選びましょう。
    .other = 姫が奪う相手は親。親はあなたなので、効果がありません。取り消して、鍛冶屋を選びましょう。
puppet-lesson-reveal = これで全員が2枚ずつ伏せました。誰が何を選んだかは分かりません。親から順に1枚ずつ公開し、もう一巡します。あなたからです。錬金術師を公開しましょう。
    .other = それもできます。ここでは取り消して、錬金術師から始めましょう。
puppet-lesson-three = 手番では3つのことを1回ずつ、好きな順にできます。職業の効果、基本資材を1つ、建物の購入。忘れやすいのが基本資材です。効果で金を2、さらに兵力を1得て、手番を終えましょう。
    .other = 食堂は金2と兵力2です。取り消して、錬金術師の効果で金を2、基本資材で兵力を1得ましょう。
puppet-lesson-named = { $rival }が小悪魔を公開し、あなたの鍛冶屋の効果を奪うと言いました。あなたは何も答えません。当たりかどうかは、公開したときに分かります。さあ、鍛冶屋を公開する番です。
puppet-lesson-stolen = 当たりでした！ 鍛冶屋の兵力2は{ $rival }のものです。でも奪われるのは効果だけ。基本資材と購入はできます。兵力を1得れば、金2と兵力2で食堂に手が届きます。購入して、手番を終えましょう。
    .other = いったん取り消して、兵力を1得る、食堂を金2と兵力2で購入する、手番を終える、の順に進めましょう。
puppet-lesson-round = ほかの人も2枚目を公開しました。{ $rival }の死神が{ $third }の象使いに当たり、その手番はその場で終わりました。最後にイベント、戦争です。兵力が最も多い人が名誉を得ました。あなたは1点。次のラウンドです。
puppet-lesson-guess = 別のラウンドです。あなたは料理人と小悪魔を{ $rival }に渡しました。1枚は{ $rival }が伏せ、1枚は場の中央にあります。つまり2回に1回は当たります。死神を公開して、どちらかを指定しましょう。
    .other = 渡したのは料理人と小悪魔です。取り消して、死神を公開し、{ $rival }のどちらかを指定しましょう。
puppet-lesson-shown = 当たったでしょうか？ { $rival }がその職業を公開したときに分かります。逆も忘れずに。{ $third }は、あなたに渡した2枚を知っています。
puppet-lesson-own = これでもう遊べます。大事なことは3つ。基本資材を毎回取る。指定するなら、自分が渡した職業。奪われそうな職業は早めに公開する。では、自分のゲームを始めましょう。ヒントも使えます。
