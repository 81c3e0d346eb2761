import type { Config } from '../config.ts';
import { assertNoOpenTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';
import { directoryStore } from './directory-store.ts';
import { s3Store } from './s3-store.ts';

/**
 * Storage of sealed bytes by name. `write` resolves once they would survive a crash; `remove` also succeeds for a
 * missing name.
 */
export type Store = {
  write(name: string, bytes: Buffer): Promise<void>;
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/**
 * Files outside the database, sealed before they are stored. Names consist of lower-case letters, digits and hyphens,
 * in folders separated by slashes.
 */
export type Files = {
  put(name: string, content: Buffer): Promise<void>;
  /** Undefined if the file does not exist. Throws if the content was not stored under this name. */
  get(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/** Uses the configured bucket, or else the data directory. */
export function createFiles({ config, secrets }: { config: Config; secrets: Secrets }): Files {
  const { bucket } = config.files;
  return sealedFiles(bucket ? s3Store(bucket) : directoryStore(config.files.directory), secrets);
}

export function sealedFiles(store: Store, secrets: Pick<Secrets, 'seal' | 'openBytes'>): Files {
  return {
    async put(name, content) {
      check(name);
      await store.write(name, secrets.seal('kyc-picture', Buffer.concat([labelOf(name), content])));
    },
    async get(name) {
      check(name);
      const sealed = await store.read(name);
      return sealed && unlabel(name, secrets.openBytes('kyc-picture', sealed));
    },
    async remove(name) {
      check(name);
      await store.remove(name);
    },
    close: () => store.close(),
  };
}

function check(name: string): void {
  assertNoOpenTransaction();
  invariant(/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name), 'a file has a plain name');
}

/** The name is sealed with the content, so that somebody who can write to the storage cannot swap files. */
function labelOf(name: string): Buffer {
  return Buffer.from(`${name}\0`);
}

function unlabel(name: string, opened: Buffer): Buffer {
  const label = labelOf(name);
  if (!opened.subarray(0, label.length).equals(label)) throw new Error(`the file ${name} was put elsewhere`);
  return opened.subarray(label.length);
}
