import { type CallOperation, everyPage } from './call.ts';
import type {
  ChangedPaymentLink,
  NewPaymentLink,
  OffersQuery,
  PaymentLink,
  PaymentLinksPage,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/**
 * Os links de pagamento da conta. Um link leva a uma página em que cada pessoa que paga recebe uma cobrança só dela. Os
 * valores são em reais.
 */
export class PaymentLinks {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria um link. */
  create(body: NewPaymentLink, options?: KeyedCallOptions): Promise<PaymentLink> {
    return this.#call('createPaymentLink', { body }, options);
  }

  /** Lê um link, e quantos pagamentos já foram feitos por ele. */
  get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('getPaymentLink', { id }, options);
  }

  /** Lê uma página de links, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`. */
  list(query: OffersQuery = {}, options?: CallOptions): Promise<PaymentLinksPage> {
    return this.#call('listPaymentLinks', { query }, options);
  }

  /** Lê todos os links que a busca acha, página a página. */
  async *listAll(query: OffersQuery = {}, options?: CallOptions): AsyncGenerator<PaymentLink, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /**
   * Substitui o link por inteiro: um campo que você não passa é removido. Passe em `version` a versão que você leu: se
   * outra pessoa mudou o link depois disso, a mudança é recusada.
   */
  update(id: string, body: ChangedPaymentLink, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('updatePaymentLink', { id, body }, options);
  }
}
