/* A table whose messages are given by the test: no server knows of it. Every page of a test has this, as `given`; what
   is said later is given to `say`. */
window.given = async (info, messages) => {
  const page = document.createElement("div");
  page.id = "page";
  document.getElementById("page").replaceWith(page); // what was there goes on drawing what it drew, out of sight
  const router = document.querySelector("script[type=module]").src;
  const { mountGameView } = await import(router.replace("router.js", "game-view/game-view.js"));
  let hear;
  const open = (listener) => {
    hear = window.say = listener.onMessage;
    messages.forEach(hear);
  };
  await mountGameView(page, info, { open, send: async (said) => (await window.answer(said)).forEach(hear) });
};
