import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CreateWork, SettleWork, Work } from './figures.ts';
import { type BenchCharge, makeCharges } from './make-charges.ts';
import { type BenchMerchant, makeMerchants } from './merchants.ts';
import type { Stand } from './stand.ts';
import { createRandom, createZipf } from './zipf.ts';

const seed = 20_261_121;
/** The gateway reads the bank's last ten minutes itself, so prepared payments must be older. */
const waitSeconds = 15 * 60;
/** The expiry of charges created through the API; prepared ones live longer, which tells both apart. */
export const CREATED_FOR_SECONDS = 3600;

/** Work, and its maximum number of payments or charges. */
export type WantedWork = Work & { readonly count: number };

/**
 * Prepares, before the gateway runs, merchants, charges in its database, their payments at the bank, and the load's calls
 * as files by the name of the work. Payments are notified as in the bank's own list, in the order in which they were paid.
 */
export async function prepare(
  stand: Stand,
  merchantCount: number,
  wanted: readonly WantedWork[],
): Promise<Map<string, string>> {
  const made = await makeMerchants(stand, merchantCount + 1);
  const [hot, ...merchants] = made;
  if (hot === undefined) throw new Error('There are no merchants.');
  const files = new Map<string, string>();
  const paid: Paid[] = [];
  for (const [nth, one] of wanted.entries()) {
    const draw = createZipf(merchants.length, seed + nth);
    const pick = () => merchants[draw()] ?? hot;
    if (one.kind === 'create') {
      files.set(one.name, writeCreations(stand, one, pick));
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
    paid.push({ work: one, charges });
  }
  return new Map([...files, ...(await tellPaid(stand, paid))]);
}

/** Charges paid at the bank, and how many share one notification. */
export type Paid = {
  readonly work: Pick<SettleWork, 'name' | 'perNotice'>;
  readonly charges: readonly BenchCharge[];
};

/** Writes the notifications of all payments in order, and advances the bank's clock past the time that the gateway reads itself. */
export async function tellPaid(stand: Stand, paid: readonly Paid[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const told = await stand.bank.received();
  let from = 0;
  for (const { work, charges } of paid) {
    files.set(work.name, writeNotices(stand, work, told.slice(from, from + charges.length)));
    from += charges.length;
  }
  if (from !== told.length) throw new Error(`The bank knows ${told.length} Pix, ${from} were paid.`);
  await stand.bank.advance(waitSeconds);
  await stand.pool.query('vacuum analyze');
  await stand.cluster.checkpoint();
  return files;
}

function writeNotices(stand: Stand, { name, perNotice }: Paid['work'], items: readonly unknown[]): string {
  const lines: string[] = [];
  for (let from = 0; from < items.length; from += perNotice)
    lines.push(`\t${JSON.stringify({ pix: items.slice(from, from + perNotice) })}`);
  return write(stand, name, lines);
}

const loneNotice = z.object({ pix: z.tuple([z.object({ txid: z.string() })]) });

/** The txid in a notification of one payment. */
export function txidOfNotice(body: string): string {
  return loneNotice.parse(JSON.parse(body)).pix[0].txid;
}

function writeCreations(
  stand: Stand,
  { name, count, picture }: CreateWork & { count: number },
  pick: () => BenchMerchant,
): string {
  const body = { expires_in: CREATED_FOR_SECONDS, callback_url: stand.callbackUrls.silent, image: picture };
  const lines = Array.from(
    { length: count },
    (_, nth) => `${pick().apiKey}\t${JSON.stringify({ amount: 20 + (nth % 500), ...body })}`,
  );
  return write(stand, name, lines);
}

function write(stand: Stand, name: string, lines: readonly string[]): string {
  const file = join(stand.folder, `${name}.calls`);
  writeFileSync(file, lines.join('\n'));
  return file;
}
