import { expect, test } from 'vitest';
import { z } from 'zod';
import { givenApprovedRec, givenBankAt, givenRec, putCobr } from '../../test/automatic.ts';
import { type Client, givenCharge, givenCobv, givenReceiver, readBalance } from '../../test/bank.ts';

/** The state of a charge: its status, those of its attempts with their codes, and when each changed. */
async function readCobr(bank: Client, txid: string): Promise<string> {
  const { body } = await bank.api('GET', `/v2/cobr/${txid}`);
  const attempts = (body.tentativas ?? []).map(
    (attempt: { tipo: string; dataLiquidacao: string; status: string; rejeicao?: { codigo: string } }) =>
      [attempt.tipo, attempt.dataLiquidacao, attempt.status, attempt.rejeicao?.codigo]
        .filter((part) => part !== undefined)
        .join(' '),
  );
  return [body.status, ...attempts].join(', ');
}

/** The times of a charge's history, in São Paulo, to the minute. */
async function readHistory(bank: Client, txid: string): Promise<string[]> {
  const { body } = await bank.api('GET', `/v2/cobr/${txid}`);
  const lines = [
    ...body.atualizacao,
    ...body.tentativas.flatMap((each: { atualizacao: [] }) => each.atualizacao),
  ];
  return lines
    .map(({ status, data }: { status: string; data: string }) => {
      const local = new Date(Date.parse(data) - 3 * 3_600_000).toISOString().slice(0, 16);
      return `${local} ${status}`;
    })
    .sort();
}

test('a charge within its window is sent, scheduled, and debited in the night of its day', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank);
  const { txid, status } = await putCobr(bank, idRec);
  expect(status).toBe(201);
  expect(await readCobr(bank, txid)).toBe('CRIADA');
  await bank.goTo('2030-01-22T12:01:00');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 AGENDADA');
  await bank.goTo('2030-01-31T02:59:59');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 AGENDADA');
  await bank.goTo('2030-01-31T03:00:00');
  expect(await readCobr(bank, txid)).toBe('CONCLUIDA, AGND 2030-01-31 PAGA');
  const { body } = await bank.api('GET', `/v2/cobr/${txid}`);
  const { endToEndId } = body.tentativas[0];
  const { body: pix } = await bank.api('GET', `/v2/pix/${endToEndId}`);
  expect(pix).toMatchObject({ endToEndId, txid, valor: '10.00', horario: '2030-01-31T06:00:00.000Z' });
  expect(await readBalance(bank)).toBe(10);
});

test('a year that is played at once runs through every step at its time and in its order', async () => {
  const bank = await givenBankAt('2030-01-02T12:00:00');
  const idRec = await givenApprovedRec(bank);
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [{ fromHour: 0, amount: 0 }] });
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2031-01-02T12:00:00');
  expect(await readHistory(bank, txid)).toEqual(
    [
      '2030-01-02T12:00 CRIADA',
      '2030-01-21T00:00 ATIVA',
      '2030-01-21T00:00 SOLICITADA',
      '2030-01-21T00:00 AGENDADA',
      '2030-01-31T21:05 EXPIRADA',
      '2030-02-07T21:05 EXPIRADA',
    ].sort(),
  );
});

test('funds that come in the evening pay in the second debit of the same day', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank);
  const funds = [
    { fromHour: 0, amount: 9.99 },
    { fromHour: 18, amount: 10 },
  ];
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds });
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-31T17:59:59');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 AGENDADA');
  await bank.goTo('2030-01-31T18:00:00');
  expect(await readCobr(bank, txid)).toBe('CONCLUIDA, AGND 2030-01-31 PAGA');
});

test('a failed debit is told after 21:00, and may be retried three times on other days within a week', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank);
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [{ fromHour: 0, amount: 0 }] });
  const { txid } = await putCobr(bank, idRec);
  const retry = async (day: string) => (await bank.api('POST', `/v2/cobr/${txid}/retentativa/${day}`)).status;
  await bank.goTo('2030-01-31T21:04:59');
  expect(await retry('2030-02-01')).toBe(400);
  await bank.goTo('2030-01-31T21:05:00');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 EXPIRADA');
  expect(await retry('2030-01-31')).toBe(400);
  expect(await retry('2030-02-01')).toBe(201);
  expect(await retry('2030-02-02')).toBe(400);
  await bank.goTo('2030-02-01T22:00:00');
  expect(await retry('2030-02-03')).toBe(201);
  await bank.goTo('2030-02-03T22:00:00');
  expect(await retry('2030-02-05')).toBe(201);
  await bank.goTo('2030-02-05T22:00:00');
  expect(await retry('2030-02-06')).toBe(201);
  await bank.goTo('2030-02-05T22:01:00');
  expect(await readCobr(bank, txid)).toBe(
    'ATIVA, AGND 2030-01-31 EXPIRADA, NTAG 2030-02-01 EXPIRADA, NTAG 2030-02-03 EXPIRADA, NTAG 2030-02-05 EXPIRADA, NTAG 2030-02-06 REJEITADA QUNT',
  );
  await bank.goTo('2030-02-07T21:05:00');
  expect(await readCobr(bank, txid)).toContain('EXPIRADA, AGND');
});

test('a retry later than a week after the due date is rejected, and one in time is debited', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank);
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [{ fromHour: 0, amount: 0 }] });
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-02-01T12:00:00');
  await bank.api('POST', `/v2/cobr/${txid}/retentativa/2030-02-08`);
  await bank.goTo('2030-02-01T12:01:00');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 EXPIRADA, NTAG 2030-02-08 REJEITADA DTNT');
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [] });
  await bank.api('POST', `/v2/cobr/${txid}/retentativa/2030-02-07`);
  await bank.goTo('2030-02-07T03:00:00');
  expect(await readCobr(bank, txid)).toContain('CONCLUIDA');
  expect(await readBalance(bank)).toBe(10);
});

test('a mandate without retries ends its charge on the evening of its day', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank, { politicaRetentativa: 'NAO_PERMITE' });
  expect(idRec.slice(0, 2)).toBe('RN');
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [{ fromHour: 0, amount: 0 }] });
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-31T21:05:00');
  expect(await readCobr(bank, txid)).toBe('EXPIRADA, AGND 2030-01-31 EXPIRADA');
});

test.each([
  ['another amount than the fixed one', {}, {}, { valor: { original: '10.01' } }, 'AM09'],
  ['a due date before the first day', {}, {}, { calendario: { dataDeVencimento: '2030-01-29' } }, 'DTED'],
  [
    'a due date after the last day',
    { calendario: { dataInicial: '2030-01-22', dataFinal: '2030-01-29', periodicidade: 'SEMANAL' } },
    {},
    { calendario: { dataDeVencimento: '2030-01-30' } },
    'DTED',
  ],
  [
    'an order less than two days before the debit',
    { calendario: { dataInicial: '2030-01-22', periodicidade: 'SEMANAL' } },
    {},
    { calendario: { dataDeVencimento: '2030-01-23' } },
    'DTED',
  ],
])('%s rejects the charge', async (_, rec, approval, cobr, code) => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid, status } = await putCobr(bank, await givenApprovedRec(bank, rec, approval), cobr);
  expect(status).toBe(201);
  await bank.goTo('2030-01-22T13:00:00');
  expect(await readCobr(bank, txid)).toMatch(new RegExp(`^REJEITADA, AGND [\\d-]+ REJEITADA ${code}$`));
});

test("an amount above the payer's maximum rejects the attempt, and leaves the charge open to another", async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const variable = { valor: { valorMinimoRecebedor: '5.00' } };
  const { brCode } = await givenRec(bank, variable);
  expect((await bank.call('POST', '/sandbox/recs', { brCode, maximum: 4.99 })).status).toBe(400);
  const idRec = await givenApprovedRec(bank, variable, { maximum: 9.99 });
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-22T13:00:00');
  expect(await readCobr(bank, txid)).toBe('ATIVA, AGND 2030-01-31 REJEITADA AM02');
  await bank.call('PUT', `/sandbox/recs/${idRec}/debits`, { maximum: 10 });
  await bank.api('POST', `/v2/cobr/${txid}/retentativa/2030-02-01`);
  await bank.goTo('2030-02-01T03:00:00');
  expect(await readCobr(bank, txid)).toContain('CONCLUIDA');
});

test.each([
  ['that waits for its payer', async () => undefined],
  [
    'that was cancelled',
    async (bank: Client, idRec: string) => bank.api('PATCH', `/v2/rec/${idRec}`, { status: 'CANCELADA' }),
  ],
])('a charge of a mandate %s is rejected', async (_, change) => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { idRec } = await givenRec(bank);
  await change(bank, idRec);
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-22T13:00:00');
  expect(await readCobr(bank, txid)).toBe('REJEITADA, AGND 2030-01-31 REJEITADA MSUC');
});

test('a closed account rejects the charge, a blocked one only its attempt', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const closed = await givenApprovedRec(bank);
  const blocked = await givenApprovedRec(bank);
  const ofClosed = await putCobr(bank, closed);
  const ofBlocked = await putCobr(bank, blocked);
  await bank.goTo('2030-01-30T12:00:00');
  await bank.call('PUT', `/sandbox/recs/${closed}/debits`, { account: 'closed' });
  await bank.call('PUT', `/sandbox/recs/${blocked}/debits`, { account: 'blocked' });
  await bank.goTo('2030-01-31T21:05:00');
  expect(await readCobr(bank, ofClosed.txid)).toBe('REJEITADA, AGND 2030-01-31 REJEITADA AC05');
  expect(await readCobr(bank, ofBlocked.txid)).toBe('ATIVA, AGND 2030-01-31 REJEITADA AC06');
});

test('the receiver can cancel a charge until 22:00 of the day before, the payer until midnight', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const cancel = (txid: string) => bank.api('PATCH', `/v2/cobr/${txid}`, { status: 'CANCELADA' });
  const [first, second] = [await givenApprovedRec(bank), await givenApprovedRec(bank)];
  const early = await putCobr(bank, first);
  const late = await putCobr(bank, second);
  await bank.goTo('2030-01-30T21:59:59');
  expect((await cancel(early.txid)).body).toMatchObject({ status: 'CANCELADA' });
  expect(await readCobr(bank, early.txid)).toBe('CANCELADA, AGND 2030-01-31 CANCELADA');
  await bank.goTo('2030-01-30T22:00:00');
  expect((await cancel(late.txid)).status).toBe(400);
  await bank.goTo('2030-01-30T23:59:59');
  expect((await bank.call('POST', `/sandbox/cobrs/${late.txid}/cancellation`)).status).toBe(200);
  await bank.goTo('2030-03-01T12:00:00');
  expect(await readCobr(bank, late.txid)).toBe('CANCELADA, AGND 2030-01-31 CANCELADA');
  expect(await readBalance(bank)).toBe(0);
});

test('a due date on a weekend is debited on the next business day, unless the charge says otherwise', async () => {
  const bank = await givenBankAt('2030-02-20T12:00:00');
  const calendar = { calendario: { dataInicial: '2030-03-02', periodicidade: 'MENSAL' } };
  const due = { calendario: { dataDeVencimento: '2030-03-02' } };
  const moved = await putCobr(bank, await givenApprovedRec(bank, calendar), due);
  const kept = await putCobr(bank, await givenApprovedRec(bank, calendar), { ...due, ajusteDiaUtil: false });
  await bank.goTo('2030-03-01T12:00:00');
  // The Monday and Tuesday after that Saturday are Carnival.
  expect(await readCobr(bank, moved.txid)).toBe('ATIVA, AGND 2030-03-06 AGENDADA');
  expect(await readCobr(bank, kept.txid)).toBe('ATIVA, AGND 2030-03-02 AGENDADA');
});

test('a cycle has one charge, unless the first was rejected or cancelled', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const idRec = await givenApprovedRec(bank);
  const due = (day: string) => ({ calendario: { dataDeVencimento: day } });
  const first = await putCobr(bank, idRec, due('2030-01-31'));
  expect((await putCobr(bank, idRec, due('2030-02-27'))).status).toBe(400);
  expect((await putCobr(bank, idRec, due('2030-02-28'))).status).toBe(201);
  expect((await putCobr(bank, idRec, due('2030-03-30'))).status).toBe(400);
  expect((await putCobr(bank, idRec, due('2030-03-31'))).status).toBe(201);
  await bank.api('PATCH', `/v2/cobr/${first.txid}`, { status: 'CANCELADA' });
  expect((await putCobr(bank, idRec, due('2030-02-27'))).status).toBe(201);
});

test('whoever cancels a mandate, no open charge of it is debited, and both are told', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const receiver = await givenReceiver();
  await bank.api('PUT', '/v2/webhookrec', { webhookUrl: receiver.url });
  await bank.api('PUT', '/v2/webhookcobr', { webhookUrl: receiver.url });
  const idRec = await givenApprovedRec(bank);
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-31T02:59:59');
  const { body } = await bank.call('POST', `/sandbox/recs/${idRec}/cancellation`);
  expect(body).toMatchObject({ status: 'CANCELADA', ended: { by: 'USUARIO_PAGADOR', code: 'SLDB' } });
  await bank.goTo('2030-03-01T12:00:00');
  expect(await readCobr(bank, txid)).toBe('CANCELADA, AGND 2030-01-31 CANCELADA');
  expect(await readBalance(bank)).toBe(0);
  await receiver.waitForCalls(5);
  const told = receiver.calls.map((call) => {
    const parsed = z
      .object({ recs: z.array(z.object({ status: z.string() })), cobsr: z.undefined().optional() })
      .or(z.object({ cobsr: z.array(z.object({ status: z.string() })), recs: z.undefined().optional() }))
      .parse(call);
    return parsed.recs ? `rec ${parsed.recs[0]?.status}` : `cobr ${parsed.cobsr?.[0]?.status}`;
  });
  expect(told.sort()).toEqual([
    'cobr ATIVA',
    'cobr ATIVA',
    'cobr CANCELADA',
    'rec APROVADA',
    'rec CANCELADA',
  ]);
});

test('a mandate expires at the end of its last day', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const calendario = { dataInicial: '2030-01-31', dataFinal: '2030-03-31', periodicidade: 'MENSAL' };
  const idRec = await givenApprovedRec(bank, { calendario });
  await bank.goTo('2030-03-31T23:59:59');
  expect((await bank.api('GET', `/v2/rec/${idRec}`)).body.status).toBe('APROVADA');
  await bank.goTo('2030-04-01T00:00:00');
  expect((await bank.api('GET', `/v2/rec/${idRec}`)).body.status).toBe('EXPIRADA');
});

test('the payment of a code approves its mandate in journey 3', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await givenCharge(bank, '7.00');
  const { idRec } = await givenRec(bank, { ativacao: { dadosJornada: { txid } } });
  const { body } = await bank.api('GET', `/v2/rec/${idRec}?txid=${txid}`);
  expect(body.dadosQR.jornada).toBe('JORNADA_3');
  const { pixCopiaECola: brCode } = body.dadosQR;
  expect((await bank.call('POST', '/sandbox/payments', { brCode })).status).toBe(201);
  const { body: rec } = await bank.api('GET', `/v2/rec/${idRec}`);
  expect(rec).toMatchObject({
    status: 'APROVADA',
    ativacao: { tipoJornada: 'JORNADA_3', dadosJornada: { txid } },
    pagador: { cpf: '12345678909' },
  });
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('CONCLUIDA');
});

test('a code is refused with a charge that is not the one of its mandate', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await givenCharge(bank, '7.00');
  const { txid: other } = await givenCharge(bank, '7.00');
  const { idRec } = await givenRec(bank, { ativacao: { dadosJornada: { txid } } });
  for (const wrong of [other, 'x'.repeat(30)]) {
    const { status, body } = await bank.api('GET', `/v2/rec/${idRec}?txid=${wrong}`);
    expect([status, body.type.split('/').at(-1)]).toEqual([400, 'RecConsultaInvalida']);
  }
});

test('the payment of a code with a due charge only offers its mandate in journey 4', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await givenCobv(bank);
  const { idRec } = await givenRec(bank);
  const { body } = await bank.api('GET', `/v2/rec/${idRec}?txid=${txid}`);
  expect(body.dadosQR.jornada).toBe('JORNADA_4');
  const { pixCopiaECola: brCode } = body.dadosQR;
  await bank.call('POST', '/sandbox/payments', { brCode });
  expect((await bank.api('GET', `/v2/rec/${idRec}`)).body.status).toBe('CRIADA');
  await bank.call('POST', '/sandbox/recs', { brCode, pay: false });
  expect((await bank.api('GET', `/v2/rec/${idRec}`)).body).toMatchObject({
    status: 'APROVADA',
    ativacao: { tipoJornada: 'JORNADA_4' },
  });
});

test('a push is answered by its payer, once, and before it expires', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const push = async (idRec: string) =>
    bank.api('POST', '/v2/solicrec', {
      idRec,
      calendario: { dataExpiracaoSolicitacao: '2030-01-23T15:00:00Z' },
      destinatario: { cpf: '12345678909', conta: '123', ispbParticipante: '99999999' },
    });
  const answer = (idRec: string, accepted: boolean) =>
    bank.call('POST', `/sandbox/recs/${idRec}/answer`, { accepted });
  const [accepted, rejected, ignored] = [
    (await givenRec(bank)).idRec,
    (await givenRec(bank)).idRec,
    (await givenRec(bank)).idRec,
  ];
  expect((await answer(accepted, true)).status).toBe(404);
  const { body: request } = await push(accepted);
  await push(rejected);
  const { body: unanswered } = await push(ignored);
  expect((await push(ignored)).status).toBe(400);
  await bank.goTo('2030-01-22T12:01:00');
  expect((await bank.api('GET', `/v2/solicrec/${request.idSolicRec}`)).body.status).toBe('RECEBIDA');
  expect((await answer(accepted, true)).body.status).toBe('APROVADA');
  expect((await answer(accepted, true)).status).toBe(404);
  await answer(rejected, false);
  expect((await bank.api('GET', `/v2/rec/${rejected}`)).body).toMatchObject({
    status: 'REJEITADA',
    encerramento: { rejeicao: { codigo: 'AP13' } },
  });
  await bank.goTo('2030-01-23T12:00:00');
  expect((await bank.api('GET', `/v2/solicrec/${unanswered.idSolicRec}`)).body.status).toBe('EXPIRADA');
  expect((await answer(ignored, true)).status).toBe(404);
  expect((await bank.api('GET', `/v2/rec/${ignored}`)).body.status).toBe('CRIADA');
});
