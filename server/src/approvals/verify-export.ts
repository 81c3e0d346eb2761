import { approvalStatus } from '@jangada/contract';
import { z } from 'zod';
import { formatBrl } from '../format-brl.ts';
import type { Secrets } from '../secrets.ts';
import {
  findCountingApprovers,
  firstPolicyMarkText,
  type GivenApproval,
  isProven,
  type MakeMark,
  neededApprovals,
  type PolicyState,
  totpMarkText,
} from './count-approvals.ts';
import { type ApprovalDocument, base64url, digestOf, moment, readDocument } from './document.ts';
import { exportFormat } from './export-approvals.ts';
import { makeMarkWith } from './read-policy.ts';
import { replayHistory } from './replay-history.ts';

/*
 * Recomputes the approvals of an account from its export alone. docs/approvals.md describes the rules; another program
 * that follows them, tools/verify-approvals.py, comes to the same verdicts.
 */

const exportedEntry = z.object({
  seq: z.number(),
  kind: z.string(),
  request: z.string().nullable(),
  user: z.number().nullable(),
  key: z.string().nullable(),
  pix_key: z.string().nullable(),
  mark: base64url.nullable(),
  at: moment,
});
type ExportedEntry = z.infer<typeof exportedEntry>;

const exportedRequest = z.object({
  id: z.string(),
  kind: z.string(),
  status: approvalStatus,
  document: z.string(),
  created_at: moment,
  ended_at: moment.nullable(),
  history_seq: z.number().nullable(),
  approvals: z.array(
    z.object({ user: z.number(), key: z.string(), proof: z.unknown(), approved_at: moment }),
  ),
});
type ExportedRequest = z.infer<typeof exportedRequest>;

const approvalsExport = z.object({
  format: z.literal(exportFormat),
  account: z.number(),
  history: z.array(exportedEntry),
  requests: z
    .array(exportedRequest)
    .refine((requests) => new Set(requests.map(({ id }) => id)).size === requests.length),
});
export type ApprovalsExport = z.infer<typeof approvalsExport>;

/** Reads an export. Returns undefined for text that is none. */
export function readApprovalsExport(text: string): ApprovalsExport | undefined {
  try {
    return approvalsExport.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * - `PROVEN`: enough people approved it who had the right
 * - `NOT VERIFIABLE`: it rests on a mark that only the gateway's master key can verify
 * - `UNPROVEN`: it was carried out, or stands in the history, without enough valid approvals
 * - `FORGED`: its text belongs to another request, or an approval was not made with the key that it names
 * - `RESET`: the operator took the policy off without approvals: why, only the operator can say
 * - `CHANGED`: it is missing, or not as it stood in an earlier export (`compareWithEarlier`)
 * - `WAITING`, `ENDED`, `NOTED`: nothing was carried out, or a right ended, which needs no proof
 */
type Verdict =
  | 'PROVEN'
  | 'NOT VERIFIABLE'
  | 'UNPROVEN'
  | 'FORGED'
  | 'CHANGED'
  | 'RESET'
  | 'WAITING'
  | 'ENDED'
  | 'NOTED';

/** What was found out about an entry of the history or a request. */
export type VerifiedItem = { readonly verdict: Verdict; readonly item: string; readonly detail: string };

export type VerifyOptions = {
  /** Undefined without the gateway's master key. */
  readonly secrets: Pick<Secrets, 'hash'> | undefined;
  /** Whether to believe the marks of first policies without the master key. */
  readonly trustsFirstPolicy: boolean;
};

/** Recomputes every entry of the history and every request of an export. */
export async function verifyApprovalsExport(
  content: ApprovalsExport,
  { secrets, trustsFirstPolicy }: VerifyOptions,
): Promise<VerifiedItem[]> {
  // Without the master key a mark may be right or wrong, so what holds is what holds in both cases.
  const makers =
    secrets === undefined
      ? [trustsFirstPolicy ? firstPolicyMarks(content) : () => undefined, allMarks(content)]
      : [makeMarkWith(secrets)];
  const findings: Findings[] = [];
  for (const maker of makers) findings.push(await recompute(content, maker));
  return [
    ...content.history.map((entry, index) =>
      judgeEntry(
        entry,
        index,
        findings.map(({ entries }) => entries[index] === true),
      ),
    ),
    ...content.requests.map((request, index) =>
      judgeRequest(
        request,
        findings.flatMap(({ requests }) => requests[index] ?? []),
      ),
    ),
  ];
}

/** Says for each mark of a first policy what the export itself says. */
function firstPolicyMarks({ history, requests }: ApprovalsExport): MakeMark {
  const marks = new Map<string, Buffer>();
  for (const { request: id, mark } of history) {
    const request = requests.find((other) => other.id === id);
    if (request !== undefined && mark !== null)
      marks.set(firstPolicyMarkText(digestOf(request.document)), Buffer.from(mark, 'base64url'));
  }
  return (text) => marks.get(text);
}

const markedProof = z.object({ mark: base64url });

/** Says for each mark what the export itself says. */
function allMarks(content: ApprovalsExport): MakeMark {
  const marks = new Map<string, Buffer>();
  for (const { document, approvals } of content.requests)
    for (const { user, key, proof } of approvals) {
      const { data } = markedProof.safeParse(proof);
      if (data !== undefined)
        marks.set(totpMarkText(user, key, digestOf(document)), Buffer.from(data.mark, 'base64url'));
    }
  const ofFirstPolicies = firstPolicyMarks(content);
  return (text) => ofFirstPolicies(text) ?? marks.get(text);
}

type RequestFinding = {
  readonly isProven: boolean;
  /** What was forged, in words. */
  readonly forged: string | undefined;
  /** Those whose approvals count, of how many that are needed. */
  readonly counting: readonly string[];
  readonly needed: number;
};

/** Whether each entry of the history is proven, and what was found out about each request. */
type Findings = { readonly entries: readonly boolean[]; readonly requests: readonly RequestFinding[] };

async function recompute(content: ApprovalsExport, makeMark: MakeMark): Promise<Findings> {
  const { account, history, requests } = content;
  const requestsById = new Map(requests.map((request) => [request.id, request]));
  const { states, unproven } = await replayHistory(
    account,
    history.map(toHistoryEntry),
    new Map(requests.map(({ id, document, approvals }) => [id, { document, approvals: toGiven(approvals) }])),
    makeMark,
  );
  const unprovenIndexes = new Set(unproven.map(({ index }) => index));
  const entries = history.map((entry, index) => {
    const request = requestsById.get(entry.request ?? '');
    const isOfThisMoment = request?.status === 'done' && request.history_seq === index;
    const needsRequest = verdictWithoutRequest(entry.kind) === undefined;
    return entry.seq === index + 1 && !unprovenIndexes.has(index) && (!needsRequest || isOfThisMoment);
  });
  const found: RequestFinding[] = [];
  for (const request of requests) {
    const grantedAt = history.findIndex(({ request: id }) => id === request.id);
    const position = request.status === 'done' ? request.history_seq : history.length;
    const state = position === null ? undefined : states[position];
    const isFirstPolicy = grantedAt >= 0 && state?.isOn === false;
    const count = await recount({ account, request, states, state, makeMark });
    const isCounted = state?.isOn === true && count.counting.length >= count.needed;
    found.push({
      ...count,
      isProven:
        isInTime(request) && (isFirstPolicy || isCounted) && (grantedAt < 0 || entries[grantedAt] === true),
    });
  }
  return { entries, requests: found };
}

function toHistoryEntry(entry: ExportedEntry) {
  return {
    seq: entry.seq,
    kind: entry.kind,
    requestId: entry.request,
    userId: entry.user,
    keyId: entry.key,
    pixKey: entry.pix_key,
    mark: entry.mark === null ? null : Buffer.from(entry.mark, 'base64url'),
    at: new Date(entry.at),
  };
}

function toGiven(approvals: ExportedRequest['approvals']): GivenApproval[] {
  return approvals.map(({ user, key, proof }) => ({ userId: user, keyId: key, proof }));
}

function isInTime({ document, ended_at }: ExportedRequest): boolean {
  const content = readDocument(document);
  return content !== undefined && ended_at !== null && Date.parse(ended_at) < Date.parse(content.expires_at);
}

type Recount = {
  readonly account: number;
  readonly request: ExportedRequest;
  /** The policies that were in force one after the other. */
  readonly states: readonly PolicyState[];
  /** The policy under which the request was carried out. */
  readonly state: PolicyState | undefined;
  readonly makeMark: MakeMark;
};

async function recount({
  account,
  request,
  states,
  state,
  makeMark,
}: Recount): Promise<Omit<RequestFinding, 'isProven'>> {
  const document = readDocument(request.document);
  if (document === undefined || !isTextOf(request, document, account))
    return { forged: 'its text is not that of this request', counting: [], needed: 0 };
  const approvals = toGiven(request.approvals);
  const counting =
    state === undefined
      ? []
      : await findCountingApprovers(state, request.document, approvals, {
          makeMark,
          at: new Date(request.ended_at ?? document.expires_at),
        });
  const names = counting.map((user) => {
    const { name = '', email = '' } = state?.approvers.get(user) ?? {};
    return `${name} <${email}>`;
  });
  const wrong = await findWrongApproval(request, document, states, makeMark);
  const forged = wrong && `the approval of user ${wrong.userId} is not of this text by that key`;
  return {
    forged,
    counting: names,
    needed: state === undefined ? 0 : neededApprovals(state, document.maker),
  };
}

function isTextOf(
  { id, kind, created_at }: ExportedRequest,
  document: ApprovalDocument,
  account: number,
): boolean {
  return (
    document.request === id &&
    document.kind === kind &&
    document.account === account &&
    document.made_at === created_at
  );
}

/** Finds an approval that was not made with the key that it names, as that key was ever known. */
async function findWrongApproval(
  { document: text, approvals }: ExportedRequest,
  document: ApprovalDocument,
  states: readonly PolicyState[],
  makeMark: MakeMark,
): Promise<GivenApproval | undefined> {
  for (const approval of toGiven(approvals)) {
    const { userId, keyId } = approval;
    const keys = states.flatMap(
      ({ approvers }) => approvers.get(userId)?.keys.find(({ id }) => id === keyId) ?? [],
    );
    const publicKeys = new Set(keys.map(({ public_key }) => public_key));
    const proofs = [...publicKeys].map((public_key) =>
      isProven({ id: keyId, public_key }, approval, document, digestOf(text), makeMark),
    );
    if (proofs.length > 0 && !(await Promise.all(proofs)).includes(true)) return approval;
  }
  return undefined;
}

/** The verdict on an entry that rests on no request, if it is where it should be. */
function verdictWithoutRequest(kind: string): Verdict | undefined {
  if (kind === 'end') return 'NOTED';
  return kind === 'reset' ? 'RESET' : undefined;
}

function judgeEntry(entry: ExportedEntry, index: number, proofs: readonly boolean[]): VerifiedItem {
  const { kind, request, user, key, pix_key: pixKey } = entry;
  const ended = pixKey ?? `user ${user}${key === null ? '' : `, key ${key}`}`;
  const subject = kind === 'end' ? ended : (request ?? 'by the operator');
  const verdict = judge(proofs);
  return {
    verdict: (verdict === 'PROVEN' ? verdictWithoutRequest(kind) : undefined) ?? verdict,
    item: `entry ${index + 1}`,
    detail: `${entry.at} · ${kind} · ${subject}`,
  };
}

function judgeRequest(request: ExportedRequest, findings: readonly RequestFinding[]): VerifiedItem {
  const { id, kind, status, document } = request;
  const cents = readDocument(document)?.order['amount_cents'];
  const amount = typeof cents === 'number' && Number.isSafeInteger(cents) ? ` of ${formatBrl(cents)}` : '';
  const item = `request ${id}`;
  const text = `${kind}${amount} · ${status} · SHA-256 ${digestOf(document).toString('hex')}`;
  const [{ counting = [], needed = 0 } = {}] = findings;
  const isForged = findings.every(({ forged }) => forged !== undefined);
  if (isForged) return { verdict: 'FORGED', item, detail: `${text} · ${findings[0]?.forged}` };
  const detail = `${text} · ${counting.length} of ${needed}${counting.length === 0 ? '' : `: ${counting.join(', ')}`}`;
  if (status === 'open' || status === 'approved') return { verdict: 'WAITING', item, detail };
  if (status !== 'done') return { verdict: 'ENDED', item, detail: text };
  return { verdict: judge(findings.map((finding) => finding.isProven)), item, detail };
}

function judge(proofs: readonly boolean[]): Verdict {
  if (!proofs.includes(false)) return 'PROVEN';
  return proofs.includes(true) ? 'NOT VERIFIABLE' : 'UNPROVEN';
}
