/*
 * Texts whose contrast with what lies behind them is too small, one line each: see contrast.py.
 * axe passes over what is faded and what stands on a gradient; here the opacity of everything around a text counts, and
 * of a gradient the worst of its colours. What a text stands on is looked for in what it stands in; so text inside a
 * picture is not asked.
 */
() => {
  const LEAST = 4.5;
  const LEAST_LARGE = 3; // large: 24 px, or bold from 18.66 px on
  const colours = (text) =>
    [...text.matchAll(/rgba?\(([^)]+)\)/g)]
      .map(([, inside]) => inside.split(/[ ,/]+/).map(Number))
      .map(([r, g, b, a = 1]) => [r, g, b, a]);
  const mix = (under, [r, g, b], part) => under.map((channel, i) => channel + ([r, g, b][i] - channel) * part);
  const light = (colour) =>
    colour.reduce(
      (sum, part, i) =>
        sum + [0.2126, 0.7152, 0.0722][i] * (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4),
      0,
    );
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

  /**
   * A colour that may lie behind what stands in an element, and how what is drawn there is seen through all that fades
   * it.
   * @typedef {{under: number[], seen: (colour: number[]) => number[]}} Ground
   */

  const known = new Map();
  /** The darkest and the lightest ground of an element. */
  function grounds(element) {
    if (!element) return [{ under: [255, 255, 255], seen: (colour) => colour }];
    if (!known.has(element)) known.set(element, ends(painted(element)));
    return known.get(element);
  }

  const ends = (all) => {
    const sorted = all.sort((a, b) => light(a.under) - light(b.under));
    return sorted.length > 2 ? [sorted[0], sorted.at(-1)] : sorted;
  };

  function painted(element) {
    const { opacity, backgroundColor, backgroundImage } = getComputedStyle(element);
    const layers = backgroundImage.split(/,(?![^(]*(?:\([^()]*\)[^()]*)*\))/);
    let all = grounds(element.parentElement);
    if (opacity < 1)
      all = all.map(({ under, seen }) => ({ under, seen: (colour) => seen(mix(under, colour, Number(opacity))) }));
    for (const stops of [backgroundColor, ...layers.reverse()].map(colours).filter((some) => some.length)) {
      // the first layer lies on top
      all = ends(all.flatMap(({ under, seen }) => stops.map((stop) => ({ under: mix(under, stop, stop[3]), seen }))));
    }
    return all;
  }

  const name = (element) => element.localName + [...element.classList].map((one) => `.${one}`).join("");
  const found = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const text = walk.currentNode.nodeValue.trim();
    if (
      !text ||
      element.closest("svg, .unseen, script, style, option, :disabled, [aria-disabled=true]:not(.board *)") ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    texts++;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [[r, g, b, a]] = colours(color);
    const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const worst = Math.min(
      ...grounds(element).map(({ under, seen }) => ratio(seen(mix(under, [r, g, b], a)), seen(under))),
    );
    if (worst < (large ? LEAST_LARGE : LEAST))
      found[`${name(element.parentElement)} > ${name(element)}`] ??= `${worst.toFixed(2)} "${text.slice(0, 24)}"`;
  }
  return { texts, found };
};
