import { type CallOperation, everyPage } from './call.ts';
import type {
  ChangedPaymentLink,
  NewPaymentLink,
  OffersQuery,
  PaymentLink,
  PaymentLinksPage,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Links de pagamento: páginas em que cada pessoa que paga recebe a sua cobrança. Valores em reais. */
export class PaymentLinks {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  create(body: NewPaymentLink, options?: CallOptions & KeyedCallOptions): Promise<PaymentLink> {
    return this.#call('createPaymentLink', { body }, options);
  }

  /** Um link, com quantos pagamentos já foram feitos por ele. */
  get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('getPaymentLink', { id }, options);
  }

  /** Uma página de links, do mais novo para o mais antigo. A seguinte começa em `before: page.next`. */
  list(query: OffersQuery = {}, options?: CallOptions): Promise<PaymentLinksPage> {
    return this.#call('listPaymentLinks', { query }, options);
  }

  /** Todos os links, página a página. */
  async *listAll(query: OffersQuery = {}, options?: CallOptions): AsyncGenerator<PaymentLink, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Muda o link por inteiro: o que não é dado é tirado. `version` é a que você leu. */
  update(id: string, body: ChangedPaymentLink, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('updatePaymentLink', { id, body }, options);
  }
}
