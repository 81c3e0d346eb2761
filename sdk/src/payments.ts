import type { CallOperation } from './call.ts';
import type {
  CreatedPayment,
  ListedPayment,
  NewPayment,
  Payment,
  PaymentsPage,
  PaymentsQuery,
  TimelineEntry,
} from './contract.ts';
import { everyPage } from './every-page.ts';
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
