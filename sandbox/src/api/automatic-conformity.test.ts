import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { cobrBody, givenApprovedRec, givenBankAt, givenRec, putCobr, recBody } from '../../test/automatic.ts';
import { findSchemaViolations } from '../../test/bacen-schema.ts';
import { givenCharge, givenReceiver, WINDOW } from '../../test/bank.ts';

const EVERYTHING = {
  vinculo: {
    contrato: 'contrato-7',
    objeto: 'Mensalidade',
    devedor: { cnpj: '12345678000195', nome: 'Empresa' },
  },
  calendario: { dataInicial: '2030-01-31', dataFinal: '2030-12-31', periodicidade: 'MENSAL' },
  valor: { valorMinimoRecebedor: '5.00' },
  recebedor: { convenio: 'convenio-1' },
};

const CHARGE_EXTRAS = {
  infoAdicional: 'Janeiro',
  devedor: { email: 'ana@example.com', logradouro: 'Rua 1', cidade: 'Olinda', uf: 'PE', cep: '53020000' },
  recebedor: { conta: '12345', agencia: '1', tipoConta: 'PAGAMENTO' },
};

const solicRecBody = (idRec: string) => ({
  idRec,
  calendario: { dataExpiracaoSolicitacao: '2030-01-23T15:00:00Z' },
  destinatario: { cpf: '12345678909', conta: '123', agencia: '1', ispbParticipante: '99999999' },
});

test('every answer about a mandate, its location and its requests matches its schema', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await givenCharge(bank, '7.00');
  const { body: loc } = await bank.api('POST', '/v2/locrec', { tipo: 'rec' });
  const free = await bank.api('POST', '/v2/locrec', { tipo: 'rec' });
  const request = recBody({ ...EVERYTHING, loc: loc.id, ativacao: { dadosJornada: { txid } } });
  const created = await bank.api('POST', '/v2/rec', request);
  const path = `/v2/rec/${created.body.idRec}`;
  const asked = await bank.api('POST', '/v2/solicrec', solicRecBody(created.body.idRec));
  await bank.goTo('2030-01-22T12:01:00');
  const solicRec = await bank.api('GET', `/v2/solicrec/${asked.body.idSolicRec}`);
  const revision = {
    vinculo: { devedor: { nome: 'Empresa Nova' } },
    calendario: { dataInicial: '2030-02-01' },
    loc: free.body.id,
  };
  const revised = await bank.api('PATCH', path, revision);
  const withCode = await bank.api('GET', `${path}?txid=${txid}`);
  const payload = await bank.call('GET', `/${created.body.loc.location.split('/').slice(1).join('/')}`);
  const shown = await bank.call('GET', `/${revised.body.loc.location.split('/').slice(1).join('/')}`);
  expect(payload.status).toBe(404);
  await bank.call('POST', `/sandbox/recs/${created.body.idRec}/answer`, { accepted: true, maximum: 9 });
  const approved = await bank.api('GET', path);
  const cancelled = await bank.api('PATCH', path, { status: 'CANCELADA' });
  const { idRec: rejected } = await givenRec(bank);
  await bank.api('POST', '/v2/solicrec', solicRecBody(rejected));
  await bank.call('POST', `/sandbox/recs/${rejected}/answer`, { accepted: false });
  const { idRec: unasked } = await givenRec(bank);
  const { body: withdrawn } = await bank.api('POST', '/v2/solicrec', solicRecBody(unasked));
  const responses: [string, unknown][] = [
    ['RecSolicitada', request],
    ['RecRevisada', revision],
    ['SolicRecSolicitada', solicRecBody(unasked)],
    ['PayloadLocationRecGerada', free.body],
    ['RecGerada', created.body],
    ['RecGerada', revised.body],
    ['RecGerada', cancelled.body],
    ['RecCompleta', withCode.body],
    ['RecCompleta', approved.body],
    ['RecCompleta', (await bank.api('GET', `/v2/rec/${rejected}`)).body],
    [
      'RecsConsultadas',
      (await bank.api('GET', `/v2/rec?${WINDOW}&convenio=convenio-1&status=CANCELADA`)).body,
    ],
    ['RecPayload', decodeJwt(shown.body)],
    ['SolicRecCompleta', asked.body],
    ['SolicRecCompleta', solicRec.body],
    [
      'SolicRecCompleta',
      (await bank.api('PATCH', `/v2/solicrec/${withdrawn.idSolicRec}`, { status: 'CANCELADA' })).body,
    ],
    ['PayloadLocationRecCompleta', (await bank.api('GET', `/v2/locrec/${free.body.id}`)).body],
    [
      'PayloadLocationRecConsultadas',
      (await bank.api('GET', `/v2/locrec?${WINDOW}&idRecPresente=true`)).body,
    ],
    ['PayloadLocationRecCompleta', (await bank.api('DELETE', `/v2/locrec/${free.body.id}/idRec`)).body],
  ];
  expect(responses.flatMap(([name, response]) => findSchemaViolations(name, response))).toEqual([]);
});

test('every answer and notice about a recurring charge matches its schema', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const receiver = await givenReceiver();
  await bank.api('PUT', '/v2/webhookrec', { webhookUrl: receiver.url });
  await bank.api('PUT', '/v2/webhookcobr', { webhookUrl: receiver.url });
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: receiver.url });
  const variable = { valor: { valorMinimoRecebedor: '5.00' } };
  const [paid, failing, cancelled, rejected] = [
    await givenApprovedRec(bank, variable, { maximum: 20 }),
    await givenApprovedRec(bank),
    await givenApprovedRec(bank),
    await givenApprovedRec(bank),
  ];
  await bank.call('PUT', `/sandbox/recs/${failing}/debits`, { funds: [{ fromHour: 0, amount: 0 }] });
  const request = cobrBody(paid, CHARGE_EXTRAS);
  const created = await bank.api('POST', '/v2/cobr', request);
  const toFail = await putCobr(bank, failing);
  const toCancel = await putCobr(bank, cancelled);
  const toReject = await putCobr(bank, rejected, { valor: { original: '11.00' } });
  await bank.goTo('2030-01-22T13:00:00');
  const revised = await bank.api('PATCH', `/v2/cobr/${toCancel.txid}`, { status: 'CANCELADA' });
  await bank.goTo('2030-02-01T12:00:00');
  const retried = await bank.api('POST', `/v2/cobr/${toFail.txid}/retentativa/2030-02-02`);
  expect(retried.status).toBe(201);
  await bank.call('POST', `/sandbox/recs/${failing}/cancellation`, { by: 'PSP_PAGADOR', code: 'ACCL' });
  await bank.api('PUT', `/v2/pix/${await endToEndIdOf(created.body.txid)}/devolucao/d1`, { valor: '1.00' });
  await bank.goTo('2030-02-01T13:00:00');
  await expect
    .poll(async () => (await bank.call('GET', '/sandbox/notifications')).body)
    .toMatchObject({ pending: 0, givenUp: 0 });
  async function endToEndIdOf(txid: string): Promise<string> {
    return (await bank.api('GET', `/v2/cobr/${txid}`)).body.tentativas[0].endToEndId;
  }

  const notices = receiver.calls.flatMap((call): [string, unknown][] =>
    Object.entries(call).flatMap(([list, items]) =>
      items.map((item): [string, unknown] => [NOTICE_SCHEMAS[list] ?? list, item]),
    ),
  );
  expect(new Set(notices.map(([name]) => name))).toEqual(new Set(Object.values(NOTICE_SCHEMAS)));
  const charges = [created.body.txid, toFail.txid, toCancel.txid, toReject.txid];
  const complete = await Promise.all(
    charges.map(
      async (txid): Promise<[string, unknown]> => [
        'CobRCompleta',
        (await bank.api('GET', `/v2/cobr/${txid}`)).body,
      ],
    ),
  );
  const responses: [string, unknown][] = [
    ...notices,
    ...complete,
    ['CobRSolicitada', request],
    ['CobRGerada', created.body],
    ['CobRGerada', revised.body],
    ['CobRCompleta', retried.body],
    ['CobsRConsultadas', (await bank.api('GET', `/v2/cobr?${WINDOW}`)).body],
    ['CobsRConsultadas', (await bank.api('GET', `/v2/cobr?${WINDOW}&idRec=${paid}&status=CONCLUIDA`)).body],
    ['WebhookRecCompleto', (await bank.api('GET', '/v2/webhookrec')).body],
    ['WebhookCobRCompleto', (await bank.api('GET', '/v2/webhookcobr')).body],
  ];
  expect(responses.flatMap(([name, response]) => findSchemaViolations(name, response))).toEqual([]);
});

/** The schema of the items of each list that a webhook is called with. */
const NOTICE_SCHEMAS: Readonly<Record<string, string>> = {
  pix: 'Pix',
  recs: 'RecNotification',
  cobsr: 'CobRNotification',
};

test.each([
  ['POST', '/v2/rec', {}, 400, 'RecOperacaoInvalida'],
  [
    'POST',
    '/v2/rec',
    recBody({ calendario: { dataInicial: '2030-01-21', periodicidade: 'MENSAL' } }),
    400,
    'RecOperacaoInvalida',
  ],
  [
    'POST',
    '/v2/rec',
    recBody({ valor: { valorRec: '1.00', valorMinimoRecebedor: '1.00' } }),
    400,
    'RecOperacaoInvalida',
  ],
  ['POST', '/v2/rec', recBody({ loc: 77 }), 400, 'RecOperacaoInvalida'],
  ['GET', '/v2/rec/RR1', undefined, 404, 'RecNaoEncontrada'],
  ['GET', `/v2/rec?${WINDOW}&cpf=1`, undefined, 400, 'RecConsultaInvalida'],
  ['POST', '/v2/solicrec', {}, 400, 'SolicRecOperacaoInvalida'],
  ['GET', '/v2/solicrec/SC1', undefined, 404, 'SolicRecNaoEncontrada'],
  ['POST', '/v2/cobr', {}, 400, 'CobROperacaoInvalida'],
  ['PUT', '/v2/cobr/short', cobrBody('R'.repeat(29)), 400, 'CobROperacaoInvalida'],
  ['PUT', `/v2/cobr/${'c'.repeat(30)}`, cobrBody('R'.repeat(29)), 400, 'CobROperacaoInvalida'],
  ['GET', `/v2/cobr/${'c'.repeat(30)}`, undefined, 404, 'CobRNaoEncontrado'],
  ['POST', `/v2/cobr/${'c'.repeat(30)}/retentativa/2030-02-01`, undefined, 404, 'CobRNaoEncontrado'],
  ['GET', '/v2/cobr', undefined, 400, 'CobRConsultaInvalida'],
  ['GET', '/v2/locrec/7', undefined, 404, 'PayloadLocationRecNaoEncontrado'],
  ['GET', '/v2/locrec', undefined, 400, 'PayloadLocationRecConsultaInvalida'],
  ['PUT', '/v2/webhookrec', { webhookUrl: 'x' }, 400, 'WebhookRecOperacaoInvalida'],
  ['PUT', '/v2/webhookcobr', {}, 400, 'WebhookCobROperacaoInvalida'],
  ['GET', '/v2/webhookrec', undefined, 404, 'NaoEncontrado'],
] as const)('%s %s with %j is refused with %i %s', async (method, path, body, status, type) => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const response = await bank.api(method, path, body);
  expect(response.status).toBe(status);
  expect(response.body.type).toBe(`https://pix.bcb.gov.br/api/v2/error/${type}`);
  expect(findSchemaViolations('Problema', response.body)).toEqual([]);
});
