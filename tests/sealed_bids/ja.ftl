sealed_bids = 伏せ札競り
    .tagline = テスト用の小さなゲーム
sealed_bids-do-skip = 見ない
    .log = { $name }は見なかった
sealed_bids-do-look = { $target }の手札を1枚見る
    .log = { $name }は{ $target }の手札を1枚見た
sealed_bids-do-choose = { $card }を選ぶ
    .log = { $name }は{ $card }を選んだ
sealed_bids-do-ready = 準備完了
    .log = { $name }は準備完了
sealed_bids-do-answer = { $jester ->
    [1] 道化を出す
   *[other] 出さない
 }
    .log = { $jester ->
    [1] { $name }は道化を出した
   *[other] { $name }は道化を出さなかった
 }
    .hidden = { $name }は答えた
sealed_bids-do-deal = 配札
    .log = { $name }に{ $card }が配られた
    .open = { $card }が配られた
    .hidden = 1枚配られた
sealed_bids-do-prize = 賞品
    .log = 賞品は{ $worth }点
sealed_bids-do-seen = 見た札
    .log = 見えた札は{ $card }
    .hidden = 手札が1枚見られた
sealed_bids-card-jester = 道化
sealed_bids-card-one = 一
sealed_bids-card-two = 二
sealed_bids-card-three = 三
sealed_bids-card-four = 四
sealed_bids-card-five = 五
sealed_bids-card-six = 六
sealed_bids-option-looks = 親は1枚見られる
    .value-0 = なし
    .value-1 = あり
sealed_bids-preset-plain = 標準
sealed_bids-refusal-not-in-hand = その札は手札にありません。
sealed_bids-refusal-choose-first = 先に札を選んでください。
sealed_bids-counted-points = { $many ->
   *[other] { $n }点
  }
sealed_bids-counted-cards = { $many ->
   *[other] 手札 { $n }
  }
sealed_bids-counted-rounds = { $many ->
   *[other] { $n }ラウンド
  }
