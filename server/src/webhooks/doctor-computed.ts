import { createHmac } from 'node:crypto';
import type { DoctorVerdict } from '@jangada/contract';
import { createHashBudget } from './doctor-store.ts';

/** A secret of the account (for callback addresses) or of one of its endpoints. */
export type KnownSecret = {
  readonly secret: string;
  /** Null for the account's own secret. */
  readonly endpointId: string | null;
  /** The secret was rotated and no longer signs. */
  readonly isOver: boolean;
};

/** The input from which the receiver should have computed the signature, and what it may have used by mistake. */
export type SignatureInput = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  /** The body as the receiver got it, which may differ from the one sent. */
  readonly cameBody: string;
  readonly secrets: readonly KnownSecret[];
  /** The secret that made the genuine signature; undefined if unknown. */
  readonly right: KnownSecret | undefined;
};

type Variant<T> = { readonly value: T; readonly fault?: DoctorVerdict };

/** Finds the mistake in a receiver's own code, by reproducing the signature that the code computed. */
export function computedFaults(computed: string, computation: SignatureInput): DoctorVerdict[] {
  const text = computed.trim().replace(/^v1[,=]/, '');
  const best = findMatchingCandidate(text, computation);
  if (best === undefined) return ['computed-wrong'];
  const faults = [...best.faults, ...(isPlainBase64(text, best.digest) ? [] : ['computed-hex' as const])];
  return faults.length === 0 ? ['computed-right'] : faults;
}

function findMatchingCandidate(text: string, computation: SignatureInput) {
  const spend = createHashBudget();
  for (const { key, content, faults } of generateCandidates(computation)) {
    if (!spend(content)) return undefined;
    const digest = createHmac('sha256', key).update(content).digest();
    if (isEncodingOf(text, digest)) return { digest, faults };
  }
  return undefined;
}

/** Yields candidates with the fewest faults first, because the number of tries is limited. */
function* generateCandidates(computation: SignatureInput) {
  const { secrets, right } = computation;
  const keys = secrets.flatMap((secret) =>
    keyVariants(secret.secret).map((key) => ({ ...key, secretFault: secretFault(secret, right) })),
  );
  const contents = bodyVariants(computation).flatMap((body) =>
    contentVariants(computation, body.value).map((content) => ({ ...content, ofBody: body.fault })),
  );
  for (let count = 0; count <= 4; count += 1)
    for (const content of contents) {
      const ofContent = [content.ofBody, content.fault].filter((one) => one !== undefined);
      for (const key of keys) {
        const ofKey = [key.secretFault, key.fault].filter((one) => one !== undefined);
        if (ofKey.length + ofContent.length === count)
          yield { key: key.value, content: content.value, faults: [...ofKey, ...ofContent] };
      }
    }
}

function secretFault(secret: KnownSecret, right: KnownSecret | undefined): DoctorVerdict | undefined {
  if (right === undefined || secret.secret === right.secret) return undefined;
  if (secret.isOver) return 'secret-rotated';
  if (secret.endpointId === right.endpointId) return undefined;
  return secret.endpointId === null ? 'secret-of-account' : 'secret-of-endpoint';
}

function keyVariants(secret: string): Variant<Buffer>[] {
  const bare = secret.replace(/^whsec_/, '');
  const fault = 'computed-secret-not-decoded';
  return [
    { value: Buffer.from(bare, 'base64') },
    { value: Buffer.from(secret), fault },
    { value: Buffer.from(bare), fault },
  ];
}

function bodyVariants({ body, cameBody }: SignatureInput): Variant<string>[] {
  const variants: Variant<string>[] = [{ value: body }];
  const add = (value: string) => {
    if (variants.every((one) => one.value !== value)) variants.push({ value, fault: 'computed-body-parsed' });
  };
  add(cameBody);
  try {
    const parsed: unknown = JSON.parse(body);
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
  const pairs = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPythonJson(one)}`);
  return `{${pairs.join(', ')}}`;
}

function escapeNonAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

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

function isEncodingOf(text: string, digest: Buffer): boolean {
  return (
    isPlainBase64(text, digest) ||
    text.toLowerCase() === digest.toString('hex') ||
    text.replace(/=+$/, '') === digest.toString('base64url') ||
    text === digest.toString('base64').replace(/=+$/, '')
  );
}
