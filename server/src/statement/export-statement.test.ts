import { errorEnvelope, getReserves, getStatement, type StatementLine } from '@jangada/contract';
import { parseStrict } from 'ofx-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, givenPaidPayment, parseSuccess } from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { formatTextCell } from './csv.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway();
  const taxes = {
    pix: { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 },
    crypto: 0,
    reserve: { enabled: true, percentage: 10, liberationTime: 30 },
  };
  merchant = await givenMerchant(gateway, { account: { taxes } });
  for (const amount of [1234.56, 2, 75.5]) await givenPaidPayment(gateway, merchant, { amount });
  await givenAdjustment(gateway.deps, merchant.id, -1001);
});
afterAll(() => gateway.stop());

async function readStatement(query = ''): Promise<{ lines: StatementLine[]; closing_balance: number }> {
  const response = await gateway.api('GET', `/authed/statement${query}`, undefined, {
    token: merchant.token,
  });
  return parseSuccess(getStatement.response, response);
}

async function download(
  path: string,
  { token } = merchant,
): Promise<{ status: number; headers: Headers; text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${gateway.url}/api/authed/statement/export/${path}`, { headers });
  // Read as bytes, because `response.text()` removes the byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
  return { status: response.status, headers: response.headers, text };
}

test('a payment’s line is found by its kind, has no balance then, and leads to the payment', async () => {
  const { lines } = await readStatement('?kind=payment');
  expect(lines).toHaveLength(3);
  for (const { subject_id, subject_type, balance } of lines) {
    expect({ subject_type, balance }).toEqual({ subject_type: 'payment', balance: null });
    const options = { apiKey: merchant.apiKey };
    expect(await gateway.api('GET', `/pix/status/${subject_id}`, undefined, options)).toMatchObject({
      status: 200,
    });
  }
});

describe('as CSV for Brazilian Excel', () => {
  test('has the lines of the statement, oldest first, with the ledger’s totals', async () => {
    const { status, headers, text } = await download('csv');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="extrato-\d{4}-\d\d-\d\d-a-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(text.slice(0, 5)).toBe('\uFEFFData');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const rows = text
      .slice(1)
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(';'));
    expect(rows[0]?.join()).toBe(
      'Data,Hora,Tipo,Descrição,Valor,Valor bruto,Tarifa,Reserva,Saldo,Identificador',
    );
    const { lines, closing_balance } = await readStatement();
    const numberIn = (text = '') => Number(text.replace(',', '.'));
    expect(
      rows.slice(1).map(([, , , text, amount, , , , balance]) => [text, numberIn(amount), numberIn(balance)]),
    ).toEqual(lines.toReversed().map(({ description, amount, balance }) => [description, amount, balance]));
    expect(rows[1]?.slice(2, 8)).toEqual([
      'Pagamento',
      'Pagamento recebido',
      '1100,11',
      '1234,56',
      '12,22',
      '122,23',
    ]);
    expect(rows.at(-1)?.slice(2, 8)).toEqual(['Ajuste', 'Ajuste de saldo: débito', '-10,01', '', '', '']);
    expect(numberIn(rows.at(-1)?.[8])).toBe(closing_balance);
    for (const [day, time] of rows.slice(1))
      expect(`${day} ${time}`).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
  });

  test('contains one kind or another balance, in a file with another name', async () => {
    const adjustments = await download('csv?kind=adjustment');
    expect(adjustments.text.trimEnd().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/;-10,01;;;;;balance-adjusted-\d+$/),
    ]);
    const reserved = await download('csv?account=reserved');
    expect(reserved.text).toContain(';Pagamento;Reserva retida de pagamento;122,23;');
    expect(reserved.headers.get('content-disposition')).toContain('"extrato-reserva-');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+55', "'+55"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['a;b', '"a;b"'],
    ['diz "oi"', '"diz ""oi"""'],
    ['Pagamento recebido', 'Pagamento recebido'],
  ])('%j is a text in a spreadsheet, not a formula', (text, cell) => {
    expect(formatTextCell(text)).toBe(cell);
  });
});

describe('as OFX', () => {
  test('is readable by an independent program, with the ledger’s totals', async () => {
    const { headers, text } = await download('ofx');
    expect(headers.get('content-type')).toBe('application/x-ofx');
    expect(headers.get('content-disposition')).toMatch(/\.ofx"$/);
    expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
    const { header, OFX } = parseStrict(text);
    expect(header).toMatchObject({ OFXHEADER: '100', DATA: 'OFXSGML', VERSION: '102' });
    const statement = firstOf(OFX?.BANKMSGSRSV1?.STMTTRNRS)?.STMTRS;
    expect(statement?.CURDEF).toBe('BRL');
    expect(statement?.BANKACCTFROM).toMatchObject({
      BANKID: 'JANGADA',
      ACCTID: String(merchant.id),
      ACCTTYPE: 'CHECKING',
    });
    const { lines, closing_balance } = await readStatement();
    const transactions = toList(statement?.BANKTRANLIST?.STMTTRN);
    expect(transactions.map(({ TRNAMT, TRNTYPE, FITID }) => [Number(TRNAMT), TRNTYPE, FITID])).toEqual(
      lines.toReversed().map(({ amount, id }) => [amount, amount < 0 ? 'DEBIT' : 'CREDIT', id]),
    );
    expect(new Set(transactions.map(({ FITID }) => FITID)).size).toBe(transactions.length);
    expect(transactions.at(-1)?.MEMO).toBe('Ajuste de saldo: debito');
    expect(Number(statement?.LEDGERBAL?.BALAMT)).toBe(closing_balance);
    const moments = text.match(/(?<=<DT\w+>).*/g) ?? [];
    expect(moments.length).toBe(transactions.length + 4);
    for (const moment of moments) expect(moment.trim()).toMatch(/^\d{14}\[-3:BRT\]$/);
  });

  test('gives a movement the same id every time', async () => {
    const ids = ({ text }: { text: string }) => text.match(/(?<=<FITID>).*/g);
    expect(ids(await download('ofx'))).toEqual(ids(await download('ofx')));
  });
});

/** Returns elements as a list, because the parser returns a list of one as the element itself. */
const toList = <T>(elements: T | T[] | undefined): T[] => {
  if (elements === undefined) return [];
  return Array.isArray(elements) ? elements : [elements];
};
const firstOf = <T>(elements: T | T[] | undefined): T | undefined => toList(elements)[0];

test.each([
  ['csv?from=2026-02-02&to=2026-02-01', 400, 'PERIOD_INVALID'],
  ['csv?kind=none', 400, 'INVALID_QUERY'],
  ['pdf', 404, 'NOT_FOUND'],
])('%s is refused before the file begins', async (path, status, code) => {
  const response = await download(path);
  expect(response.status).toBe(status);
  expect(errorEnvelope.parse(JSON.parse(response.text)).error.code).toBe(code);
});

test('of many concurrent exports some are refused, and later ones succeed again', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => download('csv')));
  const statuses = new Set(responses.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 503]);
  for (let round = 0; round < 10; round += 1) expect((await download('csv')).status).toBe(200);
});

test('a merchant’s many concurrent exports do not block other merchants', async () => {
  const other = await givenMerchant(gateway);
  for (let round = 0; round < 10; round += 1) {
    const exportsOfOne = Array.from({ length: 12 }, () => download('csv'));
    const exportOfOther = await download('csv', other);
    expect(exportOfOther.status).toBe(200);
    await Promise.all(exportsOfOne);
  }
});

test('reserves are listed by release day', async () => {
  const { total, releases } = parseSuccess(
    getReserves.response,
    await gateway.api('GET', '/authed/reserves', undefined, { token: merchant.token }),
  );
  expect(releases).toMatchObject([{ payments: 3, amount: total }]);
  const { closing_balance } = await readStatement('?account=reserved');
  expect(total).toBe(closing_balance);
});
