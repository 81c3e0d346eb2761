// The stamp is the single row of table `gateway`. It binds a database to the mode, bank, Pix key, master key and
// PostgreSQL server with which the gateway first started on it.

import type { Selectable } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { type Config, WrongSetting } from '../config.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { notifyAdministrators, payoutsStoppedNotification } from '../notifications/index.ts';
import { stopRestoredPayouts, writePayoutsStop } from '../payouts-stop.ts';
import type { Secrets } from '../secrets.ts';
import type { ServerIdentity } from './server-identity.ts';

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
  readonly identity: ServerIdentity;
};

/**
 * Binds the database to this gateway at its first start, and verifies the binding at every later start. If the database
 * is found on another server, it is a restored backup or a clone and may lack orders that the bank has already carried
 * out, so payouts are stopped.
 * @returns why payouts are stopped, or undefined
 * @throws {WrongSetting} if mode, bank, Pix key or master key differ from those the database was created with
 */
export async function stampDatabase(options: StampOptions): Promise<string | undefined> {
  await writeFirstStamp(options);
  const stamp = await readStamp(options.db);
  if (stamp === undefined) throw new Error('The gateway row disappeared while the gateway started.');
  refuseOtherGateway(stamp, options);
  await beginFeedEpoch(options);
  return stamp.payouts_stopped_because ?? stopPayoutsOnOtherServer(stamp, options);
}

async function writeFirstStamp({ db, clock, config, secrets, identity }: StampOptions): Promise<void> {
  await db
    .insertInto('gateway')
    .values({
      mode: config.mode,
      psp: config.psp.name,
      pix_key: config.pixKey,
      secret_check: secrets.seal('check', checkText),
      system_identifier: identity.systemIdentifier,
      data_directory: identity.dataDirectory,
      feed_server: identity.systemIdentifier,
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function refuseOtherGateway(stamp: Stamp, { config, secrets }: StampOptions): void {
  if (stamp.mode !== config.mode || stamp.psp !== config.psp.name) {
    throw new WrongSetting(
      `PSP é ${config.psp.name}, mas este banco de dados começou com ${stamp.psp}: use outro banco de dados`,
    );
  }
  if (stamp.pix_key !== config.pixKey) {
    throw new WrongSetting(
      `PIX_KEY é ${config.pixKey}, mas este banco de dados começou com ${stamp.pix_key}: use outro banco de dados`,
    );
  }
  if (!canOpenStamp(secrets, stamp.secret_check))
    throw new WrongSetting('SECRET_KEY não é a chave com que este banco de dados começou');
}

/** Whether `sealed`, the check text stored in the stamp, was encrypted with this master key. */
export function canOpenStamp(secrets: Secrets, sealed: Buffer): boolean {
  try {
    return secrets.open('check', sealed) === checkText;
  } catch {
    return false;
  }
}

/**
 * Begins a new epoch of the event feed on another server. The feed is ordered by transaction id, and there the ids
 * start over, so the epoch orders new events after all existing ones.
 */
async function beginFeedEpoch({ db, identity: { systemIdentifier } }: StampOptions): Promise<void> {
  await db
    .updateTable('gateway')
    .set(({ eb }) => ({ feed_server: systemIdentifier, feed_epoch: eb('feed_epoch', '+', 1) }))
    .where('feed_server', 'is distinct from', systemIdentifier)
    .execute();
}

async function stopPayoutsOnOtherServer(
  stamp: Stamp,
  { db, clock, identity }: StampOptions,
): Promise<string | undefined> {
  const isSameServer = stamp.system_identifier === identity.systemIdentifier;
  if (isSameServer && stamp.data_directory === identity.dataDirectory) return undefined;
  const reason = isSameServer
    ? `o banco de dados mudou de ${stamp.data_directory} para ${identity.dataDirectory}`
    : 'o banco de dados acordou em outro servidor PostgreSQL';
  await inTransaction({ db, clock }, async (tx) => {
    await writePayoutsStop(tx, reason);
    await notifyAdministrators(tx, payoutsStoppedNotification(reason));
  });
  return reason;
}

/**
 * Prepares a database that was just restored: payouts stay stopped until an operator allows them, and the next start
 * begins a new epoch of the event feed, which orders this server's events after all restored ones.
 */
export async function beginAsRestored(client: pg.Client, reason: string): Promise<void> {
  await stopRestoredPayouts(client, reason);
  await client.query('update gateway set feed_server = null');
}
