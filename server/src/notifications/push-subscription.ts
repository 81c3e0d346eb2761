import { createHash, ECDH } from 'node:crypto';
import { z } from 'zod';
import { type AddressRules, checkUrl, FetchFailed } from '../guarded-fetch/index.ts';
import { Refusal } from '../refusal.ts';

const base64urlOf = (length: number) =>
  z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_-]+={0,2}$/)
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine((decoded) => decoded.length === length)
    .transform((decoded) => decoded.toString('base64url'));

/** The push subscription of a browser (Push API, PushSubscription.toJSON; keys as in RFC 8291). */
export const pushSubscription = z.object({
  endpoint: z.string().max(2048),
  keys: z.object({ p256dh: base64urlOf(65).refine(isOnCurve), auth: base64urlOf(16) }),
});
export type PushSubscription = z.infer<typeof pushSubscription>;

/** Reads a push token, which is the subscription as JSON. Refused with PUSH_TOKEN_INVALID. */
export function readPushToken(token: string, rules: AddressRules): PushSubscription {
  const { data } = pushSubscription.safeParse(parseJson(token));
  if (data === undefined || !isCallable(data.endpoint, rules)) throw new Refusal('PUSH_TOKEN_INVALID');
  return data;
}

/** Returns the endpoint in a token, even if the rest of the token is invalid; undefined if there is none. */
export function pushEndpointOf(token: string): string | undefined {
  return pushSubscription.pick({ endpoint: true }).safeParse(parseJson(token)).data?.endpoint;
}

/** Returns the hash by which a device is found. The endpoint itself is a secret and is stored only encrypted. */
export function hashPushEndpoint(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest();
}

function parseJson(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

function isOnCurve(publicKey: string): boolean {
  try {
    ECDH.convertKey(publicKey, 'prime256v1', 'base64url', 'base64url', 'compressed');
    return true;
  } catch {
    return false;
  }
}

function isCallable(endpoint: string, rules: AddressRules): boolean {
  try {
    checkUrl(endpoint, rules);
    return true;
  } catch (error) {
    if (error instanceof FetchFailed) return false;
    throw error;
  }
}
