import { createHmac, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DoctorVerdict } from '@jangada/contract';
import { computedFaults, type KnownSecret } from './doctor-computed.ts';
import { createHashBudget } from './doctor-store.ts';

/** The stored event with the received id. */
export type StoredSentEvent = {
  readonly eventId: string;
  readonly body: string;
  /** The `webhook-timestamp` of each attempt. */
  readonly timestamps: readonly string[];
};

export type DoctorCase = {
  readonly headers: string | Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  readonly computed: string | undefined;
  /** The endpoint that the webhook was meant for, if the caller named one. */
  readonly endpointId: string | undefined;
  readonly secrets: readonly KnownSecret[];
  readonly sending: StoredSentEvent | undefined;
  /** The machine's time, which signatures carry too; a sandbox's clock may have been advanced. */
  readonly now: Date;
};

export type Diagnosis = { readonly ok: boolean; readonly faults: readonly DoctorVerdict[] };

/** As in the libraries of Standard Webhooks. */
const toleranceSeconds = 300;
/** Further signatures are ignored. A genuine webhook has one for each valid secret, five at most. */
const mostSignatures = 20;
const wanted = ['id', 'timestamp', 'signature'] as const;
type Part = (typeof wanted)[number];
type ReceivedHeaders = Readonly<Record<Part, string>>;

/** Finds out why a signature does not verify. The most likely cause comes first; there are no faults if it verifies. */
export function examine(doctorCase: DoctorCase): Diagnosis {
  const { came, isMisspelt } = readHeaders(doctorCase.headers);
  const misspelt: DoctorVerdict[] = isMisspelt ? ['header-misspelt'] : [];
  if (came === undefined) return { ok: false, faults: isMisspelt ? misspelt : ['header-missing'] };
  const signatures = readSignatures(came.signature);
  if (signatures.values.length === 0) return { ok: false, faults: [...misspelt, 'signature-malformed'] };
  const match = findMatch(doctorCase, came, signatures.values);
  const faults = [
    ...misspelt,
    ...signatures.faults,
    ...(match?.faults ?? [...timestampFormatFaults(came.timestamp), faultWithoutMatch(doctorCase)]),
    ...ageFaults(came.timestamp, doctorCase.now),
  ];
  const computedSignatureFaults =
    doctorCase.computed === undefined
      ? []
      : computedFaults(doctorCase.computed, {
          id: match?.id ?? came.id,
          timestamp: match?.timestamp ?? came.timestamp,
          body: match?.body ?? doctorCase.body,
          cameBody: doctorCase.body,
          secrets: doctorCase.secrets,
          right: match?.secret,
        });
  return { ok: faults.length === 0, faults: [...faults, ...computedSignatureFaults] };
}

/** Finds the headers, ignoring case. A name with a prefix or with other separators counts as misspelt. */
function readHeaders(headers: DoctorCase['headers']): {
  came: ReceivedHeaders | undefined;
  isMisspelt: boolean;
} {
  const pairs =
    typeof headers === 'string'
      ? headers.split(/\r?\n/).flatMap((line) => {
          const [, name, value] = /^\s*["']?([^:"'\s]+)["']?\s*:\s*(.*)$/.exec(line) ?? [];
          return name === undefined || value === undefined
            ? []
            : [[name, value.trim().replace(/^(["'])(.*)\1,?$/, '$2')] as const];
        })
      : Object.entries(headers).map(([name, value]) => [name, [value].flat().join(' ')] as const);
  const exact = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  const near = new Map(
    pairs.flatMap(([name, value]) => {
      const [, part] = /(?:webhook|svix)[^a-z]*(id|timestamp|signature)$/.exec(name.toLowerCase()) ?? [];
      return part === undefined ? [] : [[part, value] as const];
    }),
  );
  const found = wanted.map((part) => exact.get(`webhook-${part}`) ?? near.get(part));
  const isMisspelt = wanted.some((part) => !exact.has(`webhook-${part}`) && near.has(part));
  const [id, timestamp, signature] = found;
  const came =
    id === undefined || timestamp === undefined || signature === undefined
      ? undefined
      : { id, timestamp, signature };
  return { came, isMisspelt };
}

/** Returns the signatures in the header, and the faults in their format. */
function readSignatures(header: string): { values: Buffer[]; faults: DoctorVerdict[] } {
  const values: Buffer[] = [];
  const faults = new Set<DoctorVerdict>();
  for (const item of header.trim().split(/\s+/, mostSignatures)) {
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

type Variant = { readonly value: string; readonly fault?: DoctorVerdict };

type Match = {
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
): Match | undefined {
  const spend = createHashBudget();
  for (const { id, timestamp, body, secret, faults } of generateCandidates(doctorCase, received)) {
    const content = `${id}.${timestamp}.${body}`;
    if (!spend(content)) return undefined;
    const made = sign(secret.secret, content);
    if (signatures.some((signature) => timingSafeEqual(signature, made)))
      return { id, timestamp, body, secret, faults };
  }
  return undefined;
}

/** Yields the most likely candidates first, because the number of tries is limited. */
function* generateCandidates(doctorCase: DoctorCase, received: ReceivedHeaders): Generator<Match> {
  const ids = idVariants(received.id, doctorCase.sending);
  const timestamps = timestampVariants(received.timestamp, doctorCase.sending);
  const bodies = bodyVariants(doctorCase.body, doctorCase.sending);
  const secrets = doctorCase.secrets.map((secret) => ({ secret, fault: secretFault(doctorCase, secret) }));
  for (let count = 0; count <= 4; count += 1)
    for (const id of ids)
      for (const timestamp of timestamps)
        for (const body of bodies) {
          const faults = [id.fault, timestamp.fault, body.fault].filter((some) => some !== undefined);
          // The secret itself can add one fault and no more.
          const left = count - faults.length;
          if (left !== 0 && left !== 1) continue;
          for (const { secret, fault } of secrets.filter(
            (some) => (some.fault !== undefined) === (left === 1),
          ))
            yield {
              id: id.value,
              timestamp: timestamp.value,
              body: body.value,
              secret,
              faults: fault === undefined ? faults : [...faults, fault],
            };
        }
}

function idVariants(id: string, sending: StoredSentEvent | undefined): Variant[] {
  return distinct([
    { value: id },
    { value: id.trim(), fault: 'id-changed' },
    ...(sending === undefined ? [] : [{ value: sending.eventId, fault: 'id-changed' as const }]),
  ]);
}

function timestampVariants(timestamp: string, sending: StoredSentEvent | undefined): Variant[] {
  return distinct([
    { value: timestamp },
    ...(/^\d{13}$/.test(timestamp)
      ? [{ value: timestamp.slice(0, 10), fault: 'timestamp-in-milliseconds' as const }]
      : []),
    ...(sending?.timestamps ?? []).map((value) => ({
      value,
      fault: timestampFormatFaults(timestamp)[0] ?? ('timestamp-changed' as const),
    })),
  ]);
}

function timestampFormatFaults(timestamp: string): DoctorVerdict[] {
  if (!/^\d+$/.test(timestamp.trim())) return ['timestamp-not-a-number'];
  return /^\d{13}$/.test(timestamp.trim()) ? ['timestamp-in-milliseconds'] : [];
}

/** Returns bodies that may have been sent before an intermediary or the receiver changed them into this one. */
function bodyVariants(body: string, sending: StoredSentEvent | undefined): Variant[] {
  const parsed = parse(body);
  return distinct([
    { value: body },
    { value: body.replace(/^\ufeff/, ''), fault: 'body-bom' },
    { value: body.trim(), fault: 'body-trailing-newline' },
    { value: body.replaceAll('\r\n', '\n'), fault: 'body-line-endings' },
    { value: Buffer.from(body, 'latin1').toString('utf8'), fault: 'body-charset' },
    ...(parsed === undefined ? [] : [{ value: JSON.stringify(parsed), fault: 'body-reserialised' as const }]),
    ...(sending === undefined
      ? []
      : [{ value: sending.body, fault: classifyBodyChange(body, sending.body) }]),
  ]);
}

/** Classifies how the received body differs from the body that was sent under this webhook-id. */
function classifyBodyChange(body: string, sent: string): DoctorVerdict {
  if (body.trim() === '') return 'body-empty';
  const parsed = parse(body);
  if (parsed !== undefined && isDeepStrictEqual(parsed, parse(sent))) return 'body-reserialised';
  // In a wrong charset, a character beyond ASCII becomes question marks or several other characters. So only the
  // characters that every charset keeps are compared.
  const bare = (text: string) => text.replace(/[^\x20-\x7e]+|\?+/g, '');
  return bare(body) === bare(sent) ? 'body-charset' : 'body-changed';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function secretFault({ endpointId }: DoctorCase, secret: KnownSecret): DoctorVerdict | undefined {
  if (endpointId !== undefined && secret.endpointId !== endpointId)
    return secret.endpointId === null ? 'secret-of-account' : 'secret-of-endpoint';
  return secret.isOver ? 'secret-rotated' : undefined;
}

function faultWithoutMatch({ body, sending }: DoctorCase): DoctorVerdict {
  if (body.trim() === '') return 'body-empty';
  return sending !== undefined && classifyBodyChange(body, sending.body) === 'body-changed'
    ? 'body-changed'
    : 'unknown';
}

function ageFaults(timestamp: string, now: Date): DoctorVerdict[] {
  if (!/^\d{1,11}$/.test(timestamp)) return [];
  const seconds = now.getTime() / 1000 - Number(timestamp);
  if (seconds > toleranceSeconds) return ['timestamp-old'];
  return seconds < -toleranceSeconds ? ['timestamp-in-future'] : [];
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
