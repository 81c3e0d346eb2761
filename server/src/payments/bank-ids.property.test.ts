import { isChargeTxid } from '@jangada/pix';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstTimeIdAt } from '../time-id.ts';
import {
  chargeKeyOf,
  merchantIdFromIdEnvio,
  merchantIdFromStaticTxid,
  newChargeIds,
  newIdEnvio,
  newStaticTxid,
} from './bank-ids.ts';

const anyMerchant = fc.integer({ min: 1, max: 36 ** 8 - 1 });
const anyTime = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

test('a txid leads to its charge, has the form that BACEN asks for, and is no other identifier of ours', () => {
  fc.assert(
    fc.property(anyMerchant, anyTime, (merchantId, createdAt) => {
      const { id, txid } = newChargeIds(merchantId, createdAt);
      expect(chargeKeyOf(txid)).toEqual({ merchantId, id, txid });
      expect(isChargeTxid(txid)).toBe(true);
      expect([merchantIdFromStaticTxid(txid), merchantIdFromIdEnvio(txid)]).toEqual([undefined, undefined]);
      expect(merchantIdFromStaticTxid(newStaticTxid(merchantId))).toBe(merchantId);
      expect(merchantIdFromIdEnvio(newIdEnvio(merchantId))).toBe(merchantId);
      expect([chargeKeyOf(newStaticTxid(merchantId)), chargeKeyOf(newIdEnvio(merchantId))]).toEqual([
        undefined,
        undefined,
      ]);
    }),
  );
});

test('any text is read as a txid without an error, and a text that is none leads nowhere', () => {
  const anyText = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z]{8}.{27}$/));
  fc.assert(
    fc.property(anyText, (text) => {
      const key = chargeKeyOf(text);
      if (!isChargeTxid(text)) expect(key).toBeUndefined();
    }),
  );
  const { txid } = newChargeIds(1, new Date());
  const invalid = [
    txid.toUpperCase().replace(/^0{7}1/, '0000000A'),
    `00000000${txid.slice(8)}`,
    `${txid.slice(0, 8)}${'z'.repeat(27)}`,
    `${txid.slice(0, 34)}-`,
    `${txid}0`,
    txid.slice(0, -1),
  ];
  for (const text of invalid) expect(chargeKeyOf(text), text).toBeUndefined();
});

test('the order of ids is that of their milliseconds', () => {
  fc.assert(
    fc.property(anyTime, anyTime, (first, second) => {
      const [earlier, later] = first <= second ? [first, second] : [second, first];
      const [{ id: earlierId }, { id: laterId }] = [newChargeIds(1, earlier), newChargeIds(1, later)];
      if (earlier < later) expect(earlierId < laterId).toBe(true);
      expect(earlierId >= firstTimeIdAt(earlier)).toBe(true);
      expect(earlierId < firstTimeIdAt(new Date(earlier.getTime() + 1))).toBe(true);
    }),
  );
});

test('neither its time nor its id tells the txid of a charge', () => {
  const now = new Date();
  const names = Array.from({ length: 2000 }, () => newChargeIds(1, now));
  expect(new Set(names.map(({ id }) => id.slice(14))).size).toBe(names.length);
  // By chance two of them may have the same five characters.
  expect(new Set(names.map(({ txid }) => txid.slice(-5))).size).toBeGreaterThan(names.length - 10);
});
