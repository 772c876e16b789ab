/* A Medusa 2 with the packed plug-in: its configuration, its goods, its process. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, run, stop, waitFor } from "../../support/processes.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "shop");
const log = join(folder, "log");
const cli = createRequire(join(folder, "index.js")).resolve("@medusajs/cli/cli.js");
export const ADMIN = { email: "admin@example.com", password: "a-password-for-tests" };

/** The configuration that the documentation shows, with a short delay of webhooks, and cookies without HTTPS. */
const config = (settings) => `
const { defineConfig, Modules } = require("@medusajs/framework/utils");
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: ${JSON.stringify(settings.databaseUrl)},
    http: { storeCors: "http://localhost:8000", adminCors: "http://localhost:9000", authCors: "http://localhost:9000",
      jwtSecret: "a-secret-for-tests", cookieSecret: "a-secret-for-tests" },
    cookieOptions: { secure: false },
  },
  plugins: [{ resolve: "@tua-pay/medusa", options: {} }],
  modules: [{
    key: Modules.PAYMENT,
    resolve: "@medusajs/medusa/payment",
    options: {
      webhook_delay: 200,
      providers: [{
        resolve: "@tua-pay/medusa/providers/tua",
        id: "tua",
        options: ${JSON.stringify(settings.tua)},
      }],
    },
  }],
});
`;

/** Builds the admin, creates the database's tables and an administrator, and returns a shop that can be started. */
export async function createShop(settings) {
  const configure = (tua) => writeFile(join(folder, "medusa-config.js"), config({ ...settings, tua }));
  await configure(settings.tua);
  // The command line refuses a project whose package.json does not name Medusa.
  const manifest = join(folder, "package.json");
  const { dependencies, ...others } = JSON.parse(await readFile(manifest, "utf8"));
  await writeFile(manifest, JSON.stringify({ ...others, dependencies: { ...dependencies, "@medusajs/medusa": "*" } }));
  const environment = {
    ...process.env,
    NODE_ENV: "production",
    MEDUSA_DISABLE_TELEMETRY: "true",
    MEDUSA_TELEMETRY_DISABLED: "1",
  };
  const medusa = (...args) => run(process.execPath, [cli, ...args], { cwd: folder, env: environment });
  await buildAdmin(medusa);
  await medusa("db:migrate");
  await medusa("user", "--email", ADMIN.email, "--password", ADMIN.password);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child;
  const start = async () => {
    child = spawn(process.execPath, [cli, "start", "--port", String(port)], { cwd: folder, env: environment });
    const output = createWriteStream(log, { flags: "a" });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    const isHealthy = async () => (await fetch(`${origin}/health`)).ok;
    await waitFor("Medusa", isHealthy).catch(async ({ message }) => {
      throw new Error(`${message}\n${(await readFile(log, "utf8")).slice(-4_000)}`);
    });
  };
  return {
    origin,
    webhookUrl: `${origin}/hooks/payment/tua_tua`,
    start,
    /** Writes other options of the provider, which the shop reads when it starts. */
    configure,
    /** Ends the process as a crash does. */
    kill: () => stop(child, "SIGKILL"),
    stop: () => stop(child),
    readLog: () => readFile(log, "utf8"),
  };
}

/** Builds the pages of the admin into the folder from which the shop serves them. */
async function buildAdmin(medusa) {
  // The command refuses a project without a file for TypeScript.
  const files = { compilerOptions: { allowJs: true }, files: ["medusa-config.js"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(files));
  await medusa("build", "--admin-only");
  await mkdir(join(folder, "public"));
  await symlink(join(folder, ".medusa/admin"), join(folder, "public/admin"));
}

/** A client of the administration, signed in. */
export async function signIn(origin) {
  const request = createClient(origin, {});
  const { token } = await request("POST", "/auth/user/emailpass", ADMIN);
  return createClient(origin, { authorization: `Bearer ${token}` });
}

/** Sends JSON, and throws on a refusal: its `body` is what the shop responded. */
export function createClient(origin, headers) {
  return async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const result = text.startsWith("{") ? JSON.parse(text) : { message: text };
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path}: ${response.status} ${text}`), { status: response.status, body: result });
    return result;
  };
}

/** Puts goods into the shop: a product for 18 cedis, another one that is there once, regions in cedis and dollars, and a way to ship it. */
export async function fillShop(admin) {
  const { stores } = await admin("GET", "/admin/stores");
  const currencies = [{ currency_code: "ghs", is_default: true }, { currency_code: "usd" }];
  await admin("POST", `/admin/stores/${stores[0].id}`, { supported_currencies: currencies });
  const { sales_channel: channel } = await admin("POST", "/admin/sales-channels", { name: "Storefront" });
  const { stock_location: place } = await admin("POST", "/admin/stock-locations", {
    name: "Accra",
    address: { address_1: "1 High Street", country_code: "gh" },
  });
  await admin("POST", `/admin/stock-locations/${place.id}/sales-channels`, { add: [channel.id] });
  await admin("POST", `/admin/stock-locations/${place.id}/fulfillment-providers`, { add: ["manual_manual"] });
  const { stock_location } = await admin(
    "POST",
    `/admin/stock-locations/${place.id}/fulfillment-sets?fields=id,*fulfillment_sets`,
    { name: "Delivery", type: "shipping" },
  );
  const [set] = stock_location.fulfillment_sets;
  const geo_zones = ["gh", "us"].map((country_code) => ({ type: "country", country_code }));
  const { fulfillment_set } = await admin("POST", `/admin/fulfillment-sets/${set.id}/service-zones`, {
    name: "Everywhere",
    geo_zones,
  });
  const { shipping_profile: profile } = await admin("POST", "/admin/shipping-profiles", { name: "Parcels", type: "parcel" });
  const { shipping_option: shipping } = await admin("POST", "/admin/shipping-options", {
    name: "Motorbike",
    service_zone_id: fulfillment_set.service_zones[0].id,
    shipping_profile_id: profile.id,
    provider_id: "manual_manual",
    price_type: "flat",
    type: { label: "Standard", description: "Tomorrow", code: "standard" },
    prices: [
      { currency_code: "ghs", amount: 0 },
      { currency_code: "usd", amount: 0 },
    ],
    rules: [],
  });
  const region = async (name, currency_code, country) =>
    (await admin("POST", "/admin/regions", { name, currency_code, countries: [country], payment_providers: ["pp_tua_tua"] }))
      .region;
  const ghana = await region("Ghana", "ghs", "gh");
  const abroad = await region("Abroad", "usd", "us");
  const addProduct = async (title, others) => {
    const prices = [
      { currency_code: "ghs", amount: 18 },
      { currency_code: "usd", amount: 2 },
    ];
    const { product } = await admin("POST", "/admin/products?fields=*variants.inventory_items", {
      title,
      status: "published",
      shipping_profile_id: profile.id,
      options: [{ title: "Size", values: ["One"] }],
      variants: [{ title: "One", sku: title, options: { Size: "One" }, prices, ...others }],
      sales_channels: [{ id: channel.id }],
    });
    return product.variants[0];
  };
  const variant = await addProduct("Shea butter", { manage_inventory: false });
  const last = await addProduct("Last basket", { manage_inventory: true });
  const [{ inventory_item_id: stock }] = last.inventory_items;
  await admin("POST", `/admin/inventory-items/${stock}/location-levels`, { location_id: place.id, stocked_quantity: 1 });
  const { api_key: key } = await admin("POST", "/admin/api-keys", { title: "Storefront", type: "publishable" });
  await admin("POST", `/admin/api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  return {
    variant: variant.id,
    last: last.id,
    shipping: shipping.id,
    ghana: ghana.id,
    abroad: abroad.id,
    publishableKey: key.token,
  };
}
