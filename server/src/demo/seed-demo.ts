import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { generateApiKey } from '../api-keys/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  createAccount,
  findByLogin,
  hashPassword,
  type NewAccount,
  replacePassword,
  verifyPassword,
} from '../identity/index.ts';
import { endPast } from './past.ts';
import { playHistory } from './play-history.ts';

/** An account for whoever tries the sandbox, as it is printed at the start. */
export type DemoAccount = { readonly username: string; readonly password: string };

type Profile = Omit<NewAccount, 'passwordHash'>;

// Their documents are none of the well-known test numbers: those are for whoever registers to try the sandbox.
const merchant: Profile = {
  username: 'lojista',
  name: 'Marina Albuquerque',
  email: 'lojista@example.com',
  document: '708.164.925-49',
  docType: 'CPF',
  approved: true,
  inRate: 99,
};
const administrator: Profile = {
  username: 'admin',
  name: 'Administração Demo',
  email: 'admin@example.com',
  document: '830.527.416-08',
  docType: 'CPF',
  approved: true,
  role: 'ADMIN',
};

const publicPassword = ({ username }: Profile) => `${username}-demo`;
const randomPassword = () => randomBytes(12).toString('base64url');

/** The merchant's, for withdrawals. */
const DEMO_PIN = '2580';
/** The merchant's account is as old as the history that is played on it. */
const HISTORY_DAYS = 62;
const dayMs = 24 * 3_600_000;
// One lock for all processes that start together on one database; the number is arbitrary.
const seedLock = 7_265_320_912;

/**
 * Gives an empty database of the sandbox its demo accounts and the merchant two months of business, made by
 * real operations at the bank while its time is in the past. Answers the accounts whose passwords are to be printed: those
 * that everybody knows at every start, random ones (of a sandbox that is open to others) once. Call it before the
 * gateway listens. Outside the sandbox, and on a database that people use already, it does nothing.
 */
export async function seedDemo(deps: Deps, historyDays = HISTORY_DAYS): Promise<DemoAccount[]> {
  return deps.config.mode === 'sandbox' ? oneByOne(deps, () => seedSandbox(deps, historyDays)) : [];
}

/** Of several processes that start at once on one database one seeds, and the others wait until it has. */
async function oneByOne<T>({ db }: Deps, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${seedLock})`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${seedLock})`.execute(connection);
    }
  });
}

async function seedSandbox(deps: Deps, historyDays: number): Promise<DemoAccount[]> {
  const accounts = await makeAccounts(deps, historyDays);
  if (accounts === undefined) {
    await endPast(deps);
    return knownAccounts(deps);
  }
  await generateApiKey({ ...deps, clock: { now: () => accounts.since } }, accounts.merchantId);
  await playHistory(deps, { ...accounts, pin: DEMO_PIN }, accounts.since);
  return accounts.printed;
}

/** Undefined when there are accounts already. */
async function makeAccounts(deps: Deps, historyDays: number) {
  const printed = [merchant, administrator].map((profile) => ({
    username: profile.username,
    password: deps.config.sandboxPublic ? randomPassword() : publicPassword(profile),
  }));
  const [merchantHash = '', administratorHash = ''] = await Promise.all(
    printed.map(({ password }) => hashPassword(password)),
  );
  const since = new Date(deps.clock.now().getTime() - historyDays * dayMs);
  const past = { db: deps.db, clock: { now: () => since } };
  return inTransaction(past, async (tx) => {
    if (await hasAccounts(tx)) return undefined;
    const merchantId = await createAccount(tx, { ...merchant, passwordHash: merchantHash });
    const administratorId = await createAccount(tx, { ...administrator, passwordHash: administratorHash });
    return { printed, merchantId, administratorId, since };
  });
}

async function hasAccounts({ db }: Tx): Promise<boolean> {
  const someone = db.selectFrom('users').select('id').where('id', '>', 0).limit(1);
  return (await someone.executeTakeFirst()) !== undefined;
}

/** Accounts that still have the password that everybody knows; in an open sandbox they are given another one. */
async function knownAccounts(deps: Deps): Promise<DemoAccount[]> {
  const known: DemoAccount[] = [];
  for (const profile of [merchant, administrator]) {
    const { username } = profile;
    const account = await findByLogin(deps.db, username);
    const password = publicPassword(profile);
    if (account === undefined || !(await verifyPassword(account.password_hash, password))) continue;
    known.push(
      deps.config.sandboxPublic ? await closeDoor(deps, account.id, username) : { username, password },
    );
  }
  return known;
}

async function closeDoor(deps: Deps, userId: number, username: string): Promise<DemoAccount> {
  const password = randomPassword();
  const passwordHash = await hashPassword(password);
  await inTransaction(deps, (tx) => replacePassword(tx, userId, { passwordHash }));
  return { username, password };
}
