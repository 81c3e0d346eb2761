import { randomBytes } from 'node:crypto';
import type { Db } from '../src/db/pool.ts';

export type MerchantTermsRow = Partial<{
  in_rate: number;
  fix_in_cents: number;
  reserve_enabled: boolean;
  reserve_rate: number;
  reserve_days: number;
}>;

/** Inserts only the row of an approved merchant, with its accounts and counters, for tests that need no sign-in. */
export async function insertMerchant(db: Db, terms: MerchantTermsRow = {}): Promise<number> {
  const mark = randomBytes(8).toString('hex');
  const row = await db
    .insertInto('users')
    .values({
      username: `merchant-${mark}`,
      name: 'Mercearia do Teste',
      email: `${mark}@example.com`,
      document: mark,
      doc_type: 'CPF',
      approved: true,
      api_active: true,
      password_hash: '',
      created_at: new Date(),
      updated_at: new Date(),
      ...terms,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
