import { type CallOperation, everyPage } from './call.ts';
import type {
  Cycle,
  CyclesPage,
  CyclesQuery,
  NewSubscription,
  SetCycleAmount,
  Subscription,
  SubscriptionSummary,
  SubscriptionsPage,
  SubscriptionsQuery,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/**
 * As assinaturas da conta, por Pix Automático: o pagador autoriza uma vez, e o banco dele debita cada período. Os valores
 * são em reais.
 */
export class Subscriptions {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria uma assinatura. Mostre o `code`, ou a página `page_url`, ao pagador. */
  create(body: NewSubscription, options?: KeyedCallOptions): Promise<Subscription> {
    return this.#call('createSubscription', { body }, options);
  }

  /** Lê uma assinatura, com a autorização do pagador. */
  get(id: string, options?: CallOptions): Promise<Subscription> {
    return this.#call('getSubscription', { id }, options);
  }

  /** Lê uma página de assinaturas, da mais nova para a mais antiga. Para a página seguinte, passe `before: page.next`. */
  list(query: SubscriptionsQuery = {}, options?: CallOptions): Promise<SubscriptionsPage> {
    return this.#call('listSubscriptions', { query }, options);
  }

  /** Lê todas as assinaturas que a busca acha, página a página. */
  async *listAll(query: SubscriptionsQuery = {}, options?: CallOptions): AsyncGenerator<Subscription, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Termina uma assinatura e cancela a autorização no banco. */
  cancel(id: string, options?: CallOptions): Promise<Subscription> {
    return this.#call('cancelSubscription', { id }, options);
  }

  /** Lê os ciclos de uma assinatura, do mais novo para o mais antigo, com cada tentativa de débito. */
  cycles(id: string, query: CyclesQuery = {}, options?: CallOptions): Promise<CyclesPage> {
    return this.#call('listCycles', { id, query }, options);
  }

  /** Diz o valor de um ciclo de uma assinatura de valor variável. */
  setCycleAmount(id: string, number: number, body: SetCycleAmount, options?: CallOptions): Promise<Cycle> {
    return this.#call('setCycleAmount', { id, number, body }, options);
  }

  /** Cancela um ciclo, até as 22 h do dia antes do débito. */
  cancelCycle(id: string, number: number, options?: CallOptions): Promise<Cycle> {
    return this.#call('cancelCycle', { id, number }, options);
  }

  /** Cria uma cobrança com código para um ciclo. */
  chargeCycle(id: string, number: number, options?: CallOptions): Promise<Cycle> {
    return this.#call('chargeCycle', { id, number }, options);
  }

  /** Lê quantas assinaturas há, e o que elas devem trazer em 30 dias. */
  summary(options?: CallOptions): Promise<SubscriptionSummary> {
    return this.#call('getSubscriptionSummary', {}, options);
  }
}
