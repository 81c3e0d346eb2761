import { expect, test } from 'vitest';
import { cobBody, givenBank, givenCharge } from '../test/bank.ts';

const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';

test('changing one behaviour keeps the others, and an unknown field or value is refused', async () => {
  const bank = await givenBank();
  await bank.call('PUT', '/sandbox/behaviour', { payouts: 'returned', batchSize: 5 });
  const { body } = await bank.call('PUT', '/sandbox/behaviour', { refunds: 'slow' });
  expect(body).toMatchObject({ payouts: 'returned', refunds: 'slow', batchSize: 5, notifications: 'normal' });
  for (const wrong of [{ charges: 'angry' }, { mood: 'bad' }, { batchSize: 0 }]) {
    expect((await bank.call('PUT', '/sandbox/behaviour', wrong)).status).toBe(400);
  }
  expect((await bank.call('GET', '/sandbox/behaviour')).body).toEqual(body);
});

test.each([{ charges: 'down' }, { charges: 'normal', amount: '13.04' }])(
  'a bank that is down responds 503 and creates nothing: %o',
  async ({ charges, amount }) => {
    const bank = await givenBank();
    await bank.call('PUT', '/sandbox/behaviour', { charges });
    const { status, body } = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody(amount));
    expect([status, body.type]).toEqual([503, 'https://pix.bcb.gov.br/api/v2/error/ServicoIndisponivel']);
    await bank.call('PUT', '/sandbox/behaviour', { charges: 'normal' });
    expect((await bank.api('GET', `/v2/cob/${TXID}`)).status).toBe(404);
  },
);

test.each([{ charges: 'accepted-then-timeout' }, { charges: 'normal', amount: '13.05' }])(
  'a charge can be created although no response arrives: %o',
  async ({ charges, amount }) => {
    const bank = await givenBank();
    await bank.call('PUT', '/sandbox/behaviour', { charges });
    const unanswered = bank.api('PUT', `/v2/cob/${TXID}`, cobBody(amount)).then(
      () => 'answered',
      () => 'cut off',
    );
    await expect.poll(async () => (await bank.api('GET', `/v2/cob/${TXID}`)).status).toBe(200);
    await bank.sandbox.stop();
    expect(await unanswered).toBe('cut off');
  },
);

test.each([{ confirmations: 'not-found-first' }, { confirmations: 'normal', amount: '13.06' }])(
  'a Pix can be not found at first and then found: %o',
  async ({ confirmations, amount }) => {
    const bank = await givenBank();
    await bank.call('PUT', '/sandbox/behaviour', { confirmations });
    const { brCode } = await givenCharge(bank, amount);
    const { body } = await bank.call('POST', '/sandbox/payments', { brCode });
    expect((await bank.api('GET', `/v2/pix/${body.endToEndId}`)).status).toBe(404);
    expect((await bank.api('GET', `/v2/pix/${body.endToEndId}`)).status).toBe(200);
  },
);

test('a special amount is refused for insufficient funds', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank, '13.07');
  const { body } = await bank.call('POST', '/sandbox/payments', { brCode });
  expect(body.error.code).toBe('INSUFFICIENT_FUNDS');
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('ATIVA');
});

test('the clock only moves forward, and the bank’s timestamps follow it', async () => {
  const bank = await givenBank();
  expect((await bank.call('POST', '/sandbox/clock', { advanceSeconds: -1 })).status).toBe(400);
  const { body } = await bank.call('POST', '/sandbox/clock', { advanceSeconds: 1e6 });
  expect(body.offsetSeconds).toBe(1e6);
  const created = (await bank.api('PUT', `/v2/cob/${TXID}`, cobBody())).body.calendario.criacao;
  expect(Date.parse(created)).toBeGreaterThanOrEqual(Date.parse(body.now));
});

test('an empty bank can start in the past and be advanced to the present', async () => {
  const bank = await givenBank();
  const dayAgo = { beginSecondsAgo: 86_400 };
  const { body } = await bank.call('POST', '/sandbox/clock', dayAgo);
  expect(body.offsetSeconds).toBe(-86_400);
  const { txid, brCode } = await givenCharge(bank);
  const { endToEndId } = (await bank.call('POST', '/sandbox/payments', { brCode })).body;
  const paid = (await bank.api('GET', `/v2/pix/${endToEndId}`)).body.horario;
  expect(Date.parse(paid)).toBeLessThan(Date.parse(body.now) + 3_600_000);
  expect((await bank.call('POST', '/sandbox/clock', dayAgo)).status).toBe(400);

  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 86_400 });
  expect((await bank.call('GET', '/sandbox/clock')).body.offsetSeconds).toBe(0);
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('CONCLUIDA');
});
