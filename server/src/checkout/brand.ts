// A merchant's brand: the name, colour and logo that payers see on the payment pages.

import { randomUUID } from 'node:crypto';
import type { Brand } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { enforceAttemptLimit } from '../identity/index.ts';
import { reencode } from '../images/index.ts';
import { Refusal } from '../refusal.ts';

/** Limits the logo uploads of each merchant, because re-encoding a picture is expensive. */
const logoUploadLimit = { limit: 30, windowSeconds: 3600 };

/** Replaces a merchant's logo with the uploaded picture. Refused with IMAGE_NOT_ACCEPTED. */
export async function changeLogo(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  upload: Buffer,
): Promise<void> {
  await enforceAttemptLimit(deps, { key: `logo ${merchantId}`, ...logoUploadLimit });
  const [picture] = (await reencode([upload], 'logo')) ?? [];
  if (picture === undefined) throw new Refusal('IMAGE_NOT_ACCEPTED');
  await inTransaction(deps, (tx) => writeLogo(tx, merchantId, randomUUID(), picture.content));
}

/** The URL path at which anybody can load a logo; null without a logo. */
export function logoPath(logoId: string | null): string | null {
  return logoId === null ? null : `/api/brand-logos/${logoId}`;
}

/** Converts a brand to its API format. */
export function brandOf({ displayName, colour, logoId }: BrandRow): Brand {
  return { display_name: displayName, colour, logo: logoPath(logoId) };
}

type BrandRow = {
  readonly displayName: string | null;
  readonly colour: string | null;
  readonly logoId: string | null;
};

const emptyBrand: BrandRow = { displayName: null, colour: null, logoId: null };

/** Finds a merchant's brand; it is empty until the merchant sets one. */
export async function findBrand(db: Db | Tx['db'], merchantId: number): Promise<BrandRow> {
  const row = await db
    .selectFrom('merchant_brands')
    .select(['display_name as displayName', 'colour', 'logo_id as logoId'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row ?? emptyBrand;
}

export async function writeBrand(
  tx: Tx,
  merchantId: number,
  { displayName, colour }: Pick<BrandRow, 'displayName' | 'colour'>,
): Promise<void> {
  await upsertBrand(tx, merchantId, { display_name: displayName, colour });
}

async function writeLogo(tx: Tx, merchantId: number, id: string, logo: Buffer): Promise<void> {
  await upsertBrand(tx, merchantId, { logo_id: id, logo });
}

export async function deleteLogo(tx: Tx, merchantId: number): Promise<void> {
  await tx.db
    .updateTable('merchant_brands')
    .set({ logo_id: null, logo: null, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .execute();
}

type BrandColumns =
  | { display_name: string | null; colour: string | null }
  | { logo_id: string; logo: Buffer };

async function upsertBrand(tx: Tx, merchantId: number, columns: BrandColumns): Promise<void> {
  const row = { ...columns, updated_at: tx.now };
  await tx.db
    .insertInto('merchant_brands')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

export async function findLogo(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('merchant_brands')
    .select('logo')
    .where('logo_id', '=', id)
    .executeTakeFirst();
  return row?.logo ?? undefined;
}

type PayeeRow = BrandRow & {
  readonly name: string;
  readonly document: string;
  readonly docType: string;
};

/** Finds a merchant's name, document and brand, as the payers' pages show them. */
export async function findPayee(db: Db | Tx['db'], merchantId: number): Promise<PayeeRow | undefined> {
  return await db
    .selectFrom('users')
    .leftJoin('merchant_brands', 'merchant_brands.merchant_id', 'users.id')
    .select(['users.name', 'users.document', 'users.doc_type as docType'])
    .select(['display_name as displayName', 'colour', 'logo_id as logoId'])
    .where('users.id', '=', merchantId)
    .executeTakeFirst();
}
