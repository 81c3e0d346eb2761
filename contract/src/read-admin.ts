import * as z from 'zod/mini';
import { anyNumber, id } from './any-number.ts';
import { type KycSide, type KycStatus, kycStatus } from './kyc.ts';
import { parseUser, type UserModel } from './read.ts';
import type { DocType, Taxes } from './user.ts';

/*
 * Readers of a provider's responses to administration calls, which may be a bare list or a page in an envelope. A
 * provider is any gateway with this API, not only our own.
 */

const text = z.nullish(z.string());
const number = z._default(z.nullish(anyNumber), 0);

/** A verification that awaits an administrator. */
export type PendingKycModel = {
  userId: string;
  name: string;
  email: string;
  document: string;
  docType: DocType;
  submittedAt: string | null;
  /** Each is a URL for the src of an image; empty if the picture is missing. */
  thumbnails: Readonly<Record<KycSide, string>>;
  /** Identifies the reviewed submission; null if the provider does not distinguish submissions. */
  submission: string | null;
};

const anyPending = z.object({
  user: z.object({ id, name: text, email: text }),
  document: z.object({
    number: text,
    type: text,
    createdAt: text,
    created_at: text,
    front_side: text,
    back_side: text,
    selfie: text,
    submission: text,
  }),
});

export type PageModel<Item> = {
  items: Item[];
  total: number;
  limit: number;
  /**
   * Whether this is the complete, unsearched list: a provider without pages leaves paging and search to the caller.
   */
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

function pageFrom<Item>(answer: unknown, readItem: (item: unknown) => Item): PageModel<Item> {
  const page = anyPage.parse(Array.isArray(answer) ? { items: answer } : answer);
  const items = (page.items ?? page.users ?? page.data ?? []).map(readItem);
  return {
    items,
    total: page.total ?? items.length,
    limit: page.limit ?? Math.max(1, items.length),
    whole: page.limit == null,
  };
}

/** Reads the pending verifications: a list, or a page of it. Throws ZodError for anything else. */
export function parsePendingKyc(answer: unknown): PageModel<PendingKycModel> {
  return pageFrom(answer, (item) => {
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

/** The first base64 characters of each picture format, by which the format is recognised. */
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
  /** The user exactly as the provider sent it, for providers that expect a changed user to be sent back in full. */
  asReceived: Readonly<Record<string, unknown>>;
  taxes: Taxes;
  /** Null if the provider does not guard against concurrent edits. */
  version: number | null;
  /** The fields below are null if the provider does not report them. */
  kyc: KycStatus | null;
  secondFactor: boolean | null;
  frozenAt: string | null;
  frozenBecause: string | null;
  closingRequestedAt: string | null;
  closingReason: string | null;
};

const anyAdminUser = z.object({
  taxes: z.nullish(
    z.object({
      pix: z.nullish(z.object({ in: number, out: number, fixIn: number, fixOut: number })),
      crypto: number,
      reserve: z.nullish(
        z.object({ enabled: z.nullish(z.boolean()), percentage: number, liberationTime: number }),
      ),
    }),
  ),
  version: z.nullish(anyNumber),
  kyc: z.nullish(kycStatus),
  second_factor: z.nullish(z.boolean()),
  frozen_at: text,
  frozen_because: text,
  closing_requested_at: text,
  closing_reason: text,
});

/** Reads a user as seen by the administration. Missing fees become 0 or false. */
export function parseAdminUser(answer: unknown): AdminUserModel {
  const extra = anyAdminUser.parse(answer);
  const { pix, crypto, reserve } = extra.taxes ?? {};
  return {
    ...parseUser(answer),
    asReceived: z.record(z.string(), z.unknown()).parse(answer),
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
  };
}

/** Reads the list of users: bare, or a page of it. */
export function parseAdminUsers(answer: unknown): PageModel<AdminUserModel> {
  return pageFrom(answer, parseAdminUser);
}
