import { type CallOperation, everyPage } from './call.ts';
import type {
  ResendWebhookDeliveries,
  ResentWebhookDeliveries,
  WebhookDeliveriesPage,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from './contract.ts';
import type { CallOptions } from './options.ts';

/** As entregas de webhooks: uma por evento e por endereço que o recebe. Cada entrega fica guardada por 90 dias. */
export class WebhookDeliveries {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Lê uma entrega com as suas tentativas: o que a Jangada enviou, e o que o seu sistema respondeu. */
  get(id: string, options?: CallOptions): Promise<WebhookDeliveryDetail> {
    return this.#call('getWebhookDelivery', { id }, options);
  }

  /**
   * Lê uma página de entregas, da mais nova para a mais antiga. Para ler a página seguinte, passe `before: page.next`.
   */
  list(query: WebhookDeliveriesQuery = {}, options?: CallOptions): Promise<WebhookDeliveriesPage> {
    return this.#call('listWebhookDeliveries', { query }, options);
  }

  /** Lê todas as entregas que a busca acha, página a página. */
  async *listAll(
    query: WebhookDeliveriesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void> {
    for await (const page of everyPage((before) => this.list({ ...query, before }, options), query.before))
      yield* page.deliveries;
  }

  /** Envia de novo o evento de uma entrega, com o mesmo `webhook-id`, em uma entrega nova. */
  resend(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#call('resendWebhookDelivery', { id }, options);
  }

  /** Envia de novo muitas entregas: até 100 pelos ids, ou até 1000 de um endereço em um período. */
  resendMany(body: ResendWebhookDeliveries, options?: CallOptions): Promise<ResentWebhookDeliveries> {
    return this.#call('resendWebhookDeliveries', { body }, options);
  }
}
