### 共通部分（ロビーとテーブル）の文言。ゲームごとの文言は各ゲームのフォルダーにある。

courtly = Courtly
tagline = ひとつのテーブルで楽しむ、五つの宮廷ゲーム
older-browser = お使いのブラウザーは古いため、このページを正しく表示できません。ブラウザーを更新するか、最新のChrome、Edge、Firefox、Safariで開いてください。

## 名前のない席は紋章の名で呼ぶ

device-lion = 獅子
device-eagle = 鷲
device-lily = 百合
device-tower = 塔
device-boar = 猪
device-stag = 鹿

## ロビー

games = ゲーム
players-range = { $least }〜{ $most }人
minutes = { $minutes }分
tables-mine = 続きから遊ぶ
tables-open = 参加者を待っているテーブル
tables-live = 対戦中のテーブル
tables-more = ほか{ $count }テーブル
tables-waiting = 参加者を待っているテーブル：{ $count }
go-on = 続ける
go-wait = 待機中
join = 参加する
watch = 観戦する
play = ゲーム開始
play-this = このゲームで遊ぶ
open-table = テーブルを開く
players = 人数
seat-number = { $number }番目の席
seat-me = あなた
seat-bot = ボット：{ $bot }
seat-open = 空席
seat-open-choice = 空席（リンクで参加できる）
seat-local = この端末で遊ぶもう一人
bot = ボット
bot-page = 小姓
    .does = 初心者。筋のよい手を選びますが、ときどき見落とします。
bot-squire = 従騎士
    .does = ほどよい相手。堅実ですが、あまり先は読みません。
bot-knight = 騎士
    .does = 先を読みます。一手ごとに、この先の展開を試してから選びます。
bot-master = 達人
    .does = 騎士よりもずっと深く先を読みます。
bot-random = でたらめ
    .does = ルールで許される手をでたらめに選びます。
bot-wins = 従騎士{ $rivals }人を相手に100回中{ $won }勝（互角なら{ $even }勝）。
bots-need-native = 灰色の相手にはコンパイラーが必要です。pip install 'courtly[native]' で入れて、サーバーを起動し直してください。
bot-instead-compiling = { $bot }は準備中です。それまでは代わりに{ $other }が遊びます。
bot-instead-missing = ここにはコンパイラーがないため、{ $bot }は遊べません。代わりに{ $other }が遊びます。
bot-instead-broken = { $bot }が動きません（理由はサーバーのログに）。代わりに{ $other }が遊びます。
your-name = あなたの名前
their-name = 相手の名前
name-placeholder = 名前
private-table = リンクを知っている人だけに見せる
rules-of = { $title }のルール
rules-options = ルールの細かな設定
preset = ルールの種類
contents = 目次

## 開始前

waiting-for-players = 参加者を待っています
waiting-numbers = 乱数を準備しています
waiting-away = 次の方が戻り次第、ゲームを始めます：{ $names }
waiting-redrawn = { $count ->
   *[other] 届かない数があったため、{ $count }回引き直しました。
  }
take-a-seat = 席を選んでください
waiting-here = { $count ->
   *[other] { $names }が待っています。
  }
sit-here = ここに座る
put-bot = ボットを入れる
make-open = 空席に戻す
invite = このテーブルへのリンク
copy-link = リンクをコピー
link-only-here = このアドレスはこのコンピューターでしか使えません。同じネットワークのほかの人を招くには、courtly --host 0.0.0.0 で起動し直してください。
qr = QRコード
copied = コピーしました。
copy-by-hand = リンクを選択しました。手動でコピーしてください。

## テーブル

to-lobby = ロビーへ
nowhere = ここには何もありません
offline = 接続していません
offline-says = サーバーに接続できません。テーブルはサーバーに保存されているので、あとで続けられます。
try-again = もう一度試す
offline-play = オフラインで遊ぶ
offline-about = サーバーなしで、ボットと対戦します。ルールもボットもこのブラウザーの中で動くので、接続がなくても遊べます。
offline-loading = 読み込み中…
offline-kept = この端末に保存しました。これからは接続がなくても遊べます。
offline-instead = 新しいゲームを始めますか？ 途中のゲームは消えます。
offline-new = 新しく始める
error-here = このブラウザーではゲームを動かせません。{ $why }
watch-table = そのテーブルを見る
board = ゲーム盤
seats = プレイヤー
loading = お待ちください…
your-turn = あなたの番です
your-turn-held = 確認して進むと、あなたの番です
turn-of = { $name }の番です
turn-of-several = 選択中：{ $names }
reply-only = 選べる手は1つ。悟られないよう、少し間をおきます。
reply-chosen = 少し間をおいて「{ $answer }」と答えます。選べたかどうかを悟られないためです。
to-move = 手番
substitute-plays = ボットがあなたの代わりにプレイしています
you = あなた
away = 離席中
substitute = ボットが代行
take-back-seat = 自分の席に戻る
away-still = 離席中・{ $seconds }秒
let-bot-play-soon = { $seconds }秒後にボットに任せられます
let-bot-play = { $votes ->
    [0] ボットに任せる
   *[other] ボットに任せる（賛成{ $votes }人）
  }
spectating = 観戦中です。
hand-over = { $name }に端末を渡してください
i-am = 私が{ $name }です
dev-inspector = インスペクター
dev-inspector-of = { $title }のインスペクター
dev-position = 局面
dev-new = 新しい対局
dev-table = 人数とオプション
dev-seed = シード
dev-first = 最初に戻る
dev-back = 1手戻る
dev-forth = 1手進む
dev-chance = 偶然を自動で決める
dev-seen-by = 見る人
dev-follow = 手番の人
dev-spectator = 観戦者
dev-decides = { $name }の番
dev-drawn = 偶然の結果
dev-draw = 無作為に決める
dev-state = すべての値
dev-hidden = 見えない
dev-rules-changed = { $file }が変わりました。サーバーを再起動します。
dev-rules-wrong = ルールを読み込めません。元のルールのまま続けます：{ $why }
fault-picture = このゲームの図を表示できないため、文章で続けます。
fault-aside = このゲームの図で問題が起きました。
fault-missing = { $file }というファイルがありません。
connection-waits = 「{ $moves }」は、つながり次第送られます。
connection-restarts = サーバーを再起動しています。まもなく自動で再接続します。対局は失われません。
connection-lost = 接続が切れました。再接続しています。対局は失われません。
undo = 取り消す
undo-none = 取り消せる手はありません。自分の最後の手は、ほかの人が行動するか、新しいダイスや札が見えるまで取り消せます。
log = 記録
notes = 自分用のメモ
notes-about = このブラウザーだけに保存され、ほかの人には見えません。
colour = 自分の色
colour-gules = 赤
colour-azure = 青
colour-vert = 緑
colour-purpure = 紫
colour-tenne = オレンジ
colour-taken = ここでは、この色は前の席の人のものです。ほかのテーブルでは、空いていればあなたの色になります。
log-times = { $what } ×{ $times }
log-amounts = { $text }（{ $amounts }）
log-shows = { $name }：{ $list }を公開
log-shows-nothing = { $name }：公開なし
log-more = ほか{ $count }件
log-together = 全員同時
log-setup = ゲームの準備
log-lines = { $count }件
log-turn = { $name }の手番
log-undo = { $name }：手を取り消した
rules = ルール
rules-missing = ルールを読み込めませんでした。
plain = 文字で表示
pictured = 盤で表示
switch-plain = 文字で表示／盤で表示
menu = メニュー
skip = 動きを飛ばす
help = キー操作
help-text = すべてキーボードで操作できます。金色の縁のあるものが、今選べるものです。
help-rules = Rを押すと、指しているものについてのルールの該当箇所が開きます。
keys = 文字キーでの操作
keys-about = 音声入力などで意図せず反応するときは、オフにしてください。Tab、Enter、Esc はいつでも使えます。
key-board = 盤面で選べるものへ移る
key-tab = 次へ移る・選ぶ
key-arrows = 地図の上を移動する
key-escape = 動きを飛ばす・開いているものを閉じる
advice = ヒント
help-at-table = ヒントと勝率
help-all = 全員が「使う」を選ぶと使えます。
help-agreed = { $count ->
    [0] まだ誰も選んでいません。
   *[other] 「使う」を選んだ人：{ $names }
  }
help-yes = 使う
help-no = 使わない
help-if-agreed = あなたも「使う」を選べば使えます
help-ask = おすすめの手は？
help-moves = おすすめの手
help-not-yours = あなたの番になったら使えます。
help-thinking = 考えています…
help-only = できることは一つだけです。
help-close = { $all ->
    [yes] どの手もほぼ同じです。勝率の差は誤差の範囲に収まっています。
   *[no] 上の{ $count }つはほぼ同じです。勝率の差は誤差の範囲に収まっています。
  }
help-choose = 選ぶと盤面に示します。実際の手は、盤面で自分で選んでください。
help-plan = 続けて：{ $moves }
help-aims = この手番の見込み：{ $aims }
help-aim = { $move } { $percent }%（±{ $margin }）
help-at-once = すぐに{ $counted }。
help-when = { $later ->
    [1] 数手番後
   *[0] 次の番まで
  }
help-others = { $count ->
    [1] もう一つの候補
   *[other] ほかの候補
  }
help-more = { $when }の見込みが、{ $others }を{ $counted }ほど上回ります。
help-less = { $when }の見込みが、{ $others }を{ $counted }ほど下回ります。
help-although = { $when }の見込みは{ $others }を{ $counted }ほど下回りますが、勝率は上回ります。
help-part = 差は主に{ $part }です。
help-expected = { $when }の見込み：今より{ $counted }。
help-open = 結果はまだ読めません。次の番には{ $counted }になる見込みです。
help-range = { $low }〜{ $high }
help-denies = { $name }の勝率が、{ $others }より{ $percent }ポイント下がります。
help-helps = { $name }の勝率が、{ $others }より{ $percent }ポイント上がります。
help-rival-less = { $when }の{ $name }の見込みは、{ $others }を{ $counted }ほど下回ります。
help-rival-more = { $when }の{ $name }の見込みは、{ $others }を{ $counted }ほど上回ります。
help-percent = { $percent }%
help-squires = 従騎士ならこうします（勝率はまだ計算できていません）
help-chance = 勝率{ $percent }%{ $margin ->
    [0] {""}
   *[other] （±{ $margin }）
  }
help-odds-estimated = この手番の終わりまでは計算、その先は見込みです。誤差は±{ $margin }%ほどです。
help-odds = 勝率：{ $odds }
help-odds-title = 勝率
help-odds-how = あなたに見えている情報から、最後まで何度もシミュレーションして見積もりました。誤差は±{ $margin }%ほどです。
close = 閉じる
cancel = やめる
number = { $n }
number-plus = +{ $n }
colon = ：
sentence-gap = 。
sentence-space = {""}
part-gap = {" · "}
leave-table = 席を立つ
leave-question = 席を立ちますか？ ボットが続きを遊び、いつでも戻れます。
other-device = { $name }の席を別の端末へ移す
ticket-help = 別の端末でこのリンクを開いてください。一度だけ使え、席がそちらへ移ります。
ticket-link = 別の端末用のリンク
seat-link = { $name }の席をここで続けますか？
seat-link-about = 席がこのブラウザーに移り、元の端末では観戦になります。このリンクは一度だけ使えます。
seat-link-do = 席を移す
recall-about = { $name }の席は、リンクで別の端末に移りました。
recall = この端末に席を戻す

## チャット

chat = チャット
chat-new = 新着{ $count }件
chat-none = まだ発言はありません。
chat-older = これより前の発言
chat-write = メッセージを入力
chat-send = 送信
chat-canned-messages = ひとこと
chat-for-spectators = ほかの観戦者にはすぐ、プレイヤーにはゲーム終了後に届きます。
chat-spectator = 観戦者
chat-muted = テーブルを開いた人がチャットをオフにしています。
chat-at-table = このテーブルのチャット
chat-on = オン
chat-off = オフ
chat-mute = { $name }をミュート
chat-mute-question = { $name }をミュートしますか？ どのテーブルでも、この人の発言が表示されなくなります。相手には知らされません。
chat-unmute = { $name }のミュートを解除
canned-message-hello = よろしくお願いします！
canned-message-moment = 少しお待ちください
canned-message-sorry = お待たせしました
canned-message-back = 戻りました
canned-message-no-hurry = ごゆっくりどうぞ
canned-message-good-move = いい手ですね！
canned-message-thanks = ありがとうございます
canned-message-luck = ついてました！
canned-message-oops = しまった！
canned-message-well-played = お見事でした！
canned-message-bye = 対戦ありがとうございました
canned-message-again = もう一回どうですか？
## 持ち時間

clock = 持ち時間
clock-none = なし
clock-live = { $minutes }分+{ $seconds }秒
clock-days = 1手番{ $days }日
clock-live-about = 一人{ $minutes }分。選択のたびに、最初の{ $seconds }秒は持ち時間が減りません。{ $out }
clock-days-about = 番が来てから{ $days }日以内に決めます。{ $out }
clock-out = 時間が切れるとボットが代わりに決め、3回続くと席を引き継ぎます（いつでも戻れます）。
time-left = 残り{ $minutes }分{ $seconds }秒
time-left-free = あと{ $free }秒は減らず、残り{ $minutes }分{ $seconds }秒
time-days = 残り{ $days }日
time-hours = 残り{ $hours }時間
time-minute = 残り1分です。
time-soon = 残り15秒です。
time-out = { $name }の時間が切れたため、ボットが決めました。
time-outs = 時間切れ×{ $outs }

## 文章表示

news = これまでの動き
narrow = 選べる手は{ $count }通り。入力すると絞り込めます：
position = 局面
plain-fallback = このゲームには図がありません。これですべてです。

## 終了

game-over = ゲーム終了
you-won = あなたの勝ちです！
won = { $name }の勝ちです
you-placed = あなたは{ $place }位です
draw = { $names }の引き分けです
end-board = 盤を見る
end-show = 結果を見る
rematch = もう一度遊ぶ
rematch-ready = 次のゲームへ
download-record = 棋譜を保存

## 棋譜の再生

replay = 再生
replay-watch = リプレイを見る
replay-start = 最初の手番の前
replay-turn = { $turn }手番目（全{ $turns }手番）
replay-place = ゲームの中の位置
replay-play = 再生する
replay-pause = 一時停止
replay-on = 1手進む
replay-back = 1手戻る
replay-turn-on = 次の手番へ
replay-turn-back = 前の手番へ
replay-speed = 速さ
replay-times = { $speed }倍
replay-seen-by = 誰の目で見るか
replay-open = すべて公開
replay-eyes = { $name }の目で
replay-link = この場面へのリンクをコピー
replay-return = ゲームに戻る
replay-gone-on = ゲームが進みました。戻る
replay-since = 前回の自分の手番に戻る
replay-review = 振り返り
replay-here = 盤面で見る
play-on = ここから遊ぶ
play-on-instead = ここから遊びますか？ この端末の途中のゲームは消えます。
played-on = { $name }（{ $move }手目から）
played-on-back = 元のゲームに戻る
recap = 前回の手番のあとの出来事
recap-show = 順に見る
record-open = 保存した棋譜を開く
record-drop = ゲームの棋譜を選ぶか、ここにドロップしてください。

## 終わったゲームの振り返り

review = このゲームを振り返る
review-title = ゲームの振り返り
review-soon = 振り返りの準備中です…
review-waits = 先に{ $ahead }件の分析があります。順番をお待ちください。
review-working = 振り返り中：全{ $of }回の選択のうち{ $done }回
review-failed = 振り返りを作成できませんでした。
review-again = もう一度試す
review-chances = 勝率の移り変わり（%）
review-percent = { $chance }%
review-within = { $error ->
    [0] {""}
   *[other] ±{ $error }
  }
review-decision = 選択 { $number }/{ $count }
review-moved = { $name }「{ $played }」。{ $chances }
review-chance = { $name } { $chance }%
review-best = 最善手
review-about-best = ほぼ同じ
review-played = 実際の手
review-other-moves = ほかの手（{ $count }）
review-return = 振り返りに戻る
review-table = すべての数値
review-begin = 開始時
review-own = 自分の選択
review-others = ほかの人の選択
review-luck = 運
review-end = 終了時
review-luck-is = 「選択」は、実際の手を、はじめに最善と見た手と比べた差です。「運」は、引いたカードやダイスの目など誰も選んでいないことと、計算で見通せなかったことです。
review-how = { $count }回の選択を、その時点で本人に見えていた情報だけから、{ $simulations ->
    [0] 手番の終わりまでは計算、その先は見込み
   *[other] 1手につき{ $simulations }回のシミュレーション
  }で評価
review-turning = 勝負の分かれ目（勝率の差が大きい順）
review-costliest = あなたの選択（勝率の差が大きい順）
review-turning-others = ほかの人の分かれ目
review-no-turning = 勝負を大きく分けた選択はありません。
review-point = { $name }「{ $played }」
review-better = 最善手は「{ $better }」：勝率{ $instead }% → { $chance }%（差は{ $loss }{ $error ->
    [0] {""}
   *[other] ±{ $error }
  }ポイント）
review-why-unclear = 数手番先までの数字には表れませんが、勝率はこちらが上です。
review-why = 最善手の理由
review-balance = 選択と運の内訳（勝率、ポイント）
review-player = { $name }：開始時{ $begin }%、自分の選択{ $choices }{ $error ->
    [0] {""}
   *[other] ±{ $error }
  }、ほかの人の選択{ $others }、運{ $luck }、終了時{ $end }%

## 乱数の検証

prove-chance = 乱数を検証する
proof-intro = ゲームの開始前に、テーブルは秘密の値の「指紋」（ハッシュ値）を、各プレイヤーのブラウザーは自分の数の指紋を公開し、そのあとで数を出しました。すべての乱数は、秘密の値とこれらの数から決まっています。このページが1つずつ計算し直しました。
proof-later = ゲームが終わると秘密の値が公開され、このページですべての乱数を検証できます。それまでは指紋だけを示します。
proof-commitment = 指紋（SHA-256）
proof-secret = 秘密の値
proof-nonces = 各プレイヤーのブラウザーが出した数
proof-secret-wrong = 秘密の値が、約束されたものと一致しません！
proof-events-right = { $count ->
   *[other] 乱数{ $count }個、すべて正しく決まっていました。
  }
proof-events-wrong = { $ply }番目の出来事が、秘密の値から導けません！
proof-fair = サーバーを含め、誰もこのゲームの乱数を選べませんでした。このブラウザーが保存した控えとルールで確かめました。
proof-bound = サーバーを含め、誰も乱数の元になる数を選べませんでした。このブラウザーが保存した控えで確かめました。
proof-consistent = ゲームの内容に矛盾はありません。ただし、このブラウザーには開始時の記録がないため、乱数が選ばれたものかどうかはわかりません。
proof-secret-kept = 秘密の値は、このブラウザーが保存した指紋と一致しました。
proof-secret-changed = 秘密の値が、このブラウザーが保存した指紋と一致しません！
proof-number-in = このブラウザーが出した数が使われています。
proof-number-out = このブラウザーが出した数が使われていません！
proof-number-refused = サーバーがこのブラウザーの数を受け取らなかったため、乱数を選べた可能性があります。
proof-others-changed = 指紋と一致しない数を出したプレイヤー：{ $seats }！
proof-counted-entries = このゲームの乱数は、古いバージョンの数え方で決まっています。秘密の値を知るプレイヤーは、手を進めては取り消すことで結果を選べました。
proof-numbers-weak = 推測できる数、またはほかと同じ数を出したプレイヤー：{ $seats }
proof-nothing-added = 数を出していないプレイヤー：{ $seats }（ボットは数を出しません。同じ端末の人は1人と数えます）
proof-redrawn = { $count ->
   *[other] ゲームの開始前に{ $count }回、すべて引き直されました。
  }
proof-lists = 起こりえた結果とその確率は、このサーバーから受け取ったものです。このブラウザーでルールと照合できます。棋譜と控えを保存すれば、「courtly record check」でこのサーバーに頼らずに照合することもできます。
proof-rules = ルールと照合する
proof-rules-right = ルールどおり、起こりえた結果だけから正しい確率で決まっていました。ここに表示されたゲームとも一致します。
proof-rules-wrong = 棋譜の{ $line }行目が、ルールと一致しません！
proof-rules-other = 棋譜が、ここに表示されたゲームと一致しません！
proof-unknowable = 捨てられたゲームがないこと、サーバー側で誰も見ていないことは、誰にも証明できません。
proof-alarm = このゲームの乱数に問題があります。
proof-receipt = 控えを保存する
proof-receipt-help = 控えは、このブラウザーが保存した開始時の記録です。これがあれば、どこでも検証できます。
proof-working = 計算しています…
proof-failed = 棋譜を読み込めませんでした。
proof-apart = 保存した棋譜を検証する独立したページ（保存できます）

## 設定

scheme = 明るさ
scheme-auto = 端末に合わせる
scheme-light = 昼
scheme-dark = 夜
size = 盤面と文字の大きさ
size-usual = ふつう
size-large = 大きめ
size-larger = さらに大きく
speed = 動き
speed-slow = ゆっくり
speed-normal = ふつう
speed-fast = 速い
speed-none = なし
odds = ダイスの確率
odds-shown = 表示
odds-hidden = 非表示
odds-about = 自分の手番に、ダイスの出る見込みを示すゲームで使います。
hints-where = ヒントと振り返りの計算
hints-device = この端末で
hints-server = サーバーで
hints-about = この端末ならすぐに、接続がなくても答えが出ます。サーバーに任せることもできます。

## 手番のお知らせ

on = オン
off = オフ
save = 保存
saved = 保存しました。
notifications = 手番のお知らせ
sounds = ダイスやカードの音
sounds-on = オン
sounds-off = オフ
sound = 音
sound-about = ここで何もしていないあいだに手番が来ると、鈴が2音鳴ります。スマートフォンでは振動もします。
system = システムの通知
system-about = ほかのウィンドウやタブを見ているときのためのものです。
system-never = このブラウザーの設定により、このページの通知は表示されません。
system-insecure = システムの通知は、https か、サーバーと同じコンピューターでのみ使えます。
system-offer = よそを見ているあいだに手番が来ていました。次からシステムの通知でお知らせしますか？
system-yes = 知らせる
system-no = 知らせない
notifications-away = 席を離れているとき
notifications-about = 何日もかけて遊ぶゲームのために。ゲームごとに1通だけで、見に来るまで次は届きません。
notifications-mail = メールアドレス
notifications-unconfirmed = { $mail } にリンクを送りました。開くと、お知らせが届くようになります。
notifications-webhook = Webhook（お知らせを受け取るアドレス）
notifications-webhook-disabled = このWebhookは続けて何度もメッセージを受け取れなかったため、送信を止めています。もう一度保存すると、試し直します。
notifications-format = 送る形式
form-json = JSON
form-discord = Discord
form-slack = Slack
form-ntfy = ntfy
notification-turn = あなたの手番です：{ $game }
notification-mail =
    「{ $game }」であなたの手番が来ました。

    { $link }

    見に来るまで、このゲームのお知らせはもう届きません。

    メールを止める：{ $stop }
notification-confirm = Courtly：あなたのアドレスですか？
notification-confirm-mail =
    Courtly で遊んでいる方が、手番のお知らせをこのアドレスで受け取りたいとのことです。ご本人であれば、こちらで「はい」を押してください。

    { $link }

    心当たりがなければ何もする必要はありません。これ以上メールは届きません。
notification-webhook = Courtly：手番が来たら、ここにお知らせします。
mail-confirm = 手番が来たら { $mail } にお知らせしますか？
mail-confirm-do = はい
mail-confirm-done = { $mail } にお知らせします。
mail-stop = { $mail } へのメールを止めますか？
mail-stop-do = 止める
mail-stop-done = { $mail } へのメールを止めました。

## あなたの対局

me = あなたの対局
me-tallies = 成績
me-game = ゲーム
me-players = 人数
me-against = 相手
me-people = 人
me-bots = ボット
me-played = 対局数
me-won = 勝ち
me-won-of = { $won }（{ $percent }%）
me-average = 平均
me-finished = 終わった対局
me-look = 結果
me-more = もっと前のものを見る
me-nothing = まだここで遊んでいません。5つのゲームで遊べます：
me-who = プロフィール
me-cookie = アカウントもパスワードもありません。このブラウザーの Cookie であなたを見分けます。別の端末で続けるとき、また Cookie を消す前には、リンクを作ってください。
me-carry = 別の端末へ
me-carry-about = 1日以内に、別の端末でこのリンクを開いてください。使えるのは一度だけです。その端末でも、この端末でも、あなたとして続けられます。
me-sign-out = ほかの端末からサインアウト
me-sign-out-question = ほかの端末をすべてサインアウトしますか？ 未使用のリンクも無効になります。この端末ではそのまま続けられます。
me-signed-out = あなたとして遊べるのは、このブラウザーだけになりました。
me-export = 保存されている自分の情報をすべてダウンロード
me-forget = 自分の情報を消す
me-forget-question = あなたの情報を消しますか？ 続いている対局はボットが引き継ぎ、名前はどの対局からも消えます。元には戻せません。
carry = { $name }として続ける
carry-nameless = 名前のない人
carry-about = このブラウザーはその人のものになり、その人の対局をすべて続けられます。
carry-leaves = { $count ->
   *[other] このブラウザーで続いている対局{ $count }件は、ここからは続けられなくなります。
  }
carry-you = もうこのブラウザーです。このリンクは別の端末で開いてください。
carry-do = ここで続ける

## 原作について

credits = このゲームについて
credits-game = { $title }（{ $year }年）{ $designers ->
    [none] {""}
   *[other] 　作：{ $designers }
  }{ $publishers ->
    [none] {""}
   *[other] 　発行：{ $publishers }
  }
credits-unofficial = これは独自の文章と絵による非公式の実装です。市販の製品が手に入るなら、ぜひお手元に。
credits-icons = アイコン：Lorc、Delapouite ほか、game-icons.net（CC BY 3.0）。
credits-fonts = 書体：Source Sans、Vollkorn、Noto（SIL Open Font License）。

## エラー

error-unknown = うまくいきませんでした（{ $id }）。
error-offline = テーブルに接続できません。
error-malformed = サーバーが内容を理解できませんでした。
error-name = 名前は通常の文字で1〜24文字にしてください。
error-text = メッセージは1〜500文字で入力してください。
error-options = このルールの組み合わせは選べません。
error-record = この棋譜の{ $line }行目が正しくありません。
error-record-game = この棋譜のゲームは、ここには入っていません（{ $game }）。
error-record-version = この棋譜のゲームは別の版のルールで行われたものです（第{ $played }版、ここにあるのは第{ $installed }版）。
error-seats = この席の組み合わせでは始められません。
error-too-large = 一度に送る量が多すぎます。
error-no-cookie = 席を覚えておくため、Cookie を許可してください。
error-not-yours = この席は別の人のものです。
error-not-host = テーブルを開いた人だけができます。
error-elsewhere = 別のサイトからの操作だったため、実行しませんでした。
error-unknown-game = そのゲームはありません。
error-unknown-table = そのテーブルはありません。
error-not-loaded = 読み込めませんでした。接続を確認して、もう一度お試しください。
error-worker = このブラウザーでゲームが止まりました。ページを開き直すと、最後の手から続けられます。
error-not-kept = このブラウザーには保存できません。ページを閉じると、ゲームは消えます。
error-no-webassembly = WebAssembly が使えないため、このブラウザーではゲームを動かせません。このサイトで許可するか、別のブラウザーをお使いください。
error-uncompiled = このゲームはブラウザーの中では遊べません。理由はサーバーのログにあります。
error-unknown-page = そのページはありません。
error-link-used = このリンクは使用済みです。席は別の端末に移っています。
error-link-false = このリンクでは着席できません。途中で切れているか、発行から1日以上たっています。新しいリンクをもらってください。
error-link-mail = このリンクは使えません。途中で切れているか、1週間以上たっているか、アドレスがその後変わっています。
error-mail =
    { $why ->
        [form] メールアドレスではありません。
        [off] このサーバーはメールを送りません。
       *[silent] 今はメールを送れません。何も変わっていません。
    }
error-webhook =
    { $why ->
        [form] ウェブのアドレスではありません。https:// か http:// で始めてください。
        [off] このサーバーはお知らせを送りません。
       *[silent]
            { $status ->
                [0] そのアドレスから応答がありません。何も変わっていません。
               *[other] そのアドレスは { $status } と答え、お知らせを受け取りませんでした。何も変わっていません。
            }
    }
error-unknown-method = ここではできない操作です。
error-host = このサーバーはその名前では開けません。管理者が名前を追加できます。
error-unknown-seat = その席はありません。
error-unknown-move = その手はありません。
error-unknown-bot = そのボットはありません。
error-stale = 直前に状況が変わりました。もう一度ご覧ください。
error-illegal = 今はできません。
error-unseen = 前の手の結果を見てから決めてください。
error-unforeseen = この手の結果は、行うまでわかりません。
error-not-your-turn = あなたの番ではありません。
error-no-undo = もう取り消せません。
error-over = ゲームは終わっています。
error-not-over = ゲームはまだ終わっていません。
error-not-reviewed = このゲームはまだ振り返りがありません。
error-no-machine-code = これには courtly[native] が必要です。サーバーで pip install 'courtly[native]' を実行し、開き直してください。
error-not-started = ゲームはまだ始まっていません。
error-started = ゲームはもう始まっています。
error-seat-taken = ほかの人が先に座りました。
error-number = 先に示した指紋と数が一致しません。もう一度お試しください。
error-seated = もうこのテーブルに座っています。
error-substitute = ボットが代行中です。先に席へ戻ってください。
error-no-substitute = この席はボットが代行していません。
error-not-away = このプレイヤーは在席しています。
error-grace = このプレイヤーは席を外したばかりで、戻ってくるかもしれません（あと{ $seconds }秒）。
error-no-help = 全員が「使う」を選んでいないため、このテーブルではヒントを使えません。
error-no-advice = 今回はヒントを出せませんでした。
error-chat-muted = テーブルを開いた人がチャットをオフにしています。
error-key = この操作は別の内容で送信済みです。
error-damaged = 保存された対局が壊れており、続けられません。
error-rules = このゲームのルール処理に不具合があり、このテーブルは今は続けられません。これまでの手はすべて保存されています。席を立つこともできます。
error-version = このゲームは別の版のルールで始まりました（版{ $played }、現在は版{ $installed }）。
error-too-fast = 操作が速すぎます。少しお待ちください。
error-too-many-tables = 開いているテーブルが多すぎます。先にどれかを終えてください。
error-too-many-sockets = このテーブルを開いている画面が多すぎます。
error-server = サーバーで問題が起きました。何も変わっていません。
error-restart = サーバーを再起動しています。少し待ってから、もう一度お試しください。
error-storage = サーバーが保存できませんでした。何も変わっていません。
error-unsure = 保存の途中でデータベースとの接続が切れました。反映されたかどうかは、わかり次第表示されます。

## はじめてのゲーム

lesson = はじめての方へ
lesson-offer = はじめてですか？
lesson-offer-game = 数分で覚える：{ $title }
lesson-of = はじめての方へ：{ $title }
lesson-step = { $n }／{ $of }
lesson-next = 次へ
lesson-read = 読んだら「次へ」を押してください。
lesson-back = 前へ
lesson-take-back = 取り消す
lesson-other = それもできます。ここではいったん取り消して、印のついたものを試してみましょう。
lesson-own = 自分で遊んでみる
lesson-try = 試してみる
