import { createCall } from './call.ts';
import { ChargeBatches } from './charge-batches.ts';
import { CounterCodes } from './counter-codes.ts';
import { Customers } from './customers.ts';
import { Events } from './events.ts';
import { HeldPixes } from './held-pix.ts';
import type { JangadaOptions } from './options.ts';
import { PaymentLinks } from './payment-links.ts';
import { Payments, Refunds } from './payments.ts';
import { Subscriptions } from './subscriptions.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';
import { AccountBalance, Withdrawals } from './withdrawals.ts';

/**
 * O cliente da API de um gateway Jangada. Os campos têm os nomes da documentação (`/docs` do gateway), e os valores têm
 * as unidades da API: reais nas cobranças, nos estornos, nos links, nos códigos de balcão e no saldo; centavos nos
 * saques.
 */
export class Jangada {
  readonly payments: Payments;
  readonly chargeBatches: ChargeBatches;
  readonly paymentLinks: PaymentLinks;
  readonly counterCodes: CounterCodes;
  readonly customers: Customers;
  readonly subscriptions: Subscriptions;
  readonly refunds: Refunds;
  readonly heldPix: HeldPixes;
  readonly withdrawals: Withdrawals;
  readonly balance: AccountBalance;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;

  /** Lança um `TypeError` se `baseUrl` não é um endereço ou se falta `apiKey`. */
  constructor(options: JangadaOptions) {
    const call = createCall(options);
    this.payments = new Payments(call);
    this.chargeBatches = new ChargeBatches(call);
    this.paymentLinks = new PaymentLinks(call);
    this.counterCodes = new CounterCodes(call);
    this.customers = new Customers(call);
    this.subscriptions = new Subscriptions(call);
    this.refunds = new Refunds(call);
    this.heldPix = new HeldPixes(call);
    this.withdrawals = new Withdrawals(call);
    this.balance = new AccountBalance(call);
    this.events = new Events(call);
    this.webhookEndpoints = new WebhookEndpoints(call);
    this.webhookDeliveries = new WebhookDeliveries(call);
  }
}
