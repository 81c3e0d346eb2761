import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BucketConfig, Config } from '../config.ts';
import { assertNoOpenTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';

/**
 * Stores encrypted (sealed) bytes by name. `write` resolves once the bytes would survive a crash; `remove` also
 * succeeds if nothing has that name.
 */
type Store = {
  write(name: string, bytes: Buffer): Promise<void>;
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/**
 * Files outside the database, encrypted before they are stored. Names consist of lower-case letters, digits and
 * hyphens, in folders separated by slashes.
 */
export type Files = {
  put(name: string, content: Buffer): Promise<void>;
  /** Returns undefined if the file does not exist. Throws if its content was stored under another name. */
  get(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/** Opens the storage of files: the configured bucket, or else the data directory. */
export function createFiles({ config, secrets }: { config: Config; secrets: Secrets }): Files {
  const { bucket } = config.files;
  return sealedFiles(bucket ? s3Store(bucket) : directoryStore(config.files.directory), secrets);
}

function sealedFiles(store: Store, secrets: Pick<Secrets, 'seal' | 'openBytes'>): Files {
  return {
    async put(name, content) {
      checkCall(name);
      await store.write(name, secrets.seal('kyc-picture', Buffer.concat([labelOf(name), content])));
    },
    async get(name) {
      checkCall(name);
      const sealed = await store.read(name);
      return sealed && removeLabel(name, secrets.openBytes('kyc-picture', sealed));
    },
    async remove(name) {
      checkCall(name);
      await store.remove(name);
    },
    close: () => store.close(),
  };
}

/**
 * Checks that the name is plain, and that no transaction is open: a file may be reached over the network, for which a
 * transaction must never wait.
 */
function checkCall(name: string): void {
  assertNoOpenTransaction();
  invariant(/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name), 'a file has a plain name');
}

/**
 * The label that is encrypted together with the content of a file. It contains the name, so that somebody who can write
 * to the storage cannot swap files unnoticed.
 */
function labelOf(name: string): Buffer {
  return Buffer.from(`${name}\0`);
}

/** Removes the label from decrypted content. Throws if the label names another file. */
function removeLabel(name: string, content: Buffer): Buffer {
  const label = labelOf(name);
  if (!content.subarray(0, label.length).equals(label)) throw new Error(`the file ${name} was put elsewhere`);
  return content.subarray(label.length);
}

/** Stores files in a directory that only the gateway may read, created with the first file. */
function directoryStore(directory: string): Store {
  const root = resolve(directory);
  return {
    async write(name, bytes) {
      const path = join(root, name);
      await createFolder(dirname(path));
      // Writes a draft and renames it, so that a file is complete or absent even after a power failure.
      const draft = `${path}.${randomUUID()}`;
      await writeAndSync(draft, bytes);
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    read: (name) => readFile(join(root, name)).catch(undefinedIf('ENOENT')),
    async remove(name) {
      const path = join(root, name);
      const folder = dirname(path);
      const names = (await readdir(folder).catch(undefinedIf('ENOENT'))) ?? [];
      // Also removes the drafts that crashed writers left. A draft has the name of its file, a dot and a random id; the
      // names of files have no dot.
      const fileAndDrafts = names.filter((entry) => entry.split('.', 1)[0] === basename(path));
      for (const entry of fileAndDrafts) await rm(join(folder, entry), { force: true });
      if (fileAndDrafts.length > 0) await syncFolder(folder);
      if (fileAndDrafts.length === names.length && folder !== root)
        await rmdir(folder).catch(undefinedIf('ENOENT', 'ENOTEMPTY'));
    },
    close: () => {},
  };
}

/**
 * Creates a folder and its missing parents. Syncs the parent of each created folder, so that all of them survive a
 * crash.
 */
async function createFolder(folder: string): Promise<void> {
  const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (firstCreated === undefined) return;
  for (let created = folder; created.length >= resolve(firstCreated).length; created = dirname(created))
    await syncFolder(dirname(created));
}

/** Writes a new file and syncs it to disk. If that fails, removes the incomplete file. */
async function writeAndSync(path: string, bytes: Buffer): Promise<void> {
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

/** Syncs a directory, so that the names added to it and removed from it survive a crash. */
async function syncFolder(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

function undefinedIf(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
}

const requestTimeoutMs = 20_000;

/** Stores files as objects in a bucket of Amazon S3 or a compatible service. */
function s3Store({ bucket: Bucket, prefix, endpoint, region, ...credentials }: BucketConfig): Store {
  const options = {
    region,
    credentials,
    maxAttempts: 3,
    // Services compatible with S3 support neither host names that contain the bucket's name nor Amazon's own checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  let connection: ReturnType<typeof connect> | undefined;
  /** Loads the AWS SDK when the first file is needed, because the SDK is large and few gateways use a bucket. */
  const connect = async () => {
    const s3 = await import('@aws-sdk/client-s3');
    return { s3, client: new s3.S3Client(options) };
  };
  const getConnection = () => {
    connection ??= connect();
    return connection;
  };
  const objectNamed = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const timeoutOptions = () => ({ abortSignal: AbortSignal.timeout(requestTimeoutMs) });
  return {
    async write(name, bytes) {
      const { s3, client } = await getConnection();
      const headers = { ContentType: 'application/octet-stream', ContentLength: bytes.length };
      await client.send(
        new s3.PutObjectCommand({ ...objectNamed(name), ...headers, Body: bytes }),
        timeoutOptions(),
      );
    },
    async read(name) {
      const { s3, client } = await getConnection();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(objectNamed(name)), timeoutOptions());
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { s3, client } = await getConnection();
      await client.send(new s3.DeleteObjectCommand(objectNamed(name)), timeoutOptions());
    },
    close: () => void connection?.then(({ client }) => client.destroy()),
  };
}
