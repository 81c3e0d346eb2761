import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type S3Server, startS3Server } from '../../test/s3-server.ts';
import { readConfig } from '../config.ts';
import { createSecrets } from '../secrets.ts';
import { createFiles, type Files } from './index.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));

/** A storage under test, and ways to read and change it without its encryption key. */
type TestStorage = {
  readonly files: Files;
  listNames(): Promise<string[]>;
  read(name: string): Promise<Buffer>;
  write(name: string, bytes: Buffer): Promise<void>;
};

let s3: S3Server;
let directory: string;
const storages = new Map<string, TestStorage>();

const bucketSettings = (env: Record<string, string> = {}) => ({
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.url,
  S3_REGION: s3.region,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  S3_PREFIX: 'jangada/um',
  ...env,
});
const filesWith = (env: Record<string, string>) => createFiles({ config: readConfig(env), secrets });

beforeAll(async () => {
  s3 = await startS3Server();
  directory = await mkdtemp(join(tmpdir(), 'jangada-files-'));
  storages.set('a directory', {
    files: filesWith({ DATA_DIR: directory }),
    async listNames() {
      const entries = await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    },
    read: (name) => readFile(join(directory, 'files', name)),
    write: (name, bytes) => writeFile(join(directory, 'files', name), bytes),
  });
  storages.set('a bucket', {
    files: filesWith(bucketSettings()),
    listNames: async () => [...s3.objects.keys()],
    read: async (name) => s3.objects.get(`jangada/um/${name}`) ?? Buffer.alloc(0),
    write: async (name, bytes) => void s3.objects.set(`jangada/um/${name}`, bytes),
  });
});
afterAll(async () => {
  for (const { files } of storages.values()) files.close();
  await s3.stop();
  await rm(directory, { recursive: true });
});

describe.each(['a directory', 'a bucket'])('files in %s', (name) => {
  const storage = () => {
    const testStorage = storages.get(name);
    if (testStorage === undefined) throw new Error(`no storage in ${name}`);
    return testStorage;
  };

  test('are read as written, whatever their content, and a second write replaces the first', async () => {
    const { files } = storage();
    for (const content of [Buffer.alloc(0), Buffer.from('\0\r\nfim'), randomBytes(3_000_000)]) {
      const file = `kyc/${randomUUID()}/selfie`;
      await files.put(file, Buffer.from('antes'));
      await files.put(file, content);
      expect((await files.get(file))?.equals(content)).toBe(true);
    }
  });

  test('are gone after removal, and removing a missing file does nothing', async () => {
    const { files, listNames } = storage();
    const countBefore = (await listNames()).length;
    const file = `kyc/${randomUUID()}/selfie`;
    expect(await files.get(file)).toBeUndefined();
    await files.put(file, Buffer.from('frente'));
    expect(await listNames()).toHaveLength(countBefore + 1);
    await files.remove(file);
    await files.remove(file);
    expect(await files.get(file)).toBeUndefined();
    expect(await listNames()).toHaveLength(countBefore);
  });

  test('do not reveal their content to the storage', async () => {
    const { files, read } = storage();
    const file = `kyc/${randomUUID()}/selfie`;
    const content = Buffer.from('RIFF....WEBPVP8 '.repeat(50));
    await files.put(file, content);
    const bytes = await read(file);
    expect(bytes.length).toBeGreaterThan(content.length);
    expect(bytes.includes('WEBP') || bytes.includes('selfie')).toBe(false);
  });

  test('that were changed, truncated or swapped are refused', async () => {
    const { files, read, write } = storage();
    const [own, other] = [`kyc/${randomUUID()}/selfie`, `kyc/${randomUUID()}/selfie`];
    await files.put(own, Buffer.from('de Maria'));
    await files.put(other, Buffer.from('de outra'));
    const bytes = await read(own);
    await write(own, await read(other));
    await expect(files.get(own)).rejects.toThrow('belongs to another file');
    await write(own, bytes.subarray(0, -1));
    await expect(files.get(own)).rejects.toThrow();
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
    await write(own, changed);
    await expect(files.get(own)).rejects.toThrow();
    await write(own, bytes);
    expect(String(await files.get(own))).toBe('de Maria');
  });

  test('cannot have names that lead elsewhere', async () => {
    const { files } = storage();
    for (const file of ['../selfie', 'kyc/../../x', '/etc/passwd', 'kyc//x', 'kyc/x.webp', 'kyc/É', '']) {
      await expect(files.put(file, Buffer.from('x'))).rejects.toThrow('the name of a file');
      await expect(files.get(file)).rejects.toThrow('the name of a file');
      await expect(files.remove(file)).rejects.toThrow('the name of a file');
    }
  });

  test('can be written concurrently under one name, and one of the contents is kept whole', async () => {
    const { files, listNames } = storage();
    const countBefore = (await listNames()).length;
    const file = `kyc/${randomUUID()}/selfie`;
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000 + index, index));
    await Promise.all(contents.map((content) => files.put(file, content)));
    const stored = await files.get(file);
    expect(contents.some((content) => stored?.equals(content))).toBe(true);
    expect(await listNames()).toHaveLength(countBefore + 1);
  });
});

test('a directory of files is readable by the gateway only', async () => {
  await storages.get('a directory')?.files.put('kyc/um/selfie', Buffer.from('x'));
  const modes = await Promise.all(
    ['kyc', 'kyc/um', 'kyc/um/selfie'].map((path) => stat(join(directory, 'files', path))),
  );
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0]);
});

test('removing a file also removes the drafts that crashed writers left of it, and with the last file its folder', async () => {
  const files = storages.get('a directory')?.files;
  const folder = `kyc/${randomUUID()}`;
  const readFolder = () => readdir(join(directory, 'files', folder));
  await files?.put(`${folder}/selfie`, Buffer.from('x'));
  for (const draft of [`selfie.${randomUUID()}`, `document-front.${randomUUID()}`])
    await writeFile(join(directory, 'files', folder, draft), 'half');
  await files?.remove(`${folder}/document-front`);
  expect((await readFolder()).map((name) => name.split('.')[0])).toEqual(['selfie', 'selfie']);
  await files?.remove(`${folder}/selfie`);
  await expect(readFolder()).rejects.toThrow('ENOENT');
});

test('a file is written once it and every folder created for it are synced to disk', async () => {
  const handle = await open(directory);
  const handlePrototype: { sync(): Promise<void> } = Object.getPrototypeOf(handle);
  await handle.close();
  const original = handlePrototype.sync;
  const synced: string[] = [];
  const syncSpy = vi.spyOn(handlePrototype, 'sync').mockImplementation(async function (this: typeof handle) {
    synced.push(relative(directory, await readlink(`/proc/self/fd/${this.fd}`)));
    await original.call(this);
  });
  const files = filesWith({ DATA_DIR: join(directory, 'novo') });
  await files.put('kyc/dois/selfie', Buffer.from('x'));
  syncSpy.mockRestore();
  const draft = expect.stringMatching(/^novo\/files\/kyc\/dois\/selfie\./);
  const folders = ['novo/files/kyc', 'novo/files', 'novo', ''];
  expect(synced).toEqual([...folders, draft, 'novo/files/kyc/dois']);
});

describe('a bucket', () => {
  test('is asked again when it is busy, and its refusals are errors', async () => {
    const files = storages.get('a bucket')?.files;
    s3.failNextRequests(1);
    await files?.put('kyc/um/selfie', Buffer.from('x'));
    expect(String(await files?.get('kyc/um/selfie'))).toBe('x');
    const wrongKeyFiles = filesWith(bucketSettings({ S3_SECRET_ACCESS_KEY: 'outro' }));
    await expect(wrongKeyFiles.put('kyc/um/selfie', Buffer.from('y'))).rejects.toThrow(
      'SignatureDoesNotMatch',
    );
    await expect(wrongKeyFiles.get('kyc/um/selfie')).rejects.toThrow('SignatureDoesNotMatch');
    const otherBucket = filesWith(bucketSettings({ S3_BUCKET: 'outro' }));
    await expect(otherBucket.get('kyc/um/selfie')).rejects.toThrow('NoSuchBucket');
    for (const files of [wrongKeyFiles, otherBucket]) files.close();
  });

  test('that does not report missing objects makes reading them an error', async () => {
    const files = storages.get('a bucket')?.files;
    s3.hideMissing(true);
    await expect(files?.get('kyc/um/nenhum')).rejects.toThrow('AccessDenied');
    s3.hideMissing(false);
    expect(await files?.get('kyc/um/nenhum')).toBeUndefined();
  });

  test.each([
    [{ S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY é obrigatória com S3_BUCKET'],
    [{ S3_ACCESS_KEY_ID: '' }, 'S3_ACCESS_KEY_ID é obrigatória com S3_BUCKET'],
    [{ S3_ENDPOINT: 'http://files.example.com' }, 'S3_ENDPOINT deve começar com https://'],
    [{ S3_PREFIX: '../x' }, 'S3_PREFIX deve ser um caminho, como jangada/arquivos'],
    [{ KYC_KEEP_REJECTED_DAYS: '0' }, 'KYC_KEEP_REJECTED_DAYS deve ser um número inteiro de 1 a 36500'],
  ])('with the settings %j stops the start with a line that names the problem', (env, line) => {
    expect(() => readConfig(bucketSettings(env))).toThrow(line);
  });
});
