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
import { returnToPresent } from './past.ts';
import { playHistory } from './play-history.ts';

/** An account for people who try the sandbox. Its password is printed when the gateway starts. */
export type DemoAccount = { readonly username: string; readonly password: string };

type Profile = Omit<NewAccount, 'passwordHash'>;

// These documents are not the well-known test numbers, so that people who register in the sandbox can use those.
const merchant: Profile = {
  username: 'lojista',
  name: 'Marina Albuquerque',
  email: 'lojista@example.com',
  document: '708.164.925-49',
  docType: 'CPF',
  approved: true,
  inRate: 99,
};
/** A merchant who is paid into an account of their own. */
const directMerchant: Profile = {
  username: 'lojadireta',
  name: 'Floricultura Manacá Ltda',
  email: 'lojadireta@example.com',
  document: '27.384.915/0001-02',
  docType: 'CNPJ',
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

/** The merchants' PIN for withdrawals. */
const DEMO_PIN = '2580';
/** The age of the demo accounts, and so the length of the history, in days. */
const HISTORY_DAYS = 62;
const dayMs = 24 * 3_600_000;
// One lock for all processes that start on one database at the same time; the number is arbitrary.
const seedLock = 7_265_320_912;

/**
 * Fills an empty sandbox database with demo accounts and two months of the merchants' business. Real operations at the
 * bank create the history while the bank's time is in the past. Returns the accounts whose passwords the caller prints:
 * public passwords at every start, random ones (in a public sandbox) only once.
 *
 * Call this before the gateway listens. It does nothing outside the sandbox, and adds nothing to a database in use.
 */
export async function seedDemo(deps: Deps, historyDays = HISTORY_DAYS): Promise<DemoAccount[]> {
  return deps.config.mode === 'sandbox' ? runAlone(deps, () => seedSandbox(deps, historyDays)) : [];
}

/**
 * Runs `work` in one process at a time. Of several processes that start on one database at the same time, one seeds the
 * database and the others wait.
 */
async function runAlone<T>({ db }: Deps, work: () => Promise<T>): Promise<T> {
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
  const created = await createDemoAccounts(deps, historyDays);
  if (created === undefined) {
    await returnToPresent(deps);
    return readDemoAccounts(deps);
  }
  for (const merchantId of [created.merchantId, created.directMerchantId])
    if (merchantId !== undefined)
      await generateApiKey({ ...deps, clock: { now: () => created.since } }, merchantId);
  await playHistory(deps, { ...created, pin: DEMO_PIN }, created.since);
  return created.accounts;
}

/**
 * Creates the demo accounts, dated to the beginning of the history. Returns undefined, and creates nothing, if the
 * database already has accounts.
 */
async function createDemoAccounts(deps: Deps, historyDays: number) {
  const profiles = profilesAt(deps);
  const accounts = profiles.map((profile) => ({
    username: profile.username,
    password: deps.config.sandboxPublic ? randomPassword() : publicPassword(profile),
  }));
  const hashes = await Promise.all(accounts.map(({ password }) => hashPassword(password)));
  const since = new Date(deps.clock.now().getTime() - historyDays * dayMs);
  const past = { db: deps.db, clock: { now: () => since } };
  return inTransaction(past, async (tx) => {
    if (await hasAccounts(tx)) return undefined;
    const ids = new Map<Profile, number>();
    for (const [index, profile] of profiles.entries())
      ids.set(profile, await createAccount(tx, { ...profile, passwordHash: hashes[index] ?? '' }));
    return {
      accounts,
      merchantId: ids.get(merchant) ?? 0,
      directMerchantId: ids.get(directMerchant),
      administratorId: ids.get(administrator) ?? 0,
      since,
    };
  });
}

/** The accounts of this sandbox, in the order in which they are printed. */
function profilesAt({ config }: Pick<Deps, 'config'>): readonly Profile[] {
  return config.merchantAccounts === 'pooled'
    ? [merchant, administrator]
    : [merchant, directMerchant, administrator];
}

async function hasAccounts({ db }: Tx): Promise<boolean> {
  const anyAccount = db.selectFrom('users').select('id').where('id', '>', 0).limit(1);
  return (await anyAccount.executeTakeFirst()) !== undefined;
}

/**
 * Returns the demo accounts that still have their public password. In a public sandbox, replaces that password by a
 * random one first.
 */
async function readDemoAccounts(deps: Deps): Promise<DemoAccount[]> {
  const demoAccounts: DemoAccount[] = [];
  for (const profile of profilesAt(deps)) {
    const { username } = profile;
    const account = await findByLogin(deps.db, username);
    const password = publicPassword(profile);
    if (account === undefined || !(await verifyPassword(account.password_hash, password))) continue;
    demoAccounts.push(
      deps.config.sandboxPublic
        ? await replacePublicPassword(deps, account.id, username)
        : { username, password },
    );
  }
  return demoAccounts;
}

async function replacePublicPassword(deps: Deps, userId: number, username: string): Promise<DemoAccount> {
  const password = randomPassword();
  const passwordHash = await hashPassword(password);
  await inTransaction(deps, (tx) => replacePassword(tx, userId, { passwordHash }));
  return { username, password };
}
