import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const charge = await tua.charges.create(
  { amount: "10.50", phoneNumber: "0241234567", network: "MTN", reference: "order-17" },
  { idempotencyKey: "order-17-1" },
);
console.log(charge.transactionId, charge.status, charge.nextAction);
