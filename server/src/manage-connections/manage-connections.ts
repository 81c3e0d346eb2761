import {
  CHECK_VALID_MS,
  CONNECTION_LIMITS,
  type DebitAccount,
  type newConnection,
  type newCredentials,
  type replacingCredentials,
} from '@jangada/contract';
import { detectPixKeyType, PIX_KEY_TYPES, PixRefusal, parsePixKey } from '@jangada/pix';
import type { infer as Infer } from 'zod/mini';
import {
  type ConnectionRow,
  type Credentials,
  debitAccountColumns,
  debitAccountOf,
  insertConnection,
  isCheckRunning,
  lockConnections,
  RETIRED,
  readCertificate,
  requestedCheck,
  sealCredentials,
  sealUnderNewKey,
  selectConnection,
  updateConnection,
} from '../connections/index.ts';
import { inTransaction, type TxWithSecrets, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { changeUser, enforceAttemptLimit, readMerchant } from '../identity/index.ts';
import { findKnownBank, type KnownBank } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { awaitsAddresses } from './present-connection.ts';
import { recordChange } from './record-change.ts';

/** How often one merchant may send credentials: a certificate may take seconds to open, and each draft is kept. */
const sendingLimit = { limit: 50, windowSeconds: 24 * 3600 };
/** How much of a client id screens show. */
const shownClientIdLength = 8;

export type ConnectionOwner = Pick<Caller, 'userId' | 'accountId'>;

/**
 * Stores an account as a draft and asks for its check. Nothing is charged there before it is activated. Refused as the
 * contract says for the endpoint.
 */
export async function createConnection(
  deps: Deps,
  { accountId: merchantId }: ConnectionOwner,
  request: Infer<typeof newConnection>,
): Promise<ConnectionRow> {
  await refuseUnlessAdmitted(deps, merchantId);
  const bank = findKnownBank(deps.config, request.bank);
  if (bank === undefined) throw new Refusal('BANK_UNKNOWN');
  const pixKey = canonicalKeyOf(request.pix_key);
  refuseTakenKey(deps, [], pixKey);
  const credentials = await readCredentials(deps, merchantId, request);
  refuseMissingCertificate(bank, credentials);
  return inTransaction(deps, async (tx) => {
    const others = await lockConnections(tx, merchantId);
    const inUse = others.filter(({ state }) => state !== 'retired');
    if (inUse.length >= CONNECTION_LIMITS.perMerchant) throw new Refusal('CONNECTION_LIMIT');
    refuseTakenKey(deps, others, pixKey);
    const row = await insertConnection(tx, {
      merchant_id: merchantId,
      bank: bank.id,
      name: request.name === '' ? bank.name : request.name,
      pix_key: pixKey,
      ...shownOf(credentials),
      ...(request.debit_account && debitAccountColumns(request.debit_account)),
    });
    return updateConnection(tx, row.id, {
      ...sealUnderNewKey(deps.secrets, row, credentials),
      ...(!awaitsAddresses(deps.config, row) && requestedCheck(tx.now)),
    });
  });
}

/** Refuses the key of the operator's account, and that of another account of the merchant. */
function refuseTakenKey(
  { config }: Pick<Deps, 'config'>,
  accounts: readonly Pick<ConnectionRow, 'state' | 'pix_key'>[],
  pixKey: string,
): void {
  const isTaken = accounts.some(({ state, pix_key }) => state !== 'retired' && pix_key === pixKey);
  if (isTaken || pixKey === config.pixKey) throw new Refusal('PIX_KEY_TAKEN');
}

/** Refuses if the operator does not admit own accounts, or the account of the merchant may not be used. */
async function refuseUnlessAdmitted({ db, config }: Deps, merchantId: number): Promise<void> {
  if (config.merchantAccounts === 'pooled') throw new Refusal('OWN_ACCOUNTS_OFF');
  const merchant = await readMerchant(db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
}

/** Puts a key in the form of DICT. Eleven digits may be a CPF or a phone; the first type that accepts them counts. */
function canonicalKeyOf(text: string): string {
  const guess = detectPixKeyType(text);
  for (const type of guess === undefined ? PIX_KEY_TYPES : [guess, ...PIX_KEY_TYPES]) {
    try {
      return parsePixKey(type, text);
    } catch (error) {
      if (!(error instanceof PixRefusal)) throw error;
    }
  }
  const message = 'A chave Pix não é válida. Informe CPF, CNPJ, telefone, e-mail ou chave aleatória.';
  throw new Refusal('PIX_KEY_INVALID', {
    message,
    details: { fields: [{ field: 'pix_key', message }] },
  });
}

type ShownCredentials = Pick<
  ConnectionRow,
  'client_id_start' | 'certificate_holder' | 'certificate_fingerprint' | 'certificate_expires_at'
>;

/**
 * Reads what was sent. Refused with CERTIFICATE_INVALID or RATE_LIMITED; nothing is known yet of whether the bank
 * accepts it.
 */
async function readCredentials(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  { client_id: clientId, client_secret: clientSecret, ...files }: Infer<typeof newCredentials>,
): Promise<Credentials> {
  await enforceAttemptLimit(deps, { key: `bank credentials ${merchantId}`, ...sendingLimit });
  const { certificate, certificate_key: key, certificate_password: password } = files;
  if (certificate === undefined) return { clientId, clientSecret };
  const readable = await readCertificate(
    {
      certificate: Buffer.from(certificate, 'base64'),
      ...(key !== undefined && { key: Buffer.from(key, 'base64') }),
      password,
    },
    deps.clock.now(),
  );
  return { clientId, clientSecret, tls: readable.tls, certificate: readable };
}

function refuseMissingCertificate({ certificate }: KnownBank, { tls }: Credentials): void {
  if (certificate === 'required' && tls === undefined) throw new Refusal('CERTIFICATE_REQUIRED');
}

/** The part of credentials that screens show. */
export function shownOf({
  clientId,
  certificate,
}: Pick<Credentials, 'clientId' | 'certificate'>): ShownCredentials {
  return {
    client_id_start: clientId.slice(0, shownClientIdLength),
    certificate_holder: certificate?.holder ?? null,
    certificate_fingerprint: certificate?.fingerprint ?? null,
    certificate_expires_at: certificate?.expiresAt ?? null,
  };
}

/** Asks for a check of the account, of its new credentials if there are any. */
export async function requestCheck(deps: Deps, owner: ConnectionOwner, id: string): Promise<ConnectionRow> {
  return changeOwn(deps, owner, id, async (tx, row) => {
    refuseUnless(row, 'draft', 'active', 'suspended', 'retiring');
    if (awaitsAddresses(deps.config, row)) throw new Refusal('ADDRESSES_MISSING');
    if (isCheckRunning(row, tx.now)) throw new Refusal('CHECK_RUNNING');
    return updateConnection(tx, row.id, requestedCheck(tx.now));
  });
}

/**
 * Has payments go to the account from now on. If the operator admits both kinds of merchants, the merchant becomes
 * direct. The owner has been proven (`proveOwner`).
 */
export async function activateConnection(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  await refuseUnlessAdmitted(deps, owner.accountId);
  return changeOwn(deps, owner, id, async (tx, row) => {
    refuseUnless(row, 'draft', 'suspended');
    if (row.suspended_by === 'operator')
      throw new Refusal('CONNECTION_STATE', {
        message: 'O operador suspendeu esta conta. Fale com o suporte.',
      });
    if (!hasPassedCheck(row, tx.now)) throw new Refusal('CHECK_NEEDED');
    const merchant = await readMerchant(tx.db, owner.accountId);
    if (merchant?.kind === 'pooled') await changeUser(tx, owner.accountId, { merchant_kind: 'direct' });
    const active = { state: 'active', suspended_by: null, suspended_reason: null } as const;
    const updated = await holdingItsKey(() => updateConnection(tx, row.id, active));
    const change = { actorId: owner.userId, before: { state: row.state }, after: { state: 'active' } };
    await recordChange(tx, 'activated', row, change);
    return updated;
  });
}

function hasPassedCheck(row: ConnectionRow, now: Date): boolean {
  const { check_passed, check_ended_at, new_sealed_credentials } = row;
  if (check_passed !== true || check_ended_at === null || new_sealed_credentials !== null) return false;
  return now.getTime() - check_ended_at.getTime() <= CHECK_VALID_MS;
}

/** A key belongs to one account in use, of whatever merchant. */
async function holdingItsKey<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isTaken = violatedConstraint(error) === 'bank_connections_by_key';
    throw isTaken ? new Refusal('PIX_KEY_TAKEN') : error;
  }
}

/** Stores new credentials beside the current ones, which go on until the check of the new ones has passed. */
export async function replaceCredentials(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
  { pix_key: key, ...request }: Infer<typeof replacingCredentials>,
): Promise<ConnectionRow> {
  const pixKey = key === undefined ? undefined : canonicalKeyOf(key);
  const credentials = await readCredentials(deps, owner.accountId, request);
  return changeOwn(deps, owner, id, async (tx, row, all) => {
    refuseUnless(row, 'draft', 'active', 'suspended', 'retiring');
    if (awaitsAddresses(deps.config, row)) throw new Refusal('ADDRESSES_MISSING');
    if (isCheckRunning(row, tx.now)) throw new Refusal('CHECK_RUNNING');
    const bank = findKnownBank(deps.config, row.bank);
    if (bank === undefined || row.sealed_key === null) throw new Refusal('CONNECTION_STATE');
    refuseMissingCertificate(bank, credentials);
    // Nothing depends on the credentials of a draft, so it has only the newest ones.
    const isDraft = row.state === 'draft';
    if (pixKey !== undefined && pixKey !== row.pix_key) {
      if (!isDraft) throw new Refusal('CONNECTION_STATE', { message: fixedKeyText });
      refuseTakenKey(deps, all, pixKey);
    }
    const pix_key = pixKey ?? row.pix_key;
    const sealed = sealCredentials(deps.secrets, { ...row, pix_key }, credentials);
    const change = isDraft
      ? { sealed_credentials: sealed, ...shownOf(credentials), pix_key }
      : { new_sealed_credentials: sealed };
    const updated = await updateConnection(tx, row.id, { ...change, ...requestedCheck(tx.now) });
    if (!isDraft) await recordChange(tx, 'credentials replaced', row, { actorId: owner.userId });
    return updated;
  });
}

/** Sets the account into which debits by mandate are paid. The owner has been proven (`proveOwner`). */
export async function setDebitAccount(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
  account: DebitAccount,
): Promise<ConnectionRow> {
  return changeOwn(deps, owner, id, async (tx, row) => {
    refuseUnless(row, 'draft', 'active', 'suspended', 'retiring');
    const updated = await updateConnection(tx, row.id, debitAccountColumns(account));
    const before = { debit_account: debitAccountOf(row) };
    const change = { actorId: owner.userId, before, after: { debit_account: debitAccountOf(updated) } };
    await recordChange(tx, 'debit account set', row, change);
    return updated;
  });
}

const fixedKeyText =
  'A chave Pix de uma conta já usada não muda. Conecte a outra chave como uma conta nova e encerre esta.';

/** Drops new credentials that have not passed their check: from then on checks are of the current ones again. */
export async function discardCredentials(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  return changeOwn(deps, owner, id, async (tx, row) => {
    if (row.new_sealed_credentials === null) throw new Refusal('CONNECTION_STATE');
    if (isCheckRunning(row, tx.now)) throw new Refusal('CHECK_RUNNING');
    const withoutCheck = { check_started_at: null, check_ended_at: null, check_passed: null };
    return updateConnection(tx, row.id, { new_sealed_credentials: null, ...withoutCheck });
  });
}

export async function suspendConnection(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  return changeOwn(deps, owner, id, async (tx, row) => {
    refuseUnless(row, 'active');
    const updated = await updateConnection(tx, row.id, {
      state: 'suspended',
      suspended_by: 'merchant',
      suspended_reason: null,
    });
    const change = { actorId: owner.userId, before: { state: row.state }, after: { state: 'suspended' } };
    await recordChange(tx, 'suspended', row, change);
    return updated;
  });
}

/**
 * Ends the use of an account. A draft, of which nothing depends, is retired at once; any other goes on for what began
 * there (`connections/`).
 */
export async function retireConnection(
  deps: Deps,
  owner: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  return changeOwn(deps, owner, id, async (tx, row) => {
    refuseUnless(row, 'draft', 'active', 'suspended');
    if (row.state === 'draft') return updateConnection(tx, row.id, RETIRED);
    const state = 'retiring';
    const unsuspended = { suspended_by: null, suspended_reason: null };
    const updated = await updateConnection(tx, row.id, { state, ...unsuspended, retiring_since: tx.now });
    await recordChange(tx, 'retiring', row, {
      actorId: owner.userId,
      before: { state: row.state },
      after: { state },
    });
    return updated;
  });
}

/** Sets the order in which the accounts are tried for a new charge. Accounts that are not named keep theirs, behind. */
export async function orderConnections(
  deps: Deps,
  { accountId: merchantId, userId: actorId }: ConnectionOwner,
  ids: readonly string[],
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const rows = (await lockConnections(tx, merchantId)).filter(({ state }) => state !== 'retired');
    const named = [...new Set(ids)].map((id) => rows.find((row) => String(row.id) === id));
    if (named.includes(undefined)) throw new Refusal('CONNECTION_NOT_FOUND');
    const others = rows.filter((row) => !named.includes(row));
    const ordered = [...named, ...others].filter((row) => row !== undefined);
    if (ordered.every((row, index) => row.position === index + 1)) return;
    for (const [index, row] of ordered.entries()) await updateConnection(tx, row.id, { position: index + 1 });
    const [first] = ordered;
    if (first === undefined) return;
    const order = (list: readonly ConnectionRow[]) => ({ order: list.map((row) => row.id).join(', ') });
    await recordChange(tx, 'ordered', first, {
      actorId,
      before: order(rows),
      after: order(ordered),
    });
  });
  await deps.banks.refresh();
}

/** Finds an account of the owner's. Refused with CONNECTION_NOT_FOUND. */
export async function readOwn(
  { db }: Pick<Deps, 'db'>,
  { accountId }: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  const row = await selectConnection(db, connectionIdOf(id));
  if (row?.merchant_id !== accountId) throw new Refusal('CONNECTION_NOT_FOUND');
  return row;
}

/** Refuses text that is no number of an account with CONNECTION_NOT_FOUND. */
export function connectionIdOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal('CONNECTION_NOT_FOUND');
  return Number(text);
}

/** Locks an account of the owner's and changes it. Afterwards this process speaks to its bank accordingly. */
async function changeOwn(
  deps: Deps,
  { accountId }: ConnectionOwner,
  id: string,
  change: (tx: TxWithSecrets, row: ConnectionRow, all: readonly ConnectionRow[]) => Promise<ConnectionRow>,
): Promise<ConnectionRow> {
  const connectionId = connectionIdOf(id);
  const updated = await inTransaction(deps, async (tx) => {
    const all = await lockConnections(tx, accountId);
    const row = all.find((one) => one.id === connectionId);
    if (row === undefined) throw new Refusal('CONNECTION_NOT_FOUND');
    return change(tx, row, all);
  });
  await deps.banks.refresh();
  return updated;
}

export function refuseUnless({ state }: ConnectionRow, ...states: readonly string[]): void {
  if (!states.includes(state)) throw new Refusal('CONNECTION_STATE');
}
