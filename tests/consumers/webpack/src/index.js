import { configure, mount } from "tua-checkout";

async function pay() {
  const answer = await fetch("/order", { method: "POST" });
  const order = await answer.json();

  configure({ baseUrl: new URL("/v1", order.url) });
  const checkout = await mount("#pay", { token: order.checkoutToken });
  checkout.element.addEventListener("tua-successful", ({ detail }) => {
    document.querySelector("[role=status]").textContent = `Paid: ${detail.reference}`;
  });
}

pay();
