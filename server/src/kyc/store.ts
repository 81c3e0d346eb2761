import type { KycSide } from '@jangada/contract';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { ApprovalState } from '../identity/index.ts';

// The SQL of identity verification (KYC, know your customer). A submission is a set of pictures of identity documents
// that an administrator decides on; an upload is a submission whose files are still being stored.

// Submissions

export function findNewestSubmission(db: Db, merchantId: number) {
  return db
    .selectFrom('kyc_submissions')
    .select(['id', 'status', 'reason', 'submitted_at', 'decided_at'])
    .where('merchant_id', '=', merchantId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Finds the pending submission of an account. The caller must have locked the account, so that nobody decides
 * concurrently.
 */
export function findPendingSubmission(tx: Tx, merchantId: number): Promise<{ id: string } | undefined> {
  return tx.db
    .selectFrom('kyc_submissions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

export type NewPicture = {
  readonly side: KycSide;
  readonly sealedThumbnail: Buffer;
  readonly width: number;
  readonly height: number;
  readonly size: number;
};

/**
 * Inserts a pending submission and its pictures. Fails with the constraint kyc_submissions_one if the account has
 * another submission that is pending or approved.
 */
export async function insertSubmission(
  tx: Tx,
  merchantId: number,
  id: string,
  pictures: readonly NewPicture[],
): Promise<void> {
  await tx.db
    .insertInto('kyc_submissions')
    .values({ merchant_id: merchantId, id, status: 'pending', submitted_at: tx.now })
    .execute();
  await tx.db
    .insertInto('kyc_pictures')
    .values(
      pictures.map(({ sealedThumbnail, ...picture }) => ({
        merchant_id: merchantId,
        submission_id: id,
        sealed_thumbnail: sealedThumbnail,
        ...picture,
      })),
    )
    .execute();
}

type DecisionColumns = {
  status: 'approved' | 'rejected';
  reason: string | null;
  decided_by: number;
  remove_at: Date;
};

export async function decideSubmission(
  tx: Tx,
  merchantId: number,
  id: string,
  decision: DecisionColumns,
): Promise<void> {
  await tx.db
    .updateTable('kyc_submissions')
    .set({ ...decision, decided_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/**
 * Rejects a pending or approved submission. An approved one keeps the removal time that its approval set for its
 * pictures.
 */
export async function voidSubmissions(
  tx: Tx,
  merchantId: number,
  { remove_at, ...decision }: Omit<DecisionColumns, 'status' | 'reason'> & { reason: string },
): Promise<void> {
  await tx.db
    .updateTable('kyc_submissions')
    .set(({ fn, val }) => ({
      ...decision,
      status: 'rejected',
      decided_at: tx.now,
      remove_at: fn.coalesce('remove_at', val(remove_at)),
    }))
    .where('merchant_id', '=', merchantId)
    .where('status', 'in', ['pending', 'approved'])
    .execute();
}

// Pending submissions

export function listPendingSubmissions(db: Db, page: { limit: number; offset: number }) {
  return db
    .selectFrom('kyc_submissions as submission')
    .innerJoin('users', 'users.id', 'submission.merchant_id')
    .select([
      'submission.merchant_id',
      'submission.id',
      'submission.submitted_at',
      'users.name',
      'users.email',
      'users.document',
      'users.doc_type',
    ])
    .where('submission.status', '=', 'pending')
    .orderBy('submission.submitted_at')
    .orderBy('submission.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countPendingSubmissions(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('kyc_submissions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
}

export type ThumbnailRow = { submission_id: string; side: string; sealed_thumbnail: Buffer };

export async function readThumbnails(
  db: Db,
  submissions: readonly { merchant_id: number; id: string }[],
): Promise<ThumbnailRow[]> {
  const { rows } = await sql<ThumbnailRow>`
    select submission_id, side, sealed_thumbnail
    from kyc_pictures
    join unnest(
      ${numberArray(submissions.map((submission) => submission.merchant_id))}::bigint[],
      ${textArray(submissions.map((submission) => submission.id))}::uuid[]) as wanted (merchant_id, submission_id)
    using (merchant_id, submission_id)
  `.execute(db);
  return rows;
}

/** Returns the id of the newest submission that still has this picture. */
export async function findSubmissionWithPicture(
  db: Db,
  merchantId: number,
  side: KycSide,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('kyc_pictures as picture')
    .innerJoin('kyc_submissions as submission', (join) =>
      join
        .onRef('submission.merchant_id', '=', 'picture.merchant_id')
        .onRef('submission.id', '=', 'picture.submission_id'),
    )
    .select('submission.id')
    .where('submission.merchant_id', '=', merchantId)
    .where('picture.side', '=', side)
    .orderBy('submission.submitted_at', 'desc')
    .orderBy('submission.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

// Accounts affected by a decision

export type KycAccount = ApprovalState & { readonly id: number; readonly role: string };

/** Locks the accounts in order of id. All transactions use that order, so that they cannot deadlock. */
export function lockKycAccounts(tx: Tx, ids: readonly number[]): Promise<KycAccount[]> {
  return tx.db
    .selectFrom('users')
    .select(['id', 'role', 'approved', 'api_active', 'api_held'])
    .where('id', 'in', ids)
    .where('id', '>', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

// Uploads in progress, and submissions whose pictures are due for removal

export async function insertUpload(
  db: Db,
  merchantId: number,
  submissionId: string,
  endsAt: Date,
): Promise<void> {
  await db
    .insertInto('kyc_uploads')
    .values({ merchant_id: merchantId, submission_id: submissionId, ends_at: endsAt })
    .execute();
}

/** Ends an upload by deleting its row. Returns false if the row is gone or the upload took too long. */
export async function finishUpload(tx: Tx, merchantId: number, submissionId: string): Promise<boolean> {
  const row = await tx.db
    .deleteFrom('kyc_uploads')
    .where('merchant_id', '=', merchantId)
    .where('submission_id', '=', submissionId)
    .where('ends_at', '>', tx.now)
    .returning('submission_id')
    .executeTakeFirst();
  return row !== undefined;
}

type SubmissionKey = { readonly merchantId: number; readonly submissionId: string };

export async function deleteUpload(db: Db, { merchantId, submissionId }: SubmissionKey): Promise<void> {
  await db
    .deleteFrom('kyc_uploads')
    .where('merchant_id', '=', merchantId)
    .where('submission_id', '=', submissionId)
    .execute();
}

/**
 * Lists uploads whose deadline passed before `endedBy`, and which have not become submissions: their files are orphans.
 */
export function listAbandonedUploads(db: Db, endedBy: Date, limit: number): Promise<SubmissionKey[]> {
  return db
    .selectFrom('kyc_uploads')
    .select(['merchant_id as merchantId', 'submission_id as submissionId'])
    .where('ends_at', '<=', endedBy)
    .orderBy('ends_at')
    .limit(limit)
    .execute();
}

/** Lists submissions whose pictures are due for removal. */
export function listSubmissionsDueForRemoval(db: Db, dueBy: Date, limit: number): Promise<SubmissionKey[]> {
  return db
    .selectFrom('kyc_submissions')
    .select(['merchant_id as merchantId', 'id as submissionId'])
    .where('remove_at', '<=', dueBy)
    .orderBy('remove_at')
    .limit(limit)
    .execute();
}

/** Deletes the rows of a submission's pictures. The decision, its time and its author are kept. */
export async function deletePictureRows(tx: Tx, { merchantId, submissionId }: SubmissionKey): Promise<void> {
  await tx.db
    .deleteFrom('kyc_pictures')
    .where('merchant_id', '=', merchantId)
    .where('submission_id', '=', submissionId)
    .execute();
  await tx.db
    .updateTable('kyc_submissions')
    .set({ remove_at: null, removed_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', submissionId)
    .execute();
}
