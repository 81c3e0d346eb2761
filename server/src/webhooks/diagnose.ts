import type { BodyOf, DoctorAnswer, webhookDoctor } from '@jangada/contract';
import { machineClock } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from '../identity/index.ts';
import { isWithin } from '../json-bounds.ts';
import { Refusal } from '../refusal.ts';
import { examine, type KnownSecret } from './doctor.ts';
import { selectEverySecret, selectSent } from './doctor-store.ts';
import { findingOf } from './doctor-texts.ts';
import { SEALED_AS } from './endpoint-secret.ts';
import { readWebhookEndpoint } from './manage-endpoints.ts';

/** Each is worked out while nothing else is answered. */
const questions = { limit: 60, windowSeconds: 60 };

/** Bodies of webhooks have some thirty fields, few of them in others. */
const bodyBounds = { depth: 16, values: 2000 };

/**
 * Says why a webhook's signature does not hold, by what the receiver got and what is known of it here. Answers nothing
 * that the caller did not bring but the cause.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND, RATE_LIMITED, INVALID_BODY when what came as a body is more than any webhook
 */
export async function diagnose(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  question: BodyOf<typeof webhookDoctor>,
): Promise<DoctorAnswer> {
  await takeAttempt({ db, clock }, { key: `webhook doctor ${merchantId}`, ...questions });
  const { headers, body, computed, endpoint } = question;
  refuseEndless(body);
  if (endpoint !== undefined) await readWebhookEndpoint(db, merchantId, endpoint);
  const now = clock.now();
  const known = (await selectEverySecret(db, merchantId)).map(
    ({ endpointId, sealed, expiresAt }): KnownSecret => ({
      secret: secrets.open(SEALED_AS, sealed),
      endpointId,
      isOver: expiresAt !== null && expiresAt <= now,
    }),
  );
  const sending = await selectSent(db, merchantId, idIn(headers));
  const { ok, faults } = examine({
    headers,
    body,
    computed,
    endpointId: endpoint,
    secrets: known,
    sending,
    now: machineClock.now(),
  });
  const causes = ok ? (['valid', ...faults] as const) : faults;
  const [first = 'valid'] = faults;
  return { ok, verdict: first, findings: causes.map(findingOf) };
}

function refuseEndless(body: string): void {
  // Only JSON is walked: any other text may have as many commas as it likes.
  if (!/^[\s\ufeff]*[[{]/.test(body) || isWithin(body, bodyBounds)) return;
  const message =
    'O campo body tem campos demais, ou campos demais uns dentro dos outros: nenhum webhook é assim.';
  throw new Refusal('INVALID_BODY', { message, details: { fields: [{ field: 'body', message }] } });
}

/** The event that the headers name, whatever they are called. */
function idIn(headers: BodyOf<typeof webhookDoctor>['headers']): string {
  return /evt_[0-9a-z_]+/i.exec(JSON.stringify(headers))?.[0] ?? '';
}
