import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CreateWork, SettleWork, Work } from './figures.ts';
import { type BenchCharge, makeCharges } from './make-charges.ts';
import { type BenchMerchant, makeMerchants } from './merchants.ts';
import type { TestRig } from './test-rig.ts';
import { createRandom, createZipf } from './zipf.ts';

/** The seed of all random choices, so that every round has the same work. */
const seed = 20_261_121;
/** The gateway reads the payments of the last ten minutes from the bank's list, so prepared payments must be older. */
const paymentAgeSeconds = 15 * 60;
/**
 * The expiry of charges created through the API. Prepared charges have a longer one, so that both can be counted apart.
 */
export const CREATED_CHARGE_EXPIRY_SECONDS = 3600;

/** Work, and the number of payments or charges to prepare for it. */
export type PlannedWork = Work & { readonly count: number };

/**
 * Prepares the calls of a round before the gateway runs: merchants, charges in its database, and their
 * payments at the bank. Returns the files of calls for the load process, by the name of the work.
 */
export async function prepareRound(
  rig: TestRig,
  merchantCount: number,
  plannedWork: readonly PlannedWork[],
): Promise<Map<string, string>> {
  const [singleMerchant, ...merchants] = await makeMerchants(rig, merchantCount + 1);
  if (singleMerchant === undefined) throw new Error('There are no merchants.');
  const files = new Map<string, string>();
  const paid: PaidCharges[] = [];
  for (const [nth, work] of plannedWork.entries()) {
    const draw = createZipf(merchants.length, seed + nth);
    const drawMerchant = () => merchants[draw()] ?? singleMerchant;
    if (work.kind === 'create') {
      files.set(work.name, writeCreations(rig, work, drawMerchant));
      continue;
    }
    const charges = await makeCharges(rig.db, {
      count: work.count,
      nextMerchant: work.merchants === 'one' ? () => singleMerchant : drawMerchant,
      callbackUrl: rig.callbackUrls[work.receiver],
      random: createRandom(seed + nth),
      now: await rig.bank.now(),
    });
    await rig.bank.pay(charges);
    paid.push({ work, charges });
  }
  return new Map([...files, ...(await prepareNotices(rig, paid))]);
}

/** Returns the file of calls that was prepared under a name. */
export function preparedFileOf(files: ReadonlyMap<string, string>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`Nothing was prepared for ${name}.`);
  return file;
}

/** Charges that were paid at the bank, and the work whose notifications report them. */
export type PaidCharges = {
  readonly work: Pick<SettleWork, 'name' | 'paymentsPerNotification'>;
  readonly charges: readonly BenchCharge[];
};

/**
 * Writes the notifications of all payments, in the order of payment, with the data of the bank's own list. Then moves
 * the bank's clock, so that the gateway does not find the payments in that list before it is notified of them, and
 * makes the database ready to be measured.
 */
export async function prepareNotices(
  rig: TestRig,
  paid: readonly PaidCharges[],
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const received = await rig.bank.listReceived();
  let from = 0;
  for (const { work, charges } of paid) {
    files.set(work.name, writeNotices(rig, work, received.slice(from, from + charges.length)));
    from += charges.length;
  }
  if (from !== received.length) throw new Error(`The bank knows ${received.length} Pix, ${from} were paid.`);
  await rig.bank.advance(paymentAgeSeconds);
  await rig.pool.query('vacuum analyze');
  await rig.cluster.checkpoint();
  return files;
}

function writeNotices(
  rig: TestRig,
  { name, paymentsPerNotification }: PaidCharges['work'],
  items: readonly unknown[],
): string {
  const lines: string[] = [];
  for (let from = 0; from < items.length; from += paymentsPerNotification)
    lines.push(`\t${JSON.stringify({ pix: items.slice(from, from + paymentsPerNotification) })}`);
  return write(rig, name, lines);
}

const singleNotice = z.object({ pix: z.tuple([z.object({ txid: z.string() })]) });

/** Returns the txid in a notification of one payment. */
export function txidOfNotice(body: string): string {
  return singleNotice.parse(JSON.parse(body)).pix[0].txid;
}

function writeCreations(
  rig: TestRig,
  { name, count, picture }: CreateWork & { count: number },
  nextMerchant: () => BenchMerchant,
): string {
  const body = {
    expires_in: CREATED_CHARGE_EXPIRY_SECONDS,
    callback_url: rig.callbackUrls.silent,
    image: picture,
  };
  const lines = Array.from(
    { length: count },
    (_, nth) => `${nextMerchant().apiKey}\t${JSON.stringify({ amount: 20 + (nth % 500), ...body })}`,
  );
  return write(rig, name, lines);
}

function write(rig: TestRig, name: string, lines: readonly string[]): string {
  const file = join(rig.folder, `${name}.calls`);
  writeFileSync(file, lines.join('\n'));
  return file;
}
