import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const transaction of tua.transactions.list({ status: "SUCCESSFUL", pageSize: 10 })) {
  console.log(transaction.transactionId, transaction.amount);
}
