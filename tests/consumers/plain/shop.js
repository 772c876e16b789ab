const order = await (await fetch("/order", { method: "POST" })).json();
const checkout = Object.assign(document.createElement("tua-checkout"), { token: order.checkoutToken });
checkout.addEventListener("tua-successful", ({ detail }) => {
  document.querySelector("[role=status]").textContent = `Paid: ${detail.reference}`;
});
document.querySelector("#pay").append(checkout);
