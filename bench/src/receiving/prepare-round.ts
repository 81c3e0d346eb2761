import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, SettleFigure } from './figures.ts';
import { type BenchCharge, makeCharges } from './make-charges.ts';
import { type BenchMerchant, makeMerchants } from './merchants.ts';
import type { Stand } from './stand.ts';
import { createRandom, createZipf } from './zipf.ts';

const merchantCount = 1000;
const seed = 20_261_121;
/** The gateway looks through the bank's last five minutes again and again: what waits to be told lies before them. */
const waitSeconds = 6 * 60;

/** A file of calls for the load. */
export type Calls = { readonly file: string; readonly payments: number };

export type Prepared = {
  readonly merchants: readonly BenchMerchant[];
  readonly calls: ReadonlyMap<string, Calls>;
};

/** Payments to be told of, beside those of the figures: `perNotice` in each notification. */
export type Wanted =
  | (Pick<SettleFigure, 'kind' | 'name' | 'perNotice' | 'merchants' | 'receiver'> & {
      readonly count: number;
    })
  | (Pick<Extract<Figure, { kind: 'create' }>, 'kind' | 'name' | 'picture'> & { readonly count: number });

/**
 * Before the gateway runs: merchants, charges in its database, their payments at the bank, and the calls of the load
 * as files. A payment is told in the words of the bank's own list, in the order in which it was paid.
 */
export async function prepare(stand: Stand, wanted: readonly Wanted[]): Promise<Prepared> {
  const made = await makeMerchants(stand, merchantCount + 1);
  const [hot, ...merchants] = made;
  if (hot === undefined) throw new Error('There are no merchants.');
  const calls = new Map<string, Calls>();
  const toPay: { wanted: Extract<Wanted, { kind: 'settle' }>; charges: BenchCharge[] }[] = [];
  for (const [nth, one] of wanted.entries()) {
    const draw = createZipf(merchants.length, seed + nth);
    const pick = () => merchants[draw()] ?? hot;
    if (one.kind === 'create') {
      calls.set(one.name, writeCreations(stand, one, pick));
      continue;
    }
    const charges = await makeCharges(stand.db, {
      count: one.count,
      merchantOf: one.merchants === 'one' ? () => hot : pick,
      callbackUrl: stand.callbackUrls[one.receiver],
      random: createRandom(seed + nth),
      now: await stand.bank.now(),
    });
    await stand.bank.pay(charges);
    toPay.push({ wanted: one, charges });
  }
  const told = await stand.bank.received();
  let from = 0;
  for (const { wanted: one, charges } of toPay) {
    calls.set(one.name, writeNotices(stand, one, told.slice(from, from + charges.length)));
    from += charges.length;
  }
  if (from !== told.length) throw new Error(`The bank knows ${told.length} Pix, ${from} were paid.`);
  await stand.bank.advance(waitSeconds);
  await stand.pool.query('vacuum analyze');
  await stand.cluster.checkpoint();
  return { merchants, calls };
}

function writeNotices(
  stand: Stand,
  { name, perNotice }: { name: string; perNotice: number },
  items: unknown[],
): Calls {
  const lines: string[] = [];
  for (let from = 0; from < items.length; from += perNotice)
    lines.push(`\t${JSON.stringify({ pix: items.slice(from, from + perNotice) })}`);
  return write(stand, name, lines, items.length);
}

function writeCreations(
  stand: Stand,
  { name, count }: { name: string; count: number },
  pick: () => BenchMerchant,
): Calls {
  const body = { expires_in: 86_400, callback_url: stand.callbackUrls.silent };
  const lines = Array.from(
    { length: count },
    (_, nth) => `${pick().apiKey}\t${JSON.stringify({ amount: 20 + (nth % 500), ...body })}`,
  );
  return write(stand, name, lines, count);
}

function write(stand: Stand, name: string, lines: readonly string[], payments: number): Calls {
  const file = join(stand.folder, `${name}.calls`);
  writeFileSync(file, lines.join('\n'));
  return { file, payments };
}
