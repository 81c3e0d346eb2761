// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { approvalRefusals } from './approval-errors.ts';
import {
  adminConnection,
  adminConnectionsPage,
  connectableBank,
  connection,
  connectionsQuery,
  debitAccount,
  merchantAccounts,
  merchantKind,
  newConnection,
  ownerProof,
  replacingCredentials,
} from './connection.ts';
import { endpoint } from './endpoint.ts';

const idParams = z.object({ id: z.string() });
const reason = z
  .string({ error: 'Informe o motivo.' })
  .check(z.trim(), z.minLength(5, 'Informe o motivo, com pelo menos 5 letras.'), z.maxLength(500));
const bodyWithCertificateBytes = 160 * 1024;

/** The refusals of calls that demand proof of the owner. */
const ownerRefusals = ['PASSWORD_WRONG', 'PIN_WRONG', 'PIN_LOCKED', 'STEP_UP_REQUIRED'] as const;

export const listConnections = endpoint({
  name: 'listConnections',
  method: 'GET',
  isBatchable: true,
  path: '/authed/connections',
  access: 'session',
  permission: 'read-money',
  tag: 'Banco',
  summary: 'As contas bancárias, na ordem em que recebem, e os bancos que podem ser conectados.',
  response: z.object({
    connections: z.array(connection),
    banks: z.array(connectableBank),
    /** Which merchants the operator admits, and of which kind this one is. */
    merchant_accounts: merchantAccounts,
    merchant_kind: merchantKind,
    has_pin: z.boolean(),
  }),
  refusals: [],
  isExtension: true,
});

export const getConnection = endpoint({
  name: 'getConnection',
  method: 'GET',
  path: '/authed/connections/{id}',
  access: 'session',
  permission: 'read-money',
  tag: 'Banco',
  summary: 'Uma conta em um banco, com a última verificação, passo a passo.',
  params: idParams,
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND'],
  isExtension: true,
});

export const createConnection = endpoint({
  name: 'createConnection',
  method: 'POST',
  path: '/authed/connections',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary:
    'Guarda uma conta em um banco e começa a verificá-la. Nada pode ser recebido nela até ser ativada.',
  body: newConnection,
  maxBodyBytes: bodyWithCertificateBytes,
  status: 201,
  response: connection,
  refusals: [
    'OWN_ACCOUNTS_OFF',
    'ACCOUNT_NOT_APPROVED',
    'ACCOUNT_FROZEN',
    'BANK_UNKNOWN',
    'PIX_KEY_INVALID',
    'PIX_KEY_TAKEN',
    'CERTIFICATE_REQUIRED',
    'CERTIFICATE_INVALID',
    'CONNECTION_LIMIT',
  ],
  isExtension: true,
});

export const checkConnection = endpoint({
  name: 'checkConnection',
  method: 'POST',
  path: '/authed/connections/{id}/check',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary: 'Verifica a conta bancária, passo a passo. O andamento vem na consulta da conta.',
  params: idParams,
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', 'CHECK_RUNNING', 'ADDRESSES_MISSING'],
  isExtension: true,
});

export const activateConnection = endpoint({
  name: 'activateConnection',
  method: 'POST',
  path: '/authed/connections/{id}/activate',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary: 'Passa a receber por esta conta. A última verificação precisa ter passado.',
  params: idParams,
  body: ownerProof,
  response: connection,
  refusals: [
    'CONNECTION_NOT_FOUND',
    'CONNECTION_STATE',
    'CHECK_NEEDED',
    'OWN_ACCOUNTS_OFF',
    'ACCOUNT_NOT_APPROVED',
    'ACCOUNT_FROZEN',
    'PIX_KEY_TAKEN',
    ...ownerRefusals,
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const replaceCredentials = endpoint({
  name: 'replaceCredentials',
  method: 'PUT',
  path: '/authed/connections/{id}/credentials',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary:
    'Troca as credenciais. As novas só valem quando a verificação delas passar; até lá valem as atuais. Antes da primeira ativação, `pix_key` corrige também a chave.',
  params: idParams,
  body: z.extend(replacingCredentials, ownerProof.shape),
  maxBodyBytes: bodyWithCertificateBytes,
  response: connection,
  refusals: [
    'CONNECTION_NOT_FOUND',
    'CONNECTION_STATE',
    'CHECK_RUNNING',
    'ADDRESSES_MISSING',
    'PIX_KEY_INVALID',
    'PIX_KEY_TAKEN',
    'CERTIFICATE_REQUIRED',
    'CERTIFICATE_INVALID',
    ...ownerRefusals,
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const setDebitAccount = endpoint({
  name: 'setDebitAccount',
  method: 'PUT',
  path: '/authed/connections/{id}/debit-account',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary:
    'Informa agência, número e tipo da conta no banco, em que os débitos do Pix Automático entram. Valem para os débitos enviados ao banco de agora em diante.',
  params: idParams,
  body: z.extend(debitAccount, ownerProof.shape),
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', ...ownerRefusals, ...approvalRefusals],
  stepUp: true,
  isExtension: true,
});

export const discardCredentials = endpoint({
  name: 'discardCredentials',
  method: 'POST',
  path: '/authed/connections/{id}/credentials/discard',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary: 'Descarta credenciais novas que não passaram na verificação. As atuais continuam.',
  params: idParams,
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', 'CHECK_RUNNING'],
  isExtension: true,
});

export const suspendConnection = endpoint({
  name: 'suspendConnection',
  method: 'POST',
  path: '/authed/connections/{id}/suspend',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary: 'Para de criar cobranças por esta conta. O que começou nela continua.',
  params: idParams,
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE'],
  isExtension: true,
});

export const retireConnection = endpoint({
  name: 'retireConnection',
  method: 'POST',
  path: '/authed/connections/{id}/retire',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary:
    'Encerra a conta aqui. O que começou nela continua até o fim do prazo de estorno; depois as credenciais são apagadas.',
  params: idParams,
  body: ownerProof,
  response: connection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', ...ownerRefusals],
  stepUp: true,
  isExtension: true,
});

export const orderConnections = endpoint({
  name: 'orderConnections',
  method: 'PUT',
  path: '/authed/connections/order',
  access: 'session',
  permission: 'manage-account',
  tag: 'Banco',
  summary: 'A ordem em que as contas recebem: se a primeira não responde, a cobrança é criada na seguinte.',
  body: z.extend(ownerProof, { ids: z.array(z.string()).check(z.minLength(1), z.maxLength(50)) }),
  response: z.object({ connections: z.array(connection) }),
  refusals: ['CONNECTION_NOT_FOUND', ...ownerRefusals, ...approvalRefusals],
  stepUp: true,
  isExtension: true,
});

export const adminConnections = endpoint({
  name: 'adminConnections',
  method: 'GET',
  path: '/admin/connections',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'As contas bancárias dos lojistas.',
  query: connectionsQuery,
  response: adminConnectionsPage,
  refusals: [],
  isExtension: true,
});

export const adminSuspendConnection = endpoint({
  name: 'adminSuspendConnection',
  method: 'POST',
  path: '/admin/connections/{id}/suspend',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Suspende a conta de um lojista em um banco: nada novo pode ser recebido nela.',
  params: idParams,
  body: z.object({ reason }),
  response: adminConnection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', 'OWN_ACCOUNT'],
  isExtension: true,
});

export const adminResumeConnection = endpoint({
  name: 'adminResumeConnection',
  method: 'POST',
  path: '/admin/connections/{id}/resume',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Desfaz a suspensão que o operador fez. A conta volta a receber como antes.',
  params: idParams,
  body: z.object({ reason }),
  response: adminConnection,
  refusals: ['CONNECTION_NOT_FOUND', 'CONNECTION_STATE', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const adminSetAddresses = endpoint({
  name: 'adminSetAddresses',
  method: 'PUT',
  path: '/admin/connections/{id}/addresses',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Informa os endereços de um banco que o gateway não conhece, antes da primeira verificação.',
  params: idParams,
  body: z.object({
    api_url: z
      .url({ error: 'Informe o endereço da API Pix, com a versão: https://…/v2.' })
      .check(z.maxLength(300)),
    token_url: z.url({ error: 'Informe o endereço do token.' }).check(z.maxLength(300)),
    reason,
  }),
  response: adminConnection,
  refusals: [
    'CONNECTION_NOT_FOUND',
    'CONNECTION_STATE',
    'OWN_ACCOUNT',
    'BANK_ADDRESS_NOT_ALLOWED',
    'STEP_UP_REQUIRED',
  ],
  stepUp: true,
  isExtension: true,
});

export const connectionEndpoints = [
  listConnections,
  createConnection,
  orderConnections,
  getConnection,
  checkConnection,
  activateConnection,
  replaceCredentials,
  setDebitAccount,
  discardCredentials,
  suspendConnection,
  retireConnection,
  adminConnections,
  adminSuspendConnection,
  adminResumeConnection,
  adminSetAddresses,
] as const;
