import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { z } from 'zod';
import {
  type ApprovalDocument,
  type ApproverKey,
  base64url,
  type DocumentedApprover,
  digestOf,
  readDocument,
  readOrder,
} from './document.ts';

/** One person's approval as stored or exported. */
export type GivenApproval = {
  readonly userId: number;
  readonly keyId: string;
  readonly proof: unknown;
};

/** The rule of an account and whose approvals count, as the history proves them. */
export type PolicyState = {
  readonly isOn: boolean;
  readonly fromCents: number;
  readonly approvals: number;
  readonly expiresHours: number;
  readonly passkeysOnly: boolean;
  readonly approvers: ReadonlyMap<number, DocumentedApprover>;
  /** The approved destinations of API keys, and how much may go to each in 24 hours, in cents. */
  readonly destinations: ReadonlyMap<string, number>;
  /** The factors that were removed, which never count again. */
  readonly endedKeys: ReadonlySet<string>;
  /** How many entries of the history made it. A request that is carried out keeps the number under which it was counted. */
  readonly entryCount: number;
};

/** Makes the mark of the gateway's own key over a text; undefined for a mark that cannot be made, which is never valid. */
export type MakeMark = (text: string) => Buffer | undefined;

export const totpMarkText = (userId: number, keyId: string, digest: Buffer) =>
  `totp ${userId} ${keyId} ${digest.toString('hex')}`;
export const firstPolicyMarkText = (digest: Buffer) => `first policy ${digest.toString('hex')}`;

/**
 * How many approvals a request needs. One more if a key asked for it: whoever holds the key may be one of those who
 * approve, and nobody is both pairs of eyes.
 */
export function neededApprovals({ approvals }: PolicyState, maker: number | null): number {
  return maker === null ? approvals + 1 : approvals;
}

type CountOptions = {
  readonly makeMark: MakeMark;
  /** The time of the count, for administrators who were made a short while ago. */
  readonly at: Date;
  /** Leaves out those who have lost the right since the history was written. */
  readonly isStillAllowed?: (userId: number) => boolean;
};

/**
 * Returns the people whose valid approvals of a document count under a policy. Never the maker's, and of people who count
 * as one only one.
 */
export async function findCountingApprovers(
  { approvers, passkeysOnly }: PolicyState,
  documentText: string,
  approvals: readonly GivenApproval[],
  { makeMark, at, isStillAllowed = () => true }: CountOptions,
): Promise<number[]> {
  const document = readDocument(documentText);
  if (document === undefined) return [];
  const counted: number[] = [];
  const isSamePerson = samePersonRuleFor(approvers, document, at);
  for (const { userId, keyId, proof } of approvals) {
    const key = approvers.get(userId)?.keys.find(({ id }) => id === keyId);
    if (key === undefined || !isStillAllowed(userId)) continue;
    if (passkeysOnly && key.public_key === null) continue;
    const others = document.maker === null ? counted : [...counted, document.maker];
    if (others.some((other) => isSamePerson(other, userId))) continue;
    if (await isProven(key, { userId, proof }, document, digestOf(documentText), makeMark))
      counted.push(userId);
  }
  return counted;
}

const newStaffMs = 30 * 24 * 3_600_000;

/**
 * Two administrators of whom one made the other within 30 days count as one person, and so do those whom they made: an
 * administrator cannot approve their own acts through an account that they have just promoted.
 */
export function samePersonRule(
  approvers: ReadonlyMap<number, DocumentedApprover>,
  at: Date,
): (left: number, right: number) => boolean {
  const groups = new Map<number, Set<number>>();
  const groupOf = (user: number) => groups.get(user) ?? new Set([user]);
  for (const { user, staff } of approvers.values())
    if (staff !== undefined && at.getTime() - Date.parse(staff.since) < newStaffMs) {
      const group = new Set([...groupOf(user), ...groupOf(staff.by)]);
      for (const member of group) groups.set(member, group);
    }
  return (left, right) => groupOf(left).has(right);
}

/** The rule for a document. Who is to become an approver counts as one with whoever made them an administrator. */
export function samePersonRuleFor(
  approvers: ReadonlyMap<number, DocumentedApprover>,
  document: ApprovalDocument | undefined,
  at: Date,
): (left: number, right: number) => boolean {
  const newcomer = document && readOrder('approver', document);
  return samePersonRule(
    newcomer === undefined ? approvers : new Map(approvers).set(newcomer.user, newcomer),
    at,
  );
}

const passkeyProof = z.object({
  client_data: base64url,
  authenticator_data: base64url,
  signature: base64url,
});
const totpProof = z.object({ mark: z.string() });

export type PasskeyProof = z.infer<typeof passkeyProof>;

/** Whether somebody gave an approval of a document with one of their keys. */
export async function isProven(
  key: ApproverKey,
  { userId, proof }: Pick<GivenApproval, 'userId' | 'proof'>,
  { origin }: ApprovalDocument,
  digest: Buffer,
  makeMark: MakeMark,
): Promise<boolean> {
  if (key.public_key === null) {
    const { data } = totpProof.safeParse(proof);
    const mark = makeMark(totpMarkText(userId, key.id, digest));
    return mark !== undefined && data?.mark === mark.toString('base64url');
  }
  const { data } = passkeyProof.safeParse(proof);
  return data !== undefined && isSignedBy({ id: key.id, publicKey: key.public_key }, data, origin, digest);
}

async function isSignedBy(
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  proof: PasskeyProof,
  origin: string,
  digest: Buffer,
): Promise<boolean> {
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: proof.client_data,
          authenticatorData: proof.authenticator_data,
          signature: proof.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: digest.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      // The counter is compared when the approval is given; a proof that is checked again later has an old one.
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter: 0 },
      requireUserVerification: false,
    });
    return verified;
  } catch {
    return false;
  }
}
