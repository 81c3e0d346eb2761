import {
  type ChargeBatch,
  type ChargeBatchLine,
  cancelChargeBatch,
  createChargeBatch,
  exportChargeBatch,
  getChargeBatch,
  listChargeBatches,
  listChargeBatchLines,
} from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { createExportQueue } from '../http/export-queue.ts';
import { type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { checkoutUrl, credentialOf } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { createBatch } from './create-batch.ts';
import { formatResult } from './format-result.ts';
import {
  cancelWaitingLines,
  findBatch,
  listBatches,
  listLines,
  type StoredBatch,
  type StoredLine,
} from './store.ts';

const maxConcurrentExports = 4;

/** The endpoints of batches. Each is declared in the contract and handled by one operation of this module. */
export function chargeBatchRoutes(deps: Deps): Route[] {
  const startExport = createExportQueue(maxConcurrentExports);
  const read = async (merchantId: number, id: string): Promise<StoredBatch> => {
    const batch = await findBatch(deps.db, merchantId, id);
    if (batch === undefined) throw new Refusal('CHARGE_BATCH_NOT_FOUND');
    return batch;
  };
  return [
    route(createChargeBatch, async ({ body, caller, idempotency, requestId }) => {
      const maker = {
        merchantId: caller.accountId,
        requestId,
        madeWith: credentialOf(caller),
        createdBy: caller.memberRole === 'owner' ? null : caller.userId,
      };
      return toResponse(await createBatch(deps, maker, body, idempotency));
    }),
    route(listChargeBatches, async ({ query, caller }) => {
      const before = query.before === undefined ? undefined : decodeCursor(query.before).id;
      const rows = await listBatches(deps.db, caller.accountId, { before, limit: query.limit + 1 });
      const batches = rows.slice(0, query.limit);
      const last = batches.at(-1);
      return {
        data: batches.map(toResponse),
        next: last === undefined || rows.length <= query.limit ? null : encodeCursor(last),
      };
    }),
    route(getChargeBatch, async ({ params, caller }) => toResponse(await read(caller.accountId, params.id))),
    route(listChargeBatchLines, async ({ params, query, caller }) => {
      const batch = await read(caller.accountId, params.id);
      const { state, after, limit } = query;
      const rows = await listLines(deps.db, batch, { state, after, limit: limit + 1 });
      const lines = rows.slice(0, limit);
      return {
        data: lines.map((line) => toLineResponse(line, deps.config.publicUrl)),
        next: rows.length <= limit ? null : (lines.at(-1)?.line ?? null),
      };
    }),
    route(cancelChargeBatch, async ({ params, caller }) => {
      const batch = await read(caller.accountId, params.id);
      await inTransaction(deps, (tx) => cancelWaitingLines(tx, batch));
      return toResponse(await read(caller.accountId, params.id));
    }),
    route(exportChargeBatch, async ({ params, caller }) => {
      const batch = await read(caller.accountId, params.id);
      return startExport(caller.accountId, async () => ({
        contentType: 'text/csv; charset=utf-8',
        fileName: `lote-${batch.id.slice(0, 13)}.csv`,
        content: formatResult(deps, batch),
      }));
    }),
  ];
}

function toResponse({ id, reference, size, counts, createdAt, completedAt }: StoredBatch): ChargeBatch {
  return {
    id,
    reference,
    status: counts.waiting > 0 ? 'working' : 'completed',
    size,
    ...counts,
    created_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
  };
}

function toLineResponse(line: StoredLine, publicUrl: string): ChargeBatchLine {
  const { txid } = line;
  return {
    line: line.line,
    external_id: line.externalId,
    state: line.state,
    payment_id: line.chargeId,
    checkout_url: txid === null ? null : checkoutUrl(publicUrl, { txid }),
    content: line.brCode,
    code: line.code,
    message: line.message,
  };
}
