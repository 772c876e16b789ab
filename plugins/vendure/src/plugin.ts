import { PluginCommonModule, VendurePlugin } from "@vendure/core";
import { askAboutPaymentsTask } from "./ask-task.js";
import { TuaAttention } from "./attention.js";
import { tuaPaymentHandler } from "./handler.js";
import { tuaOrderProcess } from "./order-process.js";
import { pendingPaymentProcess, tuaRefundProcess } from "./payment-state.js";
import { TuaPaymentsService } from "./payments.service.js";
import { keepRawBody } from "./raw-body.js";
import { TuaRefundsService } from "./refunds.service.js";
import { TuaWebhookController } from "./webhook.controller.js";

/** Adds the payment method, its webhooks, and the scheduled task. */
@VendurePlugin({
  imports: [PluginCommonModule],
  providers: [TuaAttention, TuaPaymentsService, TuaRefundsService],
  controllers: [TuaWebhookController],
  compatibility: "^3.7.0",
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(tuaPaymentHandler);
    config.paymentOptions.process = [...(config.paymentOptions.process ?? []), pendingPaymentProcess];
    config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), tuaRefundProcess];
    config.orderOptions.process = [...(config.orderOptions.process ?? []), tuaOrderProcess];
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), askAboutPaymentsTask];
    config.apiOptions.middleware.push({ route: "/payments/tua", handler: keepRawBody, beforeListen: true });
    return config;
  },
})
export class TuaPlugin {}
