/*
 * Returns the texts with too little contrast to their background, one line each: see contrast.py.
 * axe skips translucent text and text on gradients. This check includes the opacity of all ancestors and takes the
 * worst colour of a gradient. It finds backgrounds only among ancestors, so it skips text inside a picture.
 */
() => {
  const MIN_RATIO = 4.5;
  const MIN_RATIO_LARGE = 3; // large: from 24 px, or from 18.66 px if bold
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
   * A possible background colour of an element, and a function that applies the opacity of the ancestors to a colour
   * drawn there.
   * @typedef {{under: number[], blend: (colour: number[]) => number[]}} Ground
   */

  const cache = new Map();
  /** Return the darkest and the lightest background of an element. */
  function grounds(element) {
    if (!element) return [{ under: [255, 255, 255], blend: (colour) => colour }];
    if (!cache.has(element)) cache.set(element, ends(painted(element)));
    return cache.get(element);
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
      all = all.map(({ under, blend }) => ({ under, blend: (colour) => blend(mix(under, colour, Number(opacity))) }));
    for (const stops of [backgroundColor, ...layers.reverse()].map(colours).filter((some) => some.length)) {
      // the first layer is on top
      all = ends(all.flatMap(({ under, blend }) => stops.map((stop) => ({ under: mix(under, stop, stop[3]), blend }))));
    }
    return all;
  }

  const name = (element) => element.localName + [...element.classList].map((one) => `.${one}`).join("");
  const findings = {};
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
      ...grounds(element).map(({ under, blend }) => ratio(blend(mix(under, [r, g, b], a)), blend(under))),
    );
    if (worst < (large ? MIN_RATIO_LARGE : MIN_RATIO))
      findings[`${name(element.parentElement)} > ${name(element)}`] ??= `${worst.toFixed(2)} "${text.slice(0, 24)}"`;
  }
  return { texts, findings };
};
