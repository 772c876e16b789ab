import { Order, totalCoveredByPayments, type Payment } from "@vendure/core";

/**
 * What the payments of an order have brought, less what was returned, as Vendure counts it. The payments have their refunds
 * loaded.
 */
export function coveredSum(payments: Payment[]): number {
  return totalCoveredByPayments(new Order({ payments }), ["Settled", "Authorized"]);
}
