import { errorEnvelope } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenMerchant, givenCharge, givenMerchant } from '../../test/given.ts';
import { type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { PspRefused } from '../psp/index.ts';
import { inOwnBankPlace } from './own-bank-places.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

test('while two banks are slow, callers of every other merchant have places', async () => {
  const deps = { banks: stand.gateway.deps.banks };
  const { promise: answer, resolve: letAnswer } = Promise.withResolvers<void>();
  const waits: Promise<void>[] = [];
  const isRefused = async (merchantId: number) => {
    let hasPlace = false;
    const work = async () => {
      hasPlace = true;
      await answer;
    };
    const call = inOwnBankPlace(deps, { merchantId, connectionId: 99 }, work);
    if (hasPlace) waits.push(call);
    else await expect(call).rejects.toMatchObject({ code: 'OVERLOADED' });
    return !hasPlace;
  };
  const countPlaces = async (merchantId: number) => {
    let places = 0;
    while (!(await isRefused(merchantId))) places += 1;
    return places;
  };
  const places = [];
  for (let merchantId = 1; merchantId <= 7; merchantId += 1) places.push(await countPlaces(merchantId));
  expect(places).toEqual([32, 32, 8, 8, 8, 8, 0]);
  letAnswer();
  await Promise.all(waits);
});

test('callers who wait for a merchant’s own bank leave room for those of other merchants', async () => {
  const { gateway, admin } = stand;
  const [slow, pooled] = [await stand.givenDirectMerchant(1), await givenMerchant(gateway, { admin })];
  const [own] = slow.own;
  let asked = 0;
  const { promise: answer, resolve: letAnswer } = Promise.withResolvers<void>();
  own?.respond((psp) => ({
    ...psp,
    async createCharge() {
      asked += 1;
      await answer;
      throw new PspRefused('the bank refuses, in the end');
    },
  }));
  const create = ({ apiKey }: GivenMerchant) => gateway.api('POST', '/pix/new', { amount: 25 }, { apiKey });
  let answered = 0;
  const calls = Array.from({ length: 150 }, async () => {
    const response = await create(slow);
    answered += 1;
    return response;
  });
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(32);
  // Each refused caller has its answer, although the bank has answered none.
  await expect.poll(() => answered, { timeout: 10_000 }).toBe(118);
  expect(asked).toBe(32);
  await givenCharge(gateway, pooled);

  letAnswer();
  const codes = (await Promise.all(calls)).map(({ body }) => errorEnvelope.parse(body).error.code);
  expect(codes.filter((code) => code === 'PAYMENT_PROCESSING_ERROR')).toHaveLength(32);
  expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(118);
  own?.respond((psp) => psp);
  await givenCharge(gateway, slow);
});
