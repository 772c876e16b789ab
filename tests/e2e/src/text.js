// All that is written under an element (or the page), open shadow roots included.
const [root] = arguments;
const parts = [];
(function walk(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.parentElement?.checkVisibility?.() ?? true) parts.push(node.data);
    return;
  }
  if (["STYLE", "SCRIPT", "TEMPLATE"].includes(node.tagName)) return;
  if (node.shadowRoot) walk(node.shadowRoot);
  for (const child of node.childNodes) walk(child);
})(root ?? document.body);
return parts.join(" ").replace(/\s+/g, " ").trim();
