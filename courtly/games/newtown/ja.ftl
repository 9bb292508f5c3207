newtown = 王様の新しい街
    .tagline = さいころを振り、資材を組んで家を建て、入居者を迎える。お城のまわりに街が育つ。

## 行動

newtown-do-go = { $land_id ->
        [king] 王様の土地へ行く
       *[other] { $land }へ行く
    }
    .log = { $land_id ->
        [king] { $name }：王様の土地へ行った
       *[other] { $name }：{ $land }へ行った
    }
newtown-do-lawn = 芝生のカード：{ $way_id ->
        [remove] { $die }を取り除く
       *[double] { $die }を2倍にする
    }
    .log = { $way_id ->
        [remove] { $name }：芝生のカードで{ $die }を取り除いた
       *[double] { $name }：芝生のカードで{ $die }を2倍にした
    }
newtown-do-block = { $die }の資材を得る
    .log = { $name }：{ $die }の資材を得た
newtown-do-gem = 緑のさいころで宝石を得る
    .log = { $name }：緑のさいころで宝石を得た
newtown-do-reroll = 赤のさいころで白を振り直す
    .log = { $name }：赤のさいころで白を振り直した
newtown-do-take = 土地カード{ $card }を得る
    .log = { $name }：土地カード{ $card }を得た
newtown-do-triple = ゾロ目：同じ資材3個と、{ $effect }
    .log = { $name }：ゾロ目で同じ資材3個を得た（{ $effect }）
newtown-do-plus = 石畳のカード：{ $die }を+1
    .log = { $name }：石畳のカードで{ $die }の目を+1した
newtown-do-swap = 煉瓦のカード：緑と黒を入れ替える
    .log = { $name }：煉瓦のカードで緑と黒を入れ替えた
newtown-do-mud = 泥土のカード：資材1を{ $way_id ->
        [gain] 得る
       *[return] 返す
    }
    .log = { $name }：泥土のカードで資材1を{ $way_id ->
        [gain] 得た
       *[return] 返した
    }
newtown-do-finish = さいころの処理を終える
    .log = { $name }：さいころの処理を終えた
newtown-do-roll = 振り直す：{ $dice }
    .log = { $name }：{ $dice }を振り直した
newtown-do-stop = 白の目を確定する
    .log = { $name }：白の目を確定した
newtown-do-build = { $form }を建てる
    .log = { $name }：{ $form }を建てた
newtown-do-extend = { $which }を{ $form }に増築する
    .log = { $name }：{ $which }を{ $form }に増築した
newtown-do-take_over = { $which }を引き継ぎ、{ $form }に増築する
    .log = { $name }：{ $which }を引き継ぎ、{ $form }に増築した
newtown-do-lay = 資材{ $size }を使う
    .log = { $name }：資材{ $size }を使った
newtown-do-move = 宝石1個を払い、白を振り直して移動する
    .log = { $name }：宝石1個を払って白を振り直した
newtown-do-end = 手番を終える
    .log = { $name }：手番を終えた
newtown-do-welcome = 入居者「{ $resident }」を得る
    .log = { $name }：入居者「{ $resident }」を得た
newtown-do-inherit = 入居者「{ $resident }」を引き継ぐ
    .log = { $name }：家とともに入居者「{ $resident }」を引き継いだ
newtown-do-accept = 宝石を得る
    .log = { $name }：ボーナスマスの宝石を得た
newtown-do-decline = 何も得ない
    .log = { $name }：ボーナスマスでは何も得なかった
newtown-do-lodge = { $resident }を{ $house }へ
    .log = { $name }：{ $resident }を{ $house }に入れた
newtown-do-close = 入居を終える
    .log = { $name }：入居を終えた
newtown-do-plant = さいころ{ $number }個で新しい樹の土地を決める
    .log = { $name }：新しい樹のため、さいころ{ $number }個を振った
newtown-do-draft = { $colour }の{ $face }を取る
    .log = { $name }：{ $colour }の{ $face }を取った
newtown-do-walk = { $land }へ歩く
    .log = { $name }：{ $land }へ歩いた
newtown-do-stay = とどまる
    .log = { $name }：とどまった
newtown-do-buy = 資材{ $size }を買う
    .log = { $name }：資材{ $size }を買った
newtown-do-again = { $die }を振り直す
    .log = { $name }：{ $die }を振り直した
newtown-do-split = 資材{ $size }を分ける（片方は{ $part }）
    .log = { $name }：資材{ $size }を分けた（片方は{ $part }）
newtown-do-join = 2個を合わせて資材{ $size }にする（片方は{ $part }）
    .log = { $name }：2個の資材を合わせて資材{ $size }にした（片方は{ $part }）
newtown-do-vote = { $more_id ->
        [yes] もう1ラウンド行う
       *[no] 行わない
    }
    .log = { $more_id ->
        [yes] { $name }：もう1ラウンド行うことに賛成した
       *[no] { $name }：もう1ラウンド行うことに反対した
    }
newtown-do-pick = { $land }のタイルを取る
    .log = { $name }：{ $land }のタイルを取った
newtown-do-settle = 場所{ $place }に置く
    .log = { $name }：タイルを場所{ $place }に置いた
newtown-do-aim = { $land_id ->
        [king] 王様の土地を選ぶ
       *[other] { $land }を選ぶ
    }
    .log = { $land_id ->
        [king] { $name }：王様の土地を選んだ
       *[other] { $name }：{ $land }を選んだ
    }
    .hidden = { $name }：行き先を選んだ
newtown-do-sow = 樹のさいころ
    .log = 樹のさいころの目は{ $face }
newtown-do-pool = 場のさいころ
    .log = 場のさいころ：{ $colour }の{ $face }
    .several = 場のさいころ：{ $list }
    .item = { $colour }の{ $face }
newtown-do-tile = 土地
newtown-do-starter = スタートプレイヤー
    .log = 最初のスタートプレイヤーは{ $player }
newtown-do-land_card = 新しい土地カード
    .log = 土地カード{ $card }が場に出た
newtown-do-resident = 新しい入居者カード
    .log = 入居者カード「{ $resident }」が場に出た
newtown-do-die = さいころ
    .log = { $die }の目は{ $face }
    .several = 出目：{ $list }
    .item = { $die } { $face }
newtown-do-arrive = 職人を置く
    .log = { $land_id ->
        [king] { $player }：王様の土地へ行った
       *[other] { $player }：{ $land }へ行った
    }
newtown-together = 全員の職人が土地へ移動
newtown-log-block = { $name }：{ $die }で資材{ $size }を得た
newtown-log-build = { $name }：{ $land }に{ $form }を建てた
newtown-split-block = 資材{ $size }を{ $part }と{ $rest }に分ける
newtown-join-block = 資材{ $part }と{ $rest }を合わせて{ $size }にする
newtown-log-split = { $name }：資材{ $size }を{ $part }と{ $rest }に分けた
newtown-log-join = { $name }：資材{ $part }と{ $rest }を合わせて{ $size }にした
newtown-log-end = { $name }：最後の手番を終え、最終得点計算
newtown-log-extend = { $name }：{ $land }の{ $which }を{ $form }に増築した
newtown-log-take_over = { $name }：{ $land }の{ $which }を{ $owner }から引き継ぎ、{ $form }に増築した
newtown-do-gift = 特別なさいころ
    .log = { $resident }：特別なさいころの目は{ $face }

## 名前

newtown-land-3 = 土地3
newtown-land-4 = 土地4
newtown-land-5 = 土地5
newtown-land-6 = 土地6
newtown-land-7 = 土地7
newtown-land-8 = 土地8
newtown-land-9 = 土地9
newtown-land-10 = 土地10
newtown-land-11 = 土地11
newtown-land-12 = 土地12
newtown-land-13 = 土地13
newtown-land-14 = 土地14
newtown-land-15 = 土地15
newtown-land-16 = 土地16
newtown-land-17 = 土地17
newtown-land-18 = 土地18
newtown-land-king = 王様の土地
newtown-card-3 = 3
newtown-card-4 = 4
newtown-card-5 = 5
newtown-card-6 = 6
newtown-card-7 = 7
newtown-card-8 = 8
newtown-card-9 = 9
newtown-card-10 = 10
newtown-card-11 = 11
newtown-card-12 = 12
newtown-card-13 = 13
newtown-card-14 = 14
newtown-card-15 = 15
newtown-card-16 = 16
newtown-card-17 = 17
newtown-card-18 = 18
newtown-house-3-1 = 土地3の1軒目
newtown-house-3-2 = 土地3の2軒目
newtown-house-4-1 = 土地4の1軒目
newtown-house-4-2 = 土地4の2軒目
newtown-house-5-1 = 土地5の1軒目
newtown-house-5-2 = 土地5の2軒目
newtown-house-6-1 = 土地6の1軒目
newtown-house-6-2 = 土地6の2軒目
newtown-house-7-1 = 土地7の1軒目
newtown-house-7-2 = 土地7の2軒目
newtown-house-8-1 = 土地8の1軒目
newtown-house-8-2 = 土地8の2軒目
newtown-house-9-1 = 土地9の1軒目
newtown-house-9-2 = 土地9の2軒目
newtown-house-10-1 = 土地10の1軒目
newtown-house-10-2 = 土地10の2軒目
newtown-house-11-1 = 土地11の1軒目
newtown-house-11-2 = 土地11の2軒目
newtown-house-12-1 = 土地12の1軒目
newtown-house-12-2 = 土地12の2軒目
newtown-house-13-1 = 土地13の1軒目
newtown-house-13-2 = 土地13の2軒目
newtown-house-14-1 = 土地14の1軒目
newtown-house-14-2 = 土地14の2軒目
newtown-house-15-1 = 土地15の1軒目
newtown-house-15-2 = 土地15の2軒目
newtown-house-16-1 = 土地16の1軒目
newtown-house-16-2 = 土地16の2軒目
newtown-house-17-1 = 土地17の1軒目
newtown-house-17-2 = 土地17の2軒目
newtown-house-18-1 = 土地18の1軒目
newtown-house-18-2 = 土地18の2軒目
newtown-house-king-1 = 王様の土地の1軒目
newtown-house-king-2 = 王様の土地の2軒目
newtown-form-2x2x1 = 2×2の1階建て
newtown-form-2x2x2 = 2×2の2階建て
newtown-form-2x2x3 = 2×2の3階建て
newtown-form-2x3x1 = 2×3の1階建て
newtown-form-2x3x2 = 2×3の2階建て
newtown-form-2x3x3 = 2×3の3階建て
newtown-form-2x4x1 = 2×4の1階建て
newtown-form-2x4x2 = 2×4の2階建て
newtown-form-2x4x3 = 2×4の3階建て
newtown-form-3x3x1 = 3×3の1階建て
newtown-form-3x3x2 = 3×3の2階建て
newtown-form-3x3x3 = 3×3の3階建て
newtown-form-3x3x1p = 3×3の1階建て＋ペントハウス
newtown-form-3x3x2p = 3×3の2階建て＋ペントハウス
newtown-form-3x3x3p = 3×3の3階建て＋ペントハウス
newtown-which-first = 1軒目
newtown-which-second = 2軒目
newtown-die-first = 白（1個目）
newtown-die-second = 白（2個目）
newtown-die-third = 白（3個目）
newtown-die-green = 緑のさいころ
newtown-die-red = 赤のさいころ
newtown-die-black = 黒のさいころ
newtown-dice-first = 白の1個目
newtown-dice-second = 白の2個目
newtown-dice-third = 白の3個目
newtown-dice-first-second = 白の1個目と2個目
newtown-dice-first-third = 白の1個目と3個目
newtown-dice-second-third = 白の2個目と3個目
newtown-dice-all = 白3個すべて
newtown-colour-white = 白
newtown-colour-green = 緑
newtown-colour-red = 赤
newtown-colour-black = 黒
newtown-more-no = いいえ
newtown-more-yes = はい
newtown-way-remove = 取り除く
newtown-way-double = 2倍にする
newtown-way-gain = 得る
newtown-way-return = 返す
newtown-effect-nothing = 効果なし
newtown-effect-gem = 宝石
newtown-effect-reroll = 振り直し
newtown-effect-card = 土地カード
newtown-ground-lawn = 高級住宅地（芝生）
newtown-ground-paved = 商業地（石畳）
newtown-ground-brick = 住宅地（煉瓦）
newtown-ground-mud = 未開発地（泥土）
newtown-ground-king = 城のある土地
newtown-resident-r01 = 旅の楽師
newtown-resident-r02 = 夜回り
newtown-resident-r03 = ヤギ飼い
newtown-resident-r04 = 新婚夫婦
newtown-resident-r05 = 隠居夫婦
newtown-resident-r06 = 商店の夫婦
newtown-resident-r07 = 絵描きと弟子
newtown-resident-r08 = パン屋の一家
newtown-resident-r09 = 石工の一家
newtown-resident-r10 = 医者の一家
newtown-resident-r11 = 農夫たち
newtown-resident-r12 = 豪商の一家
newtown-resident-r13 = 三世代家族
newtown-resident-r14 = 貴族の一家
newtown-resident-r15 = 王子夫婦
newtown-resident-r16 = 王女の両親

## オプション

newtown-preset-simple = 簡単バージョン（2018年8月）
newtown-preset-original = オリジナルルール（2018年5月、一部復元）上級者向け
newtown-preset-tuned = 家と入居者の得点を調整
newtown-option-ruleset = ルール
    .value-0 = 簡単バージョン
    .value-1 = オリジナル（上級者向け）
    .help = オリジナルでは、さいころを取り合い、歩き、目の数で支払います。一部しか知られていないため、足りないところは補っています。
newtown-option-move_in = オリジナルルールの入居
    .value-1 = 終了時に入居する
    .value-0 = 入居しない
    .help = 相談して入居のラウンドを省くことができます。簡単バージョンでは必ず行います。
newtown-option-extension_scoring = 増築の得点
    .value-0 = 家全体の基礎点と土地の基礎点
    .value-1 = 基礎点の増えた分だけ
    .help = ルールでは建築と増築を同じ見出しで扱い、差だけを得点するとは書かれていません。
newtown-option-pattern_bonus = 一列と2×2のボーナス
    .value-2 = 建てた人に、すべての家の分
    .value-0 = それぞれの家の持ち主に
    .value-1 = 建てた人に、自分の家の分だけ
    .help = 一列または2×2に並んだ4つの土地すべてに家が建っているとき、家1軒につき1点。
newtown-option-pattern_again = 一列と2×2のボーナスの回数
    .value-0 = 4つの土地すべてに家がそろったとき1回だけ
    .value-1 = その土地に新しい家が建つたびに
    .help = 新しい家のたびに得る場合は、2軒目を建てたときにも、その一列や2×2のすべての家の分を得ます。
newtown-option-one_card_per_house = 1軒に入居できる入居者カード
    .value-0 = 人数の許すかぎり
    .value-1 = 1枚まで
    .help = 入居できる人数は家の基礎点までです。
newtown-option-finite_supply = 資材
    .value-0 = 無制限
    .value-1 = なくなることがある
    .help = なくなる場合は、資材1が30個、2〜4が各16個、5と6が各12個です。
newtown-option-residents = 入居
    .value-0 = 最も得点の高くなるように自動で
    .value-1 = 持ち主が決める
    .help = ゲーム終了時、特別なさいころを振る前に行います。
newtown-option-once_per_turn = 同じ家の建築・増築
    .value-0 = 資材のあるかぎり何度でも
    .value-1 = 1手番に1回
    .help = 何度でもなら、3階を一度に建てるより、1階ずつ建てるほうが得点は多くなります。
newtown-option-markers = 2人でのスタートプレイヤー
    .value-0 = A・B・B・A（マーカーを最後のマスに移す）
    .value-1 = A・B・A・B（マーカーを列のすぐ後ろに移す）
    .help = ラウンドが終わると、スタートプレイヤーのマーカーを最後尾の空白マスに移します。3人・4人ではどちらでも同じです。
newtown-option-dice_phase = さいころフェイズ
    .value-0 = 全員同時に
    .value-1 = 手番順に
    .help = 同時のときは、王様の土地に行ける人がいっせいに行き先を選びます。芝生のカードは自分の手番に使います。
newtown-option-lands = 土地タイル
    .value-0 = ランダムに置く
    .value-1 = みんなで順番に置く
    .help = 順番に置くときは、スタートプレイヤーから時計回りに、タイルを1枚ずつ選んで好きな場所に置きます。
newtown-option-map = 土地の並べ方
    .value-0 = 風車形
    .value-1 = 十字形
    .help = 王様の土地のまわりの16枚の土地が作る形です。
newtown-option-tables = 家と入居者の得点
    .value-0 = 復元値
    .value-1 = シミュレーションによる調整値
    .help = 出典の見つからない得点です。調整値は、家や入居者による有利不利の差が小さくなるように探したものです。

## できない理由

newtown-refusal-go-total = 白の目の合計は別の土地を指しています。
newtown-refusal-king-dice = 王様の土地へ行けるのは、白の目がぞろ目か連番で、どれも変えていないときだけです。
newtown-refusal-die-used = そのさいころはもう使いました。
newtown-refusal-two-blocks = 1手番にさいころから得られる資材は2個までです。
newtown-refusal-same-size = 同じ大きさの資材は1手番に1個しか得られません。
newtown-refusal-no-block = その資材がありません。
newtown-refusal-not-triple = 緑・赤・黒がすべて同じ目で、どれも未使用のときだけです。
newtown-refusal-card-none = その色の土地カードを持っていません。
newtown-refusal-card-later = その色の土地カードは、使用済みか、次のラウンドから使えるものです。
newtown-refusal-lawn-bounds = それでは白の合計がどの土地にもなりません。
newtown-refusal-six-is-most = 6より大きくはできません。
newtown-refusal-land-full = この土地にはもう2軒建っています。
newtown-refusal-no-roof = その大きさの屋根が残っていません。
newtown-refusal-no-fit = 手持ちの資材ではその家をちょうど埋められません。
newtown-refusal-not-larger = 増築では、階数か面積を増やさなければなりません。
newtown-refusal-no-gem = 支払う宝石がありません。
newtown-refusal-worked = その家はこの手番にもう建築・増築しました。
newtown-refusal-penthouse-owner = ペントハウスを作れるのは家の持ち主だけです。
newtown-refusal-penthouse-closed = ペントハウスのある家はそれ以上増築できません。
newtown-refusal-no-house = ここにその家はありません。
newtown-refusal-not-yours = それはほかの人の家です。増築すると引き継ぐことになります。
newtown-refusal-yours = それは自分の家です。
newtown-refusal-build-first = 宝石で移動できるのは、この手番に建築したあとだけです。
newtown-refusal-not-in-row = そのカードは場にありません。
newtown-refusal-no-bed = その家には空きが足りません。
newtown-refusal-wrong-ground = その土地には入居できません。
newtown-refusal-too-far = 緑の目が足りません。
newtown-refusal-taken-land = ほかの職人がいます。
newtown-refusal-no-pips = 目の数が足りません。
newtown-refusal-not-on-total = 建てられるのは、白の合計の土地だけです。
newtown-refusal-two-players = 王様の土地の2軒目は、別の人だけが建てられます。
newtown-refusal-no-such-part = その大きさの資材は、そのようには分けられません。
newtown-refusal-not-in-pool = そのさいころは場にありません。
newtown-refusal-have-those = その色のさいころはもう取りました。
newtown-refusal-die-changed = そのさいころはもう変えました。
newtown-refusal-row-empty = 場に土地カードがありません。
newtown-refusal-lodged = その入居者はもう入居しています。
newtown-refusal-one-card = 1軒に入居できる入居者カードは1枚だけです。
newtown-refusal-already-there = 職人はもうそこにいます。
newtown-refusal-lawn-waits = 芝生のカードは自分の手番に使えます。

newtown-why-dice = 先にさいころを使います。建てられるのは、そのあと、職人のいる{ $land }だけです。
newtown-why-elsewhere = 建てられるのは、自分の職人のいる土地だけです。
newtown-why-no-new-house = 今の資材では新しい家を建てられません。
newtown-why-no-roofs = 新しい家に使う屋根が残っていません。
newtown-why-no-extension = 今の資材では増築できません。
newtown-why-row-empty = 場に土地カードがありません
newtown-card-for-black = 黒のさいころで、このカードを取れます。
newtown-why-card-black = 土地カードは黒のさいころで取ります。
newtown-why-card-black-used = 土地カードを取る黒のさいころは、使い終わっています。
newtown-why-card-used = このラウンドは使い終わっています。次のラウンドでまた使えます。
newtown-why-card-lawn = 建てる前、さいころを使うときに白の目を変えます。合計は3から18まででなければなりません。
newtown-why-card-paved = まだ使っていない、5以下の緑・赤・黒の目に使えます。
newtown-why-card-brick = 緑も黒もまだ使っていないときに使えます。
newtown-why-card-mud = さいころを使うときと、建てるときに使えます。
newtown-why-resident = 入居者カードは、新しい家を建てたあとに選びます。

## いますること

newtown-prompt-placing = 職人の行き先を選んでください。
newtown-prompt-picking = 次に置く土地タイルを選んでください。
newtown-prompt-settling = { $land }のタイルを置く場所を選んでください。
newtown-prompt-aiming = 職人の行き先を選んでください。
newtown-prompt-acting = 緑・赤・黒のさいころを使ってください。
newtown-prompt-rerolling = 振り直す白のさいころを選ぶか、確定してください。
newtown-prompt-taking = 土地カードを選んでください。
newtown-prompt-building = 家を建てるか、手番を終えてください。
newtown-prompt-building-none = ここでは何も建てられません。手番を終えますか？
newtown-prompt-laying = この家に使う資材を選んでください。
newtown-prompt-bonus-gem = { $at }点を通過しました。宝石を得ますか？
newtown-prompt-bonus-card = { $at }点を通過しました。土地カードを選んでください。
newtown-prompt-welcoming = 新しい家の入居者カードを選んでください。
newtown-prompt-welcoming-from = { $name }の入居者カードから1枚選んでください。
newtown-prompt-lodging = 入居者をどの家に入れますか？
newtown-prompt-planting = 新しい樹の土地を決めるさいころの数を選んでください。
newtown-prompt-drafting = 場のさいころを1個取ってください。
newtown-prompt-walking = 緑の目で歩くか、とどまってください。
newtown-prompt-managing = 赤の目で資材を買うか、白を振り直してください。
newtown-prompt-voting = もう1ラウンド行いますか？
newtown-help-picking = 王様の土地のまわりに、順番に1枚ずつ置きます。{ $n ->
       *[other] 残りは{ $n }枚です。
    }
newtown-help-aiming = 白の目がぞろ目か連番なので、王様の土地も選べます。全員が選び終わると、職人をいっせいに置きます。
newtown-help-planting = 目の合計の土地に樹を植えます。2個なら2〜12（2なら植えない）、4個なら4〜24（19以上は、樹のある王様の土地）です。
newtown-help-voting = 過半数が賛成すると、もう1ラウンド行います。
newtown-help-walking = 緑の目は{ $pips }。1歩に1、王様の土地に入るには2かかります。ほかの職人のいる土地は通り過ぎるだけです。止まった土地に樹があれば資材{ $round }を得ます。
newtown-help-managing = 赤の目は{ $pips }。資材は大きさの分、白1個の振り直しは1かかります。
newtown-help-black = 黒の目は{ $pips }。家は規格の番号（2×2は1、2×3は2、2×4は3、3×3は4）、資材を分ける・合わせるのは1かかります。
newtown-order = 手番順：{ $names }
newtown-goal = 白の合計の土地（建てられる土地）
newtown-goal-short = 建築
newtown-goals = 白の合計で建てられる土地：{ $lands }
newtown-pips = 残りの目：緑{ $green }、赤{ $red }、黒{ $black }
newtown-pips-left = 残り{ $n }
newtown-steps = 目{ $n }つ分
newtown-help-drafting = この順に1個ずつ、白3個と緑・赤・黒を各1個取ります。
newtown-elsewhere = 建てられるのは、白の合計の土地だけです。余った資材は次の手番に使えます。
newtown-floors = 各階の資材：{ $blocks }
newtown-laid = 置いた資材
newtown-confirm-build = 建てる
newtown-confirm-extend = 増築する
newtown-confirm-take_over = 引き継ぐ
newtown-back = 戻る
newtown-taken = { $name }が{ $loser }の家を引き継ぎ、宝石を1個支払いました。
newtown-handed = 家とともに移った入居者カード：
newtown-pool-title = 場のさいころ
newtown-carve = 資材を分ける・合わせる
newtown-help-taking = 場の土地カードから選んでください。
newtown-help-inheriting = 家とともに、この中から入居者カードを1枚引き継ぎます。
newtown-help-welcoming = 入居者カードを1枚選びます。今建てた家に入居させる必要はありません。入居はゲームの終了時に行います。

## 街

newtown-town = 街
newtown-turn-view = 向きを変える
newtown-view-flat = 地図
newtown-view-model = 模型
newtown-king-short = 王様
newtown-points = { $n }点
newtown-tree = 樹
newtown-craftsmen = 職人：{ $names }
newtown-house-of = { $name }：{ $form }（{ $n }人まで）
newtown-land-brings = 土地の基礎点は{ $n }点。
newtown-king-brings = 白の目がぞろ目か連番のときに来られます。1軒目を建てると宝石2個、2軒目は1個。誰でも入居できます。
newtown-chance = 216通りのうち{ $ways }通りでここに来ます。
newtown-tree-does = 樹：来ると資材{ $n }を得、新しい家は+1点。
newtown-built-of = 資材 { $blocks }
newtown-room-for = あと{ $n }軒建てられます。
newtown-neighbours = 土地の並び（1行ずつ）
newtown-place = 場所{ $place }（まだ土地なし）
newtown-unlaid = まだ置いていない土地タイル
newtown-starters = このラウンドからのスタートプレイヤー：{ $names }

## さいころ

newtown-turn = さいころと手番
newtown-round = 第{ $n }ラウンド
newtown-round-of = 第{ $n }ラウンド／全{ $all }ラウンド
newtown-start-player = スタート
newtown-white-dice = { $name }の白の目：{ $dice }、合計{ $n }
newtown-total = 白の合計の土地
newtown-total-or-king = 白の合計の土地、または王様の土地
newtown-left-out = 除く
newtown-used = 使用済み
newtown-used-mark = （使用済み）
newtown-pick-die = 白の{ $face }を振り直す
newtown-odds = 各土地に行ける確率
newtown-triple = { $n }のゾロ目！
newtown-triple-help = 同じ資材を3個得て、さらに効果を1つ使えます。1個ずつ使うこともできます。
newtown-take-block = 資材{ $n }
newtown-why-two-blocks = 資材は2個まで
newtown-why-same-size = 同じ大きさは1個まで
newtown-why-no-block = ありません
newtown-blocks-left = { $n ->
        [0] 資材はもう2個得ました。残りは効果に使えます。
        [1] さいころから、あと1個、別の大きさの資材を得られます。
       *[other] さいころから、違う大きさの資材を2個まで得られます。残りは効果に使えます。
    }
newtown-gives-gem = 宝石{ $n }個
newtown-gives-reroll = { $n }回まで振り直す
newtown-gives-take = 土地カード{ $n }枚
newtown-choose-card = 場の土地カードを選んでください
newtown-effect-help-green = 宝石：終了時1点。建築後の移動や、家の引き継ぎの支払いに使えます。
newtown-effect-help-red = 白を振り直します。終わると、職人がその土地へ移動します。
newtown-effect-help-black = 土地カード：毎ラウンド1回の特殊能力と、終了時最大3点。
newtown-land-card = 土地カード：
newtown-from-now = すぐに使えます。
newtown-from-next = 次のラウンドから使えます。
newtown-card-end = 終了時、自分の家があれば+3点、他人の家だけなら+1点、家がなければ−1点。
newtown-unhoused-cost = 入居できなければ−{ $points }点。
newtown-use-lawn = 芝生のカード：白を変える
newtown-use-lawn-help = 白のさいころを1個取り除くか2倍にして、すぐにその土地へ移動します。
newtown-use-plus = 石畳のカード：目を+1
newtown-use-swap = 煉瓦のカード：緑と黒を入れ替える
newtown-use-mud = 泥土のカード：資材1
newtown-reroll-help = あと{ $n }回振り直せます。枠の付いたさいころを振り直します。タップで枠を付け外しできます。
newtown-roll = { $n }個を振り直す

## 建築

newtown-offers = ここに建てられる家
newtown-new-houses = 新しい家
newtown-extend-own = 増築する：自分の{ $form }
newtown-take-over = 引き継ぐ（宝石1個）：{ $name }の{ $form }
newtown-nothing-fits = 今の資材では、ここに何も建てられません。余った資材は次の手番に使えます。
newtown-patterns-to = { $name }に、一列・2×2
newtown-persons = { $n }人まで入居できます。
newtown-then-resident = 続いて入居者カードを1枚得ます。
newtown-then-take-over = { $name }に宝石を1個支払い、その入居者カードから1枚選んで得ます。
newtown-then-gems = 王様から宝石を{ $n }個得ます。
newtown-lay-help = { $form }：あと{ $n }マス。次の資材を選んでください（左から1階、2階…）。
newtown-block = 資材{ $n }
newtown-latest = 最新の建築：{ $house }
newtown-no-home = 入居できる家がない
newtown-source-base = 家の基礎点
newtown-source-land = 土地の基礎点
newtown-source-tree = 樹のある土地
newtown-source-second = 同じ土地に2軒目
newtown-source-fifth = 自分の5軒目
newtown-source-largest = 最大の家
newtown-source-lines = 一列に4つ
newtown-source-squares = 2×2
newtown-source-blocks = 余った資材
newtown-source-cards = 土地カード
newtown-source-residents = 入居者
newtown-source-dice = 特別なさいころ
newtown-source-gems = 宝石

## カードと手元

newtown-market = 場のカード
newtown-land-cards = 土地カード
newtown-residents = 入居者カード
newtown-deck = 山札{ $n }枚
newtown-empty = なし
newtown-ability-lawn = 緑：白のさいころを1個取り除くか2倍にする
newtown-ability-paved = 青：緑・赤・黒の目を1つ+1する
newtown-ability-brick = 赤：緑と黒の目を入れ替える
newtown-ability-mud = 黄：資材1を1個得るか返す
newtown-ability-short-lawn = 除くか2倍
newtown-ability-short-paved = 目を+1
newtown-ability-short-brick = 入れ替え
newtown-ability-short-mud = 出し入れ
newtown-at-end = 終了時
newtown-points-short = { $n }点
newtown-card-worth = 今のままなら終了時{ $n }点
newtown-card-ready = 使用可
newtown-card-later = 次から
newtown-card-used = 使用済み
newtown-resident-facts = { $persons }人、{ $points }点、入居できる土地：{ $grounds }と王様の土地
newtown-special-help = 王様の土地ならさいころの目を加点、入居できなければ目の分も失点
newtown-lives = { $land }に入居
newtown-whose = 誰の手元を見るか
newtown-holdings = { $name }の手元
newtown-blocks = 資材
newtown-cubes = { $n }マス分
newtown-gems = 宝石
newtown-roofs = 残りの屋根
newtown-roofs-left = { $foot }の屋根：{ $n }
newtown-none = なし
newtown-house-count = 家{ $n }軒
newtown-next-bonus = { $at }点で
newtown-track-gem = { $at }点で宝石
newtown-track-card = { $at }点で土地カード

## 決算

newtown-from-building = 建築の得点
newtown-final = 最終得点
newtown-end-of = { $name }の決算
newtown-end-blocks = 余った資材{ $n }個：−{ $n }
newtown-end-no-blocks = 余った資材なし：+1
newtown-end-card = { $land }のカード：{ $points }
newtown-end-housed = { $resident }が{ $land }に入居：+{ $points }
newtown-end-unhoused = { $resident }は入居できず：−{ $points }
newtown-end-gift = { $resident }の特別なさいころ：{ $points }
newtown-end-gems = 宝石：+{ $n }

## 最後に持っているもの（集計）

newtown-owned-house = 家 { $form }
newtown-owned-land = 土地カード{ $card }
newtown-owned-resident = { $resident }
newtown-owned-gem = 宝石

## ヒントで数えるもの

newtown-counted-points = { $many ->
   *[other] { $n }点
  }
newtown-part-base = { newtown-source-base }
newtown-part-land = { newtown-source-land }
newtown-part-tree = { newtown-source-tree }
newtown-part-second = { newtown-source-second }
newtown-part-fifth = { newtown-source-fifth }
newtown-part-largest = { newtown-source-largest }
newtown-part-lines = { newtown-source-lines }
newtown-part-squares = { newtown-source-squares }
newtown-counted-gems = { $many ->
   *[other] 宝石 { $n }
  }
newtown-counted-blocks = { $many ->
   *[other] 資材 { $n }
  }

## はじめてのゲーム

newtown-lesson-goal = 王様のお城のまわりに、新しい街をつくります。4ラウンドの間にさいころを振り、資材を組んで家を建て、入居者を迎えます。栄誉点の最も多い人の勝ちです。
newtown-lesson-go = 白のさいころの合計が、建てる土地です。1・2・3で土地6。連番なので王様の土地も選べますが、土地6を見てください。得点の高い芝生で、しかも樹があります。樹のある土地では、資材をすぐに1個得ます。土地6へ行きましょう。
    .other = 王様の土地では宝石が得られます。でも樹のある芝生はめったにありません。取り消して、土地6へ行きましょう。
newtown-lesson-dice = 樹の資材はもう手元にあります。色のさいころは、目の大きさの資材か、特殊効果のどちらか。緑は宝石、赤は振り直し、黒は土地カードです。資材は2個まで、違う大きさで。2と4を合わせると、家が1軒建ちます。緑と黒から資材を得て、処理を終えましょう。
    .other = それも役に立ちます。でも今日は家を建てたいところ。取り消して、資材2と4を得ましょう。
newtown-lesson-build = 資材は、家の形をぴったり埋めなければなりません。3階まで建てられます。2と4で、1階建ての2×3がちょうど埋まります。建てましょう。
    .other = それもできますが、小さい家です。取り消して、2×3を建てましょう。
newtown-lesson-resident = いきなり7点です。家が2、芝生が3、樹が1、最大の家が1。新しい家を建てると入居者も選べます。最後に入居するとき、土地の種類が合い、家に十分な大きさがなければなりません。好きな入居者を選びましょう。
newtown-lesson-takeover = 2ラウンド後です。土地15には{ $rival }の家。手元の資材2だけでは、新しい家は建ちません。見落としやすいのがこれ。他人の家も増築できます。宝石1個を払うとあなたの家になり、入居者もついてきます。2×4に増築しましょう。
    .other = それでは資材が余ってしまいます。取り消して、{ $rival }の家を2×4に増築しましょう。
newtown-lesson-taken = 資材1個で6点です。増築では、できあがった家の基礎点と土地の基礎点をもう一度得ます。{ $rival }は宝石を得ましたが、家を失いました。あなたの家も同じように狙われます。ペントハウスを作れば、もう引き継がれません。
newtown-lesson-end = 4ラウンドが終わると数えます。余った資材は1個につき−1点。土地カードは、その土地に自分の家があれば3点。宝石は1個1点。最後に入居です。部屋のない入居者は失点になります。
newtown-lesson-own = これでもう遊べます。大事なことは3つ。樹のある土地は回り道の価値がある。よい土地に大きな家を。他人の家の増築も考える。では、自分のゲームを始めましょう。ヒントも使えます。
