petition = 王への請願
    .tagline = 振って、確保して、振り直す。下女から国王夫妻まで、宮廷の人々を味方につけよう。

## 手番の行動

petition-do-keep = { $times ->
       *[1] { $face }の目を確保する
        [other] { $face }を{ $times }つ確保する
    }
    .log = { $times ->
       *[1] { $name }：{ $face }の目を確保した
        [other] { $name }：{ $face }を{ $times }つ確保した
    }
petition-do-roll = ダイスを振る
    .log = { $name }：ダイスを振った
petition-do-finish = ダイスを確定する
    .log = { $name }：ダイスを確定した
petition-do-claim = { $card_id ->
        [king] 国王夫妻を獲得する
        [charlatan] 道化師を裏返してペテン師にする
       *[other] { $card }を獲得する
    }
    .log = { $card_id ->
        [king] { $name }：国王夫妻を獲得した。次が最終ラウンド
        [charlatan] { $name }：道化師を裏返してペテン師にした
       *[other] { $name }：{ $card }を獲得した
    }
petition-do-pass = 獲得しない
    .log = { $name }：何も獲得しなかった
petition-do-concede = 最後の手番をあきらめる
    .log = { $name }：最後の手番をあきらめた
petition-do-add = { $card }：ダイスを加える
    .log = { $name }：{ $card }のダイスを加えた
petition-do-queen = 王妃：{ $face }を加える
    .log = { $name }：王妃の効果で{ $face }を加えた
petition-do-fool = 道化師：{ $face }を振り直す
    .log = { $name }：道化師の効果で{ $face }を振り直した
petition-do-merchant = { $times ->
       *[1] 商人：{ $face }も振り直す
        [other] 商人：{ $face }も{ $times }つ振り直す
    }
    .log = { $times ->
       *[1] { $name }：商人で振り直すダイスに{ $face }を選んだ
        [other] { $name }：商人で振り直すダイスに{ $face }を{ $times }つ選んだ
    }
petition-do-maid = 下女：{ $face }に{ $plus }を加える
    .log = { $name }：下女の効果で{ $face }に{ $plus }を加えた
petition-do-philosopher = 哲学者：{ $giver }から{ $receiver }へ{ $pips }移す
    .log = { $name }：哲学者の効果で{ $giver }から{ $receiver }へ{ $pips }移した
petition-do-astronomer = 天文学者：{ $face }を{ $to }に変える
    .log = { $name }：天文学者の効果で{ $face }を{ $to }に変えた
petition-do-magician = 魔術師：{ $face }を{ $to }に変える
    .log = { $name }：魔術師の効果で{ $face }を{ $to }に変えた
petition-do-noblewoman = { $times ->
       *[1] 女官：{ $face }に1を加える
        [other] 女官：{ $times }つの{ $face }に1を加える
    }
    .log = { $times ->
       *[1] { $name }：女官の効果で{ $face }に1を加えた
        [other] { $name }：女官の効果で{ $times }つの{ $face }に1を加えた
    }
petition-do-nobleman = { $times ->
       *[1] 貴族：{ $face }に2を加える
        [other] 貴族：{ $times }つの{ $face }に2を加える
    }
    .log = { $times ->
       *[1] { $name }：貴族の効果で{ $face }に2を加えた
        [other] { $name }：貴族の効果で{ $times }つの{ $face }に2を加えた
    }
petition-do-alchemist = { $times ->
       *[1] 錬金術師：{ $face }を選ぶ
        [other] 錬金術師：{ $face }を{ $times }つ選ぶ
    }
    .log = { $times ->
       *[1] { $name }：錬金術師で変えるダイスに{ $face }を選んだ
        [other] { $name }：錬金術師で変えるダイスに{ $face }を{ $times }つ選んだ
    }
petition-do-turn = { $times ->
       *[1] 新しい目は{ $face }
        [other] 新しい目は{ $face }が{ $times }つ
    }
    .log = { $times ->
       *[1] { $name }：錬金術師の新しい目に{ $face }を選んだ
        [other] { $name }：錬金術師の新しい目に{ $face }を{ $times }つ選んだ
    }
petition-do-done = 選び終える
    .log = { $name }：ダイスを選び終えた
petition-do-die = ダイス
    .log = 出目は{ $face }
    .several = 出目は{ $list }
    .item = { $times ->
       *[1] { $face }
        [other] { $face }が{ $times }つ
    }
petition-do-start = スタートプレイヤー
    .log = スタートプレイヤーは{ $player }

## キャラクター：条件、効果、くわしい説明

petition-card-fool = 道化師
    .need = なし
    .does = ダイス1つを振り直す
    .detail = どんな目でも獲得できます。ただし、裏返していない道化師を持っている間は取れません。効果：振ったアクティブなダイスを1つ振り直すことができます。通常の「振る」には数えません。
petition-card-charlatan = ペテン師
    .need = 道化師を裏返す
    .does = 手番開始時、ダイス+1
    .detail = ほかのキャラクターを獲得する代わりに、自分の道化師を裏返します。振り直しの効果はなくなり、毎回の手番開始時にダイスを1つ加えなければなりません。裏返したあとは、また道化師を獲得できます。
petition-card-farmer = 農夫
    .need = 同じ目2つ
    .does = 手番開始時、ダイス+1
    .detail = 条件：同じ目が2つあること。効果：手番の開始時に、ダイスを1つ加えなければなりません。
petition-card-maid = 下女
    .need = すべて奇数
    .does = ダイス1つに+1〜3
    .detail = 条件：すべてのダイス目が奇数であること。効果：アクティブなダイス1つの目に1、2または3を加えられます。7以上にはできません。
petition-card-philosopher = 哲学者
    .need = すべて偶数
    .does = 目を別のダイスへ移す
    .detail = 条件：すべてのダイス目が偶数であること。効果：アクティブなダイス1つから好きな数を引き、その分を別のアクティブなダイスに加えられます。0以下や7以上にはできません。
petition-card-laborer = 職人
    .need = 合計15以上
    .does = 1のダイスを加える
    .detail = 条件：ダイス目の合計が15以上。効果：ストックからダイスを1つ取り、1の目にしてアクティブなダイスに加えられます。
petition-card-guard = 衛兵
    .need = 同じ目3つ
    .does = 2のダイスを加える
    .detail = 条件：同じ目が3つあること。効果：ストックからダイスを1つ取り、2の目にしてアクティブなダイスに加えられます。
petition-card-hunter = 狩人
    .need = 同じ目4つ
    .does = 3のダイスを加える
    .detail = 条件：同じ目が4つあること。効果：ストックからダイスを1つ取り、3の目にしてアクティブなダイスに加えられます。
petition-card-astronomer = 天文学者
    .need = 2つ組が2組
    .does = 確保した目に変える
    .detail = 条件：同じ目2つが2組あること（同じ目4つでもかまいません）。効果：アクティブなダイス1つを、すでに確保しているダイスの目に変えられます。
petition-card-merchant = 商人
    .need = 合計20以上
    .does = 好きな数を振り直す
    .detail = 条件：ダイス目の合計が20以上。効果：アクティブなダイスを好きな数だけ、一度に振り直すことができます。通常の「振る」には数えません。
petition-card-noblewoman = 女官
    .need = 同じ目3つ+2つ
    .does = 好きな数のダイスに+1
    .detail = 条件：同じ目3つと同じ目2つがあること（同じ目5つでもかまいません）。効果：好きな数のアクティブなダイスの目に1を加えられます。7以上にはできません。
petition-card-pawnbroker = 質屋
    .need = 合計30以上
    .does = 4のダイスを加える
    .detail = 条件：ダイス目の合計が30以上。効果：ストックからダイスを1つ取り、4の目にしてアクティブなダイスに加えられます。
petition-card-knight = 騎士
    .need = 同じ目5つ
    .does = 5のダイスを加える
    .detail = 条件：同じ目が5つあること。効果：ストックからダイスを1つ取り、5の目にしてアクティブなダイスに加えられます。
petition-card-magician = 魔術師
    .need = 5つのストレート
    .does = ダイス1つを好きな目に
    .detail = 条件：1から5、または2から6の目がそろっていること。効果：アクティブなダイス1つを好きな目に変えられます。
petition-card-alchemist = 錬金術師
    .need = 6つのストレート
    .does = 合計を変えず2〜3個を変える
    .detail = 条件：1〜6の目がすべてそろうこと。効果：アクティブなダイス2つか3つの目を、合計が変わらないように変えられます。0以下や7以上にはできません。
petition-card-bishop = 司教
    .need = 2つ組が3組
    .does = 6のダイスを加える
    .detail = 条件：同じ目2つが3組あること（同じ目4つは2組、6つは3組に数えます）。効果：ストックからダイスを1つ取り、6の目にしてアクティブなダイスに加えられます。
petition-card-nobleman = 貴族
    .need = 3つ組が2組
    .does = 好きな数のダイスに+2
    .detail = 条件：同じ目3つが2組あること（同じ目6つでもかまいません）。効果：好きな数のアクティブなダイスの目に、ちょうど2を加えられます。7以上にはできません。
petition-card-general = 領主
    .need = 同じ目6つ
    .does = 手番開始時、ダイス+2
    .detail = 条件：同じ目が6つあること。効果：手番の開始時に、ダイスを2つ加えなければなりません。
petition-card-king = 国王
    .need = 同じ目7つ
    .does = 最終ラウンドを宣言
    .detail = 条件：同じ目が7つあること。最初に獲得したプレイヤーは王妃も取ります。そのあと最終ラウンドになり、いちばん強い同じ目を出したプレイヤーが国王を手にして勝ちます。
petition-card-queen = 王妃
    .need = 国王とともに取る
    .does = 好きな目のダイスを加える
    .detail = 最初に国王を獲得したプレイヤーのものになり、動きません。最終ラウンドで、好きな目のダイスを1つ加えられます。持ち主は最後に振り、同じ強さでも勝ちになります。

petition-family-start = 手番開始時にダイスが増える
petition-family-adds = ダイスを加える
petition-family-turns = 目を変える
petition-family-rolls = 振り直す
petition-family-royal = 国王夫妻

## テーブル

petition-court = 宮廷
petition-court-of = { $name }の味方
petition-court-empty = まだいません
petition-level = { $level ->
    [0] レベル0
    [1] レベルI
    [2] レベルII
    [3] レベルIII
    [4] レベルIV
   *[other] レベルV
 }
petition-needs = 条件
petition-does = 効果
petition-copies = { $n ->
    [0] 売り切れ
   *[other] 残り{ $n }枚
 }
petition-copies-unlimited = 無制限
petition-times = { $card }{ $n }枚
petition-owners = 持ち主：{ $names }
petition-owned = 獲得済み
petition-used = この手番で使用済み
petition-claimable-now = 今の目で獲得できる：{ $cards }
petition-claimable-none = 今の目で獲得できるキャラクターはいません。
petition-round = 第{ $n }ラウンド
petition-round-of = 第{ $n }ラウンド（全{ $limit }ラウンド）
petition-last-round = 最終ラウンド
petition-start-player = スタートプレイヤー
petition-active = アクティブなダイス
petition-aside = 確保したダイス
petition-taken = 効果に使うダイス
petition-rolling = これから振るダイス：{ $n }個
petition-none = なし
petition-dice-left = ストックのダイス：{ $n }個
petition-group = { $face }が{ $count }つ
petition-standing = { $points ->
    [0] –
   *[other] { $ones }が{ $tens }つ
 }
petition-best-group = いちばん多い目：{ $face }が{ $count }つ
petition-sum = 合計{ $n }
petition-keep-these = { $n }個を確保
petition-confirm-pass = 何も獲得しなくてよいですか？ 今なら獲得できます：{ $cards }
petition-confirm-concede = 本当に最後の手番をあきらめますか？

## 今すること

petition-prompt-before = ダイスを振ってください。先に加えたダイスも一緒に振ります。
petition-prompt-before-last = ダイスを振るか、最後の手番をあきらめるか決めてください。
petition-prompt-keep = 少なくとも1つ確保してください。
petition-prompt-roll-or-keep = 残り{ $n }個を振り直すか、さらに確保してください。
petition-prompt-finish = すべて確保しました。確定するか、ダイスを加えてください。
petition-prompt-claim = キャラクターを1枚獲得してください。
petition-prompt-claim-nothing = この結果で獲得できるキャラクターはいません。
petition-prompt-fool = 道化師：振り直すダイスを選んでください。
petition-prompt-merchant = 商人：振り直すダイスを選んでください。
petition-prompt-maid = 下女：ダイスと加える数を選んでください。
petition-prompt-philosopher-giver = 哲学者：目を減らすダイスを選んでください。
petition-prompt-philosopher-receiver = 哲学者：目を増やすダイスを選んでください。
petition-prompt-philosopher-pips = 哲学者：移す数を選んでください。
petition-prompt-astronomer = 天文学者：ダイスと、写す目（確保した目）を選んでください。
petition-prompt-magician = 魔術師：ダイスと新しい目を選んでください。
petition-prompt-queen = 王妃：加えるダイスの目を選んでください。
petition-prompt-noblewoman = 女官：1を加えるダイスを選んでください。
petition-prompt-nobleman = 貴族：2を加えるダイスを選んでください。
petition-prompt-alchemist = 錬金術師：ダイスを2つか3つ選んでください。
petition-prompt-alchemist-turn = 錬金術師：新しい目を小さい順に選んでください（合計は{ $sum }のまま）。

petition-banner-king = { $name }が{ $face }を{ $count }つそろえて国王夫妻を獲得しました。このラウンドが終わると最終ラウンドです。
petition-banner-last = 最終ラウンド：同じ目がいちばん強いプレイヤーの勝ちです。
petition-banner-mark = 目標：{ $face }が{ $count }つ（{ $name }）
petition-banner-better = { $count }つより多くそろえるか、{ $face }より大きい目を{ $count }つそろえてください。
petition-banner-bigger = { $count }つより多くそろえてください。
petition-banner-equal = あなたは同じ強さでも勝ちです：{ $face }が{ $count }つ。
petition-banner-order = これから振る：{ $names }
petition-banner-limit = 第{ $limit }ラウンドまでに誰も国王を獲得しなければ引き分けです。

petition-phase-before = 最初のダイスを振る前
petition-phase-acting = 確保・効果・振り直し
petition-phase-power = 効果を使用中
petition-phase-claiming = キャラクターの獲得

## プレイヤー

petition-seat-dice = 最初のダイス{ $n }個
    .short = ダイス{ $n }個
petition-seat-cards = { $n ->
    [0] キャラクターなし
   *[other] キャラクター{ $n }枚
 }
petition-seat-start = スタートプレイヤー
petition-seat-king = 国王を所持
petition-seat-queen = 王妃を所持（最後に振る）
petition-seat-to-roll = これから振る

## ゲームの終わり

petition-outcome-wins = { $name }の勝ち！ { $face }が{ $count }つで国王を手にしました。
petition-turn-result = { $king ->
        [yes] { $name }：{ $face }を{ $count }つそろえて国王を獲得した
       *[no] { $name }：{ $face }が{ $count }つで、国王には及ばなかった
    }
petition-outcome-draw = { $limit }ラウンドのうちに誰も国王を獲得せず、引き分けです。
petition-outcome-kept = 誰も上回れず、国王を保持
petition-outcome-taken = それまでで最も強い目
petition-outcome-equal = 同じ強さでも、王妃を持つので奪い返す
petition-outcome-result = { $face }が{ $count }つ
petition-outcome-conceded = 最後の手番をあきらめた

## オプション

petition-preset-seed = 日本語版ルール
petition-preset-english-2007 = 英語版ルール（2007年）
petition-option-early_powers = 最初に振る前のダイス追加
    .value-1 = できる
    .value-0 = できない
    .help = ダイスを加えるキャラクターを、最初にダイスを振る前にも使えます。加えたダイスの目は残らず、一緒に振ります。
petition-option-fools = 道化師の枚数
    .value-1 = プレイヤー人数分
    .value-0 = 無制限
    .help = 裏返した道化師はペテン師として持ち主の前に残ります。「無制限」でなければ補充されません。
petition-option-fool_rerolls = 道化師が振り直せるダイス
    .value-0 = 振ったダイスだけ
    .value-1 = 加えたダイスも
    .help = ルールの「今振った」を文字どおりに読めば、加えただけでまだ振っていないダイスは振り直せません。
petition-option-dice_limit = ダイスの数
    .value-12 = 12個（箱のとおり）
    .value-30 = 事実上無制限（30個）
    .help = 1人が一度に使えるダイスの上限です。これより多くは加えられません。
petition-option-first_player = スタートプレイヤー
    .value-0 = 抽選
    .value-1 = 席1
    .value-2 = 席2
    .value-3 = 席3
    .value-4 = 席4
    .value-5 = 席5
    .help = 人数より大きい番号は、ぐるりと回って数えます。
petition-option-round_limit = ラウンドの上限
    .value-0 = なし
    .value-20 = 20ラウンド
    .value-30 = 30ラウンド
    .value-40 = 40ラウンド
    .help = このラウンドの終わりまでに誰も国王を獲得しなければ、引き分けになります。「なし」のときは第100ラウンドまでです。

## できない理由

petition-refusal-not-your-turn = あなたの手番ではありません。
petition-refusal-no-such-die = その目のアクティブなダイスはありません。
petition-refusal-only-added = 加えただけで、まだ振っていないダイスです。道化師では振り直せません。
petition-refusal-keep-first = 振り直す前に、少なくとも1つ確保してください。
petition-refusal-nothing-to-roll = 振るダイスがありません。
petition-refusal-dice-left = 残りのダイスを確保するか、振り直してください。
petition-refusal-not-owned = そのキャラクターを持っていません。
petition-refusal-already-used = そのキャラクターはこの手番で使用済みです。
petition-refusal-no-dice-left = ストックにダイスがありません。
petition-refusal-not-rolled-yet = 先にダイスを振ってください。
petition-refusal-not-before-roll = 英語版ルールでは、最初に振る前にキャラクターは使えません。
petition-refusal-power-in-use = 使用中のキャラクターの効果を先に終えてください。
petition-refusal-no-power-in-use = 使用中のキャラクターはいません。
petition-refusal-too-high = ダイスの目を7以上にはできません。
petition-refusal-too-low = ダイスの目を0以下にはできません。
petition-refusal-no-change = それでは何も変わりません。
petition-refusal-two-dice = アクティブなダイスが2つ必要です。
petition-refusal-not-aside = その目のダイスは確保していません。
petition-refusal-wrong-sum = 合計を変えずに目を変えることができません。
petition-refusal-not-ascending = 新しい目は小さい順に選んでください。
petition-refusal-claim-now = すべて確保しました。獲得するキャラクターを選ぶか、「獲得しない」を選んでください。
petition-refusal-keep-all-first = 獲得は、すべてのダイスを確保してからです。
petition-refusal-nothing-claimed-now = 最終ラウンドではキャラクターを獲得しません。
petition-refusal-requirement = ダイスの結果が条件を満たしていません。
petition-refusal-none-left = そのキャラクターは売り切れです。
petition-refusal-already-owned = そのキャラクターはもう持っています。
petition-refusal-needs-fool = 裏返す道化師を持っていません。
petition-refusal-has-fool = 今の道化師を裏返すまで、次の道化師は取れません。
petition-refusal-king-taken = 国王はすでに獲得されています。
petition-refusal-only-in-last-round = 手番をあきらめられるのは最終ラウンドだけです。
petition-refusal-too-late = もう振り始めているので、あきらめられません。

petition-reach-keep = 条件を満たしています。すべて確保すれば獲得できます。
petition-lacks-dice = ダイスが{ $n }個必要です。今は{ $have }個です。
petition-lacks-sum = 合計があと{ $n }足りません。
petition-lacks-faces = 足りない目：{ $faces }
petition-lacks-odd = 奇数でない目：{ $faces }
petition-lacks-even = 偶数でない目：{ $faces }
petition-lacks-groups = 足りない目：{ $groups }
petition-lacks-more = { $face }があと{ $n }つ
petition-lacks-equal = 同じ目{ $n }つ
petition-unusable-roll = 先にダイスを振る
petition-unusable-stock = ストックにダイスがない
petition-unusable-active = アクティブなダイスがない
petition-unusable-high = { $face ->
    [4] 4以下の目がない
   *[other] 5以下の目がない
 }
petition-unusable-two = アクティブなダイスが2つ必要
petition-unusable-same = 目が変わらない
petition-unusable-keep = 先にダイスを確保
petition-unusable-rolled = 振ったばかりの目がない

## ボード

petition-dice = ダイス
petition-die = ダイス { $face }
petition-die-becomes = ダイス { $face }、{ $to }に変わる
petition-choose = 新しい目を選ぶ
petition-roll = { $n }個を振る
petition-keep-finish = { $n }個すべて確保して確定
petition-keep-roll = { $n }個確保、{ $rest }個を振る
petition-keep-roll-none = 確保するダイスを選ぶ
petition-use = { $name }を使う
petition-use-merchant = { $n }個を振り直す
petition-used-short = 済
petition-mark = 目標
petition-best = 最多
petition-rolling-now = 手番中
petition-outcome-first = 最初に国王を獲得。王妃を持ち、最後に振る
petition-challenge-won = 国王を獲得
petition-outcome-not-better = 及ばず
petition-reach-short = 獲得可
petition-odds = { $percent }%
petition-odds-more = { $percent }%〜
petition-odds-of = この手番で獲得できる確率
    .short = 確率
petition-odds-alone = これだけを目指して振るとき、この手番で獲得できる確率：{ $odds }
petition-odds-help = これだけを目指して振るとき、この手番で獲得できる確率：{ $odds }。まだ使える効果で、さらに上がることがあります。
petition-outcome-earlier = 同じ強さなら、先に振ったほうが上です。

## 最後に持っているもの（集計）

petition-owned-character = { $card }

## ヒントで数えるもの

petition-counted-characters = { $many ->
   *[other] キャラクター { $n }
  }

## はじめてのゲーム

petition-lesson-goal = 最後に国王を持っている人の勝ちです。でも国王に会えるのは、同じ目を7つそろえた人だけ。手元のダイスはまだ3つです。まずは宮廷の人々を一人ずつ味方につけましょう。味方は次の手番からずっと助けてくれます。
petition-lesson-keep = 最初のダイスを振りました。振ったら必ず1つ以上を確保します。確保した目はもう変わりません。4が2つ出ていますね。2つとも選んで確保し、残りの1つを振り直しましょう。
    .other = それもできます。でも、いちばん役に立つのは同じ目です。取り消して、4を2つとも確保してみましょう。
petition-lesson-result = また4が出ました！ これも確保しましょう。すべてのダイスを確保すると、それが結果になります。
petition-lesson-claim = この結果で1枚だけ獲得できます。同じ目3つなら衛兵、すべて偶数なら哲学者、同じ目2つなら農夫。ここは農夫にしましょう。毎回の手番でダイスが1つ増えます。序盤は、まずダイスを増やすことです。
    .other = それも頼れる味方です。でもダイスが増えなければ、同じ目7つには届きません。取り消して、農夫を獲得しましょう。
petition-lesson-farmer = ラウンドの最後だった{ $rival }が、次のラウンドの最初になり、2回続けて手番をしました。さて、あなたの番です。農夫のおかげで、3つではなく4つのダイスを振りました。
petition-lesson-added = 何ラウンドか過ぎました。2を2つ確保して、振り直したら5と3。どちらも合いません。どちらかを確保しなければならない？ いいえ、衛兵を使いましょう。2のダイスを加えてくれます。その2を確保すれば、5と3は両方とも振り直せます。
    .other = それでは、合わない目がずっと残ってしまいます。取り消して、先に衛兵を使い、加えた2を確保しましょう。
petition-lesson-change = うまい！ 2がもう1つと、1が出ました。目を変える味方は、最後にどうしても合わないダイスに使うのがいちばんです。下女で1に1を加えて2にし、全部確保しましょう。
    .other = 下女なら、1を5つめの2にできます。取り消して、先に下女を使ってみましょう。
petition-lesson-more = 同じ目が5つ！ 毎回ダイスを加えてくれる騎士を獲得できます。条件のきびしい人ほど力があり、枚数は限られています。取れるときに取りましょう。
    .other = 悪くありません。でも同じ目5つはなかなか出ません。取り消して、騎士を獲得しましょう。
petition-lesson-last = 最終ラウンドです。{ $rival }が3を7つそろえて国王を取りました。もう獲得はありません。これを上回れば、国王を奪えます。あなたは4を6つ確保して、残りは1。4が7つなら、3が7つより強いのです。誰の出番でしょう？
    .other = 4が6つでは足りません。取り消して、魔術師で1を4に変えましょう。
petition-lesson-queen = 国王を奪いました！ 数が多い方が強く、同じ数なら目の大きい方が強いのです。ただし王妃の持ち主{ $rival }が最後に振ります。王妃の持ち主は同じ強さでも勝ち。目標は高いほど安心です。
petition-lesson-own = これでもう遊べます。大事なことは3つ。まずダイスを増やす。加えたダイスを確保して、ほかを振り直す。目を変えるのは手番の最後。では、自分のゲームを始めましょう。ヒントも使えます。
