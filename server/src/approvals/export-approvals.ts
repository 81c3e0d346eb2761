import type { Db } from '../db/pool.ts';
import { selectAllRequests, selectApprovals, selectHistory } from './store.ts';

/*
 * The export of an account's approvals, from which anybody recomputes them without the gateway. docs/approvals.md
 * describes the format; a change of it needs a new name.
 */
export const exportFormat = 'jangada-approvals/1';

export async function exportApprovals(db: Db, merchantId: number) {
  const requests = await selectAllRequests(db, merchantId);
  const approvals = await selectApprovals(
    db,
    merchantId,
    requests.map(({ id }) => id),
  );
  const history = await selectHistory(db, merchantId);
  return {
    format: exportFormat,
    account: merchantId,
    history: history.map((entry) => ({
      seq: entry.seq,
      kind: entry.kind,
      request: entry.requestId,
      user: entry.userId,
      key: entry.keyId,
      pix_key: entry.pixKey,
      mark: entry.mark?.toString('base64url') ?? null,
      at: entry.at.toISOString(),
    })),
    requests: requests.map(({ id, kind, status, document, created_at, ended_at, history_seq }) => ({
      id,
      kind,
      status,
      document,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
      history_seq,
      approvals: approvals
        .filter(({ requestId }) => requestId === id)
        .map(({ userId, keyId, proof, approvedAt }) => ({
          user: userId,
          key: keyId,
          proof,
          approved_at: approvedAt.toISOString(),
        })),
    })),
  };
}
