import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withdraw } from '@jangada/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { parseSuccess } from '../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  onlyRequest,
} from '../test/given-approvals.ts';
import {
  PaperAccount,
  paperApp,
  paperMasterKey,
  paperPasskey,
  paperPerson,
  paperTerms,
  publicPartOf,
} from '../test/paper-approvals.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';
import { readApprovalsExport, verifyApprovalsExport } from './approvals/index.ts';
import { createSecrets } from './secrets.ts';

/*
 * Two programs verify exports: the gateway's command, and one in Python that was written from docs/approvals.md. These
 * tests need `python3` and `openssl`, as whoever verifies an export by hand does.
 */

const run = promisify(execFile);
const command = fileURLToPath(new URL('verify-approvals.ts', import.meta.url));
const script = fileURLToPath(new URL('../../tools/verify-approvals.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jangada-approvals-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Export = ReturnType<PaperAccount['export']>;
/** How an export is verified: with the master key, or believing the first policy, or neither. */
type Knowledge = 'key' | 'trust' | 'nothing';
type Outcome = { readonly code: number; readonly verdicts: readonly string[] };

let fileCount = 0;
function writeExport(content: unknown): string {
  fileCount += 1;
  const file = join(folder, `${fileCount}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const optionsOf = (knowledge: Knowledge) => (knowledge === 'trust' ? ['--trust-first-policy'] : []);
const envOf = (knowledge: Knowledge, masterKey = paperMasterKey) => ({
  ...childEnv,
  ...(knowledge === 'key' && { SECRET_KEY: masterKey.toString('hex') }),
});

/** Runs a program, and returns what it printed and its exit code. */
async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  try {
    const { stdout } = await run(program, args, { env, maxBuffer: 100_000_000 });
    return { code: 0, lines: stdout.trim().split('\n') };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    // A program that is missing, or a defect of the script, is not an outcome.
    if (typeof code !== 'number' || stderr.includes('Traceback')) throw error;
    return { code, lines: `${stdout}${stderr}`.trim().split('\n') };
  }
}

/** The verdicts of the script in Python on some exports. */
async function pythonOutcomes(
  exports: readonly unknown[],
  knowledge: Knowledge,
  masterKey?: Buffer,
): Promise<Outcome[]> {
  // With a second file the script prints the code of each.
  const files = [...exports, {}].map(writeExport);
  const args = [script, ...optionsOf(knowledge), ...files];
  const { lines } = await runProgram('python3', args, envOf(knowledge, masterKey));
  const outcomes: { code: number; verdicts: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('FILE ')) outcomes.push({ code: -1, verdicts: [] });
    const outcome = outcomes.at(-1);
    if (outcome === undefined) throw new Error(line);
    if (line.startsWith('CODE ')) outcome.code = Number(line.slice(5));
    const [verdict, item, rest] = line.split(' · ');
    if (rest !== undefined) outcome.verdicts.push(`${verdict} ${item}`);
  }
  return outcomes.slice(0, -1);
}

/** The verdicts of the gateway's command on an export. */
async function ownOutcome(content: unknown, knowledge: Knowledge, masterKey = paperMasterKey) {
  const read = readApprovalsExport(JSON.stringify(content));
  if (read === undefined) return { code: 2, verdicts: [] };
  const secrets = knowledge === 'key' ? createSecrets(masterKey) : undefined;
  const items = await verifyApprovalsExport(read, { secrets, trustsFirstPolicy: knowledge === 'trust' });
  const has = (verdict: string) => items.some((item) => item.verdict === verdict);
  const code = has('UNPROVEN') || has('FORGED') ? 1 : has('NOT VERIFIABLE') || has('RESET') ? 2 : 0;
  return { code, verdicts: items.map(({ verdict, item }) => `${verdict} ${item}`) };
}

/** What both programs say. */
async function verifyTwice(content: unknown, knowledge: Knowledge, masterKey?: Buffer): Promise<Outcome> {
  const own = await ownOutcome(content, knowledge, masterKey);
  expect(await pythonOutcomes([content], knowledge, masterKey)).toEqual([own]);
  return own;
}

/** An account in which everything happened that an export can show. */
function eventfulAccount(): PaperAccount {
  const account = new PaperAccount();
  const [maker, signer] = [paperPerson(1), paperPerson(2, [paperPasskey(), paperPasskey('EdDSA')])];
  const [withRsa, withApp] = [paperPerson(3, [paperPasskey('RS256')]), paperPerson(4, [paperApp('four')])];
  account.begin([maker, signer, withRsa, withApp]);
  const paid = account.askWithdrawal(1);
  account.approve(paid, signer);
  account.finish(paid);
  account.advanceHours(1);
  const newcomer = paperPerson(5, [paperPasskey()], { since: '2026-01-01T00:00:00.000Z', by: 9 });
  const joined = account.ask('approver', publicPartOf(newcomer), 5);
  account.approve(joined, withRsa);
  account.grant(joined);
  const order = { pix_key: 'a@example.com', pix_key_type: 'email', day_limit_cents: 5000 };
  const destination = account.ask('destination', order, 1);
  account.approve(destination, withApp);
  account.grant(destination);
  account.advanceHours(1);
  const stricter = account.ask('policy', { ...paperTerms, approvals: 2 }, 1);
  account.approve(stricter, newcomer);
  account.grant(stricter);
  account.end({ user: 2, key: signer.keys[0]?.id ?? '' });
  const double = account.ask('refund', { id: 'r1', amount_cents: 100, end_to_end_id: 'E1' }, null);
  account.approve(double, signer, signer.keys[1]);
  account.approve(double, withRsa);
  // One more than the policy demands, because a key asked.
  account.approve(double, newcomer);
  account.finish(double);
  account.end({ user: 3 });
  account.end({ pix_key: 'a@example.com' });
  account.advanceHours(1);
  const rejected = account.askWithdrawal(1, 70);
  account.approve(rejected, newcomer);
  Object.assign(rejected, { status: 'rejected', ended_at: account.now.toISOString() });
  account.approve(account.askWithdrawal(1, 80), newcomer);
  return account;
}

/** An account whose policy the operator took off, and which began another one. */
function resetAccount(): PaperAccount {
  const account = new PaperAccount();
  const [maker, other, third] = [paperPerson(1), paperPerson(2, [paperApp('two')]), paperPerson(3)];
  account.begin([maker, other]);
  const paid = account.askWithdrawal(1);
  account.approve(paid, other);
  account.finish(paid);
  account.reset();
  account.advanceHours(1);
  account.begin([maker, third]);
  const later = account.askWithdrawal(1);
  account.approve(later, third);
  account.finish(later);
  return account;
}

const knowledges: readonly Knowledge[] = ['key', 'trust', 'nothing'];

describe('an export', () => {
  test('is proven to whoever has the master key, and without it as far as passkeys signed', async () => {
    const content = eventfulAccount().export();
    expect(await verifyTwice(content, 'key')).toEqual({
      code: 0,
      verdicts: [
        ...['PROVEN entry 1', 'PROVEN entry 2', 'PROVEN entry 3', 'PROVEN entry 4'],
        ...['NOTED entry 5', 'NOTED entry 6', 'NOTED entry 7'],
        ...['PROVEN', 'PROVEN', 'PROVEN', 'PROVEN', 'PROVEN', 'PROVEN', 'ENDED', 'WAITING'].map(
          (verdict, index) => `${verdict} request ${content.requests[index]?.id}`,
        ),
      ],
    });
    const trusting = await verifyTwice(content, 'trust');
    expect(trusting.verdicts.filter((verdict) => verdict.startsWith('NOT VERIFIABLE'))).toEqual([
      'NOT VERIFIABLE entry 3',
      `NOT VERIFIABLE request ${content.requests[3]?.id}`,
    ]);
    expect(trusting.code).toBe(2);
    const ignorant = await verifyTwice(content, 'nothing');
    expect(ignorant.code).toBe(2);
    expect(ignorant.verdicts.some((verdict) => verdict.startsWith('PROVEN'))).toBe(false);
    expect((await verifyTwice(content, 'key', Buffer.alloc(32, 1))).code).toBe(1);
  });

  test('in which the operator took the policy off is not proven in silence: its auditor has to ask', async () => {
    const content = resetAccount().export();
    expect(await verifyTwice(content, 'key')).toEqual({
      code: 2,
      verdicts: [
        ...['PROVEN entry 1', 'RESET entry 2', 'PROVEN entry 3'],
        ...content.requests.map(({ id }) => `PROVEN request ${id}`),
      ],
    });
    // What the approvers of before approve afterwards counts no more, nor what was carried out without a policy.
    const account = resetAccount();
    const old = paperPerson(2, [paperApp('two')]);
    const unproven = account.askWithdrawal(1);
    account.approve(unproven, old);
    account.finish(unproven);
    const early = account.askWithdrawal(1);
    account.finish(early);
    early.history_seq = 2;
    expect((await verifyTwice(account.export(), 'key')).verdicts.slice(-2)).toEqual([
      `UNPROVEN request ${unproven.id}`,
      `UNPROVEN request ${early.id}`,
    ]);
    const misplaced = resetAccount().export();
    misplaced.history.splice(0, 1);
    expect((await verifyTwice(misplaced, 'key')).verdicts[0]).toBe('UNPROVEN entry 1');
  });

  const forgeries: Record<string, (content: Export) => void> = {
    'with another amount': ({ requests: [, paid] }) => {
      if (paid) paid.document = paid.document.replace('5000', '9000');
    },
    'with the signature of another approval': ({ requests: [, paid, joined] }) => {
      if (paid?.approvals[0] && joined?.approvals[0]) paid.approvals[0].proof = joined.approvals[0].proof;
    },
    'with a changed signature': ({ requests: [, paid] }) => {
      const proof = paid?.approvals[0]?.proof as { signature: string };
      proof.signature = proof.signature.replace(/^.{20}/, (head) => [...head].reverse().join(''));
    },
    'with an approval dropped': ({ requests }) => requests[5]?.approvals.pop(),
    'with an approver who had left': ({ requests: [, , , , , double] }) => {
      if (double) double.history_seq = 6;
    },
    'with an approver’s end before it': ({ history }) => {
      history.splice(1, 0, ...history.splice(5, 1));
    },
    'with an approver’s end left out': ({ history }) => history.splice(5, 1),
    'with entries in another order': ({ history }) => {
      history.splice(1, 2, ...history.slice(1, 3).reverse());
    },
    'with a request carried out again': ({ history }) => {
      const [, joined] = history;
      if (joined) history.push({ ...joined, seq: history.length + 1 });
    },
    'with a rejected request as carried out': ({ requests }) => {
      Object.assign(requests[6] ?? {}, { status: 'done', history_seq: 7 });
    },
    'with an approval by its maker': ({ requests: [, paid] }) => {
      if (paid?.approvals[0]) paid.approvals[0].user = 1;
    },
    'carried out after its time': ({ requests: [, paid] }) => {
      if (paid) paid.ended_at = '2026-12-05T12:00:00.000Z';
    },
    'with another first policy': ({ requests: [first] }) => {
      if (first) first.document = first.document.replace('"from_cents":0', '"from_cents":9');
    },
  };

  const forgedExports = Object.values(forgeries).map((forge) => {
    const content = eventfulAccount().export();
    forge(content);
    return content;
  });
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await pythonOutcomes(forgedExports, 'key');
  });

  const names = Object.keys(forgeries).map((name, index) => [name, index] as const);
  test.each(names)('%s is found by both programs', async (_, index) => {
    const outcome = await ownOutcome(forgedExports[index], 'key');
    expect(outcome.verdicts.some((verdict) => /^(UNPROVEN|FORGED)/.test(verdict))).toBe(true);
    expect(outcome.code).toBe(1);
    expect(outcomes[index]).toEqual(outcome);
  });

  test('by a maker who approved with their own passkey is not proven', async () => {
    const [maker, other] = [paperPerson(1), paperPerson(2)];
    const account = new PaperAccount();
    account.begin([maker, other]);
    const own = account.askWithdrawal(1);
    account.approve(own, maker);
    account.finish(own);
    expect((await verifyTwice(account.export(), 'trust')).verdicts).toEqual([
      'PROVEN entry 1',
      `PROVEN request ${account.requests[0]?.id}`,
      `UNPROVEN request ${own.id}`,
    ]);
  });

  test('of administrators who made each other is proven only 30 days later', async () => {
    const staff = { since: '2026-12-01T12:00:00.000Z', by: 1 };
    const [maker, made, third] = [paperPerson(1), paperPerson(2, [paperPasskey()], staff), paperPerson(3)];
    const account = new PaperAccount(0);
    account.begin([maker, made, third]);
    account.advanceHours(30 * 24 - 1);
    const early = account.askWithdrawal(1);
    account.approve(early, made);
    account.finish(early);
    account.advanceHours(1);
    const late = account.askWithdrawal(1);
    account.approve(late, made);
    account.finish(late);
    expect((await verifyTwice(account.export(), 'trust')).verdicts.slice(2)).toEqual([
      `UNPROVEN request ${early.id}`,
      `PROVEN request ${late.id}`,
    ]);
  });
});

/** Every place in a value: the way to it. */
function placesOf(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [way];
  const inside = Object.entries(value).flatMap(([name, part]) => placesOf(part, [...way, name]));
  return way.length === 0 ? inside : [way, ...inside];
}

type Change = { readonly place: number; readonly other: number; readonly how: number; readonly at: number };

/** Changes one place of an export: its value, the text in it, or puts what stands elsewhere there. */
function change<Content>(content: Content, { place, other, how, at }: Change): Content {
  const changed = structuredClone(content);
  const places = placesOf(changed);
  const wayOf = (index: number) => places[index % places.length] ?? [];
  const way = wayOf(place);
  const last = way.at(-1) ?? '';
  const parent = valueAt(changed, way.slice(0, -1));
  const value = valueAt(changed, way);
  if (parent === null || typeof parent !== 'object') return changed;
  const put = (replacement: unknown) => Reflect.set(parent, last, replacement);
  if (how === 0 && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (how === 0) Reflect.deleteProperty(parent, last);
  else if (how === 1) put(null);
  else if (how === 2) put(structuredClone(valueAt(changed, wayOf(other))));
  else if (typeof value === 'number') put(value + (at % 2 === 0 ? 1 : -1));
  else if (typeof value === 'string') put(changeText(value, how, at));
  else if (Array.isArray(value)) value.reverse();
  else put([value]);
  return changed;
}

/** Changes one place in the text that is approved. */
function changeDocument(content: Export, { place, other, at, how }: Change): Export {
  const changed = structuredClone(content);
  const request = changed.requests[how === 8 ? 0 : at % changed.requests.length];
  const document: unknown = JSON.parse(request?.document ?? '');
  const inside = change(document, { place, other, at, how: (at >> 4) % 6 });
  if (request) request.document = JSON.stringify(inside);
  return changed;
}

function valueAt(value: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>(
    (inside, name) => (inside !== null && typeof inside === 'object' ? Reflect.get(inside, name) : undefined),
    value,
  );
}

function changeText(text: string, how: number, at: number): string {
  const index = text.length === 0 ? 0 : at % text.length;
  const [before, after] = [text.slice(0, index), text.slice(index + 1)];
  if (how === 3) return `${before}${after}`;
  if (how === 4) return `${before}${text[index] ?? ''}${'A9-_ "1'[at % 7]}${after}`;
  return `${before}${'Aa0z9_-1'[at % 8]}${after}`;
}

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 200) / 50;

test('exports that were changed in any one place are judged alike by both programs', async () => {
  const contents = [eventfulAccount(), resetAccount()].map((account) => account.export());
  const natural = fc.nat({ max: 1_000_000 });
  const anyChange = fc.record({ place: natural, other: natural, how: fc.nat({ max: 8 }), at: natural });
  const rounds = fc.array(anyChange, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rounds, fc.constantFrom(...knowledges), async (changes, knowledge) => {
      const exports = changes.flatMap((one) =>
        contents.map((content) => (one.how > 5 ? changeDocument : change)(content, one)),
      );
      const theirs = await pythonOutcomes(exports, knowledge);
      for (const [index, changed] of exports.entries())
        expect({ ...changes[index >> 1], outcome: theirs[index] }).toEqual({
          ...changes[index >> 1],
          outcome: await ownOutcome(changed, knowledge),
        });
    }),
    { numRuns: propertyRuns, endOnFailure: true },
  );
});

describe('npm run approvals:verify', () => {
  const verify = (args: readonly string[], knowledge: Knowledge, masterKey?: Buffer) =>
    runProgram(process.execPath, [command, ...args], envOf(knowledge, masterKey));

  test('prints a line for each entry and request, and how it ended', async () => {
    const account = new PaperAccount();
    const [maker, other] = [paperPerson(1), paperPerson(2)];
    account.begin([maker, other]);
    const paid = account.askWithdrawal(1);
    account.approve(paid, other);
    account.finish(paid);
    const file = writeExport(account.export());
    const { code, lines } = await verify([file], 'key');
    expect(code).toBe(0);
    expect(lines).toEqual([
      `PROVEN · entry 1 · 2026-12-01T12:00:00.000Z · policy · ${account.requests[0]?.id}`,
      expect.stringMatching(/^PROVEN · request .* · policy · done · SHA-256 [0-9a-f]{64} · 0 of 1$/),
      expect.stringMatching(
        /^PROVEN · .* · withdrawal of R\$.50,00 · done .* · 1 of 1: Pessoa 2 <p2@example.com>$/,
      ),
      'The approvals are proven: 2 requests.',
    ]);
    expect((await verify([file, '--trust-first-policy'], 'trust')).lines.at(-1)).toBe(
      'The approvals are proven, if the first policy is the true one: 2 requests.',
    );
    const ignorant = await verify([file], 'nothing');
    expect([ignorant.code, ignorant.lines.at(-1)]).toEqual([
      2,
      'Some approvals rest on marks of the gateway, not verifiable without the master key: set SECRET_KEY, or say --trust-first-policy if you know the first policy.',
    ]);
    paid.document = paid.document.replace('5000', '5001');
    const forged = await verify([writeExport(account.export())], 'key');
    expect([forged.code, forged.lines.at(-1)]).toEqual([
      1,
      'The approvals are not as they should be: 1 finding.',
    ]);
  });

  test('finds what an earlier export had and this one has not, and so does the other program', async () => {
    const content = eventfulAccount().export();
    const file = writeExport(content);
    const compare = async (change: (earlier: Export) => void) => {
      const earlier = structuredClone(content);
      change(earlier);
      const name = writeExport(earlier);
      const [own, theirs] = [
        await verify([file, '--earlier', name], 'key'),
        await runProgram('python3', [script, '--earlier', name, file], envOf('key')),
      ].map(({ code, lines }) => ({
        code,
        changed: lines.flatMap(
          (line) => /^CHANGED · (.*) · not as in the earlier export$/.exec(line)?.[1] ?? [],
        ),
      }));
      expect(theirs).toEqual(own);
      return own;
    };
    const [first, , , , , , rejected] = content.requests.map(({ id }) => id);
    // It went on since: rows and requests were added, and what waited ended.
    const before = await compare(({ history, requests }) => {
      history.splice(2);
      requests.splice(6, 1);
      Object.assign(requests[5] ?? {}, { status: 'open', ended_at: null, history_seq: null });
    });
    expect(before).toEqual({ code: 0, changed: [] });
    const other = await compare(({ history, requests }) => {
      history.push({ ...history[0], seq: 8 } as (typeof history)[number]);
      Object.assign(history[1] ?? {}, { at: '2026-12-01T12:00:00.001Z' });
      Object.assign(requests[0] ?? {}, { document: '{}' });
      Object.assign(requests[6] ?? {}, { status: 'cancelled' });
      Object.assign(requests[7] ?? {}, { id: 'left-out' });
    });
    const changed = ['entry 2', 'entry 8', `request ${first}`, `request ${rejected}`, 'request left-out'];
    expect(other).toEqual({ code: 1, changed });
    const ofAnother = await compare((earlier) => Object.assign(earlier, { account: 8 }));
    expect(ofAnother).toEqual({ code: 1, changed: ['account'] });
  });

  test('says in one line what it cannot read, and ends with 2', async () => {
    const file = writeExport({ format: 'jangada-approvals/2' });
    for (const [args, line] of [
      [[], 'Use: npm run approvals:verify -- FILE [--earlier FILE] [--trust-first-policy]'],
      [[file], `${file} is not an export of approvals`],
      [['nowhere.json'], "ENOENT: no such file or directory, open 'nowhere.json'"],
    ] as const)
      expect(await verify(args, 'nothing')).toEqual({ code: 2, lines: [line] });
  });
});

describe('the export of a gateway', () => {
  let stand: WithdrawalStand;
  beforeAll(async () => {
    stand = await WithdrawalStand.start();
  });
  afterAll(() => stand.gateway.stop());

  test('proves what was sent after its approver left, and a single approval with openssl by hand', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const { owner, approvers } = await givenPolicyAccount(stand.gateway, merchant, {
      others: 2,
      passkeys_only: true,
    });
    const [first, second] = approvers as [GivenApprover, GivenApprover];
    const { withdrawal } = parseSuccess(withdraw.response, await askWithdrawal(stand.gateway, owner, 50));
    await approveAs(stand.gateway, first, (await onlyRequest(stand.gateway, owner)).id);
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(owner, withdrawal.id, 'completed');
    await stand.gateway.api(
      'POST',
      `/authed/members/${first.id}/remove`,
      { keys: 'keep' },
      { token: owner.token },
    );
    await askWithdrawal(stand.gateway, owner, 60);
    await approveAs(stand.gateway, second, (await onlyRequest(stand.gateway, owner)).id);

    const answer = await stand.gateway.api('GET', '/authed/approvals-export', undefined, {
      token: owner.token,
    });
    const content = answer.body as Export;
    const verdicts = [
      'PROVEN entry 1',
      'NOTED entry 2',
      ...['PROVEN', 'PROVEN', 'WAITING'].map(
        (verdict, index) => `${verdict} request ${content.requests[index]?.id}`,
      ),
    ];
    expect(await verifyTwice(content, 'trust')).toEqual({ code: 0, verdicts });
    expect(content.requests[1]).toMatchObject({ status: 'done', history_seq: 1 });

    const guide = readFileSync(new URL('../../docs/approvals.md', import.meta.url), 'utf8');
    const byHand = /^```sh\n(.*?)^```/ms.exec(guide)?.[1] ?? '';
    writeFileSync(join(folder, 'jangada-aprovacoes.json'), JSON.stringify(content));
    const { stdout } = await run('sh', ['-ec', byHand], { cwd: folder });
    const [document, signed, last] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(': ').at(-1));
    expect(document).toMatch(/^[0-9a-f]{64}$/);
    expect([signed, last]).toEqual([document, 'Verified OK']);
  });
});
