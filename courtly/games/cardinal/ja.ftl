cardinal = 王と枢機卿
    .tagline = 中世ヨーロッパに修道院と枢機卿を配置し、国を押さえ、同盟を結び、道をつなぐ。

## 手

cardinal-do-cloister = { $site }に修道院（{ $pair_id ->
        [none] { $single }
       *[other] { $single_id ->
            [none] { $pair }
           *[other] { $pair }＋{ $single }
        }
    }）
    .log = { $pair_id ->
        [none] { $name }：{ $single }
       *[other] { $single_id ->
            [none] { $name }：{ $pair }
           *[other] { $name }：{ $pair }＋{ $single }
        }
    }で{ $site }に修道院を置いた
cardinal-do-cardinal = { $country }に枢機卿（{ $pair_id ->
        [none] { $single }
       *[other] { $single_id ->
            [none] { $pair }
           *[other] { $pair }＋{ $single }
        }
    }）
    .log = { $pair_id ->
        [none] { $name }：{ $single }
       *[other] { $single_id ->
            [none] { $name }：{ $pair }
           *[other] { $name }：{ $pair }＋{ $single }
        }
    }で{ $country }に枢機卿を置いた
cardinal-do-second_cloister = 2個目は{ $site }に修道院
    .log = { $name }：さらに{ $site }に修道院を置いた
cardinal-do-second_cardinal = 2個目は{ $country }に枢機卿
    .log = { $name }：さらに{ $country }に枢機卿を置いた
cardinal-do-done = 2個目は置かない
    .log = { $name }：2個目を置かなかった
cardinal-do-discard = { $first }{ $second_id ->
        [none] {""}
       *[other] ・{ $second }
    }{ $third_id ->
        [none] {""}
       *[other] ・{ $third }
    }を捨てる
    .log = { $name }：{ $first }{ $second_id ->
        [none] {""}
       *[other] ・{ $second }
    }{ $third_id ->
        [none] {""}
       *[other] ・{ $third }
    }を捨てた
cardinal-do-take = 場札の{ $card }を取る
    .log = { $name }：場札の{ $card }を取った
cardinal-do-draw = 山札から引く
    .log = { $name }：山札から引いた
cardinal-do-begins = スタートプレイヤー
    .log = スタートプレイヤーは{ $player }
cardinal-do-deal = 配札
cardinal-do-drawn = 引いた札
    .log = { $card }を引いた
    .joined = { $name }：山札から{ $card }を引いた
cardinal-do-turn_up = 場札
    .log = 場札に{ $card }が出た
cardinal-do-reshuffle = 山札の作り直し
    .log = 山札がなくなり、捨て札で山札を作り直した
cardinal-do-run_out = 山札切れ
    .log = 2回目の山札切れ：まもなく2回目の決算
cardinal-do-interim = 1回目の決算
    .log = 1回目の決算：国ごとの修道院
cardinal-do-final = 2回目の決算
    .log = 2回目の決算：修道院、同盟、連結ボーナス

## 名前

cardinal-card-red = 赤
cardinal-card-green = 緑
cardinal-card-yellow = 黄
cardinal-card-orange = オレンジ
cardinal-card-purple = 紫
cardinal-single-none = なし
cardinal-single-red = 赤
cardinal-single-green = 緑
cardinal-single-yellow = 黄
cardinal-single-orange = オレンジ
cardinal-single-purple = 紫
cardinal-first-none = なし
cardinal-first-red = 赤
cardinal-first-green = 緑
cardinal-first-yellow = 黄
cardinal-first-orange = オレンジ
cardinal-first-purple = 紫
cardinal-second-none = なし
cardinal-second-red = 赤
cardinal-second-green = 緑
cardinal-second-yellow = 黄
cardinal-second-orange = オレンジ
cardinal-second-purple = 紫
cardinal-third-none = なし
cardinal-third-red = 赤
cardinal-third-green = 緑
cardinal-third-yellow = 黄
cardinal-third-orange = オレンジ
cardinal-third-purple = 紫
cardinal-pair-none = なし
cardinal-pair-red = 赤2枚
cardinal-pair-green = 緑2枚
cardinal-pair-yellow = 黄2枚
cardinal-pair-orange = オレンジ2枚
cardinal-pair-purple = 紫2枚

cardinal-country-EN = イングランド
cardinal-country-FR = フランス
cardinal-country-AR = アラゴン
cardinal-country-LO = ロートリンゲン
cardinal-country-FK = フランケン
cardinal-country-SW = シュヴァーベン
cardinal-country-BY = バイエルン
cardinal-country-BU = ブルグント
cardinal-country-IT = イタリア

cardinal-site-EN1 = ヨーク
cardinal-site-EN2 = イーリー
cardinal-site-EN3 = グロスター
cardinal-site-EN4 = ロンドン
cardinal-site-EN5 = カンタベリー
cardinal-site-FR1 = ルーアン
cardinal-site-FR2 = サン＝ドニ
cardinal-site-FR3 = ランス
cardinal-site-FR4 = モン＝サン＝ミシェル
cardinal-site-FR5 = トゥール
cardinal-site-FR6 = ブールジュ
cardinal-site-FR7 = ポワティエ
cardinal-site-FR8 = モワサック
cardinal-site-AR1 = ハカ
cardinal-site-AR2 = サラゴサ
cardinal-site-AR3 = リポイ
cardinal-site-AR4 = バルセロナ
cardinal-site-AR5 = バレンシア
cardinal-site-LO1 = ユトレヒト
cardinal-site-LO2 = リエージュ
cardinal-site-LO3 = ケルン
cardinal-site-LO4 = メッス
cardinal-site-FK1 = フルダ
cardinal-site-FK2 = ヘルスフェルト
cardinal-site-FK3 = エアフルト
cardinal-site-FK4 = バンベルク
cardinal-site-FK5 = ヴュルツブルク
cardinal-site-FK6 = マインツ
cardinal-site-FK7 = シュパイアー
cardinal-site-SW1 = ヒルザウ
cardinal-site-SW2 = ウルム
cardinal-site-SW3 = ライヒェナウ
cardinal-site-SW4 = クール
cardinal-site-BY1 = レーゲンスブルク
cardinal-site-BY2 = フライジング
cardinal-site-BY3 = パッサウ
cardinal-site-BY4 = テーゲルンゼー
cardinal-site-BY5 = ザルツブルク
cardinal-site-BY6 = メルク
cardinal-site-BU1 = ディジョン
cardinal-site-BU2 = バーゼル
cardinal-site-BU3 = クリュニー
cardinal-site-BU4 = ジュネーヴ
cardinal-site-BU5 = ヴィエンヌ
cardinal-site-IT1 = ミラノ
cardinal-site-IT2 = ジェノヴァ
cardinal-site-IT3 = ヴェローナ
cardinal-site-IT4 = フィレンツェ
cardinal-site-IT5 = ローマ
cardinal-site-IT6 = モンテ・カッシーノ

## 地図

cardinal-map = 地図
cardinal-nearer = 拡大
cardinal-farther = 縮小
cardinal-site-free = { $place }（{ $country_name }）：空き
cardinal-site-taken = { $place }（{ $country_name }）：{ $owner }の修道院
cardinal-roads = 道の先：{ $places }
cardinal-in-chain = { $n }個の連結の中
cardinal-seal = { $country_name }：枢機卿 { $standing }個／上限 { $top }個
cardinal-cards-for = { $colour }のカード・空いている修道院 { $free }か所
cardinal-cloisters-here = 修道院：{ $list }
cardinal-cardinals-here = 枢機卿：{ $list }
cardinal-worth-now = 修道院の得点（現在）：{ $list }
cardinal-empty-country = コマのない国：1手番に修道院1個しか置けない
cardinal-allies = 同盟：{ $list }
cardinal-ally = { $number } { $country_name }
cardinal-nobody = なし
cardinal-pact = 同盟{ $number }：{ $a }－{ $b }
cardinal-led-by = { $country_name }：枢機卿{ $n }個、1位は{ $list }
cardinal-pact-now = 両方で1位（各{ $n }点）：{ $list }
cardinal-pact-none = 両方で1位のプレイヤーはいない

## カード

cardinal-cards = カード
cardinal-open = 場札
cardinal-deck = 山札
cardinal-discards = 捨て札
cardinal-discards-help = プレイしたカードと捨てたカードの枚数。一度だけシャッフルして新しい山札になります。
cardinal-no-card = なし
cardinal-hand = 手札
cardinal-useless = 選んだカードと一緒にはプレイできません。
cardinal-pay = { $piece ->
        [cardinal] 枢機卿を置くのに使うカード：
       *[cloister] 修道院を置くのに使うカード：
    }
cardinal-pay-pair = { $colour }×2
cardinal-pay-cancel = やめる
cardinal-no-cloister-yet = { $country_name }にはまだ修道院がないので、枢機卿を置けません。
cardinal-lacks-cards = 今は置けません。この国のカード（{ $colour }）も、同じ色2枚も手札にありません。
cardinal-other-cards = 選んだカードでは置けません。ここを押すと、置けるカードが出ます。
cardinal-due-interim = 山札切れ！{ $name }の手番になったら1回目の決算
cardinal-due-final = 2回目の山札切れ！{ $name }の手番になったら2回目の決算
cardinal-discard = 捨てる…
cardinal-discard-ask = { $n }枚をプレイせずに捨てますか？
cardinal-discard-none = 先に捨てるカードを選んでください。
cardinal-discard-yes = 捨てる
cardinal-discard-no = やめる
cardinal-what-choose = カードを選ぶと置ける場所が、場所を選ぶと使えるカードが示されます。
cardinal-what-one = { $colour }：{ $lands }に1個。
cardinal-what-pair = { $own ->
        [1] { $lands }に2個。またはジョーカーとして好きな国に1個。
       *[other] { $lands }に2個。またはジョーカーとしてほかの色の国に1個。
    }
cardinal-what-dear = { $lands }なら1枚で足ります。
cardinal-what-joker = 2枚をジョーカーにして、{ $lands }に2個。
cardinal-what-differ = { $discard ->
        [1] 2枚出すときは同じ色でなければなりません。捨てることはできます。
       *[other] 2枚出すときは同じ色でなければなりません。
    }
cardinal-what-three = { $discard ->
        [1] 3枚出すときは、うち2枚が同じ色でなければなりません。捨てることはできます。
       *[other] 3枚出すときは、うち2枚が同じ色でなければなりません。
    }
cardinal-what-nowhere = このカードで置ける場所は今ありません。
cardinal-what-second = 2個目も{ $country_name }に置きます。
cardinal-what-refill = { $n ->
        [1] あと1枚。
       *[other] あと{ $n }枚。順番は自由です。
    }

cardinal-prompt-choose = 使うカードを選んでください。
cardinal-prompt-place = 光る場所に置いてください。
cardinal-prompt-other = { $discard ->
        [1] そのカードはプレイできません。選び直すか、捨ててください。
       *[other] そのカードはプレイできません。選び直してください。
    }
cardinal-prompt-second = { $country_name }に2個目を置いてください。
cardinal-prompt-second-or-done = { $country_name }に2個目を置くか、終えてください。
cardinal-prompt-refill = 手札を{ $n }枚補充してください。

## 得点

cardinal-players = プレイヤー
cardinal-start = スタートプレイヤー
cardinal-start-short = スタート
cardinal-points = { $n }点
cardinal-cloisters-left = 残り修道院コマ { $n }個
cardinal-cardinals-left = 残り枢機卿コマ { $n }個
cardinal-estimate = 今決算なら{ $n }点
    .short = 今なら{ $n }点
cardinal-estimate-off = 見込みを隠す
cardinal-estimate-help = 今すぐ最終決算をした場合の得点です。クリックで表示を切り替えます。
cardinal-made-of = 1回目の決算{ $interim }点、現在の国{ $countries }点・同盟{ $alliances }点・連結{ $chains }点
cardinal-scores = 得点表
cardinal-close = 閉じる
cardinal-interim = 1回目の決算
cardinal-final-countries = 国（2回目の決算。かっこ内は修道院の数）
cardinal-now-countries = 国（現在。かっこ内は修道院の数）
cardinal-sum = 計
cardinal-alliances = 同盟
cardinal-pact-row = { $number } { $a }（{ $sa }）－{ $b }（{ $sb }）
cardinal-chains = 連結ボーナス（4個以上）
cardinal-chains-sum = 連結した修道院
cardinal-total = 合計
cardinal-if-now = 今決算なら
cardinal-legend-countries = 国：1位はその国の修道院の総数、2位以下は自分より1つ上位のプレイヤーの修道院の数。同着はそれぞれが得点します。
cardinal-legend = ●：その国で枢機卿が1位、○：1位ではない。両方で1位なら、両国の枢機卿の合計が得点になります。
cardinal-tie = { $n }点で同点：残ったコマの合計が多いほうが上位です（{ $list }）。

## オプション

cardinal-preset-seed = オンライン版ルール
cardinal-preset-printed = 箱版ルール
cardinal-option-discard_max = 1手番に捨てられる枚数
    .value-3 = 3枚まで
    .value-1 = 1枚
    .help = プレイせずにカードを捨てる手番で、何枚まで捨てられるか。箱のルールでは1枚です。
cardinal-option-joker_own_colour = 同色2枚を同じ色のジョーカーにする
    .value-1 = できる
    .value-0 = できない
    .help = できる場合、同色2枚で同じ色の国に1個だけ置いたり、同色3枚で2個置いたりできます。
cardinal-option-underplace = 置ける数より少なく置く
    .value-0 = できない
    .value-1 = できる
    .help = 2個置けるカードで1個だけ置いてよいかどうか。
cardinal-option-interim = 1回目の決算
    .value-0 = スタートプレイヤーの手番になったとき
    .value-1 = 山札が無くなったらすぐ
    .help = 山札が無くなったあと、いつ決算するか。箱のルールではすぐに行います。
cardinal-option-first_player = スタートプレイヤー
    .value-0 = 抽選
    .value-1 = 席1
    .value-2 = 席2
    .value-3 = 席3
    .value-4 = 席4
    .value-5 = 席5
    .help = 人数より大きい番号は、ぐるりと回って数えます。

## できない理由

cardinal-refusal-place-second = 先に2個目を置いてください。
cardinal-refusal-refill-first = 先に手札を補充してください。
cardinal-refusal-choose-first = 先にカードをプレイするか捨てるかしてください。
cardinal-refusal-not-in-hand = そのカードは手札にありません。
cardinal-refusal-no-set = そのような出し方はできません。
cardinal-refusal-own-colour = このテーブルでは、同色2枚を同じ色のジョーカーにできません。
cardinal-refusal-wrong-colour = そのカードはその国に使えません。
cardinal-refusal-same-country = 2個とも同じ国に置かなければなりません。
cardinal-refusal-site-taken = そこにはもう修道院があります。
cardinal-refusal-no-cloisters = 修道院コマが残っていません。
cardinal-refusal-no-cardinals = 枢機卿コマが残っていません。
cardinal-refusal-empty-country = コマのない国には、1手番に修道院1個しか置けません。
cardinal-refusal-seal-full = 枢機卿は、その国で最も多い修道院の数までしか置けません。
cardinal-refusal-no-second = 2個置くカードですが、2個目を置けません。
cardinal-refusal-must-place = 2個目を置かなければなりません。
cardinal-refusal-discard-one = 捨てられるのは1枚だけです。
cardinal-refusal-not-open = そのカードは場札にありません。
cardinal-refusal-no-deck = 山札がありません。

## 最後に持っているもの（集計）

cardinal-owned-cloister = { $country }の修道院
cardinal-owned-cardinal = { $country }の枢機卿

## ヒントで数えるもの

cardinal-counted-points = { $many ->
   *[other] { $n }点
  }
cardinal-part-countries = 国ごとの修道院
cardinal-part-alliances = 同盟
cardinal-part-chains = 連結ボーナス
cardinal-counted-cards = { $many ->
   *[other] 手札 { $n }
  }
cardinal-counted-points_now = { $many ->
   *[other] { $n }点（いま得点計算した場合）
  }

## はじめてのゲーム

cardinal-lesson-goal = 昔のヨーロッパの地図に、修道院と枢機卿を置いていきます。得点になるのは3つ。国ごとの修道院、同盟した2国の枢機卿、道でつながった修道院です。{ $me }の紋のコマがあなたのものです。
cardinal-lesson-second = まず修道院から。国でいちばん多い人は、その国の修道院の総数が得点。ほかの人は、自分より1つ上の人の数が得点です。フランスには{ $rival }が3つ。あなたが1つ置くだけで3点になります。紫はフランスのカード。紫を選んで、置く場所を選びましょう。
    .other = それもできます。でも修道院1つで3点はお買い得。取り消して、紫のカードでフランスに置いてみましょう。
cardinal-lesson-draw = あなたは3点、{ $rival }は4点になりました。手番の最後に、使った枚数だけ補充します。場札2枚からでも、山札からでもかまいません。
cardinal-lesson-cardinals = 次は枢機卿。国に置ける枢機卿の合計は、そこで最も多い人の修道院の数までです。ブルグントの紋章は0/2。同色2枚なら、1つの国にコマを2個置けます。緑を2枚選んで、誰かが来る前に2つとも置いてしまいましょう。
    .other = それもできます。でも枢機卿は8個だけ、ここはまだ2つとも空いています。取り消して、ブルグントの紋章に2個置きましょう。
cardinal-lesson-alliance = 14番は、ブルグントとイタリアの同盟です。両方の国で枢機卿が1位なら、最後に両国の枢機卿の合計が得点になります。いまは3点。ブルグントは5つの同盟に入っているので、この2個は何度も得点できます。
cardinal-lesson-chain = 修道院が道で4つ以上つながると、最後に1つ1点になります。国境を越えてもかまいません。ランスとディジョンはつながっていますが、ブールジュはまだです。緑のカードで、間に1つ置きましょう。
    .other = ディジョンからブールジュへの道を見てください。間は1か所です。取り消して、クリュニーに置きましょう。
cardinal-lesson-stroke = 一筆書きで4つつながりました。太い線がその印です。両端はまだ伸ばせます。枝分かれした先は数えず、同じ修道院を2回数えることもありません。
cardinal-lesson-joker = 黄色のカードはありませんが、イタリアに行きたいところです。忘れやすいのがこれ。同色2枚は、好きな色1枚のジョーカーになります。赤を2枚選びましょう。コマのない国には、修道院を1個しか置けません。
    .other = それもできます。でも一度ジョーカーを試しましょう。取り消して、赤を2枚選び、イタリアに置いてください。
cardinal-lesson-scoring = 決算はいつでしょう？ 山札を見ていてください。無くなったあと、スタートプレイヤーに手番が移ったときに決算です。1回目は修道院だけ。捨て札を混ぜて新しい山札にし、2回目にすべてを数えて終わりです。
cardinal-lesson-own = これでもう遊べます。大事なことは3つ。強い人のいる国に1つだけ置くのは安い。枢機卿は8個だけなので、同盟の集まる国に。同色2枚ならどの国にも行ける。では、自分のゲームを始めましょう。ヒントも使えます。
