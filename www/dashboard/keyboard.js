/* Keys of lists: j and k go to the next row and the one before, Enter opens it, / goes to the search, ? shows the keys.
   Without script the rows are links as everywhere. */
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const isTyping = target.closest("input, select, textarea, dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...document.querySelectorAll("a.whole, td summary")];
  const at = rows.indexOf(document.activeElement);
  const next = { j: rows[at + 1], k: at < 0 ? rows[0] : rows[at - 1], "/": document.querySelector("[type=search]") }[key];
  const help = document.getElementById("keyboard");
  if (next) next.focus();
  else if (key === "?" && help) help.showModal();
  else return;
  event.preventDefault();
});
