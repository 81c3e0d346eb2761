import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession } from '../../test/explain.ts';
import { listDisputesForOperator } from './operator-store.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the lists of disputes and their counts use an index', async () => {
  const recorder = createRecorder(database.appUrl);
  const owner = await openPlannerSession(database.ownerUrl);
  // PostgreSQL would scan a table of so few rows, so such plans are disabled to show that the index fits.
  await owner.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
  for (const [view, index] of [
    ['open', 'disputes_open'],
    ['closed', 'disputes_ended'],
  ] as const) {
    const statements = await recorder.record((db) =>
      listDisputesForOperator(db, view, { limit: 50, offset: 0 }),
    );
    expect(statements).toHaveLength(2);
    for (const statement of statements)
      for (const kind of ['custom', 'generic'] as const) {
        const { steps } = await explain(owner, statement, kind);
        expect(steps.filter((step) => step.endsWith(index))).toHaveLength(1);
        expect(steps).not.toContain('Sort');
      }
  }
  await Promise.all([owner.end(), recorder.db.destroy()]);
});
