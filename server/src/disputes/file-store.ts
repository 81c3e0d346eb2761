import { randomUUID } from 'node:crypto';
import { DEFENCE, type Defence } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets.ts';
import type { StoredDispute } from './dispute.ts';

/** Files are stored encrypted under the master key, so the database alone reveals nothing. */
type SealedFile = Omit<EvidenceFile, 'content'> & { readonly size: number; readonly sealed: Buffer };

type Named = Pick<StoredDispute, 'merchantId' | 'id'>;

export function sealFile(secrets: Secrets, { name, type, content }: EvidenceFile): SealedFile {
  const sealed = secrets.seal('dispute-file', content.toString('base64'));
  return { name, type, size: content.length, sealed };
}

export async function insertFiles(
  tx: Tx,
  { merchantId, id }: Named,
  files: readonly SealedFile[],
): Promise<void> {
  if (files.length === 0) return;
  await tx.db
    .insertInto('dispute_files')
    .values(
      files.map(({ name, type, size, sealed }, place) => ({
        merchant_id: merchantId,
        dispute_id: id,
        id: randomUUID(),
        place,
        name,
        type,
        size,
        sealed_content: sealed,
        created_at: tx.now,
      })),
    )
    .execute();
}

type FileName = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
};

/** The files of a defence, in the order in which they were sent. */
export function listFiles(db: Db, { merchantId, id }: Named): Promise<FileName[]> {
  return db
    .selectFrom('dispute_files')
    .select(['id', 'name', 'type', 'size'])
    .where('merchant_id', '=', merchantId)
    .where('dispute_id', '=', id)
    .orderBy('place')
    .execute();
}

/** The content in base64. */
export type OpenedFile = { readonly name: string; readonly type: string; readonly content: string };

export async function readFile(
  db: Db,
  secrets: Secrets,
  { merchantId, id }: Named,
  fileId: string,
): Promise<OpenedFile | undefined> {
  const row = await db
    .selectFrom('dispute_files')
    .select(['name', 'type', 'sealed_content'])
    .where('merchant_id', '=', merchantId)
    .where('dispute_id', '=', id)
    .where('id', '=', fileId)
    .executeTakeFirst();
  return row && { name: row.name, type: row.type, content: secrets.open('dispute-file', row.sealed_content) };
}

/** Files in the form sent with a defence. */
export async function readEvidenceOf(db: Db, secrets: Secrets, dispute: Named): Promise<EvidenceFile[]> {
  const files: EvidenceFile[] = [];
  for (const { id } of await listFiles(db, dispute)) {
    const file = await readFile(db, secrets, dispute, id);
    if (file !== undefined) files.push({ ...file, content: Buffer.from(file.content, 'base64') });
  }
  return files;
}

/** A file of a defence. */
type EvidenceFile = { readonly name: string; readonly type: string; readonly content: Buffer };

/** Magic bytes of the accepted file types. */
const beginnings = [
  { type: 'application/pdf', begins: Buffer.from('%PDF-', 'latin1') },
  { type: 'image/png', begins: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', begins: Buffer.from([0xff, 0xd8, 0xff]) },
] as const;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes uploaded files (base64). The type is taken from the content, never from the name. Refused with
 * FILE_NOT_ACCEPTED or FILE_TOO_LARGE.
 */
export function readEvidence(files: Defence['files']): EvidenceFile[] {
  return files.map(({ name, content }) => {
    if (!base64.test(content)) throw new Refusal('FILE_NOT_ACCEPTED');
    const bytes = Buffer.from(content, 'base64');
    if (bytes.length > DEFENCE.maxFileBytes) throw new Refusal('FILE_TOO_LARGE');
    const known = beginnings.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
    if (known === undefined) throw new Refusal('FILE_NOT_ACCEPTED');
    return { name: plainName(name), type: known.type, content: bytes };
  });
}

/** Strips folders and invisible characters. */
function plainName(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '').replace(/\p{C}/gu, '');
  return last.trim() || 'arquivo';
}
