/*
 * A store of WooCommerce in the site: its goods, its orders, and what it does with them by itself.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../tests/service.mjs";
import { site, visitor } from "./shop.mjs";

let product;

/** `woocommerce` is a folder of WooCommerce's files. */
export function installWooCommerce(woocommerce) {
  cpSync(woocommerce, join(site.folder, "web/wp-content/plugins/woocommerce"), { recursive: true });
  site.php(`return activate_plugin("woocommerce/woocommerce.php");`);
  site.php(`WC_Install::install(); WC_Install::create_pages(); return true;`);
  const options = {
    woocommerce_currency: "GHS",
    woocommerce_default_country: "GH:AA",
    woocommerce_coming_soon: "no",
    woocommerce_manage_stock: "yes",
    woocommerce_hold_stock_minutes: "60",
    woocommerce_cod_settings: { enabled: "yes", title: "Cash on delivery", enable_for_virtual: "yes" },
    woocommerce_onboarding_profile: { skipped: true },
  };
  site.php(`foreach (json_decode('${JSON.stringify(options)}', true) as $name => $value) { update_option($name, $value); } return true;`);
  product = site.php(`$product = new WC_Product_Simple(); $product->set_name("Shea butter"); $product->set_regular_price("18"); $product->set_virtual(true); return $product->save();`);
}

/** From now on orders are in the posts of WordPress, and not in WooCommerce's own tables (HPOS). */
export function keepOrdersInPosts() {
  site.php(`update_option("woocommerce_custom_orders_table_enabled", "no"); return true;`);
  const usesTables = site.php(`return Automattic\\WooCommerce\\Utilities\\OrderUtil::custom_orders_table_usage_is_enabled();`);
  if (usesTables) throw new Error("WooCommerce keeps orders in its own tables");
}

export const setCurrency = (currency) => site.php(`update_option("woocommerce_currency", "${currency}"); return true;`);

/** A page with the checkout of a shortcode. */
export const addClassicCheckout = () =>
  site.php(`return get_permalink(wp_insert_post(["post_type" => "page", "post_title" => "Pay", "post_status" => "publish", "post_content" => "[woocommerce_checkout]"]));`);

/** The address of the page with the checkout block. */
export const checkoutPage = () => site.php(`return wc_get_checkout_url();`);

/** A browser of a customer whose cart has one product. */
export async function shopper() {
  const page = await visitor();
  await page.goto(`${site.url}/?add-to-cart=${product}`);
  return page;
}

/** An order that a customer has placed and not paid. Returns its number. */
export const placeOrder = () =>
  site.php(`$order = wc_create_order(["created_via" => "checkout"]); $order->add_product(wc_get_product(${product}), 1);
    $order->set_billing_email("ama@example.com"); $order->set_payment_method("tua"); $order->calculate_totals(); $order->save(); return $order->get_id();`);

/** Presses the button of the checkout for an order. Returns what the gateway returns, and the notices that the customer reads. */
export const beginPayment = (id) =>
  site.php(`wc_load_cart(); $result = WC()->payment_gateways()->payment_gateways()["tua"]->process_payment(${id});
    return $result + ["redirect" => "", "notices" => array_column(wc_get_notices("error"), "notice")];`);

/** What the people of the store see of an order. */
export const readOrder = (id) =>
  site.php(`$order = wc_get_order(${id}); $notes = wc_get_order_notes(["order_id" => ${id}]);
    return ["status" => $order->get_status(), "method" => $order->get_payment_method(), "checkoutId" => $order->get_meta("_tua_checkout_id"),
      "transactionId" => $order->get_transaction_id(), "refunded" => (string) $order->get_total_refunded(),
      "paid" => count($order->get_meta("test_paid", false)), "notes" => implode(" | ", array_column($notes, "content")), "url" => $order->get_edit_order_url()];`);

export const untilOrder = (id, status) => eventually(`order ${id} is ${status}`, async () => readOrder(id).status === status && readOrder(id));

/** Runs PHP with \`$order\`. */
export const withOrder = (id, code) => site.php(`$order = wc_get_order(${id}); ${code} return true;`);

/** Lets WP-Cron ask about an order now. */
export const askAboutOrder = (id) => withOrder(id, `$order->update_meta_data("_tua_ask_at", "0"); $order->save(); do_action("tua_payments_check");`);

/** Lets the timer of WooCommerce cancel unpaid orders, as if this one was two hours old. */
export function cancelUnpaidOrders(id) {
  site.database.query(`UPDATE wordpress.wp_posts SET post_modified = post_modified - INTERVAL 2 HOUR, post_modified_gmt = post_modified_gmt - INTERVAL 2 HOUR WHERE ID = ${id}`);
  site.database.query(`UPDATE wordpress.wp_wc_orders SET date_updated_gmt = date_updated_gmt - INTERVAL 2 HOUR WHERE id = ${id}`);
  site.php(`wc_cancel_unpaid_orders(); return true;`);
}
