import * as z from 'zod/mini';
import { type Maker, maker } from './maker.ts';

// Readers of responses about the account's main API key, in every format that the specification allows.

export type ApiKeyModel = {
  hasKey: boolean;
  active: boolean;
  /** The full key; null if there is no key, or until the password is confirmed again. */
  key: string | null;
  /** The first and last characters of the key; null if the provider does not report them. */
  masked: string | null;
  /** Who made it; null if there is none, or the provider does not say. */
  madeBy: Maker | null;
};

const optionalText = z.nullish(z.string());
const anyStatus = z.object({
  hasKey: z.boolean(),
  active: z.nullish(z.boolean()),
  key: optionalText,
  masked: optionalText,
  made_by: z.catch(z.nullish(maker), null),
});

/** Reads whether there is a key, and the key if the response has it. Throws ZodError for an unreadable response. */
export function parseApiKeyStatus(response: unknown): ApiKeyModel {
  const { hasKey, active, key, masked, made_by } = anyStatus.parse(response);
  return {
    hasKey,
    active: active ?? false,
    key: key || null,
    masked: masked ?? null,
    madeBy: made_by ?? null,
  };
}

const anyGenerated = z.object({ apiKey: z.string().check(z.minLength(1)), active: z.nullish(z.boolean()) });

/** Reads a newly generated key. Throws ZodError for an unreadable response. */
export function parseGeneratedKey(response: unknown): { apiKey: string; active: boolean } {
  const { apiKey, active } = anyGenerated.parse(response);
  return { apiKey, active: active ?? false };
}
