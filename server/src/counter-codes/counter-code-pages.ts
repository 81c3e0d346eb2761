import { type AddPayerRoutes, type AnswerPage, readPayee } from '../checkout/index.ts';
import type { Deps } from '../deps.ts';
import { merchantKindOf, readMerchant } from '../identity/index.ts';
import { canReceivePayments, merchantIdFromStaticTxid } from '../payments/index.ts';
import { buildStaticBrCode } from './routes.ts';
import { findCodeByTxid } from './store.ts';

/**
 * Serves the page of a counter code (a static QR code for a shop's counter), to be printed or shown on a screen. If the
 * code no longer accepts payments, the page says so.
 */
export function counterCodePages({ db, config }: Deps, answerPage: AnswerPage): AddPayerRoutes {
  return (scope) => {
    scope.get('/balcao/:txid', async (request, reply) => {
      const { txid } = request.params as { readonly txid: string };
      const merchantId = merchantIdFromStaticTxid(txid);
      const code = merchantId === undefined ? undefined : await findCodeByTxid(db, merchantId, txid);
      if (code === undefined) return answerPage(reply, { kind: 'notice', about: 'code-unknown' }, 404);
      const payee = await readPayee(db, code.merchantId);
      const merchant = await readMerchant(db, code.merchantId);
      const isActive =
        code.active &&
        merchant !== undefined &&
        canReceivePayments(merchant) &&
        // The printed codes carry the key of the operator's own account.
        merchantKindOf(config, merchant.kind) === 'pooled';
      const { name, amountCents } = code;
      const brCode = isActive ? buildStaticBrCode(config, code, payee) : '';
      return answerPage(reply, { kind: 'counter', payee, name, amountCents, code: brCode, active: isActive });
    });
  };
}
