import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Endpoint, Schema } from '@jangada/contract';
import * as contract from '@jangada/contract';
import { documentedEndpoints, documentedErrors } from '@jangada/contract/docs';
import { z } from 'zod';
import { listFields } from '../../contract/src/docs/list-fields.ts';

/** The part of JSON Schema from which types are printed. */
type Shape = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: Shape | boolean;
};

/** A type of the client. */
type NamedType = {
  readonly name: string;
  readonly schema: Schema;
  /** Whether the client sends values of this type: their arrays are then readonly, and optional fields accept undefined. */
  readonly input: boolean;
  /** The documentation of the type. */
  readonly about?: string;
  /** The documentation of the type's fields, by path. */
  readonly texts?: ReadonlyMap<string, string>;
};

const endpointOf = (name: string): Endpoint => {
  const found = documentedEndpoints.find((endpoint) => endpoint.name === name);
  if (found === undefined) throw new Error(`No key may call ${name}.`);
  return found;
};

/** Names of the types of requests, by call. */
const requestTypes: Readonly<Record<string, string>> = {
  createPayment: 'NewPayment',
  listPayments: 'PaymentsQuery',
  refundPayment: 'NewRefund',
  apiWithdraw: 'NewWithdrawal',
  apiListWithdrawals: 'WithdrawalsQuery',
  listEvents: 'EventsQuery',
  createWebhookEndpoint: 'NewWebhookEndpoint',
  listWebhookDeliveries: 'WebhookDeliveriesQuery',
  resendWebhookDeliveries: 'ResendWebhookDeliveries',
  webhookDoctor: 'WebhookDoctorQuestion',
  listPaymentLinks: 'OffersQuery',
  createPaymentLink: 'NewPaymentLink',
  updatePaymentLink: 'ChangedPaymentLink',
  createCounterCode: 'NewCounterCode',
  updateCounterCode: 'ChangedCounterCode',
  listCustomers: 'CustomersQuery',
  createCustomer: 'NewCustomer',
  updateCustomer: 'ChangedCustomer',
  createSubscription: 'NewSubscription',
  listSubscriptions: 'SubscriptionsQuery',
  listCycles: 'CyclesQuery',
  setCycleAmount: 'SetCycleAmount',
  listHeldPix: 'HeldPixQuery',
  createChargeBatch: 'NewChargeBatch',
  listChargeBatches: 'ChargeBatchesQuery',
  listChargeBatchLines: 'ChargeBatchLinesQuery',
};

/** Names of the types of responses, by call. */
const responseTypes: Readonly<Record<string, string>> = {
  createPayment: 'CreatedPayment',
  getPaymentStatus: 'Payment',
  listPayments: 'PaymentsPage',
  paymentTimeline: 'PaymentTimeline',
  listRefunds: 'PaymentRefunds',
  apiWithdraw: 'CreatedWithdrawal',
  apiListWithdrawals: 'WithdrawalsPage',
  apiGetWithdrawal: 'Withdrawal',
  getBalance: 'Balance',
  listEvents: 'EventsPage',
  listWebhookEndpoints: 'WebhookEndpoints',
  createWebhookEndpoint: 'CreatedWebhookEndpoint',
  getWebhookEndpoint: 'WebhookEndpoint',
  rotateWebhookEndpointSecret: 'WebhookEndpointSecret',
  listWebhookDeliveries: 'WebhookDeliveriesPage',
  getWebhookDelivery: 'WebhookDeliveryDetail',
  resendWebhookDeliveries: 'ResentWebhookDeliveries',
  webhookDoctor: 'WebhookDoctorAnswer',
  listPaymentLinks: 'PaymentLinksPage',
  createChargeBatch: 'ChargeBatch',
  listChargeBatches: 'ChargeBatchesPage',
  listChargeBatchLines: 'ChargeBatchLinesPage',
  getPayerRules: 'PayerRules',
  listHeldPix: 'HeldPixPage',
  acceptHeldPix: 'HeldPix',
  getPaymentLink: 'PaymentLink',
  listCounterCodes: 'CounterCodesPage',
  getCounterCode: 'CounterCode',
  listCustomers: 'CustomersPage',
  createCustomer: 'Customer',
  getCustomer: 'CustomerDetail',
  createSubscription: 'Subscription',
  listSubscriptions: 'SubscriptionsPage',
  listCycles: 'CyclesPage',
  setCycleAmount: 'Cycle',
  getSubscriptionSummary: 'SubscriptionSummary',
};

/** Named types inside responses, with the call and path under which their fields are documented. */
const nestedTypes: readonly (readonly [name: string, schema: Schema, call: string, prefix: string])[] = [
  ['ListedPayment', contract.transaction, 'listPayments', 'data[].'],
  ['Payer', contract.payer, 'getPaymentStatus', 'payer.'],
  ['Refund', contract.refund, 'listRefunds', 'refunds[].'],
  ['TimelineEntry', contract.timelineEntry, 'paymentTimeline', 'data[].'],
  ['WebhookDelivery', contract.webhookDelivery, 'listWebhookDeliveries', 'deliveries[].'],
  ['WebhookAttempt', contract.webhookAttempt, 'getWebhookDelivery', 'log[].'],
  ['WebhookDoctorFinding', contract.doctorFinding, 'webhookDoctor', 'findings[].'],
];

/** Names of enums, recognised by their values. */
const enums: Readonly<Record<string, readonly string[]>> = {
  ChargeStatus: contract.chargeStatuses,
  RefundStatus: contract.refundStatuses,
  WithdrawalStatus: contract.publicWithdrawalStatuses,
  DisputeStatus: contract.disputeStatuses,
  PixKeyType: contract.pixKeyTypes,
  EventType: contract.eventTypes,
  PaymentLinkState: contract.paymentLinkStates,
  SubscriptionPeriod: contract.subscriptionPeriods,
  SubscriptionStatus: contract.subscriptionStatuses,
  MandateStatus: contract.mandateStatuses,
  CycleStatus: contract.cycleStatuses,
  CycleReason: contract.cycleReasons,
  SubscriptionEnd: contract.subscriptionEnds,
  SubscriptionAuthorization: contract.authorizations,
  WebhookDeliveryState: contract.deliveryStates,
  WebhookDoctorVerdict: contract.doctorVerdicts,
};

const reais = 'Valores em reais.';
const events: readonly (readonly [name: string, schema: Schema, about: string])[] = [
  ['PaymentEvent', contract.paymentEvent, `O que aconteceu com uma cobrança. ${reais}`],
  ['RefundFailedEvent', contract.refundFailedEvent, `Um estorno que o banco recusou. ${reais}`],
  ['WithdrawalEvent', contract.withdrawalEvent, 'O que aconteceu com um saque. **Valores em centavos.**'],
  ['DisputeEvent', contract.disputeEvent, `O que aconteceu com uma disputa. ${reais}`],
  ['ConnectionEvent', contract.connectionEvent, 'O que aconteceu com uma conta bancária.'],
  [
    'SubscriptionEvent',
    contract.subscriptionEvent,
    `O que aconteceu com uma assinatura, a autorização ou um ciclo dela. ${reais}`,
  ],
  ['TestEvent', contract.testEvent, 'Um teste que você pediu.'],
];

/** Documentation of the fields that occur only in events. */
const eventTexts: ReadonlyMap<string, string> = new Map([
  ['amount', 'O valor de que o evento fala.'],
  ['fee', 'A tarifa.'],
  ['refund', 'O estorno de que o evento fala.'],
  ['returned_amount', 'Soma do que já voltou.'],
  ['blocked_amount', 'O que fica bloqueado do saldo enquanto a disputa está aberta.'],
  ['deadline', 'Até quando uma defesa pode ser enviada.'],
  ['bank', 'O banco da conta.'],
  ['bank_name', 'O nome do banco.'],
  ['pix_key', 'A chave Pix da conta.'],
  ['since', 'Desde quando nada funciona, ou nada funcionou.'],
  ['reason', 'O que falhou.'],
]);

function namedTypes(): NamedType[] {
  const requests = Object.entries(requestTypes).map(([call, name]) => {
    const { body, query } = endpointOf(call);
    const schema = body ?? query;
    if (schema === undefined) throw new Error(`Nothing is sent to ${call}.`);
    return { name, schema, input: true, texts: textsOf(schema, call, body === undefined ? 'query' : 'body') };
  });
  const responses = Object.entries(responseTypes).map(([call, name]) => {
    const schema = endpointOf(call).response;
    return { name, schema, input: false, texts: textsOf(schema, call, 'response') };
  });
  const parts = nestedTypes.map(([name, schema, call, prefix]) => {
    const responseTexts = [...textsOf(endpointOf(call).response, call, 'response')];
    const ownTexts = responseTexts.flatMap(([path, text]): [string, string][] =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    );
    return { name, schema, input: false, texts: new Map(ownTexts) };
  });
  return [
    ...requests,
    ...parts,
    ...responses,
    ...events.map(([name, schema, about]) => ({ name, schema, input: false, about, texts: eventTexts })),
  ];
}

/**
 * Returns the documentation of a schema's fields, by path. Links to parts of the documentation page are rewritten to say where
 * they lead, since a comment is not on that page.
 */
function textsOf(schema: Schema, endpoint: string, part: 'query' | 'body' | 'response'): Map<string, string> {
  const unlinked = (text: string) => text.replace(/\[([^\]]+)\]\((#[^)]+)\)/g, '$1 (/docs$2)');
  return new Map(listFields(schema, { endpoint, part }).map(({ name, text }) => [name, unlinked(text)]));
}

/**
 * Prints the contract as source of the client: a type for each request and response of an API key, and a line for each call.
 * Types replace the schemas, so that the client needs no schema library.
 */
export function printContract(): string {
  const types = namedTypes();
  const names = new Map<Schema, string>(types.map(({ schema, name }) => [schema, name]));
  names.set(contract.feedEvent, 'FeedEvent');
  return formatted(`// Printed from the contract by test/print-contract.ts, with vitest -u: not to be changed by hand.

/** Os códigos com que a API recusa. Um código não muda de significado; outros podem aparecer. */
export type ErrorCode = ${literals(documentedErrors())};

${printEnums()}

${types.map((type) => printType(type, names)).join('\n\n')}

${printJangadaEvents()}

/** Cada chamada que uma chave de API pode fazer: o que recebe e o que responde. */
export type Operations = {
${documentedEndpoints.map((endpoint) => printOperation(endpoint, names)).join('\n')}
};

/** Where each is called, and whether it takes an Idempotency-Key. */
export const operations = {
${documentedEndpoints.map(printRoute).join('\n')}
} as const;
`);
}

function printEnums(): string {
  return Object.entries(enums)
    .map(([name, values]) => `export type ${name} = ${literals(values)};`)
    .join('\n\n');
}

/** The type of an event returned by the client, from the feed or a webhook. */
function printJangadaEvents(): string {
  return `type Happened<Body extends { readonly type: string }> = {
  /** O id do evento, igual em todas as entregas: o cabeçalho \`webhook-id\`. Guarde os que já tratou. */
  id: string;
  type: Body['type'];
  /** O corpo, como o webhook o traz. */
  data: Body;
};

/** Um evento, do feed ou de um webhook. \`type\` diz o que há em \`data\`; tipos novos podem aparecer: ignore-os. */
export type JangadaEvent = ${events.map(([name]) => `Happened<${name}>`).join(' | ')};

/** Um evento do feed. */
export type FeedEvent = Exclude<JangadaEvent, Happened<TestEvent>> & {
  /** Quando aconteceu. */
  created_at: string;
};`;
}

type Names = ReadonlyMap<Schema, string>;

function printType({ name, schema, about, ...printing }: NamedType, names: Names): string {
  const comment = about === undefined ? '' : `/** ${about} */\n`;
  const otherNames = new Map([...names].filter(([named]) => named !== schema));
  return `${comment}export type ${name} = ${typeOf(shapeOf(schema, printing.input, otherNames), printing)};`;
}

function printOperation(endpoint: Endpoint, names: Names): string {
  const { name, summary, path, scope, body, query, response } = endpoint;
  const request = body ?? query;
  const requestType = request && names.get(request);
  if (request !== undefined && requestType === undefined)
    throw new Error(`The request of ${name} has no name in ‘requestTypes’.`);
  const answer = names.get(response) ?? typeOf(shapeOf(response, false, names), { input: false });
  const fields = [
    ...(path.includes('{id}') ? ['id: string'] : []),
    ...(path.includes('{number}') ? ['number: number'] : []),
    ...(requestType === undefined ? [] : [`${body === undefined ? 'query' : 'body'}: ${requestType}`]),
    `answer: ${answer}`,
  ];
  return `/** ${summary} Escopo \`${scope}\`. */\n${name}: { ${fields.join('; ')} };`;
}

function printRoute({ name, method, path, idempotent }: Endpoint): string {
  return `${name}: { method: '${method}', path: '${path}', keyed: ${idempotent ?? false} },`;
}

function shapeOf(schema: Schema, input: boolean, names: Names): Shape {
  const metadata = z.registry<{ id: string }, Schema>();
  for (const [named, id] of names) metadata.add(named, { id });
  return z.toJSONSchema(schema, {
    io: input ? 'input' : 'output',
    metadata,
    unrepresentable: 'any',
  }) as Shape;
}

function typeOf(shape: Shape, printing: Printing, path = ''): string {
  const { $ref, type, properties, items, anyOf, enum: values, const: constant, additionalProperties } = shape;
  if ($ref !== undefined) return $ref.replace('#/$defs/', '');
  if (constant !== undefined) return literal(constant);
  if (values !== undefined) return enumOf(values);
  if (anyOf !== undefined) return union(anyOf.map((variant) => typeOf(variant, printing, path)));
  if (Array.isArray(type)) return type.map((name) => typeOf({ type: name }, printing, path)).join(' | ');
  if (items !== undefined) {
    const list = `Array<${typeOf(items, printing, `${path}[]`)}>`;
    return printing.input ? `Readonly${list}` : list;
  }
  if (properties !== undefined) return objectOf(shape, printing, path);
  if (typeof additionalProperties === 'object') return recordOf(additionalProperties, printing, path);
  const simpleType = simpleTypes.get(String(type));
  if (simpleType === undefined)
    throw new Error(`${path} is of a type that is not printed: ${JSON.stringify(shape)}`);
  return simpleType;
}

type Printing = Pick<NamedType, 'input' | 'texts'>;

const simpleTypes = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** A value as a TypeScript literal. */
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const literals = (values: readonly unknown[]) => values.map(literal).join(' | ');

function enumOf(values: readonly unknown[]): string {
  const named = Object.entries(enums).find(([, texts]) => texts.join() === values.join());
  return named === undefined ? literals(values) : named[0];
}

/** Joins types to a union. Literals are left out of a union with `string`, which includes them. */
function union(types: readonly string[]): string {
  const distinct = new Set(types);
  return [...distinct].filter((type) => !(distinct.has('string') && type.startsWith("'"))).join(' | ');
}

function objectOf({ properties = {}, required = [] }: Shape, printing: Printing, path: string): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const text = printing.texts?.get(fieldPath);
    const comment = text === undefined ? '' : `/** ${text} */\n`;
    const type = typeOf(field, printing, fieldPath);
    if (required.includes(name)) return `${comment}${name}: ${type};`;
    return `${comment}${name}?: ${type}${printing.input ? ' | undefined' : ''};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

function recordOf(values: Shape, printing: Printing, path: string): string {
  const record = `Record<string, ${typeOf(values, printing, path)}>`;
  return printing.input ? `Readonly<${record}>` : record;
}

/** Formats the text with Biome, since the printed file is checked like every other file. */
function formatted(text: string): string {
  const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  return execFileSync(biome, ['format', '--stdin-file-path=sdk/src/contract.ts'], {
    cwd: folder,
    input: text,
    encoding: 'utf8',
  });
}
