import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const transaction = await tua.transactions.wait(process.env.TRANSACTION_ID, { timeout: 30_000 });
console.log(transaction.status, transaction.failure?.code);
