// All that a page needs: get a token from your own server, and give it to the tag.
// Your server is the companion:
//
//   TUA_SECRET_KEY=tua_test_v2_… tua-companion --catalogue ../../shop/shop.toml --allow-origin <this page's origin>

const COMPANION = "http://127.0.0.1:8090";
const place = document.getElementById("pay");
const result = document.getElementById("result");

document.getElementById("buy").addEventListener("click", async () => {
  try {
    const response = await fetch(`${COMPANION}/checkout`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ items: [{ sku: "chocolate", quantity: 1 }], email: "ama@example.com" }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    const checkout = document.createElement("tua-checkout");
    checkout.setAttribute("token", answer.checkoutToken);
    place.replaceChildren(checkout);
  } catch (error) {
    result.textContent = `No checkout could be opened: ${error.message}`;
  }
});

// The page only shows the outcome. Deliver after your server has confirmed the payment.
place.addEventListener("tua-successful", () => (result.textContent = "Paid. Thank you!"));
place.addEventListener("tua-failed", () => (result.textContent = "Not paid. You can try again above."));
place.addEventListener("tua-expired", () => (result.textContent = "This checkout has expired. Press Buy again."));
