/* Buttons that copy a text beside them. Where the browser has no clipboard, as without script, they are not shown, and the
   text can be selected. */
if (navigator.clipboard) {
  document.documentElement.classList.add("copies");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const word = button.firstChild;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      return;
    }
    button.dataset.word ??= word.data;
    word.data = button.dataset.done;
    setTimeout(() => (word.data = button.dataset.word), 2000);
  });
}
