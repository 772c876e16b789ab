import { Controller, Headers, HttpCode, HttpException, Param, Post, Req } from "@nestjs/common";
import { TuaWebhookError, type Event } from "@tua-pay/node";
import { Logger, type RequestContext } from "@vendure/core";
import type { IncomingHttpHeaders } from "node:http";
import { verifierOf } from "./connection.js";
import { LOG_CONTEXT } from "./log-context.js";
import { TuaPaymentsService, type TuaMethod } from "./payments.service.js";
import type { RequestWithBytes } from "./raw-body.js";
import { TuaRefundsService } from "./refunds.service.js";

/** Receives the webhooks of one payment method in one channel. */
@Controller("payments/tua")
export class TuaWebhookController {
  constructor(
    private readonly payments: TuaPaymentsService,
    private readonly refunds: TuaRefundsService,
  ) {}

  /** 204 means processed, so anything else makes Tua send the event again. */
  @Post(":channelToken/:method")
  @HttpCode(204)
  async receive(
    @Param("channelToken") channelToken: string,
    @Param("method") code: string,
    @Headers() headers: IncomingHttpHeaders,
    @Req() request: RequestWithBytes,
  ): Promise<void> {
    const { ctx, method } = await this.findMethod(channelToken, code);
    let event: Event;
    try {
      event = verifierOf(method.args).verify(request.rawBody ?? Buffer.alloc(0), headers);
    } catch (error) {
      if (!(error instanceof TuaWebhookError)) throw error;
      Logger.warn(`A webhook was refused: ${error.message}`, LOG_CONTEXT);
      throw new HttpException(error.message, 400);
    }
    await this.process(ctx, method, event);
  }

  private async findMethod(channelToken: string, code: string): Promise<{ ctx: RequestContext; method: TuaMethod }> {
    const unknown = new HttpException("There is no such payment method.", 404);
    const ctx = await this.payments.createContext(channelToken).catch(() => {
      throw unknown;
    });
    const method = await this.payments.findMethod(ctx, code);
    if (!method) throw unknown;
    return { ctx, method };
  }

  private async process(ctx: RequestContext, method: TuaMethod, event: Event): Promise<void> {
    switch (event.type) {
      case "checkout.paid":
        return this.payments.settle(ctx, method, event.data.checkoutId);
      case "checkout.expired":
      case "checkout.closed":
        return this.payments.cancel(ctx, method, event.data.checkoutId);
      case "refund.successful":
      case "refund.failed":
      case "refund.conflict":
        return this.refunds.finishRefund(ctx, event.data);
      case "charge.successful":
      case "charge.conflict":
        return this.payments.flagCharge(ctx, method, event.type, event.data);
    }
  }
}
