import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { photo } from '../../test/hostile-pictures.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { shiftedClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool } from '../db/pool.ts';
import { createFiles, type Files } from '../files/index.ts';
import { createSecrets } from '../secrets.ts';
import { decideKyc } from './decide-submission.ts';
import { sendDocuments } from './send-documents.ts';
import { findNewest } from './store.ts';
import { removePictures, viewPicture } from './view-picture.ts';

const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;
const clock = shiftedClock();

let database: TestDatabase;
let directory: string;
let deps: ReturnType<typeof given>;
let documents: { document_front: Buffer; document_back: Buffer; selfie: Buffer };
let admin: number;
let person: number;

function given(database: TestDatabase, directory: string) {
  const config = readConfig({ DATA_DIR: directory, KYC_KEEP_APPROVED_DAYS: '400' });
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const log = pino({ level: 'silent' });
  const db = createDb(createPool({ url: database.appUrl }));
  return { config, secrets, log, db, clock, files: createFiles({ config, secrets }) };
}

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'jangada-retention-'));
  deps = given(database, directory);
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

const send = (files: Files = deps.files) => sendDocuments({ ...deps, files }, person, documents);
const rejected = { status: 'rejected', reason: 'Foto sem foco.' } as const;
const decideOn = (decision: typeof rejected | { status: 'approved' }) =>
  decideKyc(deps, { actorId: admin, userId: person, submission: undefined, ...decision });
const look = () => viewPicture(deps, { actorId: admin, userId: person, side: 'selfie' });

/** The number of files, uploads and pictures. */
async function counts(): Promise<[number, number, number]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const pictures = await deps.db.selectFrom('kyc_pictures').select('side').execute();
  const uploads = await deps.db.selectFrom('kyc_uploads').select('ends_at').execute();
  return [found.filter((one) => one.isFile()).length, uploads.length, pictures.length];
}

/** Simulates a crash at the `at`th call, before or after it. */
function dyingFiles(of: 'put' | 'remove', at: number, when: 'before' | 'after'): Files {
  let calls = 0;
  const dying =
    <A extends unknown[]>(name: 'put' | 'remove', work: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      if (name === of) calls += 1;
      const dies = name === of && calls >= at;
      if (dies && when === 'before') throw new Error('the process died');
      await work(...args);
      if (dies) throw new Error('the process died');
    };
  return { ...deps.files, put: dying('put', deps.files.put), remove: dying('remove', deps.files.remove) };
}

test.each([
  { decision: rejected, days: 90 },
  { decision: { status: 'approved' } as const, days: 400 },
])(
  'pictures of a submission that was $decision.status are removed $days days later, and the decision is kept',
  async ({ decision, days }) => {
    const before = await counts();
    await send();
    clock.shift(1000 * dayMs);
    expect(await removePictures(deps)).toBe(0);
    await decideOn(decision);
    clock.shift(days * dayMs - minuteMs);
    expect(await removePictures(deps)).toBe(0);
    expect((await look()).content).toBeInstanceOf(Buffer);
    clock.shift(minuteMs);
    expect(await removePictures(deps)).toBe(1);
    expect(await removePictures(deps)).toBe(0);
    expect(await counts()).toEqual(before);
    await expect(look()).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
    expect(await findNewest(deps.db, person)).toMatchObject({ reason: null, ...decision });
  },
);

test.each([
  { at: 1, when: 'before' },
  { at: 3, when: 'after' },
] as const)(
  'removal by a process that crashes $when removing file number $at is finished by the next one',
  async ({ at, when }) => {
    const before = await counts();
    await send();
    await decideOn(rejected);
    clock.shift(90 * dayMs);
    await expect(removePictures({ ...deps, files: dyingFiles('remove', at, when) })).rejects.toThrow('died');
    // The rows still exist; reading a picture returns it or reports that it is missing.
    expect((await counts())[2]).toBe(before[2] + 3);
    const seen = await look().then(
      () => 'seen',
      (error: { code?: string }) => error.code,
    );
    expect(seen).toBe(at === 3 ? 'PICTURE_NOT_FOUND' : 'seen');
    expect(await removePictures(deps)).toBe(1);
    expect(await counts()).toEqual(before);
  },
);

test('a file that cannot be removed does not block others, and is removed later', async () => {
  const before = await counts();
  const people = [person, await insertMerchant(deps.db), await insertMerchant(deps.db)];
  for (person of people) {
    await send();
    await decideOn(rejected);
    clock.shift(minuteMs);
  }
  await expect(
    sendDocuments({ ...deps, files: dyingFiles('put', 2, 'before') }, person, documents),
  ).rejects.toThrow();
  clock.shift(90 * dayMs);
  // The first one due.
  const { id } = await findNewest(deps.db, people[0] ?? 0).then((newest) => newest ?? { id: '' });
  const remove = async (name: string) => {
    if (name.includes(id)) throw new Error('EACCES');
    await deps.files.remove(name);
  };
  const stubborn = { ...deps, files: { ...deps.files, remove } };
  expect(await removePictures(stubborn)).toBe(3);
  expect(await counts()).toEqual([before[0] + 3, before[1], before[2] + 3]);
  await expect(removePictures(stubborn)).rejects.toThrow('EACCES');
  expect(await removePictures(deps)).toBe(1);
  expect(await counts()).toEqual(before);
});

test.each([
  { at: 1, when: 'before' },
  { at: 3, when: 'after' },
] as const)(
  'a process that crashes $when storing file number $at leaves no orphaned files',
  async ({ at, when }) => {
    const before = await counts();
    await expect(send(dyingFiles('put', at, when))).rejects.toThrow('died');
    expect(await findNewest(deps.db, person)).toBeUndefined();
    const [files, uploads] = await counts();
    expect([files, uploads]).toEqual([before[0] + (when === 'before' ? at - 1 : at), before[1] + 1]);
    // An upload may still be in progress, so its files are kept for an hour.
    clock.shift(60 * minuteMs);
    expect(await removePictures(deps)).toBe(0);
    // The user can submit again in the meantime.
    await send();
    clock.shift(11 * minuteMs);
    expect(await removePictures(deps)).toBe(1);
    expect(await counts()).toEqual([before[0] + 3, before[1], before[2] + 3]);
  },
);

test('an upload beyond its time limit creates no submission, and its files are removed', async () => {
  const before = await counts();
  const slow: Files = {
    ...deps.files,
    put: async (name, content) => {
      clock.shift(4 * minuteMs);
      await deps.files.put(name, content);
    },
  };
  await expect(send(slow)).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(await findNewest(deps.db, person)).toBeUndefined();
  expect((await counts())[0]).toBe(before[0] + 3);
  clock.shift(60 * minuteMs);
  expect(await removePictures(deps)).toBe(1);
  expect(await counts()).toEqual(before);
});
