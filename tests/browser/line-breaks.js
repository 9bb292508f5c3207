/* Returns where lines break in the texts of elements: the four characters before each break and the four after it. */
(selector) => {
  const breaks = [];
  for (const element of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement.checkVisibility() || node.parentElement.closest(".unseen, svg")) continue;
      let top = null;
      for (let i = 0; i < node.data.length; i++) {
        if (/[\s\u200b\u2060]/.test(node.data[i])) continue;
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        if (top !== null && box.top > top + box.height / 2)
          breaks.push(`${node.data.slice(Math.max(0, i - 4), i)}／${node.data.slice(i, i + 4)}`);
        top = box.top;
      }
    }
  }
  return breaks;
};
