import { Logger, Payment, Refund, ScheduledTask, TransactionalConnection, type Channel, type Injector } from "@vendure/core";
import { MoreThan } from "typeorm";
import { askStatus } from "./checkouts.js";
import { LOG_CONTEXT } from "./log-context.js";
import { PENDING, readMetadata } from "./payment-state.js";
import { TuaPaymentsService, type TuaMethod } from "./payments.service.js";
import { TuaRefundsService } from "./refunds.service.js";

/** How long after its creation a payment or refund is asked about. Tua has an outcome long before, or people have decided. */
const OPEN_AGE_MS = 30 * 86_400_000;

/** Finds what a lost webhook would have reported: asks Tua about every payment and refund that is pending. */
export const askAboutPaymentsTask = new ScheduledTask({
  id: "tua-ask-about-payments",
  description: "Asks Tua about mobile money payments and refunds whose outcome is not known",
  schedule: (cron) => cron.everyMinute(),
  timeout: 300_000,
  preventOverlap: true,
  async execute({ injector }) {
    const methods = await injector.get(TuaPaymentsService).listMethods();
    let asked = 0;
    for (const method of methods) {
      for (const channel of method.channels) asked += await askAbout(injector, method, channel);
    }
    return { asked };
  },
});

async function askAbout(injector: Injector, method: TuaMethod, channel: Channel): Promise<number> {
  const service = injector.get(TuaPaymentsService);
  const refundsService = injector.get(TuaRefundsService);
  const connection = injector.get(TransactionalConnection);
  const ctx = await service.createContext(channel.token);
  const createdAt = MoreThan(new Date(Date.now() - OPEN_AGE_MS));
  const order = { channels: { id: channel.id } };
  const payments = await connection
    .getRepository(ctx, Payment)
    .find({ where: { method: method.code, state: PENDING, createdAt, order } });
  const refunds = await connection.getRepository(ctx, Refund).find({
    where: { method: method.code, state: "Pending", createdAt, payment: { order } },
    relations: { payment: { order: true } },
  });
  for (const payment of payments) {
    await logFault(`payment ${payment.id}`, async () => {
      const stored = readMetadata(payment);
      if (!stored) return;
      const status = await askStatus(method.args, stored);
      if (status === "PAID") await service.settle(ctx, method, stored.tuaCheckout);
      if (status === "EXPIRED" || status === "CLOSED") await service.cancel(ctx, method, stored.tuaCheckout);
    });
  }
  for (const refund of refunds) await logFault(`refund ${refund.id}`, () => refundsService.askAboutRefund(ctx, method, refund));
  return payments.length + refunds.length;
}

/** One payment that cannot be asked about does not stop the others. */
async function logFault(what: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    Logger.error(`${what}: ${(error as Error).message}`, LOG_CONTEXT);
  }
}
