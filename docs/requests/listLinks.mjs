import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const link of tua.links.list({ pageSize: 10 })) {
  console.log(link.linkId, link.url, link.status);
}
