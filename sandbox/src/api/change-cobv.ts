import type { Bank } from '../bank.ts';
import type { BookRecord, SandboxCobv } from '../records.ts';
import { alterCharge } from './charge-operation.ts';
import { readCobvRequest, readCobvRevision } from './cobv-request.ts';
import { linkLocation } from './link-location.ts';

/** A charge as it is to be, and the records that make it so. */
export interface CobvChange {
  readonly cobv: SandboxCobv;
  readonly records: BookRecord[];
}

/** Creates a charge with a due date, or gives one other terms. Throws CobVOperacaoInvalida. */
export function createOrAlterCobv(bank: Bank, txid: string, body: unknown, now: number): CobvChange {
  const existing = bank.books.cobvs.get(txid);
  const createdAt = existing?.createdAt ?? now;
  const { key, terms, locationId } = readCobvRequest(body, bank.account.key, createdAt);
  const cobv =
    existing === undefined
      ? {
          ...{ txid, key, terms, createdAt, status: 'ATIVA' as const, earlier: [] },
          locationId: locationId ?? bank.books.takeLocationId(),
        }
      : alterCharge('cobv', existing, terms, 'PUT');
  return { cobv, records: [{ t: 'cobv', cobv }, ...linkLocation(bank, 'cobv', cobv, locationId)] };
}

/** Changes what a request names of a charge with a due date, or removes it. Throws CobVOperacaoInvalida. */
export function reviseCobv(bank: Bank, current: SandboxCobv, body: unknown): CobvChange {
  const revision = readCobvRevision(body, current, bank.account.key);
  const cobv = revision.remove
    ? {
        // The removal is a revision of its own, although the terms stay the same.
        ...alterCharge('cobv', current, current.terms, 'PATCH', true),
        status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' as const,
      }
    : alterCharge('cobv', current, revision.terms, 'PATCH');
  const locationId = revision.remove ? undefined : revision.locationId;
  return { cobv, records: [{ t: 'cobv', cobv }, ...linkLocation(bank, 'cobv', cobv, locationId)] };
}
