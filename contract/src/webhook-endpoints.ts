// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { eventId } from './event.ts';
import { moment } from './user.ts';
import { doctorAnswer, doctorQuestion } from './webhook-doctor.ts';
import {
  deliveryStates,
  newWebhookEndpoint,
  WEBHOOK_LIMITS,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookEndpoint,
} from './webhook-endpoint.ts';

const idParams = z.object({ id: z.uuid() });
const deliveryParams = z.object({ id: eventId });
const secret = z.string();
/** The id of one endpoint, or `callback` for the callback addresses of charges and withdrawals. */
const receiver = z.union([z.uuid(), z.literal('callback')]);
const momentOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'Informe a data como 2026-11-22 ou 2026-11-22T14:00:00Z.',
});

export const listWebhookEndpoints = endpoint({
  name: 'listWebhookEndpoints',
  method: 'GET',
  path: '/webhooks/endpoints',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Os endereços que recebem eventos da conta, e como vai cada um.',
  response: z.object({ endpoints: z.array(webhookEndpoint), limit: z.int() }),
  refusals: [],
  isExtension: true,
});

export const createWebhookEndpoint = endpoint({
  name: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Cadastra um endereço. O segredo dele vem nesta resposta, uma vez.',
  body: newWebhookEndpoint,
  status: 201,
  response: z.extend(webhookEndpoint, { secret }),
  refusals: ['INVALID_CALLBACK_URL', 'WEBHOOK_ENDPOINT_LIMIT', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
  example: { url: 'https://loja.example/webhooks/jangada', events: ['payment.paid'] },
});

export const getWebhookEndpoint = endpoint({
  name: 'getWebhookEndpoint',
  method: 'GET',
  path: '/webhooks/endpoints/{id}',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Um endereço.',
  params: idParams,
  response: webhookEndpoint,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  isExtension: true,
});

export const updateWebhookEndpoint = endpoint({
  name: 'updateWebhookEndpoint',
  method: 'PUT',
  path: '/webhooks/endpoints/{id}',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Muda o endereço, a descrição e os tipos de evento. O que já espera vai ao endereço novo.',
  params: idParams,
  body: newWebhookEndpoint,
  response: webhookEndpoint,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_CALLBACK_URL', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const deleteWebhookEndpoint = endpoint({
  name: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/webhooks/endpoints/{id}',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Remove um endereço. O que esperava por ele não é enviado; o registro das entregas fica.',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  isExtension: true,
});

export const enableWebhookEndpoint = endpoint({
  name: 'enableWebhookEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints/{id}/enable',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Liga um endereço. Os eventos dos últimos 3 dias que esperavam por ele são enviados.',
  params: idParams,
  response: webhookEndpoint,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  isExtension: true,
});

export const disableWebhookEndpoint = endpoint({
  name: 'disableWebhookEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints/{id}/disable',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Desliga um endereço: nada é enviado até ser ligado de novo.',
  params: idParams,
  response: webhookEndpoint,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  isExtension: true,
});

export const testWebhookEndpoint = endpoint({
  name: 'testWebhookEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints/{id}/test',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Envia um webhook.test a um endereço, assinado como os outros. O resultado está na entrega.',
  params: idParams,
  status: 201,
  response: webhookDelivery,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_OFF'],
  isExtension: true,
});

export const webhookEndpointSecret = endpoint({
  name: 'webhookEndpointSecret',
  method: 'GET',
  path: '/webhooks/endpoints/{id}/secret',
  access: 'session',
  permission: 'manage-webhooks',
  tag: 'Webhooks',
  summary: 'O segredo que assina as entregas de um endereço. Vem nulo se a senha não foi dada há pouco.',
  params: idParams,
  response: z.object({ secret: z.nullable(secret) }),
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  stepUp: true,
  isExtension: true,
});

export const rotateWebhookEndpointSecret = endpoint({
  name: 'rotateWebhookEndpointSecret',
  method: 'POST',
  path: '/webhooks/endpoints/{id}/secret/rotate',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Troca o segredo de um endereço. O antigo assina junto por 24 horas. No painel pede a senha.',
  params: idParams,
  response: z.object({ secret }),
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'PASSWORD_REQUIRED', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/deliveries',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'As entregas dos últimos 90 dias, da mais nova para a mais antiga.',
  query: z.object({
    endpoint: z.optional(receiver),
    type: z.optional(z.string().check(z.maxLength(40))),
    state: z.optional(z.enum(deliveryStates)),
    /** The id of a charge, withdrawal or dispute. */
    subject: z.optional(z.uuid()),
    /** Cursor: `next` of the previous page. */
    before: z.optional(eventId),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
  }),
  response: z.object({
    deliveries: z.array(webhookDelivery),
    has_more: z.boolean(),
    /** The `before` that requests the next page, of older deliveries; null on the last page. */
    next: z.nullable(z.string()),
  }),
  refusals: [],
  isExtension: true,
});

export const getWebhookDelivery = endpoint({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: '/webhooks/deliveries/{id}',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Uma entrega com cada tentativa: o que foi enviado, quando, e o que o seu sistema respondeu.',
  params: deliveryParams,
  response: webhookDeliveryDetail,
  refusals: ['WEBHOOK_DELIVERY_NOT_FOUND'],
  isExtension: true,
});

export const resendWebhookDelivery = endpoint({
  name: 'resendWebhookDelivery',
  method: 'POST',
  path: '/webhooks/deliveries/{id}/resend',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Envia de novo, entregue ou não: uma entrega nova do mesmo evento, com o mesmo webhook-id.',
  params: deliveryParams,
  status: 201,
  response: webhookDelivery,
  refusals: [
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'WEBHOOK_EVENT_FORGOTTEN',
    'WEBHOOK_ENDPOINT_OFF',
    'STEP_UP_REQUIRED',
  ],
  stepUp: true,
  isExtension: true,
});

export const resendWebhookDeliveries = endpoint({
  name: 'resendWebhookDeliveries',
  method: 'POST',
  path: '/webhooks/deliveries/resend',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Envia muitas de novo: até 100 pelos ids, ou até 1000 de um endereço em um período.',
  body: z.union(
    [
      z.strictObject({
        ids: z
          .array(eventId)
          .check(z.minLength(1), z.maxLength(WEBHOOK_LIMITS.resendIds, 'Até 100 entregas por vez.')),
      }),
      z.strictObject({
        endpoint: receiver,
        from: momentOrDay,
        to: momentOrDay,
        state: z._default(z.enum(['failed', 'delivered']), 'failed'),
      }),
    ],
    {
      // `errors` has one list for each variant of the union. Only the message about too many ids says more than the
      // general one.
      error: ({ errors: [idErrors] }) =>
        idErrors?.[0]?.code === 'too_big' ? idErrors[0].message : 'Informe ids, ou endpoint, from e to.',
    },
  ),
  response: z.object({
    /** The number of deliveries that will be sent again. */
    resent: z.int(),
    /** The number of deliveries that cannot be sent again: not found, endpoint off or removed, or event deleted. */
    skipped: z.int(),
    /** Whether the period contains more deliveries. To resend those, call again with `last_at` as `from`. */
    has_more: z.boolean(),
    /** When the latest delivery that this call examined was created; null if it examined none, or if it named ids. */
    last_at: z.nullable(moment),
  }),
  refusals: ['PERIOD_INVALID', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const webhookDoctor = endpoint({
  name: 'webhookDoctor',
  method: 'POST',
  path: '/webhooks/doctor',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'webhooks',
  tag: 'Webhooks',
  summary: 'Diz por que a assinatura de um webhook não confere, pelos cabeçalhos e pelo corpo que chegaram.',
  body: doctorQuestion,
  response: doctorAnswer,
  refusals: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  isExtension: true,
});

export const webhookEndpoints = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  disableWebhookEndpoint,
  testWebhookEndpoint,
  webhookEndpointSecret,
  rotateWebhookEndpointSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
  resendWebhookDeliveries,
  webhookDoctor,
] as const;
