import pMap from 'p-map';
import { generateApiKey } from '../../../server/src/api-keys/index.ts';
import { inTransaction } from '../../../server/src/db/transaction.ts';
import type { Deps } from '../../../server/src/deps.ts';
import { createAccount, type Merchant, readMerchant } from '../../../server/src/identity/index.ts';

export type BenchMerchant = Merchant & { readonly apiKey: string };

type MerchantDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

const inRate = 99;

/** Approved accounts with active keys, as an administrator would leave them: a fee of 0.99 %, no reserve. */
export async function makeMerchants(deps: MerchantDeps, count: number): Promise<BenchMerchant[]> {
  const serials = Array.from({ length: count }, (_, serial) => serial);
  const ids = await inTransaction(deps, async (tx) => {
    const made: number[] = [];
    for (const serial of serials) made.push(await createAccount(tx, profileOf(serial)));
    return made;
  });
  return pMap(
    ids,
    async (id) => {
      const { apiKey } = await generateApiKey(deps, id);
      const merchant = await readMerchant(deps.db, id);
      if (merchant === undefined) throw new Error('A merchant that was just made is gone.');
      return { ...merchant, apiKey };
    },
    { concurrency: 8 },
  );
}

function profileOf(serial: number) {
  return {
    username: `loja-${serial}`,
    name: `Loja ${serial} do Banco de Provas`,
    email: `loja-${serial}@example.com`,
    document: String(10_000_000_000 + serial),
    docType: 'CPF' as const,
    // Nobody signs in to these accounts.
    passwordHash: '',
    approved: true,
    inRate,
  };
}
