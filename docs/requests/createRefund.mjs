import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const refund = await tua.refunds.create(
  { transactionId: process.env.TRANSACTION_ID, amount: "4.20", reason: "One of two items was sold out" },
  { idempotencyKey: "refund-17" },
);
console.log(refund.refundId, refund.status);
