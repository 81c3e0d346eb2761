import { createHmac, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DoctorVerdict } from '@jangada/contract';
import { findComputedFaults, type KnownSecret } from './doctor-computed.ts';
import { createHashBudget } from './doctor-store.ts';

/*
 * The webhook doctor finds out why a receiver cannot verify the signature of a webhook. It gets what the receiver got
 * and computes the signature again from variants of it: each variant undoes one common mistake (a `fault`) on the way
 * or in the receiver's code. The variant whose signature matches tells which mistakes were made.
 */

/** The stored event that was sent under the received id. */
export type StoredSentEvent = {
  readonly eventId: string;
  readonly body: string;
  /** The `webhook-timestamp` of each attempt. */
  readonly timestamps: readonly string[];
};

/** What a receiver got, and what is stored here about it. */
export type DoctorCase = {
  /** As an object, or as text with one header a line. */
  readonly headers: string | Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** The signature that the receiver's code computed, if the caller sent it. */
  readonly computed: string | undefined;
  /** The endpoint that the webhook was meant for, if the caller named one. */
  readonly endpointId: string | undefined;
  readonly secrets: readonly KnownSecret[];
  readonly sentEvent: StoredSentEvent | undefined;
  /** The machine's time, which signatures carry too; a sandbox's clock may have been advanced. */
  readonly now: Date;
};

export type Diagnosis = { readonly ok: boolean; readonly faults: readonly DoctorVerdict[] };

/** How old a webhook may be, as in the libraries of Standard Webhooks. */
const toleranceSeconds = 300;
/** Further signatures are ignored. A genuine webhook has one for each valid secret, five at most. */
const maxSignatures = 20;
/** The headers of a webhook, without their prefix `webhook-`. */
const headerNames = ['id', 'timestamp', 'signature'] as const;
type ReceivedHeaders = Readonly<Record<(typeof headerNames)[number], string>>;

/** Finds out why a signature does not verify. The most likely cause comes first; there are no faults if it verifies. */
export function examineSignature(doctorCase: DoctorCase): Diagnosis {
  const { received, isMisspelt } = readHeaders(doctorCase.headers);
  const headerFaults: DoctorVerdict[] = isMisspelt ? ['header-misspelt'] : [];
  if (received === undefined) return { ok: false, faults: isMisspelt ? headerFaults : ['header-missing'] };
  const signatures = readSignatures(received.signature);
  if (signatures.values.length === 0) return { ok: false, faults: [...headerFaults, 'signature-malformed'] };
  const match = findMatch(doctorCase, received, signatures.values);
  const faults = [
    ...headerFaults,
    ...signatures.faults,
    ...(match?.faults ?? [...timestampFormatFaults(received.timestamp), faultWithoutMatch(doctorCase)]),
    ...ageFaults(received.timestamp, doctorCase.now),
  ];
  const computedSignatureFaults =
    doctorCase.computed === undefined
      ? []
      : findComputedFaults(doctorCase.computed, {
          id: match?.id ?? received.id,
          timestamp: match?.timestamp ?? received.timestamp,
          body: match?.body ?? doctorCase.body,
          receivedBody: doctorCase.body,
          secrets: doctorCase.secrets,
          signingSecret: match?.secret,
        });
  return { ok: faults.length === 0, faults: [...faults, ...computedSignatureFaults] };
}

/**
 * Finds the headers, ignoring case. Names such as `HTTP_WEBHOOK_ID` and `svix-id` (the name in the libraries of Svix)
 * count as misspelt. `received` is undefined unless all three headers are there.
 */
function readHeaders(headers: DoctorCase['headers']): {
  received: ReceivedHeaders | undefined;
  isMisspelt: boolean;
} {
  const pairs =
    typeof headers === 'string'
      ? headers.split(/\r?\n/).flatMap(parseHeaderLine)
      : Object.entries(headers).map(([name, value]) => [name, [value].flat().join(' ')] as const);
  const valueByName = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  const valueBySimilarName = new Map(
    pairs.flatMap(([name, value]) => {
      const [, suffix] = /(?:webhook|svix)[^a-z]*(id|timestamp|signature)$/.exec(name.toLowerCase()) ?? [];
      return suffix === undefined ? [] : [[suffix, value] as const];
    }),
  );
  const [id, timestamp, signature] = headerNames.map(
    (name) => valueByName.get(`webhook-${name}`) ?? valueBySimilarName.get(name),
  );
  const isMisspelt = headerNames.some(
    (name) => !valueByName.has(`webhook-${name}`) && valueBySimilarName.has(name),
  );
  const isComplete = id !== undefined && timestamp !== undefined && signature !== undefined;
  return { received: isComplete ? { id, timestamp, signature } : undefined, isMisspelt };
}

/** Parses a line `name: value`. Accepts quotes and a comma at the end, as in a log or in source text. */
function parseHeaderLine(line: string): (readonly [name: string, value: string])[] {
  const [, name, value] = /^\s*["']?([^:"'\s]+)["']?\s*:\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return [];
  return [[name, value.trim().replace(/^(["'])(.*)\1,?$/, '$2')]];
}

/** Returns the signatures in the header, and the faults in their format. */
function readSignatures(header: string): { values: Buffer[]; faults: DoctorVerdict[] } {
  const values: Buffer[] = [];
  const faults = new Set<DoctorVerdict>();
  for (const item of header.trim().split(/\s+/, maxSignatures)) {
    const [, version, text = ''] = /^(?:(v1)[,=])?(.*)$/.exec(item) ?? [];
    const isHex = /^[0-9a-f]{64}$/i.test(text);
    const value = Buffer.from(text, isHex ? 'hex' : 'base64');
    if (value.length !== 32) continue;
    values.push(value);
    if (isHex) faults.add('signature-hex');
    if (version === undefined || !item.startsWith('v1,')) faults.add('signature-without-version');
  }
  return { values, faults: [...faults] };
}

/** A value that may have been sent, and the mistake that turned it into the received one. */
type Variant = { readonly value: string; readonly fault?: DoctorVerdict };

/** The values that a signature may have been made from, and the mistakes that this would mean. */
type Candidate = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  readonly secret: KnownSecret;
  readonly faults: readonly DoctorVerdict[];
};

/** Finds the content and secret that produce the signature, with the fewest changes to what was received. */
function findMatch(
  doctorCase: DoctorCase,
  received: ReceivedHeaders,
  signatures: readonly Buffer[],
): Candidate | undefined {
  const spendHashBudget = createHashBudget();
  for (const { id, timestamp, body, secret, faults } of generateCandidates(doctorCase, received)) {
    const content = `${id}.${timestamp}.${body}`;
    if (!spendHashBudget(content)) return undefined;
    const candidateSignature = sign(secret.secret, content);
    if (signatures.some((signature) => timingSafeEqual(signature, candidateSignature)))
      return { id, timestamp, body, secret, faults };
  }
  return undefined;
}

/** A candidate has at most four faults: one each in id, timestamp, body and secret. */
const maxFaults = 4;

/** Yields candidates with the fewest faults first, because the number of tries is limited. */
function* generateCandidates(doctorCase: DoctorCase, received: ReceivedHeaders): Generator<Candidate> {
  const ids = idVariants(received.id, doctorCase.sentEvent);
  const timestamps = timestampVariants(received.timestamp, doctorCase.sentEvent);
  const bodies = bodyVariants(doctorCase.body, doctorCase.sentEvent);
  const secrets = doctorCase.secrets.map((secret) => ({
    secret,
    secretFaults: findSecretFaults(doctorCase, secret),
  }));
  for (let faultCount = 0; faultCount <= maxFaults; faultCount += 1)
    for (const id of ids)
      for (const timestamp of timestamps)
        for (const body of bodies) {
          const contentFaults = [id.fault, timestamp.fault, body.fault].filter(
            (fault) => fault !== undefined,
          );
          for (const { secret, secretFaults } of secrets) {
            const faults = [...contentFaults, ...secretFaults];
            if (faults.length === faultCount)
              yield { id: id.value, timestamp: timestamp.value, body: body.value, secret, faults };
          }
        }
}

function idVariants(id: string, event: StoredSentEvent | undefined): Variant[] {
  return distinct([
    { value: id },
    { value: id.trim(), fault: 'id-changed' },
    ...(event === undefined ? [] : [{ value: event.eventId, fault: 'id-changed' as const }]),
  ]);
}

function timestampVariants(timestamp: string, event: StoredSentEvent | undefined): Variant[] {
  return distinct([
    { value: timestamp },
    ...(/^\d{13}$/.test(timestamp)
      ? [{ value: timestamp.slice(0, 10), fault: 'timestamp-in-milliseconds' as const }]
      : []),
    ...(event?.timestamps ?? []).map((value) => ({
      value,
      fault: timestampFormatFaults(timestamp)[0] ?? ('timestamp-changed' as const),
    })),
  ]);
}

/** An integer of 13 digits is in milliseconds; in seconds, the present has ten. */
function timestampFormatFaults(timestamp: string): DoctorVerdict[] {
  if (!/^\d+$/.test(timestamp.trim())) return ['timestamp-not-a-number'];
  return /^\d{13}$/.test(timestamp.trim()) ? ['timestamp-in-milliseconds'] : [];
}

/** Returns bodies that may have been sent before an intermediary or the receiver changed them into this one. */
function bodyVariants(body: string, event: StoredSentEvent | undefined): Variant[] {
  const parsed = parseJson(body);
  return distinct([
    { value: body },
    { value: body.replace(/^\ufeff/, ''), fault: 'body-bom' },
    { value: body.trim(), fault: 'body-trailing-newline' },
    { value: body.replaceAll('\r\n', '\n'), fault: 'body-line-endings' },
    { value: Buffer.from(body, 'latin1').toString('utf8'), fault: 'body-charset' },
    ...(parsed === undefined ? [] : [{ value: JSON.stringify(parsed), fault: 'body-reserialised' as const }]),
    ...(event === undefined ? [] : [{ value: event.body, fault: classifyBodyChange(body, event.body) }]),
  ]);
}

/** Classifies how the received body differs from the body that was sent under this webhook-id. */
function classifyBodyChange(body: string, sent: string): DoctorVerdict {
  if (body.trim() === '') return 'body-empty';
  const parsed = parseJson(body);
  if (parsed !== undefined && isDeepStrictEqual(parsed, parseJson(sent))) return 'body-reserialised';
  // In a wrong charset, a character beyond ASCII becomes question marks or several other characters. So only the
  // characters that every charset keeps are compared.
  const withoutUnsafeCharacters = (text: string) => text.replace(/[^\x20-\x7e]+|\?+/g, '');
  return withoutUnsafeCharacters(body) === withoutUnsafeCharacters(sent) ? 'body-charset' : 'body-changed';
}

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Returns the mistake that using this secret would be, as a list of at most one. */
function findSecretFaults({ endpointId }: DoctorCase, secret: KnownSecret): DoctorVerdict[] {
  if (endpointId !== undefined && secret.endpointId !== endpointId)
    return [secret.endpointId === null ? 'secret-of-account' : 'secret-of-endpoint'];
  return secret.isExpired ? ['secret-rotated'] : [];
}

/** The most likely mistake if no variant has the received signature. */
function faultWithoutMatch(doctorCase: DoctorCase): DoctorVerdict {
  const { body } = doctorCase;
  const event = doctorCase.sentEvent;
  if (body.trim() === '') return 'body-empty';
  const isBodyChanged = event !== undefined && classifyBodyChange(body, event.body) === 'body-changed';
  return isBodyChanged ? 'body-changed' : 'unknown';
}

function ageFaults(timestamp: string, now: Date): DoctorVerdict[] {
  if (!/^\d{1,11}$/.test(timestamp)) return [];
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) return ['timestamp-old'];
  return ageSeconds < -toleranceSeconds ? ['timestamp-in-future'] : [];
}

/** Keeps the first of equal values: the value as received comes first, and has no fault. */
function distinct(variants: readonly Variant[]): Variant[] {
  const seen = new Set<string>();
  return variants.filter(({ value }) => !seen.has(value) && seen.add(value));
}

function sign(secret: string, content: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest();
}
