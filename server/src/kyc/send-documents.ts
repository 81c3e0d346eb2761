import { randomUUID } from 'node:crypto';
import { KYC_PICTURE_MIN_SIDE, type KycSide, type KycState, kycSides } from '@jangada/contract';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { enforceAttemptLimit, readAccount, refuseFormerHolder } from '../identity/index.ts';
import { type EncodedPicture, reencode } from '../images/index.ts';
import { notifyAdministrators } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import {
  deleteUpload,
  findNewestSubmission,
  finishUpload,
  insertSubmission,
  insertUpload,
  type NewPicture,
} from './store.ts';
import { isCompany, kycStateOf, pictureFileName, pictureFileNames } from './submission.ts';

/** The time allowed for storing three files. After that, the upload counts as abandoned and its files are removed. */
const uploadTimeoutMs = 10 * 60_000;
/** Attempts are limited because re-encoding pictures costs much CPU time. */
const attemptLimit = { limit: 20, windowSeconds: 3600 };

type UploadedDocuments = Readonly<Record<KycSide, Buffer>>;
type EncodedSide = { readonly side: KycSide; readonly picture: EncodedPicture };
type SendDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'files' | 'log'>;

/**
 * Receives the pictures of a person's identity documents (KYC, know your customer): re-encodes, encrypts and stores
 * them, then creates a submission for review. Refused with NOT_HOLDER, KYC_COMPANY, KYC_PENDING, KYC_APPROVED, KYC_SAME_PICTURE,
 * PICTURE_NOT_ACCEPTED, PICTURE_TOO_SMALL, RATE_LIMITED or OVERLOADED.
 */
export async function sendDocuments(
  deps: SendDeps,
  merchantId: number,
  documents: UploadedDocuments,
): Promise<KycState> {
  await refuseFormerHolder(deps.db, merchantId);
  if (isCompany(await readAccount(deps, merchantId))) throw new Refusal('KYC_COMPANY');
  await refuseSecondSubmission(deps, merchantId);
  await enforceAttemptLimit(deps, { key: `kyc ${merchantId}`, ...attemptLimit });
  if (!areAllDifferent(kycSides.map((side) => documents[side]))) throw new Refusal('KYC_SAME_PICTURE');
  const pictures = await reencode(
    kycSides.map((side) => documents[side]),
    'document',
  );
  if (pictures === undefined) throw new Refusal('PICTURE_NOT_ACCEPTED');
  // The re-encoded pictures are measured, not the uploads, because a reviewer sees the re-encoded ones.
  if (pictures.some(({ width, height }) => Math.min(width, height) < KYC_PICTURE_MIN_SIDE))
    throw new Refusal('PICTURE_TOO_SMALL');
  const encodedSides = kycSides.flatMap((side, index) => {
    const picture = pictures[index];
    return picture === undefined ? [] : [{ side, picture }];
  });
  const submissionId = randomUUID();
  // If this process dies, the upload's row lets `removeExpiredPictures` find the files that have no submission.
  await insertUpload(
    deps.db,
    merchantId,
    submissionId,
    new Date(deps.clock.now().getTime() + uploadTimeoutMs),
  );
  try {
    for (const { side, picture } of encodedSides)
      await deps.files.put(pictureFileName(submissionId, side), picture.content);
    await createSubmission(deps, merchantId, submissionId, encodedSides);
  } catch (error) {
    // After any other failure, nobody knows whether the transaction was committed. If it was not,
    // `removeExpiredPictures` removes the files later.
    if (violatedConstraint(error) !== 'kyc_submissions_one') throw error;
    await removeRefusedUpload(deps, merchantId, submissionId);
    throw await secondSubmissionRefusal(deps, merchantId);
  }
  return kycStateOf(await findNewestSubmission(deps.db, merchantId));
}

function areAllDifferent(files: readonly Buffer[]): boolean {
  return files.every((file, index) => files.findIndex((other) => other.equals(file)) === index);
}

async function refuseSecondSubmission(deps: Pick<Deps, 'db'>, merchantId: number): Promise<void> {
  const newest = await findNewestSubmission(deps.db, merchantId);
  if (newest?.status === 'pending') throw new Refusal('KYC_PENDING');
  if (newest?.status === 'approved') throw new Refusal('KYC_APPROVED');
}

/**
 * Returns the refusal for a submission that lost a race to another submission of the account; that one may already be
 * approved.
 */
async function secondSubmissionRefusal(deps: Pick<Deps, 'db'>, merchantId: number): Promise<Refusal> {
  const newest = await findNewestSubmission(deps.db, merchantId);
  return new Refusal(newest?.status === 'approved' ? 'KYC_APPROVED' : 'KYC_PENDING');
}

function createSubmission(
  deps: SendDeps,
  merchantId: number,
  submissionId: string,
  encodedSides: readonly EncodedSide[],
): Promise<void> {
  const rows = encodedSides.map(({ side, picture }): NewPicture => {
    const { content, thumbnail, width, height } = picture;
    const sealedThumbnail = deps.secrets.seal('kyc-picture', thumbnail ?? Buffer.alloc(0));
    return { side, sealedThumbnail, width, height, size: content.length };
  });
  return inTransaction(deps, async (tx) => {
    const isInTime = await finishUpload(tx, merchantId, submissionId);
    if (!isInTime) throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    await insertSubmission(tx, merchantId, submissionId, rows);
    await notifyAdministrators(tx, documentsNotification);
  });
}

const documentsNotification = {
  type: 'operation.documents',
  title: 'Documentos para analisar',
  body: 'Chegaram documentos de identidade. Veja em Verificações KYC.',
  hourly: true,
} as const;

/**
 * Removes the files of a refused submission. The row of the upload is deleted only after all files, so that
 * `removeExpiredPictures` can retry after a failure.
 */
async function removeRefusedUpload(
  { db, files, log }: SendDeps,
  merchantId: number,
  submissionId: string,
): Promise<void> {
  try {
    for (const name of pictureFileNames(submissionId)) await files.remove(name);
    await deleteUpload(db, { merchantId, submissionId });
  } catch (error) {
    log.warn(
      { err: error, submissionId },
      'pictures of an abandoned submission could not be removed and will be retried',
    );
  }
}
