### 研究室のページの文言。

report-title = { $game }：分析レポート
report-eyebrow = 研究室より
report-language = 言語
report-players = { $n }人
report-sample = { $n }回
report-made = 各人数で{ $games }回ずつ。全員がボット「{ $bot }」、ルールの版は{ $version }、乱数の種は{ $seed }。
report-options = テーブルのオプション：{ $options }。
report-other-numbers = 数値はゲーム本来のものではなく、{ $file }のもの。
report-policy = 定石
report-policy-slips = 定石（{ $n }手に1手でたらめ）
report-policy-help = 「定石」は、ゲームに備わる優先順位の第一候補を選び、先は読みません。
report-at-random = 手はすべてでたらめに選ばれています。ルールの枠組みはわかりますが、うまい人同士ならどうなるかは、ほとんどわかりません。
report-read = どの数値にも95%信頼区間が付いています。運を変えて全部やり直せば、100個の区間のうち95個が本当の値を含みます。

## ひと目で

report-glance = ひと目で
report-decisions = 1ゲームの決断の数
report-turns = 手番の数
report-events = 運が決めた回数
report-minutes = 所要時間の目安（分）
report-box = 箱の表示は{ $minutes }分
report-first = スタートプレイヤーの勝率
report-margin = 1位と2位の点差
report-tied = 勝利を分け合う
report-decided = 勝負が決まる時点
report-always = 勝者が一度も遅れない
report-leads = 首位の交代
report-forced = 手が1つしかない決断
report-branching = 選べる手の数
report-even = 互角なら{ $share }

## 長さ

report-length = 1ゲームの長さは？
report-length-said = 半数のゲームは決断{ $low }〜{ $high }回で終わり、20回に1回は{ $long }回を超えます。時間にして平均{ $minutes }分です。
report-length-note = 手を選べる決断に{ $choice }秒、手が1つしかない決断と運による出来事に{ $rest }秒ずつかかるものとしています。
report-plots-note = どの図でも、色のはっきりしたところが真ん中の半数、破線が中央値です。
report-length-axis = 1ゲームの決断の数

## 席

report-seats = 座る場所で差がつく？
report-by-order = 手番の順
report-by-seat = 席
report-place = { $n }番手
report-order = { $n }番手
report-seats-differ = 差がつきます。{ $best }は{ $much }、{ $worst }は{ $little }勝ちます。互角なのに偶然これほど差がつく確率は{ $p }です。
report-seats-equal = 差は見られません。どの順でも{ $little }から{ $much }の間で、互角でもこのくらいの差はつきます（{ $p }）。
report-seats-test = どの席も互角なのに、偶然これほど差がつく確率は{ $p }です。
report-ranges-note = 点が数値、帯が区間、細い線が全員互角の場合の値です。色の付いたものは、その値から離れています。

## 得点

report-scores = 何点取り、何点差がつく？
report-points-axis = 全員の最終得点
report-margin-axis = 1位と2位の点差
report-points-said = 半数のプレイヤーは{ $low }〜{ $high }点で終わります。
report-margin-said = 1位は平均{ $margin }点差。10回に1回は{ $close }点差以内、10回に1回は{ $far }点差以上です。

## 勝負どころ

report-drama = 勝負が決まるのはいつ？
report-drama-axis = 勝者が最後に追い抜いた時点（ゲーム全体の何％か）
report-drama-said = { $always }のゲームでは勝者が一度も遅れず、{ $late }では最後の1割で決まりました。首位は{ $leads }回入れ替わりました。勝者は最大で平均{ $behind }点遅れていました。
report-drama-note = 決断のたびに場の得点で見た順位です。最後にまとめて得点するゲームでは、最後に決まります。

## 選択

report-choice = どれだけ選べる？
report-choice-said = 選べるときは平均{ $branching }手から選びます。決断の{ $forced }は手が1つしかなく、1ゲームに{ $events }回は運が決めます。

## 運と実力

report-skill = 運か、実力か？
report-skill-said = 同じ配り方で、「{ $weak }」の中に「{ $strong }」を1人だけ、すべての席に順に座らせました。勝率は{ $won }でした。
report-skill-strength = 強さ
report-skill-seats = 席
report-skill-chance = 配られた運
report-skill-rest = その他すべて
report-skill-part = 分散に占める割合
report-skill-note = 席ごとの勝ち負けのばらつきが何によるか。誰が座るか、どの席か、誰が座っても同じ配りならその席に残るもの。残りは、誰かが違う手を選んだ後で変わった運と手の両方です。強さの割合は、この2つのボットの差の大きさによります。
report-rating = レーティング
report-rating-note = 400点差で勝ち目が10倍。最も弱いものが0です。

## 構成物

report-components = どれにどれだけの価値がある？
report-component = 構成物
report-component-games = 登場したゲーム
report-component-seats = 持っていた人
report-component-share = 持つ人の勝率
report-component-points = もう1つで何点
report-component-wins = もう1つで何勝
report-components-note = 「登場したゲーム」「持っていた人」は最後にそれを持つ人がいた割合、「持つ人の勝率」はそのうち勝った割合です。「もう1つで」は、持ち物すべてと席を入れた回帰によります。同じ人がほかはそのままで、これだけもう1つ持っていたらどうなったか、つまり誰が買いがちかには左右されません。勝ちは1勝を1とする割合です。
report-components-never = 最後に誰も持っていなかったもの：{ $names }。
report-components-always = いつも全員が持っていたもの：{ $names }。
report-components-none = このゲームは、最後に誰が何を持つかを伝えません。
report-components-open = 「–」は、もう1つの価値がわからないもの。ここでは、いつもほかの構成物と一緒に持たれるか、どのゲームでも同じ数だけ持たれていたためです。
report-names-and = 、

## 同点

report-ties = 同点はある？
report-ties-said = { $tied }のゲームで勝利を分け合い、{ $broken }では同点からタイブレークで決まりました。

## オプション

report-variants = オプションで何が変わる？
report-variant = テーブル
report-variant-usual = このレポートのテーブル
report-variant-preset = ルールの種類：{ $name }
report-variant-option = { $option }：{ $value }
report-variants-note = 各{ $games }回。太字はこのレポートのテーブルとの違いです。太字のうち偶然によるものは、多くても20に1つのはずです。
report-variants-none = この人数で選べるオプションはありません。

## 目立つゲーム

report-games = 目立つゲーム
report-story-longest = 最も長いゲーム
report-story-shortest = 最も短いゲーム
report-story-margin = 最大の点差
report-story-comeback = 最大の逆転
report-story-longest-said = 決断{ $n }回
report-story-shortest-said = 決断{ $n }回
report-story-margin-said = { $n }点差
report-story-comeback-said = { $n }点差からの逆転
report-story-number = { $number }番のゲーム
report-story-log = ことばで読む
report-story-left-out = 初めの{ $n }行は省きました。棋譜にはすべてあります。
report-story-open = リプレイを見る
report-story-save = 棋譜を保存
report-story-note = 「リプレイを見る」は手元のサーバーでゲームを開きます。サーバーを起動しておいてください（courtly serve）。保存した棋譜は、そこの「保存した棋譜を開く」でも開けます。
report-story-other-numbers = 手元のサーバーとは違う数値で遊んだゲームなので、そこでは再生できません。
report-story-long = 長すぎてブラウザーでは再生できません。

## 調べ方

report-method = どう調べたか
report-method-command = 同じページをもう一度
report-method-seed = 乱数の流れはゲームごとに別なので、コアの数にかかわらず同じページになり、どのゲームも再現できます。
report-method-intervals = 平均の区間はスチューデント、割合はウィルソン、分位点は順序統計量によります。席の差はホテリングの検定で調べます。価値と運の区間は、続いたゲームの束{ $batches }個のジャックナイフです。同じゲームのプレイヤーは互いに無関係ではないからです。

## 条件を並べて比べる：courtly lab compare

compare-title = { $game }：条件の比較
compare-made = どの条件も同じ乱数の種{ $seed }から{ $games }回ずつ、{ $players }。ボットは{ $bots }、ルールの版は{ $version }。
compare-changed = 何を変えた？
compare-number = 数値
compare-own = 本来の数値
compare-same-numbers = { $file }の数値は、ゲーム本来のものと同じです。
compare-differences = 何が変わった？
compare-difference = 最初との差
compare-note = どの条件も同じ乱数で遊ぶので、どちらにも同じように起きたことは差になりません。太字は、95%信頼区間から見て差がないとはいえないもの。20個に1個は偶然です。
compare-had = 最後に持っている人は何%？
compare-won = 持つ人の勝率は何%？
measure-length = 1ゲームの決断の数
measure-turns = 手番の数
measure-minutes = 所要時間の目安（分）
measure-choices = 決断ごとの手の数
measure-forced = 手が1つしかない決断
measure-seats = 互角の勝率から最も離れた席の差
measure-starter = スタートプレイヤーの勝率の、互角からの差
measure-ties = 勝利を分け合う
measure-leads = 首位の交代
measure-decided = 勝負が決まる時点
measure-comebacks = 勝者が一度は遅れていた
measure-behind = 勝者の最大の遅れ（点）
measure-margin = 1位と2位の点差
measure-points = 1人の得点
measure-winners = 構成物による勝率のばらつき（標準偏差）
measure-rarest = 最も持たれない構成物を持つ人

## 一つの局面を調べる：courtly lab probe

probe-title = { $ply }手目、{ $name }の手番
probe-waits = { $ply }手目、{ $name }から見た局面
probe-how = { $name }から見てありうる{ $worlds }通りの世界のそれぞれで、すべての手を試し、その先は「{ $bot }」が最後まで打ちました。勝率［95%信頼区間］、最善手との差、手の順です。
probe-no-move = ほかの人の手を待つ
probe-others = 最善手を打ったあとの、ほかの人の勝率
