import {
  type AdminConnection,
  type BankConnection,
  type CheckStep,
  connectionState,
  type MerchantKind,
  type ownBank,
  type ResponseOf,
  suspendedBy,
} from '@jangada/contract';
import type { Config } from '../config.ts';
import { type ConnectionRow, debitAccountOf, type OperatorConnectionRow } from '../connections/index.ts';
import { findKnownBank, recurringOf } from '../psp/index.ts';

/** The facts about a merchant's own accounts that screens beside *Banco* need. */
export function toOwnBank(
  config: Pick<Config, 'mode' | 'psp' | 'sandboxMtls' | 'merchantAccounts'>,
  kind: MerchantKind,
  rows: readonly Pick<ConnectionRow, 'state' | 'bank'>[],
): ResponseOf<typeof ownBank> {
  const isDirect = kind === 'direct';
  const entered = rows.filter(({ state }) => state !== 'draft');
  const used = entered.filter(({ state }) => state !== 'retired');
  return {
    has_screen: config.merchantAccounts !== 'pooled' || isDirect || used.length > 0,
    must_connect: isDirect && !rows.some(({ state }) => state === 'active'),
    is_without_payouts:
      isDirect &&
      used.length > 0 &&
      !used.some(({ bank }) => findKnownBank(config, bank)?.offers.withdrawals),
    is_paid_into_own: isDirect,
    has_own_accounts: isDirect || entered.length > 0,
  };
}

/** The form in which its owner sees an account. Nothing of the credentials is in it but the start of the client id. */
export function toBankConnection(
  config: Pick<Config, 'mode' | 'psp' | 'sandboxMtls'>,
  row: ConnectionRow,
): BankConnection {
  const known = findKnownBank(config, row.bank);
  const account = debitAccountOf(row);
  return {
    id: String(row.id),
    name: row.name,
    bank: row.bank,
    bank_name: known?.name ?? row.bank,
    pix_key: row.pix_key,
    state: connectionState.parse(row.state),
    position: row.position,
    client_id: row.client_id_start,
    certificate: certificateOf(row),
    suspended:
      row.suspended_by === null
        ? null
        : { by: suspendedBy.parse(row.suspended_by), reason: row.suspended_reason ?? '' },
    broken:
      row.broken_since === null
        ? null
        : { since: row.broken_since.toISOString(), reason: row.broken_reason ?? '' },
    last_answer_at: row.last_answer_at?.toISOString() ?? null,
    awaits_addresses: awaitsAddresses(config, row),
    recurring: row.recurring_refused === null ? recurringOf(known, account) : 'refused',
    debit_account: account,
    check: checkOf(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The same as administrators see it. */
export function toAdminConnection(
  config: Pick<Config, 'mode' | 'psp' | 'sandboxMtls'>,
  row: OperatorConnectionRow,
): AdminConnection {
  return {
    ...toBankConnection(config, row),
    merchant: {
      id: String(row.merchant_id),
      name: row.merchant_name,
      username: row.merchant_username,
    },
    api_url: row.api_url,
    token_url: row.token_url,
  };
}

/** Whether an administrator has still to enter the addresses of the bank. */
export function awaitsAddresses(
  config: Pick<Config, 'mode' | 'psp' | 'sandboxMtls'>,
  { bank, api_url, state }: Pick<ConnectionRow, 'bank' | 'api_url' | 'state'>,
): boolean {
  return state !== 'retired' && api_url === null && findKnownBank(config, bank)?.addresses === undefined;
}

function certificateOf(row: ConnectionRow): BankConnection['certificate'] {
  const { certificate_holder: holder, certificate_fingerprint: fingerprint, certificate_expires_at } = row;
  if (holder === null || fingerprint === null) return null;
  return { holder, fingerprint, expires_at: certificate_expires_at?.toISOString() ?? null };
}

function checkOf(row: ConnectionRow): BankConnection['check'] {
  const { check_started_at, check_ended_at, check_passed, check_steps } = row;
  if (check_started_at === null) return null;
  const endedResult = check_passed === true ? 'passed' : 'failed';
  return {
    ofNewCredentials: row.new_sealed_credentials !== null,
    result: check_ended_at === null ? 'running' : endedResult,
    started_at: check_started_at.toISOString(),
    ended_at: check_ended_at?.toISOString() ?? null,
    steps: (check_steps ?? []) as CheckStep[],
  };
}
