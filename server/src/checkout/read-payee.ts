import type { Payee } from '@jangada/contract';
import { maskDocument } from '@jangada/pix';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { logoAddress } from './brand.ts';
import { findPayee } from './brand-store.ts';

/** An existing merchant as shown to payers: of a CPF only the middle digits. */
export async function readPayee(db: Db | Tx['db'], merchantId: number): Promise<Payee> {
  const row = await findPayee(db, merchantId);
  invariant(row !== undefined, `there is no merchant ${merchantId}`);
  const { name: legalName, displayName, document, docType, colour, logoId } = row;
  return {
    name: displayName ?? legalName,
    legalName,
    document: { type: docType === 'CNPJ' ? 'CNPJ' : 'CPF', text: maskDocument(document) },
    colour,
    logo: logoAddress(logoId),
  };
}
