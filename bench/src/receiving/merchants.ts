import pMap from 'p-map';
import { generateApiKey } from '../../../server/src/api-keys/index.ts';
import { inTransaction } from '../../../server/src/db/transaction.ts';
import type { Deps } from '../../../server/src/deps.ts';
import { createAccount, type Merchant, readMerchant } from '../../../server/src/identity/index.ts';

export type BenchMerchant = Merchant & { readonly apiKey: string };

type MerchantDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** The fee of a payment in hundredths of a percent: 0.99 %. */
const inRate = 99;

/** Makes approved accounts with active API keys, from which no share of a payment is withheld. */
export async function makeMerchants(deps: MerchantDeps, count: number): Promise<BenchMerchant[]> {
  const serials = Array.from({ length: count }, (_, serial) => serial);
  const ids = await inTransaction(deps, async (tx) => {
    const accountIds: number[] = [];
    for (const serial of serials) accountIds.push(await createAccount(tx, profileOf(serial)));
    return accountIds;
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
