import * as z from 'zod/mini';
import { anyId, anyNumber } from './any-number.ts';
import { type MerchantKind, merchantKind } from './connection.ts';
import { type KycSide, type KycStatus, kycStatus } from './kyc.ts';
import { parseUser, type UserModel } from './read.ts';
import type { DocType, Taxes } from './user.ts';

/*
 * Readers of responses to administration calls. A provider, that is, any gateway with this API and not only our own,
 * may send a bare list, or an object that contains the list or one page of it.
 */

const optionalText = z.nullish(z.string());
const numberOrZero = z._default(z.nullish(anyNumber), 0);

/** A verification of identity that awaits the decision of an administrator. */
export type PendingKycModel = {
  userId: string;
  name: string;
  email: string;
  document: string;
  docType: DocType;
  submittedAt: string | null;
  /** For each picture a URL for the `src` of an image; empty if the picture is missing. */
  thumbnails: Readonly<Record<KycSide, string>>;
  /** The id of the submission, to be sent back with the decision; null if the provider has no such ids. */
  submission: string | null;
};

const anyPending = z.object({
  user: z.object({ id: anyId, name: optionalText, email: optionalText }),
  document: z.object({
    number: optionalText,
    type: optionalText,
    createdAt: optionalText,
    created_at: optionalText,
    front_side: optionalText,
    back_side: optionalText,
    selfie: optionalText,
    submission: optionalText,
  }),
});

export type PageModel<Item> = {
  items: Item[];
  total: number;
  limit: number;
  /** True if the provider sent the complete list instead of a page. The caller then has to search and divide it. */
  whole: boolean;
};

const list = z.array(z.unknown());
const anyPage = z.object({
  items: z.optional(list),
  users: z.optional(list),
  data: z.optional(list),
  total: z.nullish(anyNumber),
  limit: z.nullish(anyNumber),
});

function pageFrom<Item>(response: unknown, readItem: (item: unknown) => Item): PageModel<Item> {
  const page = anyPage.parse(Array.isArray(response) ? { items: response } : response);
  const items = (page.items ?? page.users ?? page.data ?? []).map(readItem);
  return {
    items,
    total: page.total ?? items.length,
    limit: page.limit ?? Math.max(1, items.length),
    whole: page.limit == null,
  };
}

/** Reads the pending verifications from a bare list or from a page. Throws ZodError for anything else. */
export function parsePendingKyc(response: unknown): PageModel<PendingKycModel> {
  return pageFrom(response, (item) => {
    const { user, document } = anyPending.parse(item);
    return {
      userId: user.id,
      name: user.name ?? '',
      email: user.email ?? '',
      document: document.number ?? '',
      docType: document.type?.toUpperCase() === 'CNPJ' ? 'CNPJ' : 'CPF',
      submittedAt: document.createdAt ?? document.created_at ?? null,
      thumbnails: {
        document_front: pictureFrom(document.front_side),
        document_back: pictureFrom(document.back_side),
        selfie: pictureFrom(document.selfie),
      },
      submission: document.submission ?? null,
    };
  });
}

/** How a picture of each format begins in base64. A provider may send a picture without naming its format. */
const pictureFormats = [
  ['/9j/', 'image/jpeg'],
  ['iVBOR', 'image/png'],
  ['UklGR', 'image/webp'],
] as const;

function pictureFrom(base64: string | null | undefined): string {
  if (base64 == null || base64 === '') return '';
  if (base64.startsWith('data:')) return base64;
  const type = pictureFormats.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'image/jpeg';
  return `data:${type};base64,${base64}`;
}

export type AdminUserModel = UserModel & {
  /** The user exactly as the provider sent it, because some providers expect a changed user to be sent back in full. */
  asReceived: Readonly<Record<string, unknown>>;
  taxes: Taxes;
  /** Null if the provider has no versions, and so cannot detect concurrent edits. */
  version: number | null;
  /** This field and those below are null if the provider does not report them. */
  kyc: KycStatus | null;
  secondFactor: boolean | null;
  frozenAt: string | null;
  frozenBecause: string | null;
  closingRequestedAt: string | null;
  closingReason: string | null;
  merchantKind: MerchantKind | null;
  /** Who holds the account in place of the person with whom it began; null if it was not handed over. */
  heldBy: { readonly id: string; readonly name: string } | null;
  /** Since when the identity of whoever controls the account has to be looked at anew; null if it has not. */
  identityReviewSince: string | null;
};

const anyAdminUser = z.object({
  taxes: z.nullish(
    z.object({
      pix: z.nullish(
        z.object({ in: numberOrZero, out: numberOrZero, fixIn: numberOrZero, fixOut: numberOrZero }),
      ),
      crypto: numberOrZero,
      reserve: z.nullish(
        z.object({ enabled: z.nullish(z.boolean()), percentage: numberOrZero, liberationTime: numberOrZero }),
      ),
    }),
  ),
  version: z.nullish(anyNumber),
  kyc: z.nullish(kycStatus),
  second_factor: z.nullish(z.boolean()),
  frozen_at: optionalText,
  frozen_because: optionalText,
  closing_requested_at: optionalText,
  closing_reason: optionalText,
  merchant_kind: z.nullish(merchantKind),
  held_by: z.nullish(z.object({ id: z.string(), name: z.string() })),
  identity_review_since: optionalText,
});

/** Reads a user as reported to administrators. Missing fees become 0 or false. */
export function parseAdminUser(response: unknown): AdminUserModel {
  const extra = anyAdminUser.parse(response);
  const { pix, crypto, reserve } = extra.taxes ?? {};
  return {
    ...parseUser(response),
    asReceived: z.record(z.string(), z.unknown()).parse(response),
    taxes: {
      pix: { in: pix?.in ?? 0, out: pix?.out ?? 0, fixIn: pix?.fixIn ?? 0, fixOut: pix?.fixOut ?? 0 },
      crypto: crypto ?? 0,
      reserve: {
        enabled: reserve?.enabled ?? false,
        percentage: reserve?.percentage ?? 0,
        liberationTime: reserve?.liberationTime ?? 0,
      },
    },
    version: extra.version ?? null,
    kyc: extra.kyc ?? null,
    secondFactor: extra.second_factor ?? null,
    frozenAt: extra.frozen_at ?? null,
    frozenBecause: extra.frozen_because ?? null,
    closingRequestedAt: extra.closing_requested_at ?? null,
    closingReason: extra.closing_reason ?? null,
    merchantKind: extra.merchant_kind ?? null,
    heldBy: extra.held_by ?? null,
    identityReviewSince: extra.identity_review_since ?? null,
  };
}

/** Reads the users from a bare list or a page. */
export function parseAdminUsers(response: unknown): PageModel<AdminUserModel> {
  return pageFrom(response, parseAdminUser);
}
