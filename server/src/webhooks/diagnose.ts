import type { BodyOf, DoctorAnswer, webhookDoctor } from '@jangada/contract';
import { machineClock } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { enforceAttemptLimit } from '../identity/index.ts';
import { isWithinJsonBounds } from '../json-bounds.ts';
import { Refusal } from '../refusal.ts';
import { examineSignature } from './doctor.ts';
import type { KnownSecret } from './doctor-computed.ts';
import { selectSentEvent } from './doctor-store.ts';
import { findingOf } from './doctor-texts.ts';
import { readWebhookEndpoint } from './manage-endpoints.ts';
import { ALL_CALLBACKS, selectEverySecret } from './secret-store.ts';
import { SEALING_PURPOSE } from './secrets.ts';

/** Limited because each diagnosis computes many hashes, which blocks the event loop. */
const diagnosisRateLimit = { limit: 60, windowSeconds: 60 };

/** Far above any real webhook body, which has about thirty fields and little nesting. */
const bodyBounds = { depth: 16, values: 2000 };

/**
 * Explains why a webhook's signature does not verify, by comparing what the receiver got with what is stored here. The
 * answer names only the cause: it reveals no secret and no stored content.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND, RATE_LIMITED, INVALID_BODY if the body exceeds that of any webhook
 */
export async function diagnose(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  request: BodyOf<typeof webhookDoctor>,
): Promise<DoctorAnswer> {
  await enforceAttemptLimit({ db, clock }, { key: `webhook doctor ${merchantId}`, ...diagnosisRateLimit });
  const { headers, body, computed, endpoint } = request;
  refuseComplexJson(body);
  if (endpoint !== undefined) await readWebhookEndpoint(db, merchantId, endpoint);
  const now = clock.now();
  const knownSecrets = (await selectEverySecret(db, merchantId)).map(
    ({ receiver, sealed, expiresAt }): KnownSecret => ({
      secret: secrets.open(SEALING_PURPOSE, sealed),
      endpointId: receiver === ALL_CALLBACKS ? null : receiver,
      isExpired: expiresAt !== null && expiresAt <= now,
    }),
  );
  const event = await selectSentEvent(db, merchantId, findEventId(headers));
  const { ok, faults } = examineSignature({
    headers,
    body,
    computed,
    endpointId: endpoint,
    secrets: knownSecrets,
    sentEvent: event,
    now: machineClock.now(),
  });
  const verdicts = ok ? (['valid', ...faults] as const) : faults;
  const [verdict = 'valid'] = faults;
  return { ok, verdict, findings: verdicts.map(findingOf) };
}

function refuseComplexJson(body: string): void {
  // Other text than JSON is never parsed, so it may be of any shape. A BOM (U+FEFF) may precede JSON.
  const isJson = /^[\s\ufeff]*[[{]/.test(body);
  if (!isJson || isWithinJsonBounds(body, bodyBounds)) return;
  const message =
    'O campo body tem campos demais, ou campos demais uns dentro dos outros: nenhum webhook é assim.';
  throw new Refusal('INVALID_BODY', { message, details: { fields: [{ field: 'body', message }] } });
}

/** Finds the event id in the headers, even if a header has the wrong name. */
function findEventId(headers: BodyOf<typeof webhookDoctor>['headers']): string {
  return /evt_[0-9a-z_]+/i.exec(JSON.stringify(headers))?.[0] ?? '';
}
