import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { photo } from '../../test/hostile-pictures.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool } from '../db/pool.ts';
import { createFiles, type Files } from '../files/index.ts';
import { createSecrets } from '../secrets.ts';
import { decideKyc } from './decide-submission.ts';
import { removeExpiredPictures } from './remove-expired-pictures.ts';
import { sendDocuments } from './send-documents.ts';
import { findNewestSubmission } from './store.ts';
import { viewPicture } from './view-picture.ts';

const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;
const clock = createAdjustableClock();

let database: TestDatabase;
let directory: string;
let deps: ReturnType<typeof createTestDeps>;
let documents: { document_front: Buffer; document_back: Buffer; selfie: Buffer };
let admin: number;
let person: number;

function createTestDeps(database: TestDatabase, directory: string) {
  const config = readConfig({ DATA_DIR: directory, KYC_KEEP_APPROVED_DAYS: '400' });
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const log = pino({ level: 'silent' });
  const db = createDb(createPool({ url: database.appUrl }));
  return { config, secrets, log, db, clock, files: createFiles({ config, secrets }) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'jangada-retention-'));
  deps = createTestDeps(database, directory);
  const [document_front, document_back, selfie] = await Promise.all([photo(), photo(), photo()]);
  documents = { document_front, document_back, selfie };
  admin = await insertMerchant(deps.db);
  await deps.db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', admin).execute();
});
beforeEach(async () => {
  person = await insertMerchant(deps.db);
});
afterAll(async () => {
  await deps.db.destroy();
  await database.drop();
  await rm(directory, { recursive: true });
});

const sendAll = (files: Files = deps.files) => sendDocuments({ ...deps, files }, person, documents);
const rejection = { status: 'rejected', reason: 'Foto sem foco.' } as const;
const decide = (decision: typeof rejection | { status: 'approved' }) =>
  decideKyc(deps, { actorId: admin, userId: person, submissionId: undefined, ...decision });
const viewSelfie = () => viewPicture(deps, { actorId: admin, userId: person, side: 'selfie' });

/** Counts the stored files, uploads and pictures. */
async function countStored(): Promise<[number, number, number]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const pictures = await deps.db.selectFrom('kyc_pictures').select('side').execute();
  const uploads = await deps.db.selectFrom('kyc_uploads').select('ends_at').execute();
  return [entries.filter((entry) => entry.isFile()).length, uploads.length, pictures.length];
}

/**
 * Returns a file store that simulates a crash of the process, before or after one of its calls: the `crashAt`-th
 * `crashName`.
 */
function crashingFiles(crashName: 'put' | 'remove', crashAt: number, when: 'before' | 'after'): Files {
  let calls = 0;
  const crashing =
    <A extends unknown[]>(name: 'put' | 'remove', work: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      if (name === crashName) calls += 1;
      const isCrashing = name === crashName && calls >= crashAt;
      if (isCrashing && when === 'before') throw new Error('the process died');
      await work(...args);
      if (isCrashing) throw new Error('the process died');
    };
  return {
    ...deps.files,
    put: crashing('put', deps.files.put),
    remove: crashing('remove', deps.files.remove),
  };
}

test.each([
  { decision: rejection, days: 90 },
  { decision: { status: 'approved' } as const, days: 400 },
])(
  'pictures of a submission that was $decision.status are removed $days days later, and the decision remains',
  async ({ decision, days }) => {
    const before = await countStored();
    await sendAll();
    clock.shift(1000 * dayMs);
    expect(await removeExpiredPictures(deps)).toBe(0);
    await decide(decision);
    clock.shift(days * dayMs - minuteMs);
    expect(await removeExpiredPictures(deps)).toBe(0);
    expect((await viewSelfie()).content).toBeInstanceOf(Buffer);
    clock.shift(minuteMs);
    expect(await removeExpiredPictures(deps)).toBe(1);
    expect(await removeExpiredPictures(deps)).toBe(0);
    expect(await countStored()).toEqual(before);
    await expect(viewSelfie()).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    expect(await findNewestSubmission(deps.db, person)).toMatchObject({ reason: null, ...decision });
  },
);

test.each([
  { at: 1, when: 'before' },
  { at: 3, when: 'after' },
] as const)(
  'removal by a process that crashes $when removing file number $at is finished by the next one',
  async ({ at, when }) => {
    const before = await countStored();
    await sendAll();
    await decide(rejection);
    clock.shift(90 * dayMs);
    await expect(
      removeExpiredPictures({ ...deps, files: crashingFiles('remove', at, when) }),
    ).rejects.toThrow('died');
    // The rows still exist. Viewing a picture returns it, or is refused because its file is missing.
    expect((await countStored())[2]).toBe(before[2] + 3);
    const outcome = await viewSelfie().then(
      () => 'seen',
      (error: { code?: string }) => error.code,
    );
    expect(outcome).toBe(at === 3 ? 'PICTURE_NOT_FOUND' : 'seen');
    expect(await removeExpiredPictures(deps)).toBe(1);
    expect(await countStored()).toEqual(before);
  },
);

test('a file that cannot be removed does not block others, and is removed later', async () => {
  const before = await countStored();
  const people = [person, await insertMerchant(deps.db), await insertMerchant(deps.db)];
  for (person of people) {
    await sendAll();
    await decide(rejection);
    clock.shift(minuteMs);
  }
  await expect(
    sendDocuments({ ...deps, files: crashingFiles('put', 2, 'before') }, person, documents),
  ).rejects.toThrow();
  clock.shift(90 * dayMs);
  // The submission that is due first is the one whose files cannot be removed.
  const { id } = await findNewestSubmission(deps.db, people[0] ?? 0).then((newest) => newest ?? { id: '' });
  const remove = async (name: string) => {
    if (name.includes(id)) throw new Error('EACCES');
    await deps.files.remove(name);
  };
  const failingDeps = { ...deps, files: { ...deps.files, remove } };
  expect(await removeExpiredPictures(failingDeps)).toBe(3);
  expect(await countStored()).toEqual([before[0] + 3, before[1], before[2] + 3]);
  await expect(removeExpiredPictures(failingDeps)).rejects.toThrow('EACCES');
  expect(await removeExpiredPictures(deps)).toBe(1);
  expect(await countStored()).toEqual(before);
});

test.each([
  { at: 1, when: 'before' },
  { at: 3, when: 'after' },
] as const)(
  'a process that crashes $when storing file number $at leaves no orphaned files',
  async ({ at, when }) => {
    const before = await countStored();
    await expect(sendAll(crashingFiles('put', at, when))).rejects.toThrow('died');
    expect(await findNewestSubmission(deps.db, person)).toBeUndefined();
    const [files, uploads] = await countStored();
    expect([files, uploads]).toEqual([before[0] + (when === 'before' ? at - 1 : at), before[1] + 1]);
    // An upload may still be in progress, so its files are not removed for an hour.
    clock.shift(60 * minuteMs);
    expect(await removeExpiredPictures(deps)).toBe(0);
    // The user can submit again in the meantime.
    await sendAll();
    clock.shift(11 * minuteMs);
    expect(await removeExpiredPictures(deps)).toBe(1);
    expect(await countStored()).toEqual([before[0] + 3, before[1], before[2] + 3]);
  },
);

test('an upload beyond its time limit creates no submission, and its files are removed', async () => {
  const before = await countStored();
  const slowFiles: Files = {
    ...deps.files,
    put: async (name, content) => {
      clock.shift(4 * minuteMs);
      await deps.files.put(name, content);
    },
  };
  await expect(sendAll(slowFiles)).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(await findNewestSubmission(deps.db, person)).toBeUndefined();
  expect((await countStored())[0]).toBe(before[0] + 3);
  clock.shift(60 * minuteMs);
  expect(await removeExpiredPictures(deps)).toBe(1);
  expect(await countStored()).toEqual(before);
});
