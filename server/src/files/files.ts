import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BucketConfig, Config } from '../config.ts';
import { assertNoOpenTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';

/**
 * Storage of sealed bytes by name. `write` resolves once they would survive a crash; `remove` also succeeds for a
 * missing name.
 */
type Store = {
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

function sealedFiles(store: Store, secrets: Pick<Secrets, 'seal' | 'openBytes'>): Files {
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

/** Stores files in a directory that only the gateway may read, created with the first file. */
function directoryStore(directory: string): Store {
  const top = resolve(directory);
  return {
    async write(name, bytes) {
      const path = join(top, name);
      await makeFolder(dirname(path));
      // Written to a draft and renamed, so that a file is complete or absent even after a power failure.
      const draft = `${path}.${randomUUID()}`;
      await writeThrough(draft, bytes);
      await rename(draft, path);
      await settle(dirname(path));
    },
    read: (name) => readFile(join(top, name)).catch(undefinedIf('ENOENT')),
    async remove(name) {
      const path = join(top, name);
      const folder = dirname(path);
      const found = (await readdir(folder).catch(undefinedIf('ENOENT'))) ?? [];
      // Includes drafts of crashed writers: names contain no dot, so what follows one marks a draft.
      const own = found.filter((one) => one.split('.', 1)[0] === basename(path));
      for (const one of own) await rm(join(folder, one), { force: true });
      if (own.length > 0) await settle(folder);
      if (own.length === found.length && folder !== top)
        await rmdir(folder).catch(undefinedIf('ENOENT', 'ENOTEMPTY'));
    },
    close: () => {},
  };
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= resolve(first).length; made = dirname(made))
    await settle(dirname(made));
}

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Syncs a directory, so that new and removed names survive a crash. */
async function settle(directory: string): Promise<void> {
  const opened = await open(directory, 'r');
  await opened.sync().finally(() => opened.close());
}

function undefinedIf(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
}

const patienceMs = 20_000;

/** Stores files as objects in a bucket of Amazon S3 or a compatible service. */
function s3Store({ bucket: Bucket, prefix, endpoint, region, ...credentials }: BucketConfig): Store {
  const options = {
    region,
    credentials,
    maxAttempts: 3,
    // Compatible services support neither bucket host names nor Amazon's own checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  let opened: ReturnType<typeof open> | undefined;
  /** Loaded with the first file: the SDK is large, and few gateways need it. */
  const open = async () => {
    const s3 = await import('@aws-sdk/client-s3');
    return { s3, client: new s3.S3Client(options) };
  };
  const bucketOf = () => {
    opened ??= open();
    return opened;
  };
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const inTime = () => ({ abortSignal: AbortSignal.timeout(patienceMs) });
  return {
    async write(name, bytes) {
      const { s3, client } = await bucketOf();
      const type = { ContentType: 'application/octet-stream', ContentLength: bytes.length };
      await client.send(new s3.PutObjectCommand({ ...at(name), ...type, Body: bytes }), inTime());
    },
    async read(name) {
      const { s3, client } = await bucketOf();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(at(name)), inTime());
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { s3, client } = await bucketOf();
      await client.send(new s3.DeleteObjectCommand(at(name)), inTime());
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  };
}
