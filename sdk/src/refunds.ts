import type { CallOperation } from './call.ts';
import type { NewRefund, PaymentRefunds, Refund } from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Estornos. Valores em reais. */
export class Refunds {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Devolve um pagamento a quem pagou: `amount`, ou tudo o que falta. O desfecho vem por `payment.refunded` ou `refund.failed`. */
  create(paymentId: string, body: NewRefund = {}, options?: KeyedCallOptions): Promise<Refund> {
    return this.#call('refundPayment', { id: paymentId, body }, options);
  }

  /** Os estornos de um pagamento, e o que ainda pode ser devolvido. */
  list(paymentId: string, options?: CallOptions): Promise<PaymentRefunds> {
    return this.#call('listRefunds', { id: paymentId }, options);
  }
}
