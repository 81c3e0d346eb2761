import { createCall } from './call.ts';
import { CounterCodes } from './counter-codes.ts';
import { Events } from './events.ts';
import type { JangadaOptions } from './options.ts';
import { PaymentLinks } from './payment-links.ts';
import { Payments, Refunds } from './payments.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';
import { AccountBalance, Withdrawals } from './withdrawals.ts';

/**
 * Um gateway Jangada, pela API. Os campos são os da documentação (`/docs` do gateway), e os valores os da API: em reais nas
 * cobranças, nos estornos e no saldo, em centavos nos saques.
 */
export class Jangada {
  readonly payments: Payments;
  readonly paymentLinks: PaymentLinks;
  readonly counterCodes: CounterCodes;
  readonly refunds: Refunds;
  readonly withdrawals: Withdrawals;
  readonly balance: AccountBalance;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;

  constructor(options: JangadaOptions) {
    const call = createCall(options);
    this.payments = new Payments(call);
    this.paymentLinks = new PaymentLinks(call);
    this.counterCodes = new CounterCodes(call);
    this.refunds = new Refunds(call);
    this.withdrawals = new Withdrawals(call);
    this.balance = new AccountBalance(call);
    this.events = new Events(call);
    this.webhookEndpoints = new WebhookEndpoints(call);
    this.webhookDeliveries = new WebhookDeliveries(call);
  }
}
