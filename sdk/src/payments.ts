import { type CallOperation, everyPage } from './call.ts';
import type {
  CreatedPayment,
  ListedPayment,
  NewPayment,
  NewRefund,
  Payment,
  PaymentRefunds,
  PaymentsPage,
  PaymentsQuery,
  Refund,
  TimelineEntry,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Cobranças. Valores em reais: `25.9` são R$ 25,90. */
export class Payments {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria uma cobrança. `content` é o Pix copia e cola, `image` o QR Code. */
  create(body: NewPayment, options?: KeyedCallOptions): Promise<CreatedPayment> {
    return this.#call('createPayment', { body }, options);
  }

  /** O estado de uma cobrança. */
  get(id: string, options?: CallOptions): Promise<Payment> {
    return this.#call('getPaymentStatus', { id }, options);
  }

  /** Uma página de cobranças, da mais nova para a mais antiga. A seguinte começa em `before: page.next`. */
  list(query: PaymentsQuery = {}, options?: CallOptions): Promise<PaymentsPage> {
    return this.#call('listPayments', { query }, options);
  }

  /** Todas as cobranças que a busca acha, página a página: `for await (const payment of payments.listAll())`. */
  async *listAll(query: PaymentsQuery = {}, options?: CallOptions): AsyncGenerator<ListedPayment, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Cancela uma cobrança que ninguém pagou. Cancelar de novo não muda nada. */
  cancel(id: string, options?: CallOptions): Promise<Payment> {
    return this.#call('cancelPayment', { id }, { ...options, repeatable: true });
  }

  /** Tudo o que aconteceu com uma cobrança. */
  async timeline(id: string, options?: CallOptions): Promise<TimelineEntry[]> {
    const { data } = await this.#call('paymentTimeline', { id }, options);
    return data;
  }
}

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
