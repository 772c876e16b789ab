import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const checkout = await tua.checkouts.create(
  {
    amount: "18.00",
    email: "ama@example.com",
    reference: "order-17",
    metadata: { customer: "4711" },
    returnUrl: "http://localhost:9000/orders/order-17",
  },
  { idempotencyKey: "order-17-attempt-1" },
);
console.log(checkout.checkoutId, checkout.url);
