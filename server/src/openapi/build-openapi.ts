import {
  type Access,
  disputeEvent,
  type Endpoint,
  endpoints,
  errors,
  paymentEvent,
  refundFailedEvent,
  refusalCodes,
  type Schema,
  type Scope,
  scopeTexts,
  testEvent,
  withdrawalEvent,
} from '@jangada/contract';
import { z } from 'zod';
import { boundsOf } from './amounts.ts';
import { exampleOf } from './examples.ts';
import { namedSchemas } from './named-schemas.ts';

type Json = Record<string, unknown>;
type DocumentInfo = { readonly version: string; readonly publicUrl: string };

/** Builds the OpenAPI 3.1 document of the contract: every endpoint, schema, error and webhook. */
export function buildOpenApi(
  { version, publicUrl }: DocumentInfo,
  documentedEndpoints: readonly Endpoint[] = endpoints,
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Jangada',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Receba Pix pela API. Valores em reais são números JSON com até duas casas decimais; datas são ISO 8601 em UTC.',
    },
    servers: [{ url: serverAt(publicUrl) }],
    tags: [...new Set(documentedEndpoints.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagTexts[name],
    })),
    paths: pathsOf(documentedEndpoints),
    webhooks: buildWebhooks(),
    components: {
      schemas: buildComponents(),
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'O token que POST /login devolve.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A chave de API da conta.' },
      },
    },
  };
}

/** A loopback address is a different machine for each reader, so the server URL is then relative to the document. */
function serverAt(publicUrl: string): string {
  return /^https?:\/\/(?:localhost|127\.)/.test(publicUrl) ? '/api' : `${publicUrl}/api`;
}

function pathsOf(documentedEndpoints: readonly Endpoint[]): Json {
  const paths = Map.groupBy(documentedEndpoints, ({ path }) => path);
  return Object.fromEntries(
    [...paths].map(([path, endpoints]) => [
      path,
      Object.fromEntries(endpoints.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint)])),
    ]),
  );
}

function operationOf(endpoint: Endpoint): Json {
  const parameters = parametersOf(endpoint);
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.scope && { description: scopeNote(endpoint.scope) }),
    security: securityByAccess[endpoint.access],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBodyOf(endpoint, endpoint.body) }),
    ...(endpoint.upload && { requestBody: uploadBodyOf(endpoint.upload) }),
    responses: { ...successOf(endpoint), ...refusalsOf(endpoint) },
  };
}

/** A one-sentence description of each group of endpoints in the document. */
const tagTexts: Readonly<Record<string, string>> = {
  Sessão: 'Entrar, sair e criar uma conta.',
  Conta: 'A conta de quem entrou: perfil, extrato, marca e dados pessoais.',
  Segurança: 'Senha, e-mail, segundo fator, chaves de acesso e sessões.',
  Verificação: 'Os documentos que comprovam a identidade.',
  Notificações: 'Avisos ao lojista, no painel e nos dispositivos dele.',
  'Chaves de API': 'As chaves que os sistemas do lojista usam, e o que cada uma pode.',
  Aprovações: 'O que espera a aprovação de outras pessoas, e a política que a exige.',
  Membros: 'As pessoas que agem por uma conta, com o papel de cada uma, e os convites.',
  Pagamentos: 'Cobranças Pix, da criação ao fim.',
  'Links de pagamento': 'Páginas que vendem a muitos, cada um com a sua cobrança.',
  'QR Codes de balcão': 'Códigos impressos, pagos quantas vezes se quiser.',
  Clientes: 'A quem o lojista cobra, o que cada um deve, e os lembretes.',
  Assinaturas: 'Cobranças que se repetem, por Pix Automático.',
  Lotes: 'Muitas cobranças de uma vez, linha por linha.',
  'Pix retidos': 'Pix que não são como se esperava: as regras da conta e o que espera uma decisão.',
  Estornos: 'Dinheiro de um pagamento que volta a quem pagou.',
  Saldo: 'O saldo da conta.',
  Saques: 'Dinheiro que sai para uma chave Pix.',
  Disputas: 'Pagamentos contestados no banco de quem pagou, e a defesa do lojista.',
  Banco: 'As contas bancárias do lojista: conectar, verificar, ativar e encerrar.',
  Tarifas: 'As faturas mensais de tarifas de quem recebe em conta própria, e como pagá-las.',
  Eventos: 'O que aconteceu, em ordem, para quem prefere perguntar.',
  Webhooks: 'O que se envia aos sistemas do lojista, e o registro disso.',
  Administração: 'O que a operação do gateway vê e faz.',
  Gateway: 'O estado do próprio gateway.',
};

function scopeNote(scope: Scope): string {
  return `Com chave de API, pede o escopo \`${scope}\` (${scopeTexts[scope].label}).`;
}

const securityByAccess: Record<Access, readonly Json[]> = {
  public: [],
  session: [{ session: [] }],
  staff: [{ session: [] }],
  apiKey: [{ apiKey: [] }],
  merchant: [{ apiKey: [] }, { session: [] }],
};

/** The JSON Schema of path or query parameters, with one property for each parameter. */
const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

function parametersOf({ name, params, query, idempotent, stepUp }: Endpoint): Json[] {
  const example = exampleOf(name);
  return [
    ...(params ? toParameters(params, 'path', example?.params) : []),
    ...(query ? toParameters(query, 'query', example?.query) : []),
    ...(idempotent ? [idempotencyKeyHeader] : []),
    ...(stepUp ? [stepUpHeader] : []),
  ];
}

function toParameters(schema: Schema, location: 'path' | 'query', examples: Json = {}): Json[] {
  const { properties, required } = objectSchema.parse(toJsonSchema(schema));
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: field,
    ...(name in examples && { example: convertToType(field, examples[name]) }),
  }));
}

/** Converts the example of a path or query parameter, which is text, to the type of the parameter. */
function convertToType({ type }: Json, value: unknown): unknown {
  return type === 'integer' || type === 'number' ? Number(value) : value;
}

const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repetir a chamada com a mesma chave e o mesmo corpo devolve a mesma resposta por 24 horas.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const stepUpHeader = {
  name: 'x-step-up',
  in: 'header',
  required: false,
  description:
    'O token de POST /authed/step-up: nas contas com segundo fator, mostra que ele foi dado há pouco.',
  schema: { type: 'string' },
};

function requestBodyOf({ name, aliases = {} }: Endpoint, body: Schema): Json {
  const aliasNotes = Object.entries(aliases).map(([alias, field]) => `${alias} vale por ${field}`);
  return {
    required: !body.safeParse(undefined).success,
    ...(aliasNotes.length > 0 && { description: `Outros nomes aceitos: ${aliasNotes.join(', ')}.` }),
    content: jsonContent(toJsonSchema(body), exampleOf(name)?.body),
  };
}

/** The request body of an upload, in which each field contains one file. */
function uploadBodyOf({ fields, maxFileBytes }: NonNullable<Endpoint['upload']>): Json {
  const properties = Object.fromEntries(fields.map((field) => [field, binarySchema]));
  return {
    required: true,
    description: `Cada arquivo tem no máximo ${maxFileBytes / 1024 / 1024} MB.`,
    content: { 'multipart/form-data': { schema: { type: 'object', required: fields, properties } } },
  };
}

const binarySchema = { type: 'string', format: 'binary' };

function successOf({ name, status = 200, response, file, idempotent }: Endpoint): Json {
  const replayed = {
    'Idempotency-Replayed': {
      description: 'true quando a resposta é a de uma chamada anterior com a mesma chave.',
      schema: { type: 'string' },
    },
  };
  return {
    [status]: {
      description: status === 201 ? 'Criado.' : 'Feito.',
      ...(idempotent && { headers: replayed }),
      content:
        file === undefined
          ? jsonContent(toJsonSchema(response), exampleOf(name)?.answer)
          : fileContentOf(file, toJsonSchema(response), exampleOf(name)?.answer),
    },
  };
}

function fileContentOf(types: readonly string[], schema: Json, example?: unknown): Json {
  const contentOf = (type: string) =>
    type.startsWith('image/') ? { schema: binarySchema } : { schema, ...exampleField(example) };
  return Object.fromEntries(types.map((type) => [type, contentOf(type)]));
}

function refusalsOf(endpoint: Endpoint): Json {
  const byStatus = Object.groupBy(refusalCodes(endpoint), (code) => errors[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
        content: jsonContent({
          allOf: [{ $ref: '#/components/schemas/Error' }, errorWithCodes(codes)],
        }),
      },
    ]),
  );
}

/** Restricts the error envelope to the codes that an endpoint may return with one status. */
function errorWithCodes(codes: readonly string[]): Json {
  const code = { type: 'string', enum: codes };
  const error = { type: 'object', required: ['code'], properties: { code } };
  return { type: 'object', required: ['error'], properties: { error } };
}

/** The webhooks sent to merchants' systems, by event type. */
function buildWebhooks(): Json {
  const bodies = {
    payment: { subject: 'de uma cobrança', body: paymentEvent },
    refundFailed: { subject: 'de um estorno que o banco recusou', body: refundFailedEvent },
    withdrawal: { subject: 'de um saque', body: withdrawalEvent },
    dispute: { subject: 'de uma disputa', body: disputeEvent },
    test: { subject: 'de um teste que você pediu', body: testEvent },
  };
  return Object.fromEntries(
    Object.entries(bodies).map(([name, { subject, body }]) => [
      name,
      { post: webhookOf(name, subject, body) },
    ]),
  );
}

function webhookOf(name: string, subject: string, body: Schema): Json {
  return {
    operationId: `${name}Webhook`,
    tags: ['Webhooks'],
    summary: `O que a Jangada envia ao seu sistema, ${subject}.`,
    description:
      'Assinado como em Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Responda 2xx em até 10 segundos.',
    security: [],
    requestBody: { required: true, content: jsonContent(toJsonSchema(body)) },
    responses: { '2XX': { description: 'Recebido.' }, 410: { description: 'Não envie mais ao endereço.' } },
  };
}

function jsonContent(schema: Json, example?: unknown): Json {
  return { 'application/json': { schema, ...exampleField(example) } };
}

function exampleField(example: unknown): Json {
  return example === undefined ? {} : { example };
}

/** Options for the conversion to JSON Schema. `io: 'input'` describes values as sent, before a schema parses them. */
const schemaOptions = {
  io: 'input',
  unrepresentable: 'any',
  metadata: namedSchemas,
  override: adaptSchema,
} as const;

/** Converts a schema to JSON Schema; named schemas within it become references to the document's components. */
function toJsonSchema(schema: Schema): Json {
  const { $schema: _schemaUri, $defs: _definitions, ...rest } = z.toJSONSchema(schema, schemaOptions);
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function buildComponents(): Json {
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(namedSchemas, { ...schemaOptions, uri });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schemaUri, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** Adapts a schema for code generators; called for every schema and nested schema. */
function adaptSchema({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  // Zod bounds every integer to the safe ones, which tells the reader nothing about the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  Object.assign(jsonSchema, boundsOf(zodSchema));
  const { format, propertyNames, additionalProperties } = jsonSchema;
  // Zod repeats each format as a long pattern.
  if (format !== undefined) delete jsonSchema.pattern;
  // A record with a fixed set of keys becomes an object with these properties.
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined;
  if (names === undefined || additionalProperties === undefined) return;
  delete jsonSchema.propertyNames;
  jsonSchema.properties = Object.fromEntries(names.map((name) => [String(name), additionalProperties]));
  jsonSchema.additionalProperties = false;
}
