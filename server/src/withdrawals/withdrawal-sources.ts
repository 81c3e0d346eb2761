import { brlFromCents, type ResponseOf, type withdrawalSources } from '@jangada/contract';
import { selectConnections } from '../connections/index.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { merchantKindOf, readMerchant } from '../identity/index.ts';
import { readAvailableByAccount } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import { findKnownBank, HOUSE_CONNECTION, houseBank } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { doesSend, type PayingAccounts } from './paying-accounts.ts';

type Sources = ResponseOf<typeof withdrawalSources>;

/**
 * Reads from which accounts a merchant can withdraw now, in the order in which they are chosen, and how much the merchant
 * has at own accounts from which nothing can be sent.
 */
export async function readWithdrawalSources(
  { db, config, banks }: Pick<Deps, 'db' | 'config' | 'banks'>,
  merchantId: number,
): Promise<Sources> {
  const [merchant, rows, available] = await Promise.all([
    readMerchant(db, merchantId),
    selectConnections(db, merchantId),
    readAvailableByAccount(db, merchantId),
  ]);
  if (merchant === undefined) throw new Refusal('UNAUTHENTICATED');
  const isDirect = merchantKindOf(config, merchant.kind) === 'direct';
  const ownSends = isDirect ? rows.filter(({ id, state }) => state === 'active' && doesSend(banks, id)) : [];
  const own = ownSends.map((row) => ({
    id: String(row.id),
    at: 'own_bank' as const,
    name: row.name,
    bank: findKnownBank(config, row.bank)?.name ?? row.bank,
    available: brlFromCents(available.get(row.id) ?? 0),
  }));
  const houseCents = available.get(HOUSE_CONNECTION) ?? 0;
  const isHouseSource = doesSend(banks, HOUSE_CONNECTION) && (!isDirect || houseCents > 0);
  const house = {
    id: String(HOUSE_CONNECTION),
    at: 'operator' as const,
    name: '',
    bank: houseBank(config).name,
    available: brlFromCents(houseCents),
  };
  const sending = new Set([HOUSE_CONNECTION, ...ownSends.map(({ id }) => id)]);
  const elsewhere = [...available].filter(([id, cents]) => cents > 0 && !sending.has(id));
  return {
    sources: isHouseSource ? [house, ...own] : own,
    not_sendable: brlFromCents(elsewhere.reduce((sum, [, cents]) => sum + cents, 0)),
  };
}

const alternatives = new Intl.ListFormat('pt-BR', { type: 'disjunction' });

/**
 * Checks the account that a merchant chose for a withdrawal, and returns its number. Refuses with
 * WITHDRAWAL_SOURCE_UNAVAILABLE if nothing can be sent from it, and with INSUFFICIENT_BALANCE, naming what each account
 * has, if it has less than the amount.
 */
export async function checkSource(
  { db }: Tx,
  { houseSends, own = [] }: PayingAccounts,
  { merchantId, amountCents, from }: { merchantId: number; amountCents: number; from: string },
): Promise<number> {
  const sources = [...(houseSends ? [HOUSE_CONNECTION] : []), ...own];
  const source = sources.find((id) => String(id) === from);
  if (source === undefined) throw new Refusal('WITHDRAWAL_SOURCE_UNAVAILABLE');
  const available = await readAvailableByAccount(db, merchantId);
  if ((available.get(source) ?? 0) >= amountCents) return source;
  const rows = await selectConnections(db, merchantId);
  const most = sources.flatMap((id) => {
    const cents = available.get(id) ?? 0;
    if (cents <= 0) return [];
    const row = rows.find((one) => one.id === id);
    const name = row === undefined ? 'da conta do operador' : `da sua conta ${row.name || row.pix_key}`;
    return [`até ${formatBrl(cents)} ${name}`];
  });
  const message =
    most.length === 0
      ? 'Não há o que sacar das suas contas agora.'
      : `A conta escolhida não tem este valor. Você pode sacar ${alternatives.format(most)}.`;
  throw new Refusal('INSUFFICIENT_BALANCE', { message });
}
