import { randomUUID } from 'node:crypto';
import { DEFENCE_LIMITS, type Defence } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets.ts';
import type { StoredDispute } from './dispute.ts';

/** A file whose content is encrypted (sealed) under the master key, so that the database alone reveals nothing. */
type SealedFile = Omit<EvidenceFile, 'content'> & { readonly size: number; readonly sealed: Buffer };

type DisputeKey = Pick<StoredDispute, 'merchantId' | 'id'>;

export function sealFile(secrets: Secrets, { name, type, content }: EvidenceFile): SealedFile {
  const sealed = secrets.seal('dispute-file', content.toString('base64'));
  return { name, type, size: content.length, sealed };
}

export async function insertEvidenceFiles(
  tx: Tx,
  { merchantId, id }: DisputeKey,
  files: readonly SealedFile[],
): Promise<void> {
  if (files.length === 0) return;
  await tx.db
    .insertInto('dispute_files')
    .values(
      files.map(({ name, type, size, sealed }, position) => ({
        merchant_id: merchantId,
        dispute_id: id,
        id: randomUUID(),
        place: position,
        name,
        type,
        size,
        sealed_content: sealed,
        created_at: tx.now,
      })),
    )
    .execute();
}

type StoredFileInfo = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
};

/** Lists the files of a defence, in the order in which the merchant sent them. */
export function listEvidenceFiles(db: Db, { merchantId, id }: DisputeKey): Promise<StoredFileInfo[]> {
  return db
    .selectFrom('dispute_files')
    .select(['id', 'name', 'type', 'size'])
    .where('merchant_id', '=', merchantId)
    .where('dispute_id', '=', id)
    .orderBy('place')
    .execute();
}

/** A decrypted file, with its content in base64. */
export type DecryptedFile = { readonly name: string; readonly type: string; readonly content: string };

/** Reads and decrypts a file of a dispute's defence; undefined if the dispute has no such file. */
export async function readEvidenceFile(
  db: Db,
  secrets: Secrets,
  { merchantId, id }: DisputeKey,
  fileId: string,
): Promise<DecryptedFile | undefined> {
  const row = await db
    .selectFrom('dispute_files')
    .select(['name', 'type', 'sealed_content'])
    .where('merchant_id', '=', merchantId)
    .where('dispute_id', '=', id)
    .where('id', '=', fileId)
    .executeTakeFirst();
  return row && { name: row.name, type: row.type, content: secrets.open('dispute-file', row.sealed_content) };
}

/** Reads and decrypts the files of a dispute's defence, to send them to the bank. */
export async function readEvidenceOf(db: Db, secrets: Secrets, dispute: DisputeKey): Promise<EvidenceFile[]> {
  const files: EvidenceFile[] = [];
  for (const { id } of await listEvidenceFiles(db, dispute)) {
    const file = await readEvidenceFile(db, secrets, dispute, id);
    if (file !== undefined) files.push({ ...file, content: Buffer.from(file.content, 'base64') });
  }
  return files;
}

/** A file of a defence, unencrypted. */
type EvidenceFile = { readonly name: string; readonly type: string; readonly content: Buffer };

/** The accepted file types, each with the bytes with which such a file begins. */
const acceptedTypes = [
  { type: 'application/pdf', magicBytes: Buffer.from('%PDF-', 'latin1') },
  { type: 'image/png', magicBytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', magicBytes: Buffer.from([0xff, 0xd8, 0xff]) },
] as const;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes uploaded files from base64. The content decides the type of a file, never its name. Refuses with
 * FILE_NOT_ACCEPTED or FILE_TOO_LARGE.
 */
export function decodeEvidence(files: Defence['files']): EvidenceFile[] {
  return files.map(({ name, content }) => {
    if (!base64.test(content)) throw new Refusal('FILE_NOT_ACCEPTED');
    const bytes = Buffer.from(content, 'base64');
    if (bytes.length > DEFENCE_LIMITS.maxFileBytes) throw new Refusal('FILE_TOO_LARGE');
    const accepted = acceptedTypes.find(({ magicBytes }) =>
      bytes.subarray(0, magicBytes.length).equals(magicBytes),
    );
    if (accepted === undefined) throw new Refusal('FILE_NOT_ACCEPTED');
    return { name: plainName(name), type: accepted.type, content: bytes };
  });
}

/** Removes folders and invisible characters from a file name. */
function plainName(name: string): string {
  const visibleName = name.replace(/^.*[/\\]/s, '').replace(/\p{C}/gu, '');
  return visibleName.trim() || 'arquivo';
}
