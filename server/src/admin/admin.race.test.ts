import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownCaller } from '../../test/caller.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson } from '../../test/people.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { authenticateSession } from '../identity/index.ts';
import { auditLedger, readAvailable } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { createSecrets } from '../secrets.ts';
import { findUsers, readUser } from './find-users.ts';
import { type UserUpdate, updateUser as updateUserBy } from './update-user.ts';

let database: TestDatabase;
let db: Db;
let clock = createAdjustableClock();
const config = readConfig({ ADJUSTMENT_DAY: '1000' });
const secrets = createSecrets(Buffer.alloc(32, 7));
const deps = () => ({ db, clock, config, secrets });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
beforeEach(() => {
  clock = createAdjustableClock();
});
afterAll(async () => {
  expect(await auditLedger(db)).toEqual([]);
  await db.destroy();
  await database.drop();
});

async function givenAdministrator() {
  const person = await givenPerson(deps());
  await db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', person.id).execute();
  return person;
}

const viewer = { userId: 0, seesDocuments: true };

function updateUser(
  updateDeps: ReturnType<typeof deps>,
  actorId: number,
  userId: number,
  update: UserUpdate,
  factorAt?: Date,
) {
  const caller = ownCaller(actorId, { role: 'ADMIN', ...(factorAt && { factorAt }) });
  const editor = { caller, stepUp: undefined };
  return updateUserBy(updateDeps, editor, userId, update);
}

/** The form's content: the whole account as opened, with some edits. */
async function editedForm(id: number, changes: Partial<UserUpdate>): Promise<UserUpdate> {
  return { ...(await readUser(deps(), String(id))), ...changes };
}

const entriesOf = (subjectId: number) =>
  db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason', 'before', 'after'])
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute();

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : String(error));
async function outcomes(updates: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(updates);
  return settled.map((result) => (result.status === 'fulfilled' ? 'done' : codeOf(result.reason))).sort();
}

describe('a change of an account', () => {
  test('writes the allowed fields and no others', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const update = await editedForm(person.id, {
      name: 'Mariana  Souza',
      email: 'Mariana@Example.com',
      approved: true,
      taxes: {
        pix: { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 },
        crypto: 0,
        reserve: { enabled: false, percentage: 0, liberationTime: 0 },
      },
    });
    const user = await updateUser(deps(), admin.id, person.id, update);
    expect(user).toMatchObject({
      id: String(person.id),
      username: person.username,
      document: person.document,
      name: 'Mariana Souza',
      email: 'mariana@example.com',
      approved: true,
      apiActive: true,
      balance: 0,
      taxes: { pix: { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 } },
      version: update.version + 1,
    });
    expect(await authenticateSession(deps(), person.token)).toMatchObject({ approved: true });
  });

  test('may send back fields as they were read; another value of a read-only field is refused by name', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const readFields = await readUser(deps(), String(person.id));
    await updateUser(deps(), admin.id, person.id, { ...readFields, name: 'Marina de Novo' });
    const { version } = await readUser(deps(), String(person.id));
    for (const field of [{ id: '1' }, { kyc: 'approved' }, { frozen_at: 'x' }, { balance: 10 }])
      await expect(updateUser(deps(), admin.id, person.id, { version, ...field })).rejects.toMatchObject({
        code: 'FIELD_NOT_EDITABLE',
        message: `Esta chamada não altera: ${Object.keys(field)[0]}.`,
      });
    expect(await readUser(deps(), String(person.id))).toMatchObject({ version, name: 'Marina de Novo' });
  });

  test('of username or document requires a reason, and voids the verification of a verified account', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const other = await givenPerson(deps());
    await updateUser(deps(), admin.id, person.id, await editedForm(person.id, { approved: true }));
    const submission = {
      merchant_id: person.id,
      id: randomUUID(),
      status: 'approved',
      submitted_at: clock.now(),
    };
    const decided = { decided_at: clock.now(), decided_by: admin.id };
    await db
      .insertInto('kyc_submissions')
      .values({ ...submission, ...decided })
      .execute();
    const change = async (fields: Partial<UserUpdate>) =>
      updateUser(deps(), admin.id, person.id, {
        version: (await readUser(deps(), String(person.id))).version,
        ...fields,
      });
    const reason = 'documento digitado errado';
    const document = randomCpf();
    await expect(change({ document })).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
    await expect(change({ username: 'outro-nome' })).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
    await expect(change({ document: '111', reason })).rejects.toMatchObject({ code: 'INVALID_BODY' });
    await expect(change({ docType: 'CNPJ', reason })).rejects.toMatchObject({ code: 'INVALID_BODY' });
    await expect(change({ document: other.document, reason })).rejects.toMatchObject({
      code: 'DOCUMENT_TAKEN',
    });
    await expect(change({ username: other.username, reason })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });

    const username = `outro-${person.username}`;
    expect(await change({ username, document, approved: true, reason })).toMatchObject({
      username,
      document,
      approved: false,
      apiActive: false,
      kyc: 'rejected',
    });
    expect((await entriesOf(person.id)).at(-1)).toMatchObject({
      action: 'user updated',
      reason,
      before: { username: person.username, document: person.document, approved: true },
      after: { username, document, approved: false },
    });
    const mails = db.selectFrom('mails').select('body').where('user_id', '=', person.id);
    const bodies = (await mails.execute()).map(({ body }) => body);
    expect(bodies.join()).toContain('nome de usuário, documento, aprovação');
    expect(bodies.join()).not.toContain(document);
  });

  test('is recorded in the audit log with the changed values, the administrator and the reason', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const update = await editedForm(person.id, { approved: true, reason: ' documentos conferidos ' });
    await updateUser(deps(), admin.id, person.id, update);
    expect(await entriesOf(person.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'user updated',
        reason: 'documentos conferidos',
        before: { approved: false, api_active: false },
        after: { approved: true, api_active: true },
      },
    ]);
  });

  test('updates open screens, and a new e-mail is reported to the old address by mail', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    await updateUser(deps(), admin.id, person.id, await editedForm(person.id, { email: 'nova@example.com' }));
    const mails = db.selectFrom('mails').select(['subject', 'recipient']).where('user_id', '=', person.id);
    expect(await mails.execute()).toEqual([{ subject: 'E-mail alterado', recipient: person.email }]);
    const messages = db.selectFrom('outbox').select('payload').orderBy('id', 'desc');
    expect(await messages.executeTakeFirst()).toEqual({ payload: `${person.id} {"type":"account"}` });
  });

  test('to the same values writes nothing', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const update = await editedForm(person.id, {});
    expect(await updateUser(deps(), admin.id, person.id, update)).toMatchObject({ version: update.version });
    expect(await entriesOf(person.id)).toEqual([]);
  });

  test('by several concurrent forms succeeds once, and the other forms are refused as stale', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const updates = await Promise.all(
      ['Ana Um', 'Ana Dois', 'Ana Tres'].map((name) => editedForm(person.id, { name })),
    );
    const attempts = updates.map((update) => updateUser(deps(), admin.id, person.id, update));
    expect(await outcomes(attempts)).toEqual(['STALE_VERSION', 'STALE_VERSION', 'done']);
    expect(await entriesOf(person.id)).toHaveLength(1);
  });

  test('to another account’s e-mail is refused, and writes nothing', async () => {
    const [admin, person, other] = [
      await givenAdministrator(),
      await givenPerson(deps()),
      await givenPerson(deps()),
    ];
    const update = await editedForm(person.id, { email: other.email.toUpperCase(), approved: true });
    await expect(updateUser(deps(), admin.id, person.id, update)).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect(await readUser(deps(), String(person.id))).toMatchObject({
      approved: false,
      version: update.version,
    });
    expect(await entriesOf(person.id)).toEqual([]);
  });

  test.each(['0', '-1', '1e3', '999999999999', 'x', "1' or '1", ''])(
    '%s is not the id of a user',
    async (id) => {
      await expect(readUser(deps(), id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    },
  );
});

describe('administrators', () => {
  const noTaxes = {
    pix: { in: 0, out: 0, fixIn: 0, fixOut: 0 },
    crypto: 0,
    reserve: { enabled: false, percentage: 0, liberationTime: 0 },
  };
  test.each([
    [{ role: 'USER' }, /próprio papel/],
    [{ name: 'Nome Novo' }, /em Perfil/],
    [{ email: 'outro@example.com' }, /em Perfil/],
    [{ taxes: { ...noTaxes, crypto: 0.5 } }, /em Perfil/],
  ] as const)('cannot change their own account: %j', async (change, message) => {
    const admin = await givenAdministrator();
    const update = await editedForm(admin.id, change);
    await expect(updateUser(deps(), admin.id, admin.id, update)).rejects.toMatchObject({
      code: 'OWN_ACCOUNT',
      message: expect.stringMatching(message),
    });
    expect(await readUser(deps(), String(admin.id))).toMatchObject({ version: update.version });
  });

  test('with a second factor must give it for any change, but not for an unchanged form', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    await db
      .insertInto('totp_factors')
      .values({
        user_id: admin.id,
        sealed_secret: Buffer.alloc(0),
        created_at: clock.now(),
        confirmed_at: clock.now(),
      })
      .execute();
    await updateUser(deps(), admin.id, person.id, await editedForm(person.id, {}));
    const changes: Partial<UserUpdate>[] = [
      { name: 'Nome Novo' },
      { approved: true },
      { apiActive: false },
      { taxes: { ...noTaxes, crypto: 0.5 } },
      { email: 'novo-endereco@example.com' },
      { role: 'SUPPORT' },
      { balance: 1, balance_before: 0, reason: 'x' },
    ];
    for (const change of changes) {
      const update = await editedForm(person.id, change);
      await expect(updateUser(deps(), admin.id, person.id, update)).rejects.toMatchObject({
        code: 'STEP_UP_REQUIRED',
      });
      expect(await readUser(deps(), String(person.id))).toMatchObject({ version: update.version });
      await updateUser(deps(), admin.id, person.id, update, clock.now());
    }
  });

  test('cannot activate the API of an account that stays unapproved', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const attempt = await editedForm(person.id, { apiActive: true });
    await expect(updateUser(deps(), admin.id, person.id, attempt)).rejects.toMatchObject({
      code: 'INVALID_BODY',
      details: { fields: [{ field: 'apiActive' }] },
    });
    await updateUser(deps(), admin.id, person.id, { ...attempt, approved: true });
    expect(await readUser(deps(), String(person.id))).toMatchObject({ approved: true, apiActive: true });
  });

  test.each(['ADMIN', 'SUPPORT'] as const)('a user who becomes %s must sign in again', async (role) => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    expect(await authenticateSession(deps(), person.token)).toMatchObject({ role: 'USER' });
    await updateUser(deps(), admin.id, person.id, await editedForm(person.id, { role }));
    await expect(authenticateSession(deps(), person.token)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('have an e-mail that other administrators cannot change: it would let them recover the password', async () => {
    const [admin, other] = [await givenAdministrator(), await givenAdministrator()];
    const email = `tomado-${other.email}`;
    for (const change of [{ email }, { email, role: 'USER' as const }])
      await expect(
        updateUser(deps(), admin.id, other.id, await editedForm(other.id, change)),
      ).rejects.toMatchObject({ code: 'ADMIN_EMAIL', message: expect.stringMatching(/por ele mesmo/) });
    await db.updateTable('users').set({ frozen_at: clock.now() }).where('id', '=', other.id).execute();
    await expect(
      updateUser(deps(), admin.id, other.id, await editedForm(other.id, { email })),
    ).rejects.toMatchObject({ code: 'ADMIN_EMAIL' });
    await db.updateTable('users').set({ frozen_at: null }).where('id', '=', other.id).execute();
    expect(await readUser(deps(), String(other.id))).toMatchObject({ email: other.email, role: 'ADMIN' });
    await updateUser(deps(), admin.id, other.id, await editedForm(other.id, { name: 'Outro Nome' }));

    // After a demotion the e-mail can be changed. A new promotion then sets its promoter as the root.
    await updateUser(deps(), admin.id, other.id, await editedForm(other.id, { role: 'USER' }));
    await updateUser(deps(), admin.id, other.id, await editedForm(other.id, { email }));
    await updateUser(deps(), admin.id, other.id, await editedForm(other.id, { role: 'ADMIN' }));
    const users = db.selectFrom('users').select(['email', 'admin_root']).where('id', '=', other.id);
    expect(await users.execute()).toEqual([{ email, admin_root: admin.id }]);
  });

  test('who demote each other concurrently leave one administrator', async () => {
    for (let round = 0; round < 5; round += 1) {
      await db.updateTable('users').set({ role: 'USER' }).where('role', '=', 'ADMIN').execute();
      const [first, second] = [await givenAdministrator(), await givenAdministrator()];
      const demotions = [
        updateUser(deps(), first.id, second.id, await editedForm(second.id, { role: 'USER' })),
        updateUser(deps(), second.id, first.id, await editedForm(first.id, { role: 'SUPPORT' })),
      ];
      expect(await outcomes(demotions)).toEqual(['LAST_ADMIN', 'done']);
      const left = db.selectFrom('users').select('id').where('role', '=', 'ADMIN');
      expect(await left.execute()).toHaveLength(1);
    }
  });

  test('who were demoted can change nothing', async () => {
    const [admin, former, person] = [
      await givenAdministrator(),
      await givenAdministrator(),
      await givenPerson(deps()),
    ];
    await updateUser(deps(), admin.id, former.id, await editedForm(former.id, { role: 'USER' }));
    const update = await editedForm(person.id, { approved: true });
    await expect(updateUser(deps(), former.id, person.id, update)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('a balance', () => {
  const adjust = async (
    actorId: number,
    id: number,
    [balance_before, balance]: [number, number],
    reason = 'estorno combinado',
  ) =>
    updateUser(deps(), actorId, id, {
      ...(await editedForm(id, {})),
      balance,
      balance_before,
      reason,
    });

  test('changes by an adjustment in the ledger and in the audit log', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    expect(await adjust(admin.id, person.id, [0, 12.34])).toMatchObject({ balance: 12.34 });
    expect(await adjust(admin.id, person.id, [12.34, 2.3])).toMatchObject({ balance: 2.3 });
    expect(await readAvailable(db, person.id)).toBe(230);
    expect(await entriesOf(person.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'balance adjusted',
        reason: 'estorno combinado',
        before: { balance_cents: 0 },
        after: { balance_cents: 1234 },
      },
      {
        actor_id: admin.id,
        action: 'balance adjusted',
        reason: 'estorno combinado',
        before: { balance_cents: 1234 },
        after: { balance_cents: 230 },
      },
    ]);
    const messages = await db
      .selectFrom('outbox')
      .select('payload')
      .where(sql<boolean>`merchant_ids = array[${person.id}::bigint]`)
      .orderBy('id')
      .execute();
    expect(messages.map(({ payload }) => payload)).toEqual([
      `${person.id} {"type":"balance","balance":12.34}`,
      `${person.id} {"type":"balance","balance":2.3}`,
    ]);
  });

  test('is not changed by a form without the previous balance', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const update = await editedForm(person.id, { balance: 500, reason: 'x' });
    const refused = updateUser(deps(), admin.id, person.id, update);
    await expect(refused).rejects.toMatchObject({ code: 'FIELD_NOT_EDITABLE' });
    expect(await readUser(deps(), String(person.id))).toMatchObject({ balance: 0 });
  });

  test.each([
    ['REASON_REQUIRED', [0, 1], ' '],
    ['STALE_BALANCE', [1, 2], 'x'],
    ['INSUFFICIENT_BALANCE', [0, -0.01], 'x'],
    ['ADJUSTMENT_LIMIT', [0, 1000.01], 'x'],
  ] as const)('is refused with %s, and nothing changes', async (code, [before, after], reason) => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    const update = await editedForm(person.id, {
      approved: true,
      balance: after,
      balance_before: before,
      reason,
    });
    await expect(updateUser(deps(), admin.id, person.id, update)).rejects.toMatchObject({ code });
    expect(await readUser(deps(), String(person.id))).toMatchObject({ balance: 0, approved: false });
    expect(await entriesOf(person.id)).toEqual([]);
  });

  test('cannot be changed by its owner', async () => {
    const admin = await givenAdministrator();
    await expect(adjust(admin.id, admin.id, [0, 1])).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
  });

  async function givenPromotedBy(actorId: number) {
    const person = await givenPerson(deps());
    await updateUser(deps(), actorId, person.id, await editedForm(person.id, { role: 'ADMIN' }));
    return person;
  }

  test('cannot be changed by administrators whom its owner promoted, directly or indirectly', async () => {
    const admin = await givenAdministrator();
    const child = await givenPromotedBy(admin.id);
    const [grandchild, sibling] = [await givenPromotedBy(child.id), await givenPromotedBy(admin.id)];
    for (const [actor, owner] of [
      [child, admin],
      [admin, child],
      [grandchild, admin],
      [grandchild, sibling],
    ] as const)
      await expect(adjust(actor.id, owner.id, [0, 1])).rejects.toMatchObject({
        code: 'OWN_ACCOUNT',
        message: expect.stringMatching(/admin:create/),
      });
    // The refusal stays after the owner was demoted.
    await updateUser(deps(), child.id, admin.id, await editedForm(admin.id, { role: 'USER' }));
    await expect(adjust(child.id, admin.id, [0, 1])).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    const other = await givenAdministrator();
    expect(await adjust(other.id, child.id, [0, 1])).toMatchObject({ balance: 1 });
  });

  test('that several calls adjust from the same previous balance is adjusted once', async () => {
    const [first, second, person] = [
      await givenAdministrator(),
      await givenAdministrator(),
      await givenPerson(deps()),
    ];
    const adjustments = [first, second, first, second].map((admin) => adjust(admin.id, person.id, [0, 100]));
    expect(await outcomes(adjustments)).toEqual(['STALE_BALANCE', 'STALE_BALANCE', 'STALE_BALANCE', 'done']);
    expect(await readAvailable(db, person.id)).toBe(10_000);
  });

  test('is adjusted within the daily cap of one administrator, even across accounts and concurrently', async () => {
    const admin = await givenAdministrator();
    const people = await Promise.all(Array.from({ length: 4 }, () => givenPerson(deps())));
    const adjustments = people.map(({ id }) => adjust(admin.id, id, [0, 400]));
    expect(await outcomes(adjustments)).toEqual(['ADJUSTMENT_LIMIT', 'ADJUSTMENT_LIMIT', 'done', 'done']);

    const fresh = await givenPerson(deps());
    const other = await givenAdministrator();
    expect(await adjust(other.id, fresh.id, [0, 1000])).toMatchObject({ balance: 1000 });
    await expect(adjust(admin.id, fresh.id, [1000, 700])).rejects.toMatchObject({ code: 'ADJUSTMENT_LIMIT' });
    clock.shift(24 * 3_600_000);
    expect(await adjust(admin.id, fresh.id, [1000, 700])).toMatchObject({ balance: 700 });
  });

  test('is adjusted within one daily cap that an administrator shares with those whom they promoted', async () => {
    const admin = await givenAdministrator();
    const children = [await givenPromotedBy(admin.id), await givenPromotedBy(admin.id)];
    const grandchild = await givenPromotedBy(children[0]?.id ?? 0);
    const actors = [admin, ...children, grandchild];
    const people = await Promise.all(actors.map(() => givenPerson(deps())));
    const adjustments = people.map(({ id }, index) => adjust(actors[index]?.id ?? 0, id, [0, 400]));
    expect(await outcomes(adjustments)).toEqual(['ADJUSTMENT_LIMIT', 'ADJUSTMENT_LIMIT', 'done', 'done']);
    // Adjustments of demoted administrators still count.
    for (const { id } of [...children, grandchild])
      await updateUser(deps(), admin.id, id, await editedForm(id, { role: 'USER' }));
    const [fresh, last] = [await givenPerson(deps()), await givenPromotedBy(admin.id)];
    await expect(adjust(last.id, fresh.id, [0, 400])).rejects.toMatchObject({ code: 'ADJUSTMENT_LIMIT' });
    expect(await adjust(admin.id, fresh.id, [0, 200])).toMatchObject({ balance: 200 });
  });
});

describe('finding accounts', () => {
  const findIds = async (search: string) =>
    (await findUsers(deps(), { search, page: 1 }, viewer)).users.map(({ id }) => Number(id));

  test('by any part of name, username, e-mail or document, ignoring accents and case', async () => {
    const { id, username, email } = await givenPerson(deps(), {
      name: 'Conceição Araújo D’Ávila',
      document: '852.036.450-03',
    });
    for (const search of [
      'conceicao',
      'CONCEIÇÃO',
      'ceic',
      'avila conc',
      'co',
      'ar d',
      username.slice(2),
      username.toUpperCase(),
      email.slice(0, 9),
      '852.036',
      '85203645003',
      '  araújo ',
    ])
      expect(await findIds(search), search).toContain(id);
    for (const search of ['conceicao silva', 'ao', 'qz', '852036450031', '%', '_', '\\', 'zz\u0000qq'])
      expect(await findIds(search), search).not.toContain(id);
  });

  test('by a full document or e-mail is rate limited for support, and the document stays masked', async () => {
    const person = await givenPerson(deps());
    const support = { userId: (await givenPerson(deps())).id, seesDocuments: false };
    const { document } = await readUser(deps(), String(person.id));
    const searchAsSupport = (search: string) => findUsers(deps(), { search, page: 1 }, support);
    for (let attempt = 0; attempt < 15; attempt += 1) {
      const { users } = await searchAsSupport(document);
      expect(users).toMatchObject([{ id: String(person.id), document: `•••${document.slice(3, 6)}•••••` }]);
      await searchAsSupport('ninguem@example.com');
    }
    await expect(searchAsSupport(document)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect((await searchAsSupport(person.username)).users).toHaveLength(1);
    expect(await findIds(document)).toEqual([person.id]);
  });

  test('finds a name changed by an administrator', async () => {
    const [admin, person] = [await givenAdministrator(), await givenPerson(deps())];
    await updateUser(
      deps(),
      admin.id,
      person.id,
      await editedForm(person.id, { name: 'Zumbi dos Palmares' }),
    );
    expect(await findIds('zumbi')).toEqual([person.id]);
  });

  test('shows the newest first, page by page, and never the platform', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      username: `pagina-${index}`,
      name: 'Pagina',
      email: `pagina-${index}@example.com`,
      document: `pagina-${index}`,
      doc_type: 'CPF',
      password_hash: '',
      search_text: 'pagina',
      created_at: clock.now(),
      updated_at: clock.now(),
    }));
    await db.insertInto('users').values(rows).execute();
    const first = await findUsers(deps(), { search: 'pagina', page: 1 }, viewer);
    const second = await findUsers(deps(), { search: 'pagina', page: 2 }, viewer);
    const ids = [...first.users, ...second.users].map(({ id }) => Number(id));
    expect(first).toMatchObject({ total: 120, page: 1, limit: 100 });
    expect(first.users).toHaveLength(100);
    expect(new Set(ids).size).toBe(120);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(await findIds('(platform)')).toEqual([]);
  });
});
