import {
  createCounterCode,
  getCounterCode,
  listCounterCodes,
  type Payee,
  updateCounterCode,
} from '@jangada/contract';
import { encodeStaticBrCode } from '@jangada/pix';
import { readPayee } from '../checkout/index.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { type StoredCounterCode, toCounterCodeResponse } from './counter-code.ts';
import { findCode, listCodes } from './store.ts';
import { changeCode, createCode } from './write-code.ts';

/**
 * The endpoints of counter codes (static QR codes for a shop's counter). Each is declared in the contract and handled
 * by one operation of this module.
 */
export function counterCodeRoutes(deps: Deps): Route[] {
  const { config, db } = deps;
  // Reads the merchant's name once, also for a list of codes.
  const createResponseMapper = async (merchantId: number) => {
    const payee = await readPayee(db, merchantId);
    return (code: StoredCounterCode) =>
      toCounterCodeResponse(code, buildStaticBrCode(config, code, payee), config.publicUrl);
  };
  const toResponse = async (code: StoredCounterCode) => (await createResponseMapper(code.merchantId))(code);
  return [
    route(listCounterCodes, async ({ query, caller }) => {
      const isActive = query.status === undefined ? undefined : query.status === 'active';
      // One row more than the page holds shows whether another page follows.
      const rows = await listCodes(
        db,
        { merchantId: caller.accountId, active: isActive },
        {
          limit: query.limit + 1,
          ...(query.before !== undefined && { after: decodeCursor(query.before) }),
        },
      );
      const codes = rows.slice(0, query.limit);
      const last = codes.at(-1);
      const isLastPage = last === undefined || rows.length <= query.limit;
      const toPageItem = await createResponseMapper(caller.accountId);
      return { data: codes.map(toPageItem), next: isLastPage ? null : encodeCursor(last) };
    }),
    route(createCounterCode, async ({ body, caller, idempotency }) =>
      toResponse(await createCode(deps, caller.accountId, body, idempotency)),
    ),
    route(getCounterCode, async ({ params, caller }) => {
      const code = await findCode(db, caller.accountId, params.id);
      if (code === undefined) throw new Refusal('COUNTER_CODE_NOT_FOUND');
      return toResponse(code);
    }),
    route(updateCounterCode, async ({ params, body, caller }) =>
      toResponse(await changeCode(deps, caller.accountId, params.id, body)),
    ),
  ];
}

/**
 * Returns the BR Code (the text of the QR code) to print. It pays to the gateway's own Pix key, with a txid that
 * identifies the merchant. It contains the merchant's current name; a code printed under an earlier name still works.
 */
export function buildStaticBrCode(
  { pixKey, merchantCity }: Pick<Config, 'pixKey' | 'merchantCity'>,
  { txid, amountCents }: Pick<StoredCounterCode, 'txid' | 'amountCents'>,
  { name, legalName }: Payee,
): string {
  const merchantName = [name, legalName].find(isPrintable) ?? 'Recebedor';
  return encodeStaticBrCode({
    key: pixKey,
    merchantName,
    // A payer's bank shows the owner of the Pix key, who is the operator, so the text names the merchant.
    info: `Pagamento a ${merchantName}`,
    merchantCity,
    amountCents: amountCents ?? undefined,
    txid,
    reusable: true,
  });
}

/** Whether the name has a letter or digit that a BR Code can contain, at least once its accents are removed. */
function isPrintable(name: string): boolean {
  return /[\dA-Za-z]/.test(name.normalize('NFKD'));
}
