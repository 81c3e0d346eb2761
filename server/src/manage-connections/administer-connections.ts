import type { AdminConnection, adminConnections, QueryOf, ResponseOf } from '@jangada/contract';
import {
  type ConnectionRow,
  lockConnection,
  openCredentials,
  sealCredentials,
  selectConnection,
  selectForOperator,
  updateConnection,
} from '../connections/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { normalizeForSearch, recheckAbility, refuseOwnAccount } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { isAllowedBankAddress } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { connectionIdOf, refuseUnless } from './manage-connections.ts';
import { awaitsAddresses, toAdminConnection } from './present-connection.ts';
import { recordChange } from './record-change.ts';

/** The administrator who acts, and the reason that they give. */
type Decision = { readonly actorId: number; readonly id: string; readonly reason: string };

export async function listForOperator(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { page, pageSize, state, broken, search }: QueryOf<typeof adminConnections>,
): Promise<ResponseOf<typeof adminConnections>> {
  const text = normalizeForSearch(search ?? '').trim();
  const found = await selectForOperator(db, {
    state,
    isBroken: broken === '1',
    search: text === '' ? undefined : text,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const connections = found.rows.map((row) => toAdminConnection(config, row));
  return { connections, total: found.total, page, limit: pageSize, broken: found.broken };
}

/**
 * Has no new charges made at an account in use until an administrator resumes it. An account that is suspended already
 * stays as it is: it would otherwise be in use after it was resumed. A merchant who may not activate it is frozen.
 */
export async function suspendByOperator(deps: Deps, decision: Decision): Promise<AdminConnection> {
  return decide(deps, decision, async (tx, row) => {
    refuseUnless(row, 'active');
    const { actorId, reason } = decision;
    const suspended = { state: 'suspended', suspended_by: 'operator', suspended_reason: reason } as const;
    await updateConnection(tx, row.id, suspended);
    const change = { actorId, reason, before: { state: row.state }, after: { state: 'suspended' } };
    await recordChange(tx, 'suspended by operator', row, change);
  });
}

/** Undoes the suspension by an administrator, and no other one. */
export async function resumeByOperator(deps: Deps, decision: Decision): Promise<AdminConnection> {
  return decide(deps, decision, async (tx, row) => {
    refuseUnless(row, 'suspended');
    if (row.suspended_by !== 'operator') throw new Refusal('CONNECTION_STATE');
    const { actorId, reason } = decision;
    await updateConnection(tx, row.id, { state: 'active', suspended_by: null, suspended_reason: null });
    const change = { actorId, reason, before: { state: row.state }, after: { state: 'active' } };
    await recordChange(tx, 'resumed', row, change);
  });
}

/**
 * Sets the addresses of a bank that the gateway does not know. Only for a draft: an account in use never moves to
 * another bank.
 */
export async function setAddresses(
  deps: Deps,
  decision: Decision,
  { apiUrl, tokenUrl }: { readonly apiUrl: string; readonly tokenUrl: string },
): Promise<AdminConnection> {
  for (const url of [apiUrl, tokenUrl])
    if (!isAllowedBankAddress(url, deps.config)) throw new Refusal('BANK_ADDRESS_NOT_ALLOWED');
  return decide(deps, decision, async (tx, row) => {
    refuseUnless(row, 'draft');
    if (!awaitsAddresses(deps.config, { ...row, api_url: null })) throw new Refusal('CONNECTION_STATE');
    const addresses = { api_url: apiUrl.replace(/\/+$/, ''), token_url: tokenUrl };
    // The check was of another bank.
    const withoutCheck = { check_started_at: null, check_ended_at: null, check_passed: null };
    await updateConnection(tx, row.id, {
      ...addresses,
      ...withoutCheck,
      sealed_credentials: sealedForAddresses(deps, row, addresses),
    });
    const before = { api_url: row.api_url, token_url: row.token_url };
    const { actorId, reason } = decision;
    await recordChange(tx, 'addressed', row, { actorId, reason, before, after: addresses });
  });
}

/** Seals the credentials of a draft for its new addresses: those that are sealed for others open no more. */
function sealedForAddresses(
  { secrets }: Pick<Deps, 'secrets'>,
  row: ConnectionRow,
  addresses: Pick<ConnectionRow, 'api_url' | 'token_url'>,
): Buffer {
  invariant(row.sealed_credentials !== null, 'a draft has credentials');
  const credentials = openCredentials(secrets, row, row.sealed_credentials);
  return sealCredentials(secrets, { ...row, ...addresses }, credentials);
}

async function decide(
  deps: Deps,
  { id, actorId }: Decision,
  change: (tx: TxWithSecrets, row: ConnectionRow) => Promise<void>,
): Promise<AdminConnection> {
  const connectionId = connectionIdOf(id);
  const merchantId = (await selectConnection(deps.db, connectionId))?.merchant_id;
  if (merchantId === undefined) throw new Refusal('CONNECTION_NOT_FOUND');
  await inTransaction(deps, async (tx) => {
    await recheckAbility(tx, actorId, 'run-operations');
    await refuseOwnAccount(tx, actorId, merchantId);
    const row = await lockConnection(tx, connectionId);
    if (row === undefined) throw new Refusal('CONNECTION_NOT_FOUND');
    await change(tx, row);
  });
  await deps.banks.refresh();
  const all = { state: undefined, isBroken: false, search: undefined, limit: 1, offset: 0 };
  const { rows } = await selectForOperator(deps.db, { ...all, id: connectionId });
  const [row] = rows;
  if (row === undefined) throw new Refusal('CONNECTION_NOT_FOUND');
  return toAdminConnection(deps.config, row);
}
