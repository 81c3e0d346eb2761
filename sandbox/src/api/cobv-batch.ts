import type { Bank } from '../bank.ts';
import type { CobvBatch, CobvBatchItem } from '../records.ts';
import { Problem } from '../refusal.ts';
import { createOrAlterCobv, reviseCobv } from './change-cobv.ts';
import { invalidOperation, requireTxidFor } from './charge-operation.ts';

/**
 * Works off the batches that are due. Nothing can be seen of a batch's charges but by calls, so each call about charges
 * with a due date does this first, and the charges are as old as if the bank had created them in time. After a crash in
 * the midst the requests are worked off again, which changes no charge twice.
 */
export async function workOffBatches(bank: Bank): Promise<void> {
  const { books } = bank;
  const now = books.clock.now();
  for (const batch of books.pendingBatches.values()) {
    const { dueAt, ...rest } = batch;
    if (dueAt === undefined || dueAt > now) continue;
    const items = batch.items.map((item) => workOff(bank, item, dueAt));
    await books.record({ t: 'cobv-batch', batch: { ...rest, items } });
  }
}

function workOff(bank: Bank, { request, ...item }: CobvBatchItem, at: number): CobvBatchItem {
  if (request === undefined) return item;
  const { problem: _, ...accepted } = item;
  try {
    const { cobv } = carryOut(bank, item.txid, request, at);
    return { ...accepted, status: 'CRIADA', createdAt: cobv.createdAt };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...item, status: 'NEGADA', problem: error.body };
  }
}

function carryOut(
  bank: Bank,
  txid: string,
  { method, body }: NonNullable<CobvBatchItem['request']>,
  at: number,
) {
  requireTxidFor('cobv', bank, txid);
  const current = bank.books.cobvs.get(txid);
  if (method === 'PATCH' && current === undefined) throw cobvNotFound();
  const change =
    method === 'PATCH' && current !== undefined
      ? reviseCobv(bank, current, body)
      : createOrAlterCobv(bank, txid, body, at);
  // Not awaited: the batch is recorded after its charges, and resolves once they are all on disk.
  bank.books.record(...change.records).catch(() => undefined);
  return change;
}

/** Refuses to change a charge by itself while its batch is at work on it, or has refused it. */
export function refuseUnlessFree({ books }: Bank, txid: string): void {
  const status = batchOf(books.cobvBatches, books.batchIdByTxid.get(txid))?.items.find(
    (item) => item.txid === txid,
  )?.status;
  if (status === undefined || status === 'CRIADA') return;
  throw invalidOperation('cobv', [
    {
      razao: `Este txid está associado a um lote, no qual o status da cobrança é ${status}.`,
      propriedade: 'txid',
      valor: txid,
    },
  ]);
}

function batchOf(batches: ReadonlyMap<string, CobvBatch>, id: string | undefined): CobvBatch | undefined {
  return id === undefined ? undefined : batches.get(id);
}

/** The problem of a txid of no charge with a due date. */
export function cobvNotFound(): Problem {
  return new Problem('CobVNaoEncontrada', 'Cobrança com vencimento não encontrada para o txid informado.');
}
