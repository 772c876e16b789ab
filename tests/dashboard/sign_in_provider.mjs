/*
 * A sign-in provider: oidc-provider, which the OpenID Foundation has certified. Its own pages ask for a name, take every
 * password, and ask for consent.
 */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { require } from "./browser.mjs";
import { freePort } from "../service.mjs";

const { default: Provider } = await import(pathToFileURL(require.resolve("oidc-provider")));
const SECRET = "the secret of the client";

/** Starts a provider for the dashboard at this origin. `settings` are those of the service. */
export async function startProvider(origin) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "tua",
        client_secret: SECRET,
        redirect_uris: [`${origin}/dashboard/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/dashboard/sign-in`],
      },
    ],
    // As the providers of companies do. The specification permits it (OpenID Connect Core 1.0, section 5.4).
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    cookies: { keys: ["the key of the cookies"] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id, groups: ["staff"] }),
    }),
  });
  const server = createServer(provider.callback()).listen(port, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const settings = `[oidc]\nissuer = "${issuer}"\nclient-id = "tua"\nclient-secret = "${SECRET}"\nname = "Adom ID"\n`;
  return { settings, stop: () => server.close() };
}
