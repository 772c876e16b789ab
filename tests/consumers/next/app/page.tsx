// On the server, where importing the package does nothing.
import "tua-checkout";
import { Pay } from "./pay";

export const dynamic = "force-dynamic";

/** The shop's server: the secret key is here and stays here. */
async function openOrder(): Promise<{ checkoutToken: string }> {
  const answer = await fetch(`${process.env.NEXT_PUBLIC_TUA}/v1/checkout`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": process.env.TUA_TEST_KEY! },
    body: JSON.stringify({ amount: 18, currency: "GHS", email: "ama@example.com" }),
  });
  return answer.json();
}

export default async function Page() {
  const { checkoutToken } = await openOrder();
  return <Pay token={checkoutToken} />;
}
