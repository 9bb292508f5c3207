/* A table whose messages come from the test, without a server. Every test page has it as `given`; `say` sends
   further messages. */
window.given = async (info, messages) => {
  const page = document.createElement("div");
  page.id = "page";
  document.getElementById("page").replaceWith(page); // the old element keeps being redrawn, but is detached
  const router = document.querySelector("script[type=module]").src;
  const { mountGameView } = await import(router.replace("router.js", "game-view/game-view.js"));
  let hear;
  const open = (listener) => {
    hear = window.say = listener.onMessage;
    messages.forEach(hear);
  };
  await mountGameView(page, info, { open, send: async (said) => (await window.answer(said)).forEach(hear) });
};
