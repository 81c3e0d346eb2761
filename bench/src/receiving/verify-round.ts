import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured } from './measure-figure.ts';
import { CREATED_CHARGE_EXPIRY_SECONDS } from './prepare-round.ts';
import { startProcess } from './start-process.ts';
import type { TestRig } from './test-rig.ts';

/** The payments and charges of one round that the gateway acknowledged with a success. */
export type Acknowledged = { readonly payments: number; readonly charges: number };

export function countAcknowledged(measured: readonly Measured[]): Acknowledged {
  const totalOf = (kind: Measured['kind']) =>
    measured
      .filter((measurement) => measurement.kind === kind)
      .reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return { payments: totalOf('settle'), charges: totalOf('create') };
}

/**
 * Compares the books with the acknowledged payments and charges, after the gateway has stopped: by the command
 * `ledger:verify`, and by counting the rows of every kind that a payment writes. Returns the faults.
 */
export async function verifyRound(rig: TestRig, { payments, charges }: Acknowledged): Promise<string[]> {
  const { rows } = await rig.pool.query<{ name: string; count: number }>(rowCountsQuery);
  const countsInDatabase = new Map(rows.map(({ name, count }) => [name, count]));
  const expected = {
    'Pix credited': payments,
    'Pix in suspense': 0,
    'charges paid': payments,
    'charges created by the API': charges,
    'events written': payments,
    'notifications written': payments,
    'notices still waiting': 0,
  };
  const faults = Object.entries(expected).flatMap(([name, count]) =>
    countsInDatabase.get(name) === count
      ? []
      : [`${name}: ${countsInDatabase.get(name)}, acknowledged ${count}`],
  );
  return [...faults, ...(await verifyLedger(rig))];
}

const rowCountsQuery = `
  select 'Pix credited' as name, count(*) from received_pix where outcome = 'credited'
  union all select 'Pix in suspense', count(*) from received_pix where outcome <> 'credited'
  union all select 'charges paid', count(*) from charges where status = 'paid'
  union all select 'charges created by the API', count(*) from charges
                   where expires_at - created_at = interval '${CREATED_CHARGE_EXPIRY_SECONDS} seconds' and br_code <> ''
  union all select 'events written', count(*) from events
  union all select 'notifications written', count(*) from notifications where data ->> 'type' = 'payment.paid'
  union all select 'notices still waiting', count(*) from psp_inbox where state = 'waiting'`;

async function verifyLedger({ cluster, database, folder }: TestRig): Promise<string[]> {
  const verifier = startProcess({
    program: new URL('../../../server/src/verify-ledger.ts', import.meta.url),
    env: { DATABASE_URL: cluster.url(database) },
    log: join(folder, 'verify.log'),
  });
  const [code] = await once(verifier.child, 'exit');
  return code === 0 ? [] : [`ledger:verify ended with ${code}: ${oneLine(verifier.output())}`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
