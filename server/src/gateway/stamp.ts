// The stamp is the single row of table `gateway`. It binds a database to the mode, bank, Pix key, master key and
// PostgreSQL server with which the gateway first started on it.

import { type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { type Config, InvalidSetting } from '../config.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { reportAutomaticStop, stopPayoutsInRestoredDatabase, writePayoutsStop } from '../payouts-stop.ts';
import type { Secrets } from '../secrets.ts';

type Stamp = Selectable<DB['gateway']>;

/** Stored encrypted in the stamp: whoever can decrypt it has the right master key. */
const checkText = 'jangada';

export async function readStamp(db: Db): Promise<Stamp | undefined> {
  return db.selectFrom('gateway').selectAll().executeTakeFirst();
}

export type StampOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Config;
  readonly secrets: Secrets;
  /** The data directory of the PostgreSQL server; empty if unknown. */
  readonly dataDirectory: string;
};

/**
 * Binds the database to this gateway at its first start, and verifies the binding at every later start. A database on
 * another server than before was promoted, restored or copied. It may lack orders that the bank has already carried
 * out, so payouts are stopped.
 * @returns why payouts are stopped, or undefined
 * @throws {InvalidSetting} if the mode, bank, Pix key or master key differs from the one in the stamp
 */
export async function stampDatabase(options: StampOptions): Promise<string | undefined> {
  await writeFirstStamp(options);
  refuseOtherGateway(await readOwnStamp(options), options);
  await sql`select detect_server_change()`.execute(options.db);
  await stopPayoutsInCopy(await readOwnStamp(options), options);
  await reportServerChange(options);
  return (await readOwnStamp(options)).payouts_stopped_because ?? undefined;
}

async function readOwnStamp({ db }: StampOptions): Promise<Stamp> {
  const stamp = await readStamp(db);
  if (stamp === undefined) throw new Error('The gateway row disappeared while the gateway started.');
  return stamp;
}

async function writeFirstStamp({ db, clock, config, secrets, dataDirectory }: StampOptions): Promise<void> {
  await db
    .insertInto('gateway')
    .values({
      mode: config.mode,
      psp: config.psp.name,
      pix_key: config.pixKey,
      secret_check: secrets.seal('check', checkText),
      server: sql`server_identity()`,
      data_directory: dataDirectory,
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function refuseOtherGateway(stamp: Stamp, { config, secrets }: StampOptions): void {
  if (stamp.mode !== config.mode || stamp.psp !== config.psp.name) {
    throw new InvalidSetting(
      `PSP é ${config.psp.name}, mas este banco de dados começou com ${stamp.psp}: use outro banco de dados`,
    );
  }
  if (stamp.pix_key !== config.pixKey) {
    throw new InvalidSetting(
      `PIX_KEY é ${config.pixKey}, mas este banco de dados começou com ${stamp.pix_key}: use outro banco de dados`,
    );
  }
  if (!canDecryptCheckText(secrets, stamp.secret_check))
    throw new InvalidSetting('SECRET_KEY não é a chave com que este banco de dados começou');
}

/** Whether `sealed`, the check text stored in the stamp, was encrypted with this master key. */
export function canDecryptCheckText(secrets: Secrets, sealed: Buffer): boolean {
  try {
    return secrets.open('check', sealed) === checkText;
  } catch {
    return false;
  }
}

/**
 * Stops payouts if the server has the same identity but another data directory: then its data are a copy, and another
 * gateway may be sending from the original.
 */
async function stopPayoutsInCopy(
  stamp: Stamp,
  { db, clock, secrets, dataDirectory }: StampOptions,
): Promise<void> {
  if (dataDirectory === '' || stamp.data_directory === dataDirectory) return;
  const reason = `o banco de dados mudou de ${stamp.data_directory} para ${dataDirectory}`;
  await inTransaction({ db, clock, secrets }, async (tx) => {
    await tx.db.updateTable('gateway').set({ data_directory: dataDirectory }).execute();
    if (stamp.data_directory === '') return;
    await writePayoutsStop(tx, reason);
    await reportAutomaticStop(tx, reason);
  });
}

/** Notifies the administrators, once per change of server, that payouts stopped because of the change. */
export async function reportServerChange(
  deps: Pick<StampOptions, 'db' | 'clock' | 'secrets'>,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const row = await tx.db
      .updateTable('gateway')
      .set({ server_change_unreported: false })
      .where('server_change_unreported', '=', true)
      .returning('payouts_stopped_because')
      .executeTakeFirst();
    if (row?.payouts_stopped_because) await reportAutomaticStop(tx, row.payouts_stopped_because);
  });
}

/**
 * Prepares a database that was just restored: payouts stay stopped until an operator allows them, and the next start
 * begins a new epoch of the event feed, which orders this server's events after all restored ones.
 */
export async function prepareRestoredDatabase(client: pg.Client, reason: string): Promise<void> {
  await stopPayoutsInRestoredDatabase(client, reason);
  await client.query(`update gateway set server = ''`);
}
