import { type CallOperation, everyPage } from './call.ts';
import type {
  ChangedCounterCode,
  CounterCode,
  CounterCodesPage,
  NewCounterCode,
  OffersQuery,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/**
 * Os QR Codes de balcão da conta. Um código é impresso uma vez, e cada Pix que chega por ele é um pagamento. Os valores
 * são em reais.
 */
export class CounterCodes {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria um código. */
  create(body: NewCounterCode, options?: KeyedCallOptions): Promise<CounterCode> {
    return this.#call('createCounterCode', { body }, options);
  }

  /** Lê um código, e quantos pagamentos já chegaram por ele. */
  get(id: string, options?: CallOptions): Promise<CounterCode> {
    return this.#call('getCounterCode', { id }, options);
  }

  /**
   * Lê uma página de códigos, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`.
   */
  list(query: OffersQuery = {}, options?: CallOptions): Promise<CounterCodesPage> {
    return this.#call('listCounterCodes', { query }, options);
  }

  /** Lê todos os códigos que a busca acha, página a página. */
  async *listAll(query: OffersQuery = {}, options?: CallOptions): AsyncGenerator<CounterCode, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /**
   * Muda o nome do código, ou desliga o código. Passe em `version` a versão que você leu: se outra pessoa mudou o
   * código depois disso, a mudança é recusada.
   */
  update(id: string, body: ChangedCounterCode, options?: CallOptions): Promise<CounterCode> {
    return this.#call('updateCounterCode', { id, body }, options);
  }
}
