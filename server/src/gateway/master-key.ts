import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, InvalidSetting } from '../config.ts';
import type { Db } from '../db/pool.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import { canDecryptCheckText, readStamp } from './stamp.ts';

type MasterKeyOptions = {
  /** The value of the setting SECRET_KEY, if set. */
  readonly configuredKey: Buffer | undefined;
  readonly dataDir: string;
  /** Whether the gateway has started on this database before, so that its data are sealed with an existing key. */
  readonly isDatabaseInUse: boolean;
};

/**
 * Returns the master key: from SECRET_KEY, or from the data directory, where the first start creates it. No key is
 * created for a database already in use, because a new key could not open its data.
 * @throws {InvalidSetting} if the key of a database in use is missing, or the stored key is damaged
 */
export function findOrCreateMasterKey({ configuredKey, dataDir, isDatabaseInUse }: MasterKeyOptions): Buffer {
  if (configuredKey !== undefined) return configuredKey;
  const file = join(dataDir, 'secret-key');
  const storedKey = readKeyFile(file);
  if (storedKey !== undefined) return storedKey;
  if (isDatabaseInUse) {
    throw new InvalidSetting(
      `SECRET_KEY falta: este banco de dados já está em uso, e ${file} não existe. Informe a chave com que ele começou`,
    );
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    // Another process starting with this directory has written a key first; that key is used.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  return readKeyFile(file) ?? findOrCreateMasterKey({ configuredKey, dataDir, isDatabaseInUse: true });
}

function readKeyFile(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32)
    throw new InvalidSetting(`SECRET_KEY em ${file} está danificada: devem ser 32 bytes em base64`);
  return key;
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Opens the secrets under this database's master key, for commands that run beside the gateway. If the gateway has
 * never started, creates the key.
 * @throws {InvalidSetting} if the key is not the one the database was created with
 */
export async function loadSecrets({ secretKey, dataDir }: Config, db: Db): Promise<Secrets> {
  const stamp = await readStamp(db);
  const isDatabaseInUse = stamp !== undefined;
  const secrets = createSecrets(
    findOrCreateMasterKey({ configuredKey: secretKey, dataDir, isDatabaseInUse }),
  );
  if (isDatabaseInUse && !canDecryptCheckText(secrets, stamp.secret_check))
    throw new InvalidSetting('SECRET_KEY não é a chave com que este banco de dados começou');
  return secrets;
}
