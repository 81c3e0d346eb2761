import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BucketConfig, Config } from '../config.ts';
import { assertNoOpenTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';

/**
 * Where the encrypted (sealed) bytes of files lie. `write` resolves once the bytes would survive a crash; `remove` also
 * succeeds if nothing has that name.
 */
type SealedBytesStore = {
  write(name: string, bytes: Buffer): Promise<void>;
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/**
 * Files outside the database, encrypted before they are stored. A name is one or more parts, separated by slashes, of
 * lower-case letters, digits and hyphens.
 */
export type Files = {
  put(name: string, content: Buffer): Promise<void>;
  /** Returns undefined if the file does not exist. Throws if its content was stored under another name. */
  get(name: string): Promise<Buffer | undefined>;
  /** Must not be called while the file may still be written: that write could then fail. */
  remove(name: string): Promise<void>;
  close(): void;
};

/** Opens the storage of files: the configured bucket, or else the data directory. */
export function createFiles({ config, secrets }: { config: Config; secrets: Secrets }): Files {
  const { bucket } = config.files;
  return createSealedFiles(
    bucket ? createS3Store(bucket) : createDirectoryStore(config.files.directory),
    secrets,
  );
}

/**
 * All files are sealed for the purpose of the only kind there is so far, the pictures of identity documents (KYC). The
 * purpose decides the key, so files that are already stored could not be opened under another one.
 */
const sealPurpose = 'kyc-picture';

function createSealedFiles(store: SealedBytesStore, secrets: Pick<Secrets, 'seal' | 'openBytes'>): Files {
  return {
    async put(name, content) {
      assertNameAndNoTransaction(name);
      const sealed = secrets.seal(sealPurpose, Buffer.concat([nameHeader(name), content]));
      await store.write(name, sealed);
    },
    async get(name) {
      assertNameAndNoTransaction(name);
      const sealed = await store.read(name);
      return sealed && checkAndStripNameHeader(name, secrets.openBytes(sealPurpose, sealed));
    },
    async remove(name) {
      assertNameAndNoTransaction(name);
      await store.remove(name);
    },
    close: () => store.close(),
  };
}

/** No transaction may be open, because the storage may be remote and a transaction must never wait for the network. */
function assertNameAndNoTransaction(name: string): void {
  assertNoOpenTransaction();
  invariant(
    /^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name),
    'the name of a file is made of lower-case letters, digits and hyphens, in parts separated by slashes',
  );
}

/**
 * The header that is encrypted in front of the content of a file. It holds the name, so that somebody who can write to
 * the storage cannot swap files unnoticed.
 */
function nameHeader(name: string): Buffer {
  return Buffer.from(`${name}\0`);
}

/** Removes the name header from decrypted content. Throws if it is the header of another file. */
function checkAndStripNameHeader(name: string, content: Buffer): Buffer {
  const header = nameHeader(name);
  if (!content.subarray(0, header.length).equals(header))
    throw new Error(`the content stored at ${name} belongs to another file`);
  return content.subarray(header.length);
}

/** Stores files in a directory that only the gateway may read, created with the first file. */
function createDirectoryStore(directory: string): SealedBytesStore {
  const root = resolve(directory);
  return {
    async write(name, bytes) {
      const path = join(root, name);
      await createDirectory(dirname(path));
      // Writes a draft and renames it, so that a file is complete or absent even after a power failure.
      const draft = `${path}.${randomUUID()}`;
      await writeAndSync(draft, bytes);
      await rename(draft, path);
      await syncDirectory(dirname(path));
    },
    read: (name) => readFile(join(root, name)).catch(undefinedIfErrorCode('ENOENT')),
    async remove(name) {
      const path = join(root, name);
      const parent = dirname(path);
      const entries = (await readdir(parent).catch(undefinedIfErrorCode('ENOENT'))) ?? [];
      // A draft has the name of its file, a dot and a random id; the names of files have no dot. Drafts are left behind
      // by writers that crashed. The draft of a writer that is still at work looks the same and is removed as well.
      const fileAndDrafts = entries.filter((entry) => entry.split('.', 1)[0] === basename(path));
      for (const entry of fileAndDrafts) await rm(join(parent, entry), { force: true });
      if (fileAndDrafts.length > 0) await syncDirectory(parent);
      const isParentEmptied = fileAndDrafts.length === entries.length;
      // The parent may be missing, or a concurrent `put` may just have added a file to it.
      if (isParentEmptied && parent !== root)
        await rmdir(parent).catch(undefinedIfErrorCode('ENOENT', 'ENOTEMPTY'));
    },
    close: () => {},
  };
}

/**
 * Creates a directory and its missing parents. Syncs the parent of each created directory, so that all of them survive
 * a crash.
 */
async function createDirectory(directory: string): Promise<void> {
  const firstCreated = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (firstCreated === undefined) return;
  const topmostCreated = resolve(firstCreated);
  // Goes up from the directory to the topmost created one. The directories above that one existed before; they are
  // recognized by their shorter paths.
  for (let created = directory; created.length >= topmostCreated.length; created = dirname(created))
    await syncDirectory(dirname(created));
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
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

/** For `catch`: turns an error with one of these codes into undefined, and throws any other again. */
function undefinedIfErrorCode(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
}

/** The time for one call to the bucket, including its retries. */
const bucketCallTimeoutMs = 20_000;

/** Stores files as objects in a bucket of Amazon S3 or a compatible service. */
function createS3Store({ bucket, prefix, endpoint, region, ...credentials }: BucketConfig): SealedBytesStore {
  const options = {
    region,
    credentials,
    // The number includes the first attempt.
    maxAttempts: 3,
    // `forcePathStyle` puts the bucket's name into the path of the address: compatible services seldom have a host name
    // for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // By default the SDK adds a checksum of Amazon's own to each upload, which compatible services may refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // By default the SDK also asks for such a checksum with each download. It is not needed, because a file whose bytes
    // were changed cannot be decrypted.
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const connect = async () => {
    const s3 = await import('@aws-sdk/client-s3');
    return { s3, client: new s3.S3Client(options) };
  };
  let connection: ReturnType<typeof connect> | undefined;
  /** Loads the AWS SDK only when the first file is needed, because the SDK is large and few gateways use a bucket. */
  const getConnection = () => {
    connection ??= connect();
    return connection;
  };
  const objectNamed = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` });
  const timeoutOptions = () => ({ abortSignal: AbortSignal.timeout(bucketCallTimeoutMs) });
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
