import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const refund of tua.refunds.list({ transactionId: process.env.TRANSACTION_ID })) {
  console.log(refund.refundId, refund.amount, refund.status);
}
