/* Show a notice to browsers that lack a required feature, in their language. The code is ES5, which the oldest
   browsers can parse. The sentences are in index.html. */
// @ts-nocheck: the type checker does not know such browsers
(function () {
  var able = false;
  var language = navigator.language || navigator.userLanguage || "";
  try {
    var sheet = new CSSStyleSheet();
    sheet.replaceSync("a { b { top: 0 } }");
    able =
      sheet.cssRules[0].cssRules.length === 1 &&
      CSS.supports("selector(:has(a))") &&
      HTMLScriptElement.supports("importmap") &&
      "toSorted" in Array.prototype;
  } catch (_missing) {
    /* even older */
  }
  if (able) return;
  try {
    language = localStorage.getItem("courtly-language") || language;
  } catch (_forbidden) {
    /* storage is not allowed */
  }
  var told = document.getElementById("older-browser");
  var sentences = told.getElementsByTagName("p");
  for (var i = 0; i < sentences.length; i++) {
    if ((sentences[i].lang === "ja") !== (language.slice(0, 2) === "ja")) sentences[i].setAttribute("hidden", "");
  }
  told.style.cssText = "padding: 12px 16px; background: #fff3c4; color: #2d2118; font: 16px/1.5 sans-serif";
  told.removeAttribute("hidden");
})();
