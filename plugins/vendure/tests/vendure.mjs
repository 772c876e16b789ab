/* A Vendure 3 with the packed plug-in: its configuration, its goods, its process. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, stop, waitFor } from "../../support/processes.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "shop");
const log = join(folder, "log");
export const ADMIN = { username: "superadmin", password: "a-password-for-tests" };

/** The configuration that the documentation shows. The server runs the scheduled tasks itself. */
const config = (port, database) => `
const { AdminUiPlugin } = require("@vendure/admin-ui-plugin");
const { bootstrap, DefaultSchedulerPlugin, dummyPaymentHandler } = require("@vendure/core");
const { TuaPlugin } = require("@tua-pay/vendure");
bootstrap({
  apiOptions: { port: ${port}, hostname: "127.0.0.1", adminApiPath: "admin-api", shopApiPath: "shop-api" },
  authOptions: {
    tokenMethod: ["bearer"],
    requireVerification: false,
    superadminCredentials: { identifier: ${JSON.stringify(ADMIN.username)}, password: ${JSON.stringify(ADMIN.password)} },
    cookieOptions: { secret: "a-secret-for-tests" },
  },
  dbConnectionOptions: { ...${JSON.stringify(database)}, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  schedulerOptions: { runTasksInWorkerOnly: false },
  plugins: [DefaultSchedulerPlugin.init(), TuaPlugin, AdminUiPlugin.init({ route: "admin", port: ${port} })],
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

/** Writes the configuration for a database, and returns a shop that can be started. */
export async function createShop(database) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await writeFile(join(folder, "index.js"), config(port, database));
  // The shop before this one, on another database, has written it too.
  await writeFile(log, "");
  let child;
  const start = async () => {
    child = spawn(process.execPath, ["index.js"], { cwd: folder });
    const output = createWriteStream(log, { flags: "a" });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    const isHealthy = async () => (await fetch(`${origin}/health`)).ok;
    await waitFor("Vendure", isHealthy).catch(async ({ message }) => {
      throw new Error(`${message}\n${(await readFile(log, "utf8")).slice(-4_000)}`);
    });
  };
  return {
    origin,
    start,
    /** Ends the process as a crash does. */
    kill: () => stop(child, "SIGKILL"),
    stop: () => stop(child),
    readLog: () => readFile(log, "utf8"),
  };
}

/** A client of one API with a session of its own. Throws where GraphQL reports errors. */
export function createClient(origin, api, query = "") {
  let token;
  return async (document, variables = {}) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${origin}/${api}${query}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: document, variables }),
    });
    token = response.headers.get("vendure-auth-token") ?? token;
    const { data, errors } = await response.json();
    if (errors) throw new Error(errors.map(({ message }) => message).join("; "));
    return data;
  };
}

/** A client of the administration, signed in. */
export async function signIn(origin) {
  const admin = createClient(origin, "admin-api");
  await admin(
    `mutation($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }`,
    ADMIN,
  );
  return admin;
}

const texts = (name, others = {}) => [{ languageCode: "en", name, ...others }];

/** Puts goods into the shop: one product for 18 cedis or 2 dollars, a way to ship it, and two payment methods. */
export async function fillShop(admin, tua) {
  const create = async (mutation, type, input) => {
    const result = await admin(`mutation($input: ${type}!) { ${mutation}(input: $input) { id } }`, { input });
    return result[mutation].id;
  };
  const country = await create("createCountry", "CreateCountryInput", {
    code: "GH",
    enabled: true,
    translations: texts("Ghana"),
  });
  const zone = await create("createZone", "CreateZoneInput", { name: "Ghana", memberIds: [country] });
  const { activeChannel } = await admin(`{ activeChannel { id token } }`);
  await admin(
    `mutation($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on Channel { id } ... on ErrorResult { message } } }`,
    {
      input: {
        id: activeChannel.id,
        defaultCurrencyCode: "GHS",
        availableCurrencyCodes: ["GHS", "USD"],
        pricesIncludeTax: true,
        defaultTaxZoneId: zone,
        defaultShippingZoneId: zone,
      },
    },
  );
  const category = await create("createTaxCategory", "CreateTaxCategoryInput", { name: "Standard", isDefault: true });
  await create("createTaxRate", "CreateTaxRateInput", {
    name: "None",
    enabled: true,
    value: 0,
    categoryId: category,
    zoneId: zone,
  });
  const shipping = await create("createShippingMethod", "CreateShippingMethodInput", {
    code: "motorbike",
    fulfillmentHandler: "manual-fulfillment",
    checker: { code: "default-shipping-eligibility-checker", arguments: [{ name: "orderMinimum", value: "0" }] },
    calculator: {
      code: "default-shipping-calculator",
      arguments: [
        { name: "rate", value: "0" },
        { name: "includesTax", value: "auto" },
        { name: "taxRate", value: "0" },
      ],
    },
    translations: texts("Motorbike", { description: "" }),
  });
  const product = await create("createProduct", "CreateProductInput", {
    enabled: true,
    translations: texts("Shea butter", { slug: "shea-butter", description: "" }),
  });
  const { createProductVariants } = await admin(
    `mutation($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`,
    {
      input: [
        {
          productId: product,
          sku: "SHEA",
          price: 1800,
          trackInventory: "FALSE",
          translations: texts("Shea butter"),
        },
      ],
    },
  );
  const [variant] = createProductVariants;
  await admin(`mutation($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }`, {
    input: [{ id: variant.id, prices: [{ currencyCode: "USD", price: 200 }] }],
  });
  const method = (code, handler) =>
    create("createPaymentMethod", "CreatePaymentMethodInput", {
      code,
      enabled: true,
      handler,
      translations: texts(code, { description: "" }),
    });
  const args = Object.entries({ ...tua }).map(([name, value]) => ({ name, value }));
  const mobileMoney = await method("mobile-money", { code: "tua", arguments: args });
  const wrong = args.map((arg) => (arg.name === "secretKey" ? { ...arg, value: "tua_test_v2_ with a space" } : arg));
  await method("wrong-key", { code: "tua", arguments: wrong });
  await method("card", { code: "dummy-payment-handler", arguments: [{ name: "automaticSettle", value: "true" }] });
  return { variant: variant.id, shipping, mobileMoney, channelToken: activeChannel.token };
}
