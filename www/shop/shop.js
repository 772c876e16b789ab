// The demo shop's page. It holds the cart. The shop's server decides the prices (POST /checkout),
// and <tua-checkout> handles the payment. It gets a token only.

const $ = (id) => document.getElementById(id);
const cedis = new Intl.NumberFormat("en-GH", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const money = (pesewas) => `GH₵${cedis.format(pesewas / 100)}`;
const MAX_QUANTITY = 999;

const goods = new Map(
  [...$("goods").children].map((item) => [
    item.dataset.sku,
    { name: item.querySelector("h3").textContent, pesewas: Number(item.dataset.pesewas), picture: item.querySelector("img").src },
  ]),
);

// One order per tab. It survives a reload during a payment.
const KEPT = "adom-order";
const fresh = () => ({ cart: { chocolate: 1 }, gift: "", email: $("email").defaultValue, session: null, state: "cart" });
let order = kept() ?? fresh();
let asking = false;

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null; // storage is blocked, or has other data: begin a new order
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(order));
  } catch {
    // Without storage, as in some private windows, the order is lost on reload.
  }
}

// --- The cart -----------------------------------------------------------------------------

/* What people write before or after an amount. */
const CURRENCY = /^(gh[₵¢s]|ghc|gh|[₵¢])\s*|\s*((ghana )?cedis?|gh[₵¢s]|ghc|gh|[₵¢])$/i;

/** The donation in whole pesewas; 0 if empty, null if it is not an amount of 1 to 500 cedis. */
function giftPesewas() {
  // As plain digits: full-width, Arabic and Persian ones have the value of their lowest four bits.
  const plain = order.gift.normalize("NFKC").replace(/\p{Cf}/gu, "").replaceAll("٫", ".");
  const text = plain.replace(/[٠-٩۰-۹]/g, (digit) => digit.charCodeAt(0) & 15).trim();
  if (text === "") return 0;
  const parts = /^(\d{1,3})(?:[.,](\d{0,2}))?$/.exec(text.replace(CURRENCY, ""));
  if (!parts) return null;
  const pesewas = Number(parts[1]) * 100 + Number((parts[2] ?? "").padEnd(2, "0"));
  return pesewas >= 100 && pesewas <= 50_000 ? pesewas : null;
}

const entries = () => Object.entries(order.cart).filter(([sku]) => goods.has(sku));
const total = () => entries().reduce((sum, [sku, quantity]) => sum + goods.get(sku).pesewas * quantity, giftPesewas() ?? 0);

function change(sku, by) {
  const quantity = Math.min((order.cart[sku] ?? 0) + by, MAX_QUANTITY);
  if (quantity > 0) order.cart[sku] = quantity;
  else delete order.cart[sku];
  say(quantity > 0 ? `${quantity} × ${goods.get(sku).name} in the cart` : `${goods.get(sku).name} removed`);
  showCart();
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function line(sku) {
  const { name, picture } = goods.get(sku);
  const step = (sign, label, by) => {
    const button = element("button", { type: "button", textContent: sign });
    button.setAttribute("aria-label", `${label} ${name}`);
    button.addEventListener("click", () => change(sku, by));
    return button;
  };
  const made = element(
    "li",
    {},
    element("img", { src: picture, alt: "", width: 56, height: 42 }),
    element("span", { className: "line-name", textContent: name }),
    element("span", { className: "stepper" }, step("−", "One less:", -1), element("span", { className: "quantity" }), step("+", "One more:", 1)),
    element("span", { className: "line-sum" }),
  );
  made.dataset.sku = sku;
  return made;
}

function showCart() {
  const lines = $("lines");
  for (const shown of [...lines.children]) {
    if (!(shown.dataset.sku in order.cart)) {
      const focused = shown.contains(document.activeElement);
      shown.remove();
      if (focused) $("order-title").focus();
    }
  }
  for (const [sku, quantity] of entries()) {
    const shown = lines.querySelector(`[data-sku="${sku}"]`) ?? lines.appendChild(line(sku));
    shown.querySelector(".quantity").textContent = quantity;
    shown.querySelector(".line-sum").textContent = money(goods.get(sku).pesewas * quantity);
  }
  $("empty").hidden = entries().length > 0;
  $("total").textContent = money(total());
  keep();
}

// --- The checkout -------------------------------------------------------------------------

const STATES = {
  cart: "",
  open: "Waiting for your payment",
  pending: "Your payment is on its way",
  paid: "Paid. Thank you!",
  failed: "Not paid yet: you can try again",
  expired: "This checkout has expired",
  unconfirmed: "Still being confirmed: please do not pay again",
};

function show() {
  const paying = order.session !== null;
  $("cart").hidden = paying;
  $("checkout").hidden = !paying;
  $("state").textContent = STATES[order.state];
  $("state").dataset.state = order.state;
  $("again").textContent = { paid: "New order", unconfirmed: "New order", expired: "Back to the cart" }[order.state] ?? "Change the order";
  // While money may still be moving, the cart stays hidden.
  $("again").hidden = order.state === "pending";
  for (const button of $("goods").querySelectorAll("button")) button.disabled = paying;
  if (paying) showCheckout();
  else $("tag").replaceChildren();
  showCart();
}

function showCheckout() {
  const rows = entries().map(([sku, quantity]) => [`${quantity} × ${goods.get(sku).name}`, goods.get(sku).pesewas * quantity]);
  if (giftPesewas()) rows.push(["Books for the library", giftPesewas()]);
  $("receipt").replaceChildren(
    ...rows.map(([name, sum]) => element("li", {}, element("span", { textContent: name }), element("span", { textContent: money(sum) }))),
  );
  $("hosted").href = order.session.url;
  const tag = $("tag").firstElementChild;
  if (tag?.getAttribute("token") !== order.session.checkoutToken) {
    const made = document.createElement("tua-checkout");
    made.setAttribute("token", order.session.checkoutToken);
    $("tag").replaceChildren(made);
  }
  const late = setTimeout(() => ($("unloaded").hidden = false), 10_000);
  customElements.whenDefined("tua-checkout").then(() => {
    clearTimeout(late);
    $("unloaded").hidden = true;
  });
}

/** The items and the donation, without prices. */
function request() {
  const items = entries().map(([sku, quantity]) => JSON.stringify({ sku, quantity }));
  const gift = giftPesewas();
  // A decimal text from whole pesewas, without a fraction in between.
  if (gift) items.push(`{"sku":"donation","amount":${String(gift).replace(/(..)$/, ".$1")}}`);
  return `{"items":[${items.join(",")}],"email":${JSON.stringify(order.email.trim())}}`;
}

function mistakes() {
  const found = [];
  if (giftPesewas() === null) found.push(["gift", "Write an amount from 1 to 500, such as 5 or 2.50."]);
  if (!$("email").checkValidity()) found.push(["email", "Write an e-mail address, such as ama@example.com."]);
  if (entries().length === 0 && !giftPesewas() && found.length === 0) found.push(["cart", "There is nothing to pay for yet."]);
  return found;
}

function showMistakes(found) {
  for (const field of ["gift", "email", "cart"]) {
    const mine = found.find(([at]) => at === field);
    $(`${field}-error`).textContent = mine?.[1] ?? "";
    if (field !== "cart") $(field).setAttribute("aria-invalid", Boolean(mine));
  }
  const first = found.find(([at]) => at !== "cart");
  if (first) $(first[0]).focus();
}

async function pay(event) {
  event.preventDefault();
  if (asking) return;
  // A password manager may have set them without an event.
  order.gift = $("gift").value;
  order.email = $("email").value;
  showCart();
  const found = mistakes();
  showMistakes(found);
  if (found.length > 0) return;
  asking = true;
  $("pay").setAttribute("aria-busy", "true");
  try {
    const response = await fetch("/checkout", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: request(),
      signal: AbortSignal.timeout(20_000),
    });
    const answer = await response.json();
    if (response.ok) {
      order.session = answer;
      order.state = "open";
      show();
      $("order-title").focus();
    } else {
      const email = answer.errors?.find(({ pointer }) => pointer === "/email");
      showMistakes([email ? ["email", email.detail] : ["cart", answer.detail]]);
    }
  } catch {
    showMistakes([["cart", "The shop cannot be reached right now. No money has moved. Please try again."]]);
  } finally {
    asking = false;
    $("pay").removeAttribute("aria-busy");
  }
}

function again() {
  order = ["paid", "unconfirmed"].includes(order.state) ? fresh() : { ...order, session: null, state: "cart" };
  $("gift").value = order.gift;
  $("email").value = order.email;
  show();
  $("order-title").focus();
}

// --- Event handlers -------------------------------------------------------------------------------

function say(text) {
  $("said").textContent = text;
}

for (const item of $("goods").children) {
  item.querySelector("button").addEventListener("click", () => change(item.dataset.sku, 1));
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      say(`${button.dataset.copy} copied`);
      button.classList.add("copied");
      setTimeout(() => button.classList.remove("copied"), 1500);
    } catch {
      say("Copying is not allowed here; select the number instead");
    }
  });
}
$("gift").addEventListener("input", (event) => {
  order.gift = event.target.value;
  showCart();
});
$("email").addEventListener("input", (event) => {
  order.email = event.target.value;
  keep();
});
$("cart").addEventListener("submit", pay);
$("again").addEventListener("click", again);

// The page only shows the outcome. A real shop delivers after its server has confirmed the payment
// (webhook or GET /status), never because of an event in a page.
for (const [type, state] of [
  ["tua-pending", "pending"],
  ["tua-successful", "paid"],
  ["tua-failed", "failed"],
  ["tua-expired", null],
]) {
  $("tag").addEventListener(type, ({ detail }) => {
    order.state = state ?? expired(detail?.status);
    show();
  });
}

/** If a checkout expires while money may still be moving, the payer must not pay again. */
function expired(standing) {
  if (standing === "PAID") return "paid";
  return standing === "PENDING" || order.state === "pending" ? "unconfirmed" : "expired";
}

$("gift").value = order.gift;
$("email").value = order.email;
show();
