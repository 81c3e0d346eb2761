// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { approvalRefusals } from './approval-errors.ts';
import { endpoint } from './endpoint.ts';
import { KEY_LIFE_MAX_DAYS, KEY_ROTATION_HOURS, MAX_KEY_ADDRESSES, PASSWORD_MAX_LENGTH } from './limits.ts';
import { maker } from './maker.ts';
import { scopes } from './scopes.ts';
import { moment } from './user.ts';

/** The caller's password; needed only if the session did not confirm it in the last five minutes. */
const password = z.optional(
  z
    .string({ error: 'Informe a senha.' })
    .check(z.minLength(1, 'Informe a senha.'), z.maxLength(PASSWORD_MAX_LENGTH, 'A senha é longa demais')),
);

/** An API key of one of the merchant's systems, without the key itself, which is shown only once. */
export const scopedKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first and last characters of the key. */
  masked: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** IP addresses and networks (CIDR) from which the key may be used; an empty list allows any address. */
  allowed_addresses: z.array(z.string()),
  /** A `replaced` key was rotated. Until it expires, it is valid together with its successor. */
  status: z.enum(['active', 'replaced', 'expired']),
  created_at: moment,
  /** Null if the key never expires. */
  expires_at: z.nullable(moment),
  /** Accurate only to a minute, so that not every call updates the key. */
  last_used_at: z.nullable(moment),
  last_used_address: z.nullable(z.string()),
  /** Who made it; null for a key from before accounts had members. */
  made_by: z.optional(z.nullable(maker)),
});
export type ScopedKey = z.infer<typeof scopedKey>;

const name = z
  .string({ error: 'Dê um nome à chave.' })
  .check(z.trim(), z.minLength(1, 'Dê um nome à chave.'), z.maxLength(60, 'O nome tem no máximo 60 letras.'));

const chosenScopes = z
  .array(z.enum(scopes, { error: `Os escopos são ${scopes.join(', ')}.` }), {
    error: 'Escolha ao menos um escopo.',
  })
  .check(z.minLength(1, 'Escolha ao menos um escopo.'), z.maxLength(20, 'Há escopos repetidos.'));

const addresses = z
  .array(z.string().check(z.trim(), z.maxLength(64, 'Um endereço é longo demais.')), {
    error: 'allowed_addresses deve ser uma lista de endereços.',
  })
  .check(z.maxLength(MAX_KEY_ADDRESSES, `São no máximo ${MAX_KEY_ADDRESSES} endereços por chave.`));

const expiry = z.nullable(
  z.iso.datetime({ offset: true, error: 'expires_at deve ser uma data ISO 8601, com fuso.' }),
);

export const listScopedKeys = endpoint({
  name: 'listScopedKeys',
  method: 'GET',
  path: '/authed/keys',
  access: 'session',
  permission: 'manage-keys',
  tag: 'Chaves de API',
  summary: 'As chaves por sistema: as que valem, e as que venceram há menos de 30 dias.',
  response: z.object({ keys: z.array(scopedKey) }),
  refusals: [],
  isExtension: true,
});

export const createScopedKey = endpoint({
  name: 'createScopedKey',
  method: 'POST',
  path: '/authed/keys',
  access: 'session',
  permission: 'manage-keys',
  tag: 'Chaves de API',
  summary:
    'Cria uma chave por sistema e a mostra, esta única vez. Pede a senha se ela não foi dada há pouco.',
  body: z
    .object({
      name,
      scopes: chosenScopes,
      allowed_addresses: z._default(addresses, []),
      /** A request may contain `expires_at` or `expires_in_days`, but not both. With neither, the key never expires. */
      expires_at: z.optional(expiry),
      expires_in_days: z.optional(z.int().check(z.minimum(1), z.maximum(KEY_LIFE_MAX_DAYS))),
      password,
    })
    .check(
      z.refine((key) => key.expires_at == null || key.expires_in_days === undefined, {
        error: 'Envie expires_at ou expires_in_days, não os dois.',
        path: ['expires_at'],
      }),
    ),
  status: 201,
  response: z.object({ apiKey: z.string(), key: scopedKey }),
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'WITHDRAWALS_HELD',
    'KEY_LIMIT',
    'KEY_ADDRESS_INVALID',
    'KEY_EXPIRY_INVALID',
    'PASSWORD_REQUIRED',
    'PASSWORD_WRONG',
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
  example: { name: 'Loja online', scopes: ['read', 'charges'], expires_in_days: 90 },
});

const idParams = z.object({ id: z.uuid() });

export const updateScopedKey = endpoint({
  name: 'updateScopedKey',
  method: 'PUT',
  path: '/authed/keys/{id}',
  access: 'session',
  permission: 'manage-keys',
  tag: 'Chaves de API',
  summary:
    'Altera nome, escopos, endereços e vencimento de uma chave. Vale na hora, e a chave continua a mesma.',
  params: idParams,
  body: z.object({ name, scopes: chosenScopes, allowed_addresses: addresses, expires_at: expiry, password }),
  response: z.object({ key: scopedKey }),
  refusals: [
    'WITHDRAWALS_HELD',
    'KEY_NOT_FOUND',
    'KEY_REPLACED',
    'KEY_LIMIT',
    'KEY_ADDRESS_INVALID',
    'KEY_EXPIRY_INVALID',
    'PASSWORD_REQUIRED',
    'PASSWORD_WRONG',
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const rotateScopedKey = endpoint({
  name: 'rotateScopedKey',
  method: 'POST',
  path: '/authed/keys/{id}/rotate',
  access: 'session',
  permission: 'manage-keys',
  tag: 'Chaves de API',
  summary: 'Cria outra chave igual e a mostra, esta única vez. A antiga vale ainda por overlap_hours.',
  params: idParams,
  body: z._default(
    z.object({
      overlap_hours: z._default(
        z.int().check(z.minimum(0), z.maximum(KEY_ROTATION_HOURS.max)),
        KEY_ROTATION_HOURS.default,
      ),
      password,
    }),
    { overlap_hours: KEY_ROTATION_HOURS.default },
  ),
  status: 201,
  response: z.object({ apiKey: z.string(), key: scopedKey }),
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'KEY_NOT_FOUND',
    'KEY_REPLACED',
    'KEY_LIMIT',
    'PASSWORD_REQUIRED',
    'PASSWORD_WRONG',
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const revokeScopedKey = endpoint({
  name: 'revokeScopedKey',
  method: 'DELETE',
  path: '/authed/keys/{id}',
  access: 'session',
  permission: 'manage-keys',
  tag: 'Chaves de API',
  summary: 'Revoga uma chave por sistema na hora.',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
  refusals: ['KEY_NOT_FOUND'],
  isExtension: true,
});

export const apiKeyEndpoints = [
  listScopedKeys,
  createScopedKey,
  updateScopedKey,
  rotateScopedKey,
  revokeScopedKey,
] as const;
