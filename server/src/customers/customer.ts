import {
  type CustomerAddress,
  type Customer as CustomerBody,
  type Maker,
  mayDo,
  type NewCustomer,
} from '@jangada/contract';
import { formatDocument, maskDocument, normalizeDocument } from '@jangada/pix';
import type { Caller } from '../http/route.ts';
import { MERCHANT_DIGITS, prefixWithMerchant } from '../merchant-prefix.ts';
import { randomText } from '../random-text.ts';

/** What a merchant says about a customer. The document has letters and digits only, the phone also its `+`. */
export type CustomerFacts = {
  readonly name: string;
  readonly document: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: CustomerAddress | null;
  readonly note: string | null;
  readonly externalId: string | null;
};

/** A person or company whom a merchant charges. */
export type StoredCustomer = CustomerFacts & {
  readonly merchantId: number;
  readonly id: string;
  /** The ends of the addresses of the customer's two public pages. */
  readonly pageToken: string;
  readonly stopToken: string;
  /** When the customer stopped the reminders; null if they still get them. */
  readonly remindersStoppedAt: Date | null;
  /** The person who entered the customer in the dashboard; null if a key did. */
  readonly createdBy: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
  readonly version: number;
};

/** The characters of a token after the merchant's number: 131 bits, which nobody guesses. */
const TOKEN_RANDOM_LENGTH = 22;
export const TOKEN_LENGTH = MERCHANT_DIGITS + TOKEN_RANDOM_LENGTH;

/** Makes the end of the address of a customer's page. */
export function newToken(merchantId: number): string {
  return prefixWithMerchant(merchantId, randomText(TOKEN_RANDOM_LENGTH));
}

/** Reads what a request says about a customer. */
export function factsFrom(request: NewCustomer): CustomerFacts {
  const { address } = request;
  return {
    name: request.name,
    document: normalizeDocument(request.document),
    email: request.email ?? null,
    phone: request.phone == null ? null : normalizePhone(request.phone),
    address: address
      ? { ...address, state: address.state.toUpperCase(), zip_code: address.zip_code.replace('-', '') }
      : null,
    note: request.note ?? null,
    externalId: request.external_id ?? null,
  };
}

function normalizePhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  return text.startsWith('+') ? `+${digits}` : `+55${digits}`;
}

/** The text in which a search finds a customer: a line each for name, document and mail. */
export function searchTextOf({ name, document, email }: CustomerFacts): string {
  return [name, document, email ?? ''].map(foldForSearch).join('\n');
}

/** Makes texts equal that differ only in accents and capital letters. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Whether the caller sees documents and addresses of customers. The operator's support, which looks into an account with
 * the rights of an accountant, does not.
 */
export function seesCustomerDocuments({ memberRole, supportUntil }: Caller): boolean {
  return supportUntil === undefined && mayDo(memberRole, 'see-customer-documents');
}

export function customerPageUrl(publicUrl: string, { pageToken }: Pick<StoredCustomer, 'pageToken'>): string {
  return `${publicUrl}/c/${pageToken}`;
}

/** The page on which a customer stops the reminders of a merchant. */
export function stopRemindersUrl(
  publicUrl: string,
  { stopToken }: Pick<StoredCustomer, 'stopToken'>,
): string {
  return `${publicUrl}/lembretes/${stopToken}`;
}

/** How a response shows a customer. `maker`: undefined where nobody is to be named. */
type CustomerView = {
  readonly publicUrl: string;
  readonly showsDocuments: boolean;
  readonly maker?: Maker | null | undefined;
};

/** Converts a customer to its API format. */
export function toCustomerResponse(
  customer: StoredCustomer,
  { publicUrl, showsDocuments, maker }: CustomerView,
): CustomerBody {
  const shown = {
    id: customer.id,
    name: customer.name,
    document: formatDocument(customer.document),
    email: customer.email,
    phone: customer.phone,
    address: customer.address,
    note: customer.note,
    external_id: customer.externalId,
    page_url: customerPageUrl(publicUrl, customer),
    reminders_stopped_at: customer.remindersStoppedAt?.toISOString() ?? null,
    archived_at: customer.archivedAt?.toISOString() ?? null,
    created_at: customer.createdAt.toISOString(),
    updated_at: customer.updatedAt.toISOString(),
    version: customer.version,
    ...(maker !== undefined && { made_by: maker }),
  };
  if (showsDocuments) return shown;
  return {
    ...shown,
    document: maskDocument(customer.document),
    email: customer.email === null ? null : maskEmail(customer.email),
    phone: customer.phone === null ? null : maskPhone(customer.phone),
    address: null,
    note: null,
    page_url: null,
  };
}

function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

function maskPhone(phone: string): string {
  return `***${phone.slice(-4)}`;
}
