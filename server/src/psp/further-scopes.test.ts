import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RecordedCall, type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { type Psp, PspRefused, PspUnknown } from './psp.ts';

// A bank whose scopes have to be named gives those of charges with a due date, and of debits by mandate, apart: where it
// does not know them, everything else goes on.

let bank: ScriptedBank;
let psp: Psp;

const usualScope = 'cob.write cob.read pix.write pix.read webhook.write webhook.read';
const dueScope = 'cobv.write cobv.read';

beforeAll(async () => {
  bank = await startScriptedBank();
});
afterEach(async () => {
  await psp.close();
  bank.calls = [];
});
afterAll(() => bank.stop());

const scopeOf = ({ body }: RecordedCall) => new URLSearchParams(body).get('scope') ?? '';
const scopesAskedFor = () => bank.calls.filter(({ path }) => path === '/oauth/token').map(scopeOf);
const txid = newChargeIds(1, new Date()).txid;
const chargeFields = {
  ...{ txid, status: 'ATIVA', valor: { original: '12.34' }, chave: 'pix@jangada.example' },
  loc: { location: 'pix.example.com/qr/v2/9d36b84f' },
};
const criacao = '2026-11-01T12:00:00.000Z';
const accessDenied = {
  status: 403,
  body: { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado', title: 'Acesso negado' },
};

/** A bank that names each token after its scope, and grants a call only to the token with its scope. */
function script(onFurtherToken?: { readonly status: number; readonly body?: unknown }): void {
  const needs = (scope: string, body: unknown) => (call: RecordedCall) =>
    call.headers.authorization?.includes(scope) ? { body } : accessDenied;
  bank.responses = {
    'POST /oauth/token': (call) => {
      const scope = scopeOf(call);
      if (scope !== usualScope && onFurtherToken !== undefined) return onFurtherToken;
      return { body: { access_token: `<${scope}>`, expires_in: 3600 } };
    },
    'PUT /v2/cobv/': needs('cobv.write', {
      ...chargeFields,
      calendario: { criacao, dataDeVencimento: '2026-12-01' },
    }),
    'GET /v2/cobv/': needs('cobv.read', {
      ...chargeFields,
      calendario: { criacao, dataDeVencimento: '2026-12-01' },
    }),
    'PUT /v2/cob/': needs('cob.write', { ...chargeFields, calendario: { criacao, expiracao: 3600 } }),
    'GET /v2/rec?': needs('rec.read', { recs: [], ...pages }),
  };
}
const pages = { parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas: 1 } } };

const connect = (scope: string | undefined) =>
  bank.connect({
    PSP: 'bacen',
    PSP_ACCOUNT: 'corrente 1 2',
    ...(scope !== undefined && { PSP_SCOPE: scope }),
  });
const charge = { txid, amountCents: 1234, expiresInSeconds: 3600, payerNote: 'Camiseta' };
const dueCharge = {
  ...charge,
  billedTo: { name: 'Maria', document: '52998224725' },
  due: { originalCents: 1234, dueDate: '2026-12-01', validAfterDueDays: 30 },
};
async function listMandates(): Promise<void> {
  const pagesOfMandates = psp.recurring?.listMandates(new Date('2026-11-01'), new Date('2026-11-02'));
  for await (const page of pagesOfMandates ?? []) expect(page).toStrictEqual([]);
}

test('further scopes are asked for once, when a call needs them, and apart from the others', async () => {
  script();
  psp = connect(usualScope);
  await psp.createCharge(charge);
  expect(scopesAskedFor()).toStrictEqual([usualScope]);
  await Promise.all([psp.createCharge(dueCharge), psp.createCharge(dueCharge)]);
  await psp.findCharge(txid, 'due');
  expect(scopesAskedFor()).toStrictEqual([usualScope, dueScope]);
  await listMandates();
  await listMandates();
  await psp.createCharge(charge);
  const [, , recurringScope = '', ...rest] = scopesAskedFor();
  expect(recurringScope.split(' ')).toContain('payloadlocationrec.write');
  expect(rest).toStrictEqual([]);
});

test('scopes that the settings name, or that a bank grants unasked, are not asked for again', async () => {
  script();
  psp = connect(`${usualScope} ${dueScope}`);
  bank.responses['POST /oauth/token'] = (call) => ({
    body: { access_token: `<${scopeOf(call)}>`, expires_in: 3600 },
  });
  await psp.createCharge(dueCharge);
  expect(scopesAskedFor()).toStrictEqual([`${usualScope} ${dueScope}`]);
  await psp.close();

  bank.calls = [];
  psp = connect(undefined);
  bank.responses['POST /oauth/token'] = { body: { access_token: 'cobv.write', expires_in: 3600 } };
  await psp.createCharge(dueCharge);
  expect(scopesAskedFor()).toStrictEqual(['']);
});

test.for([{ status: 400, body: { error: 'invalid_scope' } }, { status: 401 }, { status: 403 }])(
  'a bank that answers $status to a scope that it does not know refuses only the calls that need it',
  async (refusal) => {
    script(refusal);
    psp = connect(usualScope);
    for (let attempt = 1; attempt <= 20; attempt += 1)
      await expect(psp.createCharge(dueCharge)).rejects.toThrow(PspRefused);
    await expect(listMandates()).rejects.toThrow(PspUnknown);
    expect(psp.reachable()).toBe(true);
    expect(psp.health()).toMatchObject({ failuresInARow: 0 });
    expect(await psp.createCharge(charge)).toMatchObject({ status: 'active' });
    // Once for each kind, and not again with each call.
    expect(scopesAskedFor()).toHaveLength(3);
  },
);

test('a bank whose usual token covers all is used with it after it refused to give another', async () => {
  script({ status: 400 });
  psp = connect(usualScope);
  bank.responses['PUT /v2/cobv/'] = {
    body: { ...chargeFields, calendario: { criacao, dataDeVencimento: '2026-12-01' } },
  };
  expect(await psp.createCharge(dueCharge)).toMatchObject({ dueDate: '2026-12-01' });
});

test('a failure of the bank over further scopes is no refusal, and none of its other services', async () => {
  script({ status: 500 });
  psp = connect(usualScope);
  for (let attempt = 1; attempt <= 20; attempt += 1)
    await expect(psp.createCharge(dueCharge)).rejects.toThrow(PspUnknown);
  expect(psp.reachable()).toBe(true);
  expect(psp.health()).toMatchObject({ failuresInARow: 0 });
  expect(await psp.createCharge(charge)).toMatchObject({ status: 'active' });
  // It was not told that it has no right: it is asked again.
  script();
  expect(await psp.createCharge(dueCharge)).toMatchObject({ dueDate: '2026-12-01' });
});

test('a token of further scopes that ended is renewed', async () => {
  script();
  psp = connect(usualScope);
  await psp.createCharge(dueCharge);
  const answered = bank.responses['PUT /v2/cobv/'];
  let refusals = 0;
  bank.responses['PUT /v2/cobv/'] = (call) => {
    refusals += 1;
    if (refusals === 1) return { status: 401 };
    return typeof answered === 'function' ? answered(call) : {};
  };
  expect(await psp.createCharge(dueCharge)).toMatchObject({ dueDate: '2026-12-01' });
  expect(scopesAskedFor()).toStrictEqual([dueScope, dueScope]);
});
