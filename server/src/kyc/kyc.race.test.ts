import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  adminPendingKyc,
  errorEnvelope,
  getKyc,
  KYC_PICTURE_MIN_SIDE,
  type KycSide,
  kycSides,
  profile,
  verifyCpf,
} from '@jangada/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, givenAdmin, parseSuccess } from '../../test/given.ts';
import { payload, photo } from '../../test/hostile-pictures.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { download, upload } from '../../test/upload.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { decideKyc } from './decide-submission.ts';
import { sendDocuments } from './send-documents.ts';
import { insertSubmission } from './store.ts';

type Documents = Record<KycSide, Buffer>;

let gateway: TestGateway;
let deps: Deps;
let admin: GivenAdmin;
let otherAdmin: GivenAdmin;
let directory: string;
let documents: Documents;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'jangada-kyc-'));
  gateway = await startTestGateway({ env: { DATA_DIR: directory }, startsWork: false });
  ({ deps } = gateway);
  [admin, otherAdmin] = [await givenAdmin(gateway), await givenAdmin(gateway)];
  const [document_front, document_back, selfie] = await Promise.all([photo(), photo(), photo()]);
  documents = { document_front, document_back, selfie };
});
afterAll(async () => {
  expect(await countDeadlocks(deps.db)).toBe(0);
  await gateway.stop();
  await rm(directory, { recursive: true });
});

const sendFiles = (person: Person, files: Readonly<Record<string, Buffer>> = documents) =>
  upload(gateway, '/authed/verify/cpf', files, person);
const readState = async (person: Person) =>
  parseSuccess(getKyc.response, await gateway.api('GET', '/authed/verify', undefined, person));
const postDecision = (path: string, body: unknown, caller: { token: string } = admin) =>
  gateway.api('POST', `/admin/users/kyc/${path}`, body, caller);
const codeOf = ({ status, body }: ApiAnswer) => (status < 300 ? 'OK' : errorEnvelope.parse(body).error.code);
const picturePath = (person: { id: number }, side: KycSide) => `/admin/users/${person.id}/kyc/images/${side}`;
const refusalOf = (result: PromiseSettledResult<unknown>) => {
  if (result.status === 'fulfilled') return 'OK';
  return result.reason instanceof Refusal ? result.reason.code : String(result.reason);
};

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
const readUploads = () => deps.db.selectFrom('kyc_uploads').selectAll().execute();
const readAuditEntries = (subject: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason', 'after'])
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();
const readSubmissions = (person: { id: number }) =>
  deps.db
    .selectFrom('kyc_submissions')
    .selectAll()
    .where('merchant_id', '=', person.id)
    .orderBy('submitted_at')
    .execute();

/** Creates a user with a pending submission whose picture has no file, for tests that need only the rows. */
async function givenPendingSubmission(): Promise<{ id: number; submissionId: string }> {
  const id = await insertMerchant(deps.db);
  const submissionId = randomUUID();
  await inTransaction(deps, (tx) =>
    insertSubmission(tx, id, submissionId, [
      { side: 'selfie', sealedThumbnail: Buffer.alloc(0), width: 1, height: 1, size: 1 },
    ]),
  );
  return { id, submissionId };
}

describe('documents', () => {
  test('that are refused leave nothing behind', async () => {
    const small = await photo(2000, KYC_PICTURE_MIN_SIDE - 1);
    const person = await givenPerson(deps);
    const company = await givenPerson(deps, { document: '11222333000181', doctype: 'cnpj' });
    const { selfie, ...withoutSelfie } = documents;
    const large = Buffer.concat([selfie, Buffer.alloc(10 * 1024 * 1024)]);
    const calls = [
      () => gateway.api('POST', '/authed/verify/cpf', {}, person),
      () => sendFiles(person, withoutSelfie),
      () => sendFiles(person, { ...withoutSelfie, selfie: large }),
      () => sendFiles(person, { ...documents, role: selfie }),
      () => sendFiles(person, { ...withoutSelfie, selfie: payload }),
      () => sendFiles(person, { ...withoutSelfie, selfie: selfie.subarray(0, 900) }),
      () => sendFiles(person, { ...withoutSelfie, selfie: withoutSelfie.document_back }),
      () => sendFiles(person, { ...withoutSelfie, selfie: small }),
      () => sendFiles(company),
    ];
    const codes: string[] = [];
    for (const call of calls) codes.push(codeOf(await call()));
    expect(codes).toEqual([
      'UNSUPPORTED_MEDIA_TYPE',
      'KYC_INCOMPLETE',
      'PICTURE_TOO_LARGE',
      'INVALID_BODY',
      'PICTURE_NOT_ACCEPTED',
      'PICTURE_NOT_ACCEPTED',
      'KYC_SAME_PICTURE',
      'PICTURE_TOO_SMALL',
      'KYC_COMPANY',
    ]);
    expect(await readState(person)).toEqual({
      status: 'none',
      reason: null,
      submitted_at: null,
      decided_at: null,
    });
    expect([await storedFiles(), await readUploads()]).toEqual([[], []]);
  });

  test('are pending, rejected with a reason, submitted again, and approve the account once they are accepted', async () => {
    const person = await givenPerson(deps);
    const sent = parseSuccess(verifyCpf.response, await sendFiles(person));
    expect(sent).toMatchObject({ success: true, status: 'pending', reason: null });
    expect(codeOf(await sendFiles(person))).toBe('KYC_PENDING');

    expect(codeOf(await postDecision(`reject/${person.id}`, { reason: '  \n ' }))).toBe('INVALID_BODY');
    expect(codeOf(await postDecision(`reject/${person.id}`, { reason: ' Foto sem foco. ' }))).toBe('OK');
    expect(await readState(person)).toMatchObject({ status: 'rejected', reason: 'Foto sem foco.' });

    expect(codeOf(await sendFiles(person))).toBe('OK');
    const [first, second] = await readSubmissions(person);
    expect(codeOf(await postDecision(`accept/${person.id}`, { submission: first?.id }))).toBe('KYC_DECIDED');
    expect(codeOf(await postDecision(`accept/${person.id}`, { submission: second?.id }))).toBe('OK');
    expect(await readState(person)).toMatchObject({ status: 'approved', reason: null });
    const { user } = parseSuccess(
      profile.response,
      await gateway.api('GET', '/authed/profile', undefined, person),
    );
    expect(user).toMatchObject({ approved: true, apiActive: true });

    expect(codeOf(await sendFiles(person))).toBe('KYC_APPROVED');
    expect(codeOf(await postDecision(`accept/${person.id}`, undefined))).toBe('KYC_DECIDED');
    expect(await readAuditEntries(person.id)).toMatchObject([
      {
        actor_id: admin.id,
        action: 'kyc rejected',
        reason: 'Foto sem foco.',
        after: { submission: first?.id, approved: false },
      },
      {
        actor_id: admin.id,
        action: 'kyc approved',
        reason: null,
        after: { submission: second?.id, approved: true },
      },
    ]);
    const notifications = await deps.db
      .selectFrom('notifications')
      .select(['title', 'data'])
      .where('merchant_id', '=', person.id)
      .orderBy('id')
      .execute();
    expect(notifications).toEqual([
      { title: 'Verificação rejeitada', data: { type: 'account.kyc_rejected' } },
      { title: 'Verificação aprovada', data: { type: 'account.kyc_approved' } },
    ]);
    const mails = await deps.db
      .selectFrom('mails')
      .select('subject')
      .where('user_id', '=', person.id)
      .where('kind', '=', 'kyc')
      .execute();
    expect(mails).toHaveLength(2);
  });

  test('with hidden data are stored without it, and encrypted', async () => {
    const person = await givenPerson(deps);
    const before = (await storedFiles()).length;
    const withHiddenData = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('PK\x03\x04'), payload]);
    const hostile = {
      document_front: withHiddenData(documents.document_front),
      document_back: withHiddenData(documents.document_back),
      selfie: withHiddenData(documents.selfie),
    };
    expect(codeOf(await sendFiles(person, hostile))).toBe('OK');
    expect((await storedFiles()).length).toBe(before + 3);
    for (const side of kycSides) {
      const { bytes, headers } = await download(gateway, picturePath(person, side), admin);
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'no-store',
        'content-disposition': `inline; filename="${side}.webp"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      expect((await sharp(bytes).metadata()).format).toBe('webp');
      expect(bytes.includes(payload.subarray(0, 12))).toBe(false);
    }
    expect(codeOf(await postDecision(`reject/${person.id}`, { reason: 'Não é um documento.' }))).toBe('OK');
  });
});

describe('administrators', () => {
  test('see pending submissions, oldest first, with small thumbnails', async () => {
    const people = [await givenPerson(deps), await givenPerson(deps)];
    for (const person of people) {
      expect(codeOf(await sendFiles(person))).toBe('OK');
      await gateway.advance(1);
    }
    const { items, total } = parseSuccess(
      adminPendingKyc.response,
      await gateway.api('GET', '/admin/users/pending-kyc', undefined, admin),
    );
    expect(total).toBe(2);
    expect(items.map(({ user }) => user.id)).toEqual(people.map(({ id }) => String(id)));
    const [first] = items;
    expect(first).toMatchObject({
      user: { name: people[0]?.name, email: people[0]?.email },
      document: { number: people[0]?.document, type: 'CPF' },
    });
    const { front_side = '', back_side = '', selfie = '' } = first?.document ?? {};
    for (const thumbnail of [front_side, back_side, selfie]) {
      expect(thumbnail.length).toBeLessThanOrEqual(20_000);
      expect(await sharp(Buffer.from(thumbnail, 'base64')).metadata()).toMatchObject({
        format: 'webp',
        width: 200,
      });
    }
    for (const person of people) expect(codeOf(await postDecision(`accept/${person.id}`, {}))).toBe('OK');
  });

  test('have each view recorded in the audit log, and others see nothing', async () => {
    const person = await givenPerson(deps);
    const stranger = await givenPerson(deps);
    expect(codeOf(await sendFiles(person))).toBe('OK');
    const views = await runConcurrently(6, (at) =>
      download(gateway, picturePath(person, kycSides[at % 3] ?? 'selfie'), at < 3 ? admin : otherAdmin),
    );
    expect(views.map((view) => view.status === 'fulfilled' && view.value.status)).toEqual(Array(6).fill(200));
    for (const caller of [person, stranger])
      expect((await download(gateway, picturePath(person, 'selfie'), caller)).status).toBe(403);
    expect((await download(gateway, picturePath(person, 'selfie'))).status).toBe(401);
    for (const path of [
      picturePath(stranger, 'selfie'),
      picturePath({ id: 999_999 }, 'selfie'),
      '/admin/users/x/kyc/images/selfie',
    ])
      expect((await download(gateway, path, admin)).status).toBe(404);

    const entries = await readAuditEntries(person.id);
    const [submission] = await readSubmissions(person);
    const recordedViews = entries
      .map(({ actor_id, action, after }) => JSON.stringify([actor_id, action, after]))
      .sort();
    const expected = [admin, otherAdmin].flatMap(({ id }) =>
      kycSides.map((side) => JSON.stringify([id, 'kyc picture seen', { side, submission: submission?.id }])),
    );
    expect(recordedViews).toEqual(expected.sort());
    expect(await readAuditEntries(stranger.id)).toEqual([]);
    expect(codeOf(await postDecision(`accept/${person.id}`, {}))).toBe('OK');
  });

  test('decide only on pending submissions of existing users, and never on their own', async () => {
    const personWithoutSubmission = await givenPerson(deps);
    expect(codeOf(await postDecision(`accept/${personWithoutSubmission.id}`, {}))).toBe('KYC_NOT_PENDING');
    for (const id of ['999999', '0', 'x', '1e3'])
      expect(codeOf(await postDecision(`accept/${id}`, {}))).toBe('USER_NOT_FOUND');
    expect(codeOf(await postDecision(`accept/${admin.id}`, {}))).toBe('OWN_ACCOUNT');
    const pending = await givenPendingSubmission();
    expect(codeOf(await postDecision(`accept/${pending.id}`, { submission: randomUUID() }))).toBe(
      'KYC_DECIDED',
    );
    expect(codeOf(await postDecision(`accept/${pending.id}`, {}, personWithoutSubmission))).toBe('FORBIDDEN');
    const demoted = await insertMerchant(deps.db);
    const decision = {
      actorId: demoted,
      userId: pending.id,
      submissionId: undefined,
      status: 'approved',
    } as const;
    await expect(decideKyc(deps, decision)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(codeOf(await postDecision(`accept/${pending.id}`, {}))).toBe('OK');
  });

  test('who decide concurrently get one decision, and the others are refused with KYC_DECIDED', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id, submissionId } = await givenPendingSubmission();
      const results = await runConcurrently(4, (at) => {
        const review = { actorId: at % 2 === 0 ? admin.id : otherAdmin.id, userId: id, submissionId };
        return decideKyc(
          deps,
          at < 2 ? { ...review, status: 'approved' } : { ...review, status: 'rejected', reason: 'x' },
        );
      });
      const codes = results.map(refusalOf);
      expect([...codes].sort()).toEqual(['KYC_DECIDED', 'KYC_DECIDED', 'KYC_DECIDED', 'OK']);
      const winner = codes.indexOf('OK');
      const [row] = await readSubmissions({ id });
      expect(row).toMatchObject({
        status: winner < 2 ? 'approved' : 'rejected',
        decided_by: winner % 2 === 0 ? admin.id : otherAdmin.id,
      });
      expect(await readAuditEntries(id)).toHaveLength(1);
    }
  });
});

describe('concurrently', () => {
  test('three uploads become one submission, and the files of the others are removed', async () => {
    const person = await givenPerson(deps);
    const before = (await storedFiles()).length;
    const results = await runConcurrently(3, () => sendDocuments(deps, person.id, documents));
    expect(results.map(refusalOf).sort()).toEqual(['KYC_PENDING', 'KYC_PENDING', 'OK']);
    expect(await readSubmissions(person)).toHaveLength(1);
    expect([(await storedFiles()).length, await readUploads()]).toEqual([before + 3, []]);
  });

  test('an upload and a decision take effect one after the other', async () => {
    const person = await givenPerson(deps);
    await sendDocuments(deps, person.id, documents);
    for (let round = 0; round < 3; round += 1) {
      const [rejected, sent] = await Promise.allSettled([
        decideKyc(deps, {
          actorId: admin.id,
          userId: person.id,
          submissionId: undefined,
          status: 'rejected',
          reason: 'x',
        }),
        sendDocuments(deps, person.id, documents),
      ]);
      expect(refusalOf(rejected)).toBe('OK');
      const rows = await readSubmissions(person);
      expect(['OK', 'KYC_PENDING']).toContain(refusalOf(sent));
      expect(rows.at(-1)?.status).toBe(refusalOf(sent) === 'OK' ? 'pending' : 'rejected');
      if (refusalOf(sent) !== 'OK') await sendDocuments(deps, person.id, documents);
    }
    const stored = await deps.db
      .selectFrom('kyc_pictures')
      .select('side')
      .where('merchant_id', '=', person.id)
      .execute();
    expect(stored).toHaveLength(3 * (await readSubmissions(person)).length);
    expect(await readUploads()).toEqual([]);
  });
});
