import {
  brlFromCents,
  createCustomer,
  createSubscription,
  listCustomers,
  listSubscriptions,
  type Subscription,
} from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { queryClient } from '../../api/query.ts';
import type { ImportedPayer, PayerRow } from './member-rows.ts';

/** The outcome of a line. `existing`: an earlier import, or somebody else, had made it. */
export type ImportOutcome = {
  readonly row: PayerRow;
  readonly state: 'created' | 'existing' | 'failed';
  readonly subscription: Subscription | undefined;
  readonly problem: string | undefined;
};

/**
 * Registers the customer of each line and creates the subscription, one after the other, and tells each outcome. What
 * exists already, by document and by external id, is left as it is, so that a file can be imported again after a failure.
 */
export async function importMembers(
  rows: readonly PayerRow[],
  onOutcome: (outcome: ImportOutcome) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const row of rows) {
      if (signal.aborted) return;
      if (row.member !== undefined) onOutcome(await importOne(row, row.member));
    }
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
    void queryClient.invalidateQueries({ queryKey: ['subscriptions'] });
  }
}

async function importOne(row: PayerRow, member: ImportedPayer): Promise<ImportOutcome> {
  try {
    const registeredId = member.externalId === null ? await customerIdOf(member) : undefined;
    // Not the document: an external id is shown to people who see documents masked.
    const external_id = member.externalId ?? `${registeredId} ${member.description}`;
    const { data } = await call(listSubscriptions, { query: { external_id, limit: 1 } });
    if (data[0] !== undefined) return { row, state: 'existing', subscription: data[0], problem: undefined };
    const body = {
      customer_id: registeredId ?? (await customerIdOf(member)),
      description: member.description,
      amount: brlFromCents(member.amountCents),
      period: member.period,
      first_day: member.firstDay,
      last_day: member.lastDay,
      authorization: 'code',
      external_id,
    } as const;
    const subscription = await call(createSubscription, { body });
    return { row, state: 'created', subscription, problem: undefined };
  } catch (error) {
    const problem = errorText(error, 'Não sabemos se foi criada. Importe o arquivo de novo: nada se repete.');
    return { row, state: 'failed', subscription: undefined, problem };
  }
}

/** The registered customer of this document, who is registered if there is none. */
async function customerIdOf({ name, document, email }: ImportedPayer): Promise<string> {
  const { data } = await call(listCustomers, { query: { search: document } });
  const known = data.find((customer) => normalizeDocument(customer.document) === document);
  if (known !== undefined) return known.id;
  return (await call(createCustomer, { body: { name, document, email } })).id;
}
