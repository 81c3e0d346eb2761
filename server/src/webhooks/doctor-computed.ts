import { createHmac } from 'node:crypto';
import type { DoctorVerdict } from '@jangada/contract';
import type { KnownSecret } from './doctor.ts';

/** What a signature should have been made of, and what there was to make it of. */
export type Computation = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  /** As it came, changed or not. */
  readonly cameBody: string;
  readonly secrets: readonly KnownSecret[];
  /** The secret that signed it; undefined: nobody knows. */
  readonly right: KnownSecret | undefined;
};

type Variant<T> = { readonly value: T; readonly fault?: DoctorVerdict };

/** What a receiver's own code did wrong, found by doing the same. */
export function computedFaults(computed: string, computation: Computation): DoctorVerdict[] {
  const text = computed.trim().replace(/^v1[,=]/, '');
  const tries = [...triesOf(computation)].filter(({ digest }) => isWritten(text, digest));
  const best = tries.toSorted((one, other) => one.faults.length - other.faults.length)[0];
  if (best === undefined) return ['computed-wrong'];
  const faults = [...best.faults, ...(isPlainBase64(text, best.digest) ? [] : ['computed-hex' as const])];
  return faults.length === 0 ? ['computed-right'] : faults;
}

function* triesOf(computation: Computation) {
  for (const secret of computation.secrets)
    for (const key of keysOf(secret.secret))
      for (const body of bodiesOf(computation))
        for (const content of contentsOf(computation, body.value)) {
          const faults = [ofSecret(secret, computation.right), key.fault, body.fault, content.fault];
          const digest = createHmac('sha256', key.value).update(content.value).digest();
          yield { digest, faults: faults.filter((fault) => fault !== undefined) };
        }
}

function ofSecret(secret: KnownSecret, right: KnownSecret | undefined): DoctorVerdict | undefined {
  if (right === undefined || secret.secret === right.secret) return undefined;
  if (secret.isOver) return 'secret-rotated';
  if (secret.endpointId === right.endpointId) return undefined;
  return secret.endpointId === null ? 'secret-of-account' : 'secret-of-endpoint';
}

function keysOf(secret: string): Variant<Buffer>[] {
  const bare = secret.replace(/^whsec_/, '');
  const fault = 'computed-secret-not-decoded';
  return [
    { value: Buffer.from(bare, 'base64') },
    { value: Buffer.from(secret), fault },
    { value: Buffer.from(bare), fault },
  ];
}

function bodiesOf({ body, cameBody }: Computation): Variant<string>[] {
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
    add(spaced(parsed));
    // As PHP escapes what is not ASCII, and slashes.
    add(escaped(JSON.stringify(parsed)));
    add(escaped(JSON.stringify(parsed)).replaceAll('/', '\\/'));
    add(escaped(spaced(parsed)));
  } catch {
    // Not JSON: nothing that could have been parsed.
  }
  return variants;
}

/** As Python writes it: a space after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`);
  return `{${pairs.join(', ')}}`;
}

function escaped(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function contentsOf({ id, timestamp }: Computation, body: string): Variant<string>[] {
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

function isWritten(text: string, digest: Buffer): boolean {
  return (
    isPlainBase64(text, digest) ||
    text.toLowerCase() === digest.toString('hex') ||
    text.replace(/=+$/, '') === digest.toString('base64url') ||
    text === digest.toString('base64').replace(/=+$/, '')
  );
}
