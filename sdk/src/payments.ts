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

/** As cobranças da conta. Os valores são em reais: `25.9` são R$ 25,90. */
export class Payments {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria uma cobrança. Na resposta, `content` é o Pix copia e cola, e `image` é o QR Code. */
  create(body: NewPayment, options?: KeyedCallOptions): Promise<CreatedPayment> {
    return this.#call('createPayment', { body }, options);
  }

  /** Lê o estado de uma cobrança, pelo seu id. */
  get(id: string, options?: CallOptions): Promise<Payment> {
    return this.#call('getPaymentStatus', { id }, options);
  }

  /**
   * Lê uma página de cobranças, da mais nova para a mais antiga. Para ler a página seguinte, passe `before: page.next`.
   */
  list(query: PaymentsQuery = {}, options?: CallOptions): Promise<PaymentsPage> {
    return this.#call('listPayments', { query }, options);
  }

  /** Lê todas as cobranças que a busca acha, página a página: `for await (const payment of payments.listAll())`. */
  async *listAll(query: PaymentsQuery = {}, options?: CallOptions): AsyncGenerator<ListedPayment, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Cancela uma cobrança que ninguém pagou. Cancelar a mesma cobrança de novo não muda nada. */
  cancel(id: string, options?: CallOptions): Promise<Payment> {
    return this.#call('cancelPayment', { id }, { ...options, repeatable: true });
  }

  /** Lê tudo o que aconteceu com uma cobrança. */
  async timeline(id: string, options?: CallOptions): Promise<TimelineEntry[]> {
    const { data } = await this.#call('paymentTimeline', { id }, options);
    return data;
  }
}

/** Os estornos dos pagamentos da conta. Os valores são em reais. */
export class Refunds {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Devolve um pagamento a quem pagou: a parte dada em `amount` ou, sem `amount`, tudo o que ainda não foi devolvido. O
   * desfecho chega pelo evento `payment.refunded` ou `refund.failed`.
   */
  create(paymentId: string, body: NewRefund = {}, options?: KeyedCallOptions): Promise<Refund> {
    return this.#call('refundPayment', { id: paymentId, body }, options);
  }

  /** Lê os estornos de um pagamento, e quanto ainda pode ser devolvido. */
  list(paymentId: string, options?: CallOptions): Promise<PaymentRefunds> {
    return this.#call('listRefunds', { id: paymentId }, options);
  }
}
