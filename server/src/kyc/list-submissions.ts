import { docType, type KycSide, type PendingKyc } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { countPendingSubmissions, listPendingSubmissions, readThumbnails } from './store.ts';

const pageSize = 20;

type Page = { items: PendingKyc[]; total: number; page: number; limit: number };

/**
 * Lists the submissions of identity documents that wait for an administrator's decision, oldest first, with a thumbnail
 * of each picture.
 */
export async function listSubmissions(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  page: number,
): Promise<Page> {
  const rows = await listPendingSubmissions(db, { limit: pageSize, offset: (page - 1) * pageSize });
  const thumbnails = await readThumbnails(db, rows);
  const thumbnailOf = (submissionId: string, side: KycSide) => {
    const row = thumbnails.find(
      (thumbnail) => thumbnail.submission_id === submissionId && thumbnail.side === side,
    );
    return row === undefined ? '' : secrets.openBytes('kyc-picture', row.sealed_thumbnail).toString('base64');
  };
  const items = rows.map(
    (row): PendingKyc => ({
      user: { id: String(row.merchant_id), name: row.name, email: row.email },
      document: {
        number: row.document,
        type: docType.parse(row.doc_type),
        createdAt: row.submitted_at.toISOString(),
        front_side: thumbnailOf(row.id, 'document_front'),
        back_side: thumbnailOf(row.id, 'document_back'),
        selfie: thumbnailOf(row.id, 'selfie'),
        submission: row.id,
      },
    }),
  );
  return { items, total: await countPendingSubmissions(db), page, limit: pageSize };
}
