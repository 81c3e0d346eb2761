import { centsToPixAmount } from '@jangada/pix';
import { type PixRefunds, PspUnknown, type RefundOrder } from '../psp.ts';
import { type BacenClient, RefusedResponse } from './client.ts';
import { devolucao } from './payloads.ts';
import { returnFromDevolucao } from './translate.ts';

/** Refunds at any bank that implements BACEN's API Pix, which calls a refund `devolução` (manual, tag Pix). */
export function createBacenRefunds(client: BacenClient): PixRefunds {
  const refundPath = ({ endToEndId, refundId }: Pick<RefundOrder, 'endToEndId' | 'refundId'>) =>
    `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(refundId)}`;

  const find: PixRefunds['findRefund'] = async (endToEndId, refundId) => {
    const path = refundPath({ endToEndId, refundId });
    const response = await client.call({ method: 'GET', path, needsReason: true }, devolucao);
    if (response === undefined) return undefined;
    if (response.id !== refundId) throw new PspUnknown('the bank answered with another refund');
    return returnFromDevolucao(response);
  };

  return {
    findRefund: find,
    async requestRefund(order) {
      const body = {
        valor: centsToPixAmount(order.amountCents),
        ...(order.note !== '' && { descricao: order.note }),
      };
      const call = { method: 'PUT', path: refundPath(order), body, needsReason: true } as const;
      try {
        const response = await client.call(call, devolucao);
        if (response?.id !== order.refundId) throw new PspUnknown('the bank answered with another refund');
        return returnFromDevolucao(response);
      } catch (error) {
        if (!(error instanceof RefusedResponse)) throw error;
        // The bank refuses a repeated id like any invalid field, so this order may have been accepted earlier.
        const existingReturn = await find(order.endToEndId, order.refundId);
        if (existingReturn !== undefined) return existingReturn;
        if (isDuplicate(error))
          throw new PspUnknown('the bank has the id of the refund, and does not find it yet', {
            cause: error,
          });
        throw error;
      }
    },
  };
}

/** Returns whether the bank refused the id because it already has a refund under it. */
function isDuplicate({ status, violatedFields }: RefusedResponse): boolean {
  return status === 409 || violatedFields.some((field) => field === 'id' || field.endsWith('.id'));
}
