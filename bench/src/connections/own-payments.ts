import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { z } from 'zod';
import { type BenchCharge, makeCharges } from '../receiving/make-charges.ts';
import { CREATED_CHARGE_EXPIRY_SECONDS } from '../receiving/prepare-round.ts';
import type { TestRig } from '../receiving/test-rig.ts';
import { createRandom } from '../receiving/zipf.ts';
import type { OwnAccount } from './own-accounts.ts';

/** The seed of the amounts, so that every run has the same. */
const seed = 20_261_128;
/** The gateway reads the payments of the last ten minutes from the bank's lists, so prepared payments are older. */
const paymentAgeSeconds = 15 * 60;

/** Payments at these accounts, one after the other in turn. */
export type OwnPayments = {
  readonly name: string;
  readonly count: number;
  readonly accounts: readonly OwnAccount[];
};

/**
 * Inserts charges at own accounts, pays them at the bank and ages them, while no gateway runs. Returns the files of their
 * notifications, one payment each, by name.
 */
export async function prepareOwnPayments(
  rig: TestRig,
  groups: readonly OwnPayments[],
): Promise<ReadonlyMap<string, string>> {
  const charges = new Map<string, readonly BenchCharge[]>();
  const accounts = new Map<number, OwnAccount>();
  for (const [nth, group] of groups.entries()) {
    for (const account of group.accounts) accounts.set(account.merchant.id, account);
    charges.set(group.name, await makeOwnCharges(rig, group, seed + nth));
  }
  const files = await payOwnCharges(rig, [...accounts.values()], charges);
  await rig.bank.advance(paymentAgeSeconds);
  await rig.pool.query('vacuum analyze');
  await rig.cluster.checkpoint();
  return files;
}

async function makeOwnCharges(
  { db, bank }: TestRig,
  { count, accounts }: OwnPayments,
  seed: number,
): Promise<BenchCharge[]> {
  const connections = new Map(accounts.map(({ merchant, connectionId }) => [merchant.id, connectionId]));
  let nth = 0;
  return makeCharges(db, {
    count,
    nextMerchant() {
      const account = accounts[nth++ % accounts.length];
      if (account === undefined) throw new Error('There are no accounts.');
      return account.merchant;
    },
    connectionOf: ({ id }) => connections.get(id) ?? 0,
    // Webhooks would be the same work whichever account is paid.
    callbackUrl: null,
    random: createRandom(seed),
    now: await bank.now(),
  });
}

/**
 * Pays charges at own accounts, and writes their notifications with the data of the banks' lists, each with the path of
 * its account.
 */
export async function payOwnCharges(
  rig: TestRig,
  accounts: readonly OwnAccount[],
  groups: ReadonlyMap<string, readonly BenchCharge[]>,
): Promise<ReadonlyMap<string, string>> {
  const byMerchant = new Map(accounts.map((account) => [account.merchant.id, account]));
  const accountOf = ({ merchantId }: BenchCharge) => {
    const account = byMerchant.get(merchantId);
    if (account === undefined) throw new Error('A charge is at no account.');
    return account;
  };
  for (const charges of groups.values())
    await rig.bank.pay(charges, (charge) => accountOf(charge).bankAccount.key);
  const items = new Map<string, unknown>();
  await pMap(
    accounts,
    async ({ bankAccount }) => {
      for (const item of await rig.bank.listReceived(bankAccount)) items.set(listed.parse(item).txid, item);
    },
    { concurrency: 4 },
  );
  const files = new Map<string, string>();
  for (const [name, charges] of groups) {
    const lines = charges.map((charge) => {
      const item = items.get(charge.txid);
      if (item === undefined) throw new Error('The bank does not list a payment.');
      return `${accountOf(charge).noticePath}\t\t${JSON.stringify({ pix: [item] })}`;
    });
    files.set(name, writeCalls(rig, name, lines));
  }
  return files;
}

const listed = z.object({ txid: z.string() });

/** Writes the calls that create charges at these accounts in turn, and returns their file. */
export function writeOwnCreations(rig: TestRig, { name, count, accounts }: OwnPayments): string {
  const lines = Array.from({ length: count }, (_, nth) => {
    const body = { amount: 20 + (nth % 500), expires_in: CREATED_CHARGE_EXPIRY_SECONDS, image: false };
    return `${accounts[nth % accounts.length]?.merchant.apiKey}\t${JSON.stringify(body)}`;
  });
  return writeCalls(rig, name, lines);
}

function writeCalls(rig: TestRig, name: string, lines: readonly string[]): string {
  const file = join(rig.folder, `${name}.calls`);
  writeFileSync(file, lines.join('\n'));
  return file;
}
