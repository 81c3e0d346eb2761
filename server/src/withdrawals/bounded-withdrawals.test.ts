import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession } from '../../test/explain.ts';
import { machineClock } from '../clock.ts';
import { encodeCursor } from '../list-cursor.ts';
import { listWithdrawalsForOperator } from './list-withdrawals.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the withdrawals of all merchants are read along an index, from the newest or from a cursor', async () => {
  const recorder = createRecorder(database.appUrl);
  const owner = await openPlannerSession(database.ownerUrl);
  // PostgreSQL would scan a table with so few rows, so other plans are disabled to show that the index fits.
  await owner.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
  const deps = { db: recorder.db, clock: machineClock };
  for (const view of ['open', 'held', 'in-doubt', 'completed', 'failed'] as const) {
    for (const before of [
      undefined,
      encodeCursor({ createdAt: new Date(1_795_322_264_144), id: randomUUID() }),
    ]) {
      const statements = await recorder.record(() => listWithdrawalsForOperator(deps, { view, before }));
      const statement = statements.find(({ sql }) => sql.includes('withdrawals'));
      if (statement === undefined) throw new Error('Nothing was read.');
      for (const kind of ['custom', 'generic'] as const) {
        const { steps } = await explain(owner, statement, kind);
        const index = view === 'completed' || view === 'failed' ? 'withdrawals_ended' : 'withdrawals_open';
        expect(steps).toContain(`Index Scan ${index}`);
        expect(steps).not.toContain('Sort');
      }
    }
  }
  await Promise.all([owner.end(), recorder.db.destroy()]);
});
