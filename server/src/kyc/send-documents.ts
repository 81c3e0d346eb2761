import { randomUUID } from 'node:crypto';
import { KYC_PICTURE_MIN_SIDE, type KycSide, type KycState, kycSides } from '@jangada/contract';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readAccount, takeAttempt } from '../identity/index.ts';
import { type EncodedPicture, reencode } from '../images/index.ts';
import { notifyAdministrators } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import {
  deleteUpload,
  findNewest,
  insertSubmission,
  insertUpload,
  type NewPicture,
  takeUpload,
} from './store.ts';
import { fileOf, filesOf, isCompany, stateOf } from './submission.ts';

/** Time to store three files; after that the upload counts as abandoned and its files are removed. */
const uploadMs = 10 * 60_000;
/** Limited because re-encoding pictures is costly and free of charge. */
const tries = { limit: 20, windowSeconds: 3600 };

type Sent = Readonly<Record<KycSide, Buffer>>;
type Made = { readonly side: KycSide; readonly picture: EncodedPicture };
type SendDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'files' | 'log'>;

/**
 * Receives a person's documents: re-encodes, seals and stores the pictures, then creates a submission for review.
 * Refused with KYC_COMPANY, KYC_PENDING, KYC_APPROVED, KYC_SAME_PICTURE, PICTURE_NOT_ACCEPTED or PICTURE_TOO_SMALL.
 */
export async function sendDocuments(deps: SendDeps, merchantId: number, sent: Sent): Promise<KycState> {
  if (isCompany(await readAccount(deps, merchantId))) throw new Refusal('KYC_COMPANY');
  await refuseSecond(deps, merchantId);
  await takeAttempt(deps, { key: `kyc ${merchantId}`, ...tries });
  if (!areDifferent(kycSides.map((side) => sent[side]))) throw new Refusal('KYC_SAME_PICTURE');
  const pictures = await reencode(
    kycSides.map((side) => sent[side]),
    'document',
  );
  if (pictures === undefined) throw new Refusal('PICTURE_NOT_ACCEPTED');
  // Checks the re-encoded pictures, because those are what a reviewer reads.
  if (pictures.some(({ width, height }) => Math.min(width, height) < KYC_PICTURE_MIN_SIDE))
    throw new Refusal('PICTURE_TOO_SMALL');
  const made = kycSides.flatMap((side, at) => {
    const picture = pictures[at];
    return picture === undefined ? [] : [{ side, picture }];
  });
  const submissionId = randomUUID();
  await insertUpload(deps.db, merchantId, submissionId, new Date(deps.clock.now().getTime() + uploadMs));
  try {
    for (const { side, picture } of made) await deps.files.put(fileOf(submissionId, side), picture.content);
    await submit(deps, merchantId, submissionId, made);
  } catch (error) {
    // After any other failure it is unknown whether the commit happened; if not, the clean-up removes the files.
    if (violatedConstraint(error) !== 'kyc_submissions_one') throw error;
    await discard(deps, merchantId, submissionId);
    throw await secondRefusal(deps, merchantId);
  }
  return stateOf(await findNewest(deps.db, merchantId));
}

function areDifferent(files: readonly Buffer[]): boolean {
  return files.every((file, at) => files.findIndex((other) => other.equals(file)) === at);
}

async function refuseSecond(deps: Pick<Deps, 'db'>, merchantId: number): Promise<void> {
  const newest = await findNewest(deps.db, merchantId);
  if (newest?.status === 'pending') throw new Refusal('KYC_PENDING');
  if (newest?.status === 'approved') throw new Refusal('KYC_APPROVED');
}

/** Another submission was created meanwhile and may already be decided. */
async function secondRefusal(deps: Pick<Deps, 'db'>, merchantId: number): Promise<Refusal> {
  const newest = await findNewest(deps.db, merchantId);
  return new Refusal(newest?.status === 'approved' ? 'KYC_APPROVED' : 'KYC_PENDING');
}

function submit(
  deps: SendDeps,
  merchantId: number,
  submissionId: string,
  made: readonly Made[],
): Promise<void> {
  const rows = made.map(({ side, picture }): NewPicture => {
    const { content, thumbnail, width, height } = picture;
    const sealedThumbnail = deps.secrets.seal('kyc-picture', thumbnail ?? Buffer.alloc(0));
    return { side, sealedThumbnail, width, height, size: content.length };
  });
  return inTransaction(deps, async (tx) => {
    const inTime = await takeUpload(tx, merchantId, submissionId);
    if (!inTime) throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    await insertSubmission(tx, merchantId, submissionId, rows);
    await notifyAdministrators(tx, documentsCame);
  });
}

const documentsCame = {
  type: 'operation.documents',
  title: 'Documentos para analisar',
  body: 'Chegaram documentos de identidade. Veja em Verificações KYC.',
  hourly: true,
} as const;

/** Files that cannot be removed now are found later by their upload row. */
async function discard(
  { db, files, log }: SendDeps,
  merchantId: number,
  submissionId: string,
): Promise<void> {
  try {
    for (const name of filesOf(submissionId)) await files.remove(name);
    await deleteUpload(db, { merchantId, submissionId });
  } catch (error) {
    log.warn(
      { err: error, submissionId },
      'pictures of an abandoned submission could not be removed and will be retried',
    );
  }
}
