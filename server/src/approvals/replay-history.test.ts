import { expect, test } from 'vitest';
import {
  PaperAccount,
  type PaperPerson,
  paperApp,
  paperMasterKey,
  paperPasskey,
  paperPerson,
  publicPartOf,
} from '../../test/paper-approvals.ts';
import { createSecrets } from '../secrets.ts';
import { findCountingApprovers, type MakeMark } from './count-approvals.ts';
import { makeMarkWith } from './read-policy.ts';
import { replayHistory } from './replay-history.ts';

const ownMarks = makeMarkWith(createSecrets(paperMasterKey));
const [ana, bia, caio] = [1, 2, 3].map((user) => paperPerson(user)) as [
  PaperPerson,
  PaperPerson,
  PaperPerson,
];
const policyOff = {
  enabled: false,
  from_cents: 0,
  approvals: 1,
  expires_hours: 72,
  passkeys_only: false,
};

function replay({ account, history, requests }: PaperAccount, makeMark: MakeMark = ownMarks) {
  return replayHistory(
    account,
    history.map((entry) => ({
      seq: entry.seq,
      kind: entry.kind,
      requestId: entry.request,
      userId: entry.user,
      keyId: entry.key,
      pixKey: entry.pix_key,
      mark: entry.mark === null ? null : Buffer.from(entry.mark, 'base64url'),
      at: new Date(entry.at),
    })),
    new Map(
      requests.map(({ id, document, approvals }) => [id, { document, approvals: given({ approvals }) }]),
    ),
    makeMark,
  );
}

const given = ({ approvals }: Pick<PaperAccount['requests'][number], 'approvals'>) =>
  approvals.map(({ user, key, proof }) => ({ userId: user, keyId: key, proof }));

/** Those whose approvals of a request count now. */
async function countingOf(account: PaperAccount, request: PaperAccount['requests'][number]) {
  const { state } = await replay(account);
  return findCountingApprovers(state, request.document, given(request), {
    makeMark: ownMarks,
    at: account.now,
  });
}

const unprovenOf = async (account: PaperAccount, makeMark?: MakeMark) =>
  (await replay(account, makeMark)).unproven.map(({ index }) => index);

test('a first policy counts only with the mark of the gateway’s own key over this very text', async () => {
  const account = new PaperAccount();
  const first = account.begin([ana, bia]);
  expect((await replay(account)).state).toMatchObject({ isOn: true, approvals: 1, entryCount: 1 });
  const foreign = makeMarkWith(createSecrets(Buffer.alloc(32, 1)));
  for (const makeMark of [foreign, () => undefined])
    expect((await replay(account, makeMark)).state).toMatchObject({ isOn: false, entryCount: 1 });
  first.document = first.document.replace('"approvals":1', '"approvals":2');
  expect((await replay(account)).state.isOn).toBe(false);
});

test('a first policy without its mark, of another account or that is off is none', async () => {
  const bare = new PaperAccount();
  bare.begin([ana, bia]);
  for (const entry of bare.history) entry.mark = null;
  const off = new PaperAccount();
  off.begin([ana, bia], { enabled: false });
  const other = new PaperAccount(8);
  other.begin([ana, bia]);
  Object.assign(other, { account: 9 });
  for (const account of [bare, off, other]) {
    const { state, unproven } = await replay(account);
    expect([state.isOn, unproven.length]).toEqual([false, 1]);
  }
});

test('a policy in force is changed only by enough approvals of others, and a mark is of no use', async () => {
  const account = new PaperAccount();
  account.begin([ana, bia, caio], { approvals: 2 });
  const lone = account.ask('policy', policyOff, 1);
  account.approve(lone, bia);
  account.grant(lone);
  const own = account.ask('policy', policyOff, 1);
  for (const person of [ana, bia]) account.approve(own, person);
  account.grant(own);
  account.begin([ana, bia]);
  expect(await unprovenOf(account)).toEqual([1, 2, 3]);
  expect((await replay(account)).state).toMatchObject({ isOn: true, approvals: 2 });

  const both = account.ask('policy', policyOff, 1);
  for (const person of [bia, caio]) account.approve(both, person);
  account.grant(both);
  expect((await replay(account)).state).toMatchObject({ isOn: false, entryCount: 5 });
});

test('a request grants once, in time, and only what it asked for', async () => {
  const account = new PaperAccount();
  account.begin([ana, bia]);
  const weaker = account.ask('policy', { ...policyOff, enabled: true, from_cents: 90_000 }, 1);
  account.approve(weaker, bia);
  account.grant(weaker);
  const stricter = account.ask('policy', { ...policyOff, enabled: true }, 1);
  account.approve(stricter, bia);
  account.grant(stricter);
  account.grant(weaker);
  expect(await unprovenOf(account)).toEqual([3]);
  expect((await replay(account)).state.fromCents).toBe(0);

  const late = account.ask('policy', policyOff, 1);
  account.approve(late, bia);
  account.advanceHours(72);
  account.grant(late);
  const relabelled = account.askWithdrawal(1);
  account.approve(relabelled, bia);
  account.grant({ ...relabelled, kind: 'policy' });
  account.grant({ ...relabelled, id: 'no such request' });
  const other = account.ask('policy', policyOff, 1);
  account.approve(other, bia);
  account.grant({ ...other, kind: 'destination' });
  expect(await unprovenOf(account)).toEqual([3, 4, 5, 6, 7]);
});

test('a factor that ended never counts again, not even if somebody approves it anew', async () => {
  const [first, second] = [paperPasskey(), paperPasskey()];
  const both = paperPerson(2, [first, second]);
  const account = new PaperAccount();
  account.begin([ana, both, caio]);
  const request = account.askWithdrawal(1);
  account.approve(request, both, first);
  expect(await countingOf(account, request)).toEqual([2]);
  account.end({ user: 2, key: first.id });
  expect(await countingOf(account, request)).toEqual([]);
  account.approve(request, both, second);
  expect(await countingOf(account, request)).toEqual([2]);

  account.end({ user: 2 });
  expect(await countingOf(account, request)).toEqual([]);
  const again = account.ask('approver', publicPartOf(both), 2);
  account.approve(again, caio);
  account.grant(again);
  expect(await unprovenOf(account)).toEqual([]);
  expect((await replay(account)).state.approvers.get(2)?.keys.map(({ id }) => id)).toEqual([second.id]);
});

test('the states of before are those in which earlier requests were counted', async () => {
  const account = new PaperAccount();
  account.begin([ana, bia]);
  account.end({ user: 2 });
  const { states } = await replay(account);
  expect(states.map(({ approvers }) => approvers.has(2))).toEqual([false, true, false]);
});

test('an approval counts once a person, never the maker’s, and only over this text', async () => {
  const account = new PaperAccount();
  account.begin([ana, bia, caio]);
  const request = account.askWithdrawal(1);
  for (const person of [ana, bia, bia]) account.approve(request, person);
  expect(await countingOf(account, request)).toEqual([2]);
  const other = account.askWithdrawal(1, 9000);
  account.approve(other, caio);
  expect(await countingOf(account, { ...request, approvals: other.approvals })).toEqual([]);
  const [approval] = other.approvals;
  expect(await countingOf(account, { ...other, approvals: [{ ...approval, user: 2 } as never] })).toEqual([]);
});

test('the mark of an authenticator app counts for its person, app and text, unless only passkeys count', async () => {
  const withApp = paperPerson(2, [paperApp('two')]);
  for (const [passkeys_only, counting] of [
    [false, [2]],
    [true, []],
  ] as const) {
    const account = new PaperAccount();
    account.begin([ana, withApp, caio], { passkeys_only });
    const request = account.askWithdrawal(1);
    account.approve(request, withApp);
    expect(await countingOf(account, request)).toEqual(counting);
    expect(await countingOf(account, { ...request, document: `${request.document} ` })).toEqual([]);
  }
});

const staffOf = (by: number, since = '2026-12-01T12:00:00.000Z') => ({ since, by });

test('administrators of whom one made the other count as one person for 30 days, in chains and circles too', async () => {
  const dora = paperPerson(4, [paperPasskey()], staffOf(3));
  const eva = paperPerson(5, [paperPasskey()], staffOf(4));
  const fred = paperPerson(6, [paperPasskey()], staffOf(3));
  const account = new PaperAccount(0);
  account.begin([ana, caio, dora, eva, fred]);
  const request = account.askWithdrawal(1);
  for (const person of [dora, eva, fred, caio]) account.approve(request, person);
  expect(await countingOf(account, request)).toEqual([4]);
  const ofOne = account.askWithdrawal(5);
  for (const person of [dora, fred, caio, ana]) account.approve(ofOne, person);
  expect(await countingOf(account, ofOne)).toEqual([1]);
  account.advanceHours(30 * 24);
  expect(await countingOf(account, request)).toEqual([4, 5, 6, 3]);

  const circle = new PaperAccount(0);
  const [left, right] = [
    paperPerson(7, [paperPasskey()], staffOf(8)),
    paperPerson(8, [paperPasskey()], staffOf(7)),
  ];
  circle.begin([ana, left, right]);
  const asked = circle.askWithdrawal(1);
  for (const person of [left, right]) circle.approve(asked, person);
  expect(await countingOf(circle, asked)).toEqual([7]);
});

test('a destination is approved with its limit by day, and ends', async () => {
  const account = new PaperAccount();
  account.begin([ana, bia]);
  const order = { pix_key: 'a@example.com', pix_key_type: 'email', day_limit_cents: 7000 };
  const request = account.ask('destination', order, 1);
  account.grant(request);
  expect((await replay(account)).state.destinations.size).toBe(0);
  const approved = account.ask('destination', order, 1);
  account.approve(approved, bia);
  account.grant(approved);
  expect((await replay(account)).state.destinations).toEqual(new Map([['a@example.com', 7000]]));
  const broken = account.ask('destination', { ...order, day_limit_cents: -1 }, 1);
  account.approve(broken, bia);
  account.grant(broken);
  expect(await unprovenOf(account)).toEqual([1, 3]);
  account.end({ pix_key: 'a@example.com' });
  expect((await replay(account)).state.destinations.size).toBe(0);
});

test('passkeys of each kind sign', async () => {
  for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const) {
    const person = paperPerson(2, [paperPasskey(algorithm)]);
    const account = new PaperAccount();
    account.begin([ana, person]);
    const request = account.askWithdrawal(null);
    account.approve(request, person);
    expect(await countingOf(account, request)).toEqual([2]);
  }
});
