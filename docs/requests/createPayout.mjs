import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const payout = await tua.payouts.create(
  { amount: "5.00", phoneNumber: "0241234567", network: "MTN", payeeNote: "Delivery of 27 November" },
  { idempotencyKey: "payout-5" },
);
console.log(payout.transactionId, payout.status);
