import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const batch = await tua.payouts.createBatch(
  { payouts: [{ amount: "5.00", phoneNumber: "0241234567", network: "MTN" }], reference: "salaries" },
  { idempotencyKey: "november" },
);
console.log(batch.batchId, batch.status);
