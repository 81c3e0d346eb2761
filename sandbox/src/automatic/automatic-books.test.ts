import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenApprovedRec, givenBankAt, givenRec, putCobr } from '../../test/automatic.ts';
import { findSchemaViolations } from '../../test/bacen-schema.ts';
import { type Client, givenDirectory, givenReceiver, readBalance, WINDOW } from '../../test/bank.ts';
import { Books } from '../books.ts';

test('mandates, requests and charges survive a restart, and the rewriting of the journal', async () => {
  const dataDir = await givenDirectory();
  const options = { dataDir, publicUrl: 'http://banco.example' };
  const first = await givenBankAt('2030-01-22T12:00:00', options);
  await first.api('PUT', '/v2/webhookrec', { webhookUrl: 'http://127.0.0.1:1/hook' });
  const idRec = await givenApprovedRec(first);
  await first.call('PUT', `/sandbox/recs/${idRec}/debits`, { funds: [{ fromHour: 3, amount: 10 }] });
  const { txid } = await putCobr(first, idRec);
  await first.api('POST', '/v2/solicrec', {
    idRec: (await givenRec(first)).idRec,
    calendario: { dataExpiracaoSolicitacao: '2030-03-23T15:00:00Z' },
    destinatario: { cpf: '12345678909', conta: '123', ispbParticipante: '99999999' },
  });
  await first.goTo('2030-01-22T13:00:00');
  const read = async (bank: Client) => [
    (await bank.api('GET', `/v2/rec?${WINDOW}`)).body,
    (await bank.api('GET', `/v2/cobr?${WINDOW}`)).body,
    (await bank.api('GET', `/v2/locrec?${WINDOW}`)).body,
    (await bank.api('GET', '/v2/webhookrec')).body,
    (await bank.call('GET', `/sandbox/recs/${idRec}`)).body,
  ];
  const before = await read(first);
  await first.sandbox.stop();
  const books = await Books.open(dataDir, { durable: false });
  const { behaviour } = books;
  await Promise.all(Array.from({ length: 11_000 }, () => books.record({ t: 'behaviour', behaviour })));
  await books.close();
  // This start rewrites the journal, and the one after it reads what was written.
  const rewriting = await givenBankAt('2030-01-22T13:00:00', options);
  await rewriting.sandbox.stop();
  expect((await readFile(join(dataDir, 'journal.jsonl'), 'utf8')).split('\n').length).toBeLessThan(20);
  const last = await givenBankAt('2030-01-22T13:00:00', options);
  expect(await read(last)).toEqual(before);
  await last.goTo('2030-01-31T03:00:00');
  expect((await last.api('GET', `/v2/cobr/${txid}`)).body.status).toBe('CONCLUIDA');
});

test('a debit that came due while the bank was down is made at the next start, once', async () => {
  const dataDir = await givenDirectory();
  const first = await givenBankAt('2030-01-22T12:00:00', { dataDir });
  await putCobr(first, await givenApprovedRec(first));
  await first.goTo('2030-01-22T13:00:00');
  await first.sandbox.stop();
  const second = await givenBankAt('2030-02-22T12:00:00', { dataDir });
  expect(await readBalance(second)).toBe(10);
  await second.sandbox.stop();
  expect(await readBalance(await givenBankAt('2030-02-22T12:00:00', { dataDir }))).toBe(10);
});

test('the bank misbehaves about mandates and their charges as about others', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const receiver = await givenReceiver();
  await bank.api('PUT', '/v2/webhookcobr', { webhookUrl: receiver.url });
  const idRec = await givenApprovedRec(bank, { valor: {} });
  const { status } = await putCobr(bank, idRec, { valor: { original: '13.04' } });
  expect(status).toBe(503);
  const { txid } = await putCobr(bank, idRec, { valor: { original: '13.01' } });
  await bank.goTo('2030-01-22T13:00:00');
  // Each of the two changes is told twice.
  await receiver.waitForCalls(4);
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'accepted-then-timeout' });
  expect(await bank.isAnswered('PATCH', `/v2/cobr/${txid}`, { status: 'CANCELADA' })).toBe(false);
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'down' });
  expect((await bank.api('GET', `/v2/rec/${idRec}`)).status).toBe(503);
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'normal' });
  expect((await bank.api('GET', `/v2/cobr/${txid}`)).body.status).toBe('CANCELADA');
});

test('an accepted dispute about a debit gives the money back in the name of Pix Automático', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await putCobr(bank, await givenApprovedRec(bank));
  await bank.goTo('2030-01-31T12:00:00');
  const { endToEndId } = (await bank.api('GET', `/v2/cobr/${txid}`)).body.tentativas[0];
  const { body: dispute } = await bank.call('POST', '/sandbox/disputes', { endToEndId, reason: 'golpe' });
  await bank.call('POST', `/sandbox/disputes/${dispute.id}/resolution`, { accepted: true });
  await bank.goTo('2030-02-20T12:00:00');
  const { body: cobr } = await bank.api('GET', `/v2/cobr/${txid}`);
  expect(cobr.pix[0].devolucoes).toMatchObject([{ natureza: 'MED_PIX_AUTOMATICO', status: 'DEVOLVIDO' }]);
  expect(findSchemaViolations('CobRCompleta', cobr)).toEqual([]);
  expect(await readBalance(bank)).toBe(0);
});
