import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const link = await tua.links.reopen(process.env.LINK_ID);
console.log(link.url, link.status);
