import { type CallOperation, everyPage } from './call.ts';
import type { HeldPix, HeldPixPage, HeldPixQuery, PayerRules } from './contract.ts';
import type { CallOptions } from './options.ts';

/** Os Pix que esperam a decisão da conta, e as regras que os fazem esperar. Os valores são em reais. */
export class HeldPixes {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Lê as regras da conta. */
  rules(options?: CallOptions): Promise<PayerRules> {
    return this.#call('getPayerRules', {}, options);
  }

  /** Troca as regras da conta. Uma cobrança pode ter as suas, em `payer_rules`. */
  setRules(body: PayerRules, options?: CallOptions): Promise<PayerRules> {
    return this.#call('setPayerRules', { body }, options);
  }

  /** Lê uma página, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`. */
  list(query: HeldPixQuery = {}, options?: CallOptions): Promise<HeldPixPage> {
    return this.#call('listHeldPix', { query }, options);
  }

  /** Lê todos, página a página. */
  async *listAll(query: HeldPixQuery = {}, options?: CallOptions): AsyncGenerator<HeldPix, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Aceita um Pix. Aceitar o mesmo de novo não muda nada. */
  accept(id: string, options?: CallOptions): Promise<HeldPix> {
    return this.#call('acceptHeldPix', { id }, { ...options, repeatable: true });
  }

  /** Devolve um Pix, inteiro, a quem pagou. Devolver o mesmo de novo não muda nada. */
  giveBack(id: string, options?: CallOptions): Promise<HeldPix> {
    return this.#call('giveBackHeldPix', { id }, { ...options, repeatable: true });
  }
}
