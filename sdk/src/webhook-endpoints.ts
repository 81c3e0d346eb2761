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

/** Endereços que recebem os eventos da conta. */
export class WebhookEndpoints {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Os endereços cadastrados. */
  list(options?: CallOptions): Promise<WebhookEndpointsList> {
    return this.#call('listWebhookEndpoints', {}, options);
  }

  /** Cadastra um endereço. O segredo vem nesta resposta, uma vez. */
  create(body: NewWebhookEndpoint, options?: CallOptions): Promise<CreatedWebhookEndpoint> {
    return this.#call('createWebhookEndpoint', { body }, options);
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('getWebhookEndpoint', { id }, options);
  }

  /** Muda o endereço, a descrição e os tipos: o que não é dado volta ao padrão. */
  update(id: string, body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('updateWebhookEndpoint', { id, body }, { ...options, repeatable: true });
  }

  /** Remove um endereço. O que esperava por ele não é enviado. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#call('deleteWebhookEndpoint', { id }, options);
  }

  /** Liga um endereço. O que esperava por ele nos últimos 3 dias é enviado. */
  enable(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('enableWebhookEndpoint', { id }, { ...options, repeatable: true });
  }

  /** Desliga um endereço: nada é enviado até ser ligado de novo. */
  disable(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('disableWebhookEndpoint', { id }, { ...options, repeatable: true });
  }

  /** Envia um `webhook.test`. O resultado está na entrega. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#call('testWebhookEndpoint', { id }, options);
  }

  /** Troca o segredo. O antigo assina junto por 24 horas: confira com os dois. */
  rotateSecret(id: string, options?: CallOptions): Promise<WebhookEndpointSecret> {
    return this.#call('rotateWebhookEndpointSecret', { id }, options);
  }

  /** Diz por que uma assinatura não confere, pelos cabeçalhos e pelo corpo que chegaram. */
  doctor(question: WebhookDoctorQuestion, options?: CallOptions): Promise<WebhookDoctorAnswer> {
    return this.#call('webhookDoctor', { body: question }, { ...options, repeatable: true });
  }
}
