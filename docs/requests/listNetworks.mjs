import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for (const { network, charge, payout } of await tua.networks.get()) {
  console.log(network, charge.status, payout.status);
}
