import { createHmac } from 'node:crypto';
import type { DoctorVerdict } from '@jangada/contract';
import { createHashBudget } from './doctor-store.ts';

/*
 * The part of the webhook doctor that examines `computed`: the signature that the receiver's own code computed. The
 * doctor repeats the computation with each common mistake, until it gets the same signature.
 */

/** A secret of the account (for callback addresses) or of one of its endpoints. */
export type KnownSecret = {
  readonly secret: string;
  /** Null for the account's own secret. */
  readonly endpointId: string | null;
  /** The secret was rotated and no longer signs. */
  readonly isExpired: boolean;
};

/** What the receiver should have computed the signature from, and what it may have used by mistake. */
export type SignatureInput = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  /** The body as the receiver got it, which may differ from the one sent. */
  readonly receivedBody: string;
  readonly secrets: readonly KnownSecret[];
  /** The secret that made the genuine signature; undefined if unknown. */
  readonly signingSecret: KnownSecret | undefined;
};

type Variant<T> = { readonly value: T; readonly fault?: DoctorVerdict };

/** Finds the mistakes in the receiver's code. */
export function findComputedFaults(computed: string, input: SignatureInput): DoctorVerdict[] {
  const signature = computed.trim().replace(/^v1[,=]/, '');
  const match = findMatchingCandidate(signature, input);
  if (match === undefined) return ['computed-wrong'];
  const faults = [
    ...match.faults,
    ...(isPlainBase64(signature, match.digest) ? [] : ['computed-hex' as const]),
  ];
  return faults.length === 0 ? ['computed-right'] : faults;
}

function findMatchingCandidate(signature: string, input: SignatureInput) {
  const spendHashBudget = createHashBudget();
  for (const { key, content, faults } of generateCandidates(input)) {
    if (!spendHashBudget(content)) return undefined;
    const digest = createHmac('sha256', key).update(content).digest();
    if (isEncodingOf(signature, digest)) return { digest, faults };
  }
  return undefined;
}

/**
 * A candidate has at most four faults: the wrong secret, a wrong key made from it, the wrong body, and wrong content
 * around the body.
 */
const maxFaults = 4;

/** Yields candidates with the fewest faults first, because the number of tries is limited. */
function* generateCandidates(input: SignatureInput) {
  const keys = input.secrets.flatMap((secret) =>
    keyVariants(secret.secret).map(({ value, fault }) => ({
      value,
      faults: presentFaults([secretFault(secret, input.signingSecret), fault]),
    })),
  );
  const contents = bodyVariants(input).flatMap((body) =>
    contentVariants(input, body.value).map(({ value, fault }) => ({
      value,
      faults: presentFaults([body.fault, fault]),
    })),
  );
  for (let faultCount = 0; faultCount <= maxFaults; faultCount += 1)
    for (const content of contents)
      for (const key of keys) {
        const faults = [...key.faults, ...content.faults];
        if (faults.length === faultCount) yield { key: key.value, content: content.value, faults };
      }
}

function presentFaults(faults: readonly (DoctorVerdict | undefined)[]): DoctorVerdict[] {
  return faults.filter((fault) => fault !== undefined);
}

/** Returns the mistake that using this secret would be. `genuine` is the secret that signed, if it is known. */
function secretFault(secret: KnownSecret, genuine: KnownSecret | undefined): DoctorVerdict | undefined {
  if (genuine === undefined || secret.secret === genuine.secret) return undefined;
  if (secret.isExpired) return 'secret-rotated';
  if (secret.endpointId === genuine.endpointId) return undefined;
  return secret.endpointId === null ? 'secret-of-account' : 'secret-of-endpoint';
}

/** A right key is the part after `whsec_`, decoded from base64. */
function keyVariants(secret: string): Variant<Buffer>[] {
  const encodedKey = secret.replace(/^whsec_/, '');
  const fault = 'computed-secret-not-decoded';
  return [
    { value: Buffer.from(encodedKey, 'base64') },
    { value: Buffer.from(secret), fault },
    { value: Buffer.from(encodedKey), fault },
  ];
}

function bodyVariants(input: SignatureInput): Variant<string>[] {
  const variants: Variant<string>[] = [{ value: input.body }];
  const add = (value: string) => {
    if (variants.every((variant) => variant.value !== value))
      variants.push({ value, fault: 'computed-body-parsed' });
  };
  add(input.receivedBody);
  try {
    const parsed: unknown = JSON.parse(input.body);
    add(JSON.stringify(parsed));
    add(JSON.stringify(parsed, null, 2));
    add(JSON.stringify(parsed, null, 4));
    add(toPythonJson(parsed));
    // Python and PHP escape non-ASCII characters, and PHP also slashes.
    add(escapeNonAscii(JSON.stringify(parsed)));
    add(escapeNonAscii(JSON.stringify(parsed)).replaceAll('/', '\\/'));
    add(escapeNonAscii(toPythonJson(parsed)));
  } catch {
    // Not JSON: it cannot have been parsed.
  }
  return variants;
}

/** JSON as Python writes it, with a space after each comma and colon. */
function toPythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${toPythonJson(member)}`,
  );
  return `{${pairs.join(', ')}}`;
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The right content is id, timestamp and body, joined by dots. */
function contentVariants({ id, timestamp }: SignatureInput, body: string): Variant<string>[] {
  return [
    { value: `${id}.${timestamp}.${body}` },
    { value: `${timestamp}.${body}`, fault: 'computed-without-id' },
    { value: `${id}.${body}`, fault: 'computed-without-timestamp' },
    { value: body, fault: 'computed-body-only' },
  ];
}

function isPlainBase64(text: string, digest: Buffer): boolean {
  return text === digest.toString('base64');
}

/** Accepts base64, hexadecimal and base64url, with or without padding. */
function isEncodingOf(text: string, digest: Buffer): boolean {
  return (
    isPlainBase64(text, digest) ||
    text.toLowerCase() === digest.toString('hex') ||
    text.replace(/=+$/, '') === digest.toString('base64url') ||
    text === digest.toString('base64').replace(/=+$/, '')
  );
}
