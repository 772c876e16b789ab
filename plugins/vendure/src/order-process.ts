import type { Injector, OrderProcess } from "@vendure/core";
import { TuaAttention } from "./attention.js";
import { TuaPaymentsService } from "./payments.service.js";

let payments: TuaPaymentsService;
let attention: TuaAttention;

/**
 * An order whose payment is pending goes on waiting: it neither changes nor is cancelled before Tua was asked. Where nothing is
 * pending, its checkout is closed, so that nobody pays for an order that is another one now.
 */
export const tuaOrderProcess: OrderProcess<never> = {
  init(injector: Injector) {
    payments = injector.get(TuaPaymentsService);
    attention = injector.get(TuaAttention);
  },
  async onTransitionStart(fromState, toState, { ctx, order }) {
    if (fromState !== "ArrangingPayment" && fromState !== "ArrangingAdditionalPayment") return;
    if (toState === "PaymentSettled" || toState === "PaymentAuthorized") return;
    return payments.closeAll(ctx, order.id);
  },
  /** Another payment method has paid the order. */
  async onTransitionEnd(_fromState, toState, { ctx, order }) {
    if (toState !== "PaymentSettled" && toState !== "PaymentAuthorized") return;
    const refusal = await payments.closeAll(ctx, order.id);
    if (refusal !== undefined) {
      await attention.flag(
        ctx,
        order.id,
        order.code,
        "The order is paid, and a mobile money payment of it is under way too. Refund it if it arrives.",
      );
    }
  },
};
