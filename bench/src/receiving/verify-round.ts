import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured } from './measure-figure.ts';
import { CREATED_FOR_SECONDS } from './prepare-round.ts';
import type { Stand } from './stand.ts';
import { startProcess } from './start-process.ts';

/** The responses to everything sent on one stand. */
export type Acknowledged = { readonly payments: number; readonly charges: number };

export function sumOf(measured: readonly Measured[]): Acknowledged {
  const of = (kind: Measured['kind']) =>
    measured.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.acknowledged, 0);
  return { payments: of('settle'), charges: of('create') };
}

/**
 * Compares the books with what was acknowledged, after the gateway has stopped: by `ledger:verify`, and by counting all
 * rows that a payment writes. Returns the faults.
 */
export async function verifyRound(stand: Stand, { payments, charges }: Acknowledged): Promise<string[]> {
  const { rows } = await stand.pool.query<{ name: string; count: number }>(counts);
  const counted = new Map(rows.map(({ name, count }) => [name, count]));
  const wanted = {
    'Pix credited': payments,
    'Pix in suspense': 0,
    'charges paid': payments,
    'charges created by the API': charges,
    'webhooks written': payments,
    'notifications written': payments,
    'notices still waiting': 0,
  };
  const wrong = Object.entries(wanted).flatMap(([name, count]) =>
    counted.get(name) === count ? [] : [`${name}: ${counted.get(name)}, acknowledged ${count}`],
  );
  return [...wrong, ...(await verifyLedger(stand))];
}

const counts = `
  select 'Pix credited' as name, count(*) from received_pix where outcome = 'credited'
  union all select 'Pix in suspense', count(*) from received_pix where outcome <> 'credited'
  union all select 'charges paid', count(*) from charges where status = 'paid'
  union all select 'charges created by the API', count(*) from charges
                   where expires_at - created_at = interval '${CREATED_FOR_SECONDS} seconds' and br_code <> ''
  union all select 'webhooks written', count(*) from webhook_deliveries
  union all select 'notifications written', count(*) from notifications where data ->> 'type' = 'payment.paid'
  union all select 'notices still waiting', count(*) from psp_inbox where state = 'waiting'`;

async function verifyLedger({ cluster, database, folder }: Stand): Promise<string[]> {
  const verifying = startProcess({
    program: new URL('../../../server/src/verify-ledger.ts', import.meta.url),
    env: { DATABASE_URL: cluster.url(database) },
    log: join(folder, 'verify.log'),
  });
  const [code] = await once(verifying.child, 'exit');
  return code === 0 ? [] : [`ledger:verify ended with ${code}: ${oneLine(verifying.output())}`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
