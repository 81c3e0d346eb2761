import type { CallOperation } from './call.ts';
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookDoctorAnswer,
  WebhookDoctorQuestion,
  WebhookEndpoint,
  WebhookEndpointSecret,
  WebhookEndpoints as WebhookEndpointsList,
} from './contract.ts';
import type { CallOptions } from './options.ts';

/** Os endereços que recebem os webhooks da conta. */
export class WebhookEndpoints {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Lê os endereços cadastrados. */
  list(options?: CallOptions): Promise<WebhookEndpointsList> {
    return this.#call('listWebhookEndpoints', {}, options);
  }

  /** Cadastra um endereço. O segredo que assina os webhooks vem só nesta resposta. */
  create(body: NewWebhookEndpoint, options?: CallOptions): Promise<CreatedWebhookEndpoint> {
    return this.#call('createWebhookEndpoint', { body }, options);
  }

  /** Lê um endereço. */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('getWebhookEndpoint', { id }, options);
  }

  /** Muda o endereço, a descrição e os tipos de evento: um campo que você não passa volta ao padrão. */
  update(id: string, body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('updateWebhookEndpoint', { id, body }, { ...options, repeatable: true });
  }

  /** Remove um endereço. As entregas que ainda esperavam não são enviadas. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#call('deleteWebhookEndpoint', { id }, options);
  }

  /** Liga um endereço, e envia as entregas que esperavam por ele há no máximo 3 dias. */
  enable(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('enableWebhookEndpoint', { id }, { ...options, repeatable: true });
  }

  /** Desliga um endereço: ele não recebe mais nada até que você o ligue de novo. */
  disable(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('disableWebhookEndpoint', { id }, { ...options, repeatable: true });
  }

  /** Envia um `webhook.test` a um endereço. Leia o resultado na entrega. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#call('testWebhookEndpoint', { id }, options);
  }

  /** Troca o segredo de um endereço. Por 24 horas os webhooks são assinados com os dois segredos: aceite ambos. */
  rotateSecret(id: string, options?: CallOptions): Promise<WebhookEndpointSecret> {
    return this.#call('rotateWebhookEndpointSecret', { id }, options);
  }

  /** Diz por que a assinatura de um webhook não confere, a partir dos cabeçalhos e do corpo que chegaram. */
  doctor(question: WebhookDoctorQuestion, options?: CallOptions): Promise<WebhookDoctorAnswer> {
    return this.#call('webhookDoctor', { body: question }, { ...options, repeatable: true });
  }
}
