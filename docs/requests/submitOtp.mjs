import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const charge = await tua.charges.submitCode(
  { transactionId: process.env.TRANSACTION_ID, otp: "123456" },
  { idempotencyKey: "order-17-1-code-1" },
);
console.log(charge.status, charge.codeAttemptsLeft);
