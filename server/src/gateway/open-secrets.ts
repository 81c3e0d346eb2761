import { type Config, WrongSetting } from '../config.ts';
import type { Db } from '../db/pool.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import { findMasterKey } from './secret-key.ts';
import { opensCheck, readStamp } from './stamp.ts';

/**
 * The secrets under this database's master key, for commands that run beside the gateway. Before the first start the
 * key is created.
 * @throws {WrongSetting} when the key is not the one the database was created with
 */
export async function openSecrets({ secretKey, dataDir }: Config, db: Db): Promise<Secrets> {
  const stamp = await readStamp(db);
  const databaseInUse = stamp !== undefined;
  const secrets = createSecrets(findMasterKey({ given: secretKey, dataDir, databaseInUse }));
  if (databaseInUse && !opensCheck(secrets, stamp.secret_check))
    throw new WrongSetting('SECRET_KEY não é a chave com que este banco de dados começou');
  return secrets;
}
