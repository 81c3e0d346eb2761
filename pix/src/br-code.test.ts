import { describe, expect, test } from 'vitest';
import vectorFile from '../vectors/br-code.json' with { type: 'json' };
import {
  crc16,
  decodeBrCode,
  encodeDynamicBrCode,
  encodeRecurrenceBrCode,
  encodeStaticBrCode,
} from './index.ts';
import { PixRefusal, type PixRefusalCode } from './pix-refusal.ts';

const RANDOM_KEY = '123e4567-e12b-12d1-a456-426655440000';
const MERCHANT = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };
const vectors = vectorFile.vectors;

/** Returns the value of a field in a vector; undefined if there is none. */
function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the code with which an action refuses its input; undefined if it accepts the input. */
function refusalOf(action: () => unknown): PixRefusalCode | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof PixRefusal) return error.code;
    throw error;
  }
}

/** Appends a valid CRC to a payload, so that the decoder reaches the rule under test. */
function withCrc(payload: string): string {
  return `${payload}6304${crc16(`${payload}6304`)}`;
}

describe('published codes', () => {
  // A vector with `expect_any` leaves open whether the code is valid.
  const definiteVectors = vectors.filter((vector) => !('expect_any' in vector));

  test.each(definiteVectors.filter((vector) => vector.expect === 'valid'))(
    '$id conforms and is decoded without issues',
    (vector) => {
      expect(decodeBrCode(vector.payload).issues).toEqual([]);
    },
  );

  test.each(definiteVectors.filter((vector) => vector.expect === 'nonconformant'))(
    '$id is decoded and its nonconformities are listed',
    (vector) => {
      expect([...decodeBrCode(vector.payload).issues].sort()).toEqual([...(vector.issues ?? [])].sort());
    },
  );

  test.each(definiteVectors.filter((vector) => vector.expect === 'invalid'))(
    '$id is refused for a listed reason',
    (vector) => {
      expect(vector.errors).toContain(refusalOf(() => decodeBrCode(vector.payload)));
    },
  );

  test.each(vectors.filter((vector) => vector.expect !== 'invalid'))(
    '$id is decoded into the fields of its vector',
    (vector) => {
      const code = decodeBrCode(vector.payload);
      const field = (id: string) => member(vector.fields, id);
      const account = field('26');
      const reference = member(field('62'), '05');
      expect([code.merchantName, code.merchantCity]).toEqual([field('59'), field('60')]);
      expect(code.postalCode).toBe(field('61'));
      expect(code.txid).toBe(reference === '***' ? undefined : reference);
      expect('key' in code ? code.key : undefined).toBe(member(account, '01'));
      expect('url' in code ? code.url : undefined).toBe(member(account, '25'));
      expect('info' in code ? code.info : undefined).toBe(member(account, '02'));
      expect([code.kind, `${code.kind}+recurrence`, `${code.kind}-only`]).toContain(vector.kind);
      expect('recurrenceUrl' in code).toBe(vector.kind?.includes('recurrence'));
    },
  );

  test.each(vectors.filter((vector) => vector.crc.stated !== undefined))(
    '$id has the CRC that its vector states',
    (vector) => {
      const payload = vector.payload.slice(0, -4);
      expect(crc16(payload)).toBe(vector.crc.ok ? vector.crc.stated : vector.crc.computed);
    },
  );
});

test('the CRC has the check value of CRC-16/CCITT-FALSE', () => {
  expect(crc16('123456789')).toBe('29B1');
});

describe('the decoder', () => {
  const head = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000';
  const tail = '5802BR5913Fulano de Tal6008BRASILIA62070503***';
  const code = `${head}520400005303986${tail}`;

  test('refuses a code whose CRC is not the last field', () => {
    expect(refusalOf(() => decodeBrCode(`${withCrc(code)}99040000`))).toBe('CRC_NOT_LAST');
  });

  test('refuses a second Pix template and a second key', () => {
    const second = '27370014br.gov.bcb.pix0115abc@example.com';
    expect(refusalOf(() => decodeBrCode(withCrc(head + second + code.slice(head.length))))).toBe(
      'DUPLICATE_PIX_TEMPLATE',
    );
    expect(
      refusalOf(() =>
        decodeBrCode(withCrc(code.replace('26580014', '26650014').replace('5204', '0103abc5204'))),
      ),
    ).toBe('DUPLICATE_ID');
  });

  test('refuses a key beside a location', () => {
    const both = '00020126370014br.gov.bcb.pix0103abc2508a.com/bc';
    expect(refusalOf(() => decodeBrCode(withCrc(`${both}520400005303986${tail}`)))).toBe('KEY_AND_URL');
  });

  test('refuses a Pix template without key or location', () => {
    const bare = '00020126180014br.gov.bcb.pix';
    expect(refusalOf(() => decodeBrCode(withCrc(`${bare}520400005303986${tail}`)))).toBe('NO_KEY_OR_URL');
  });

  test('refuses a template whose lengths do not add up', () => {
    expect(refusalOf(() => decodeBrCode(withCrc(code.replace('62070503***', '62070504***'))))).toBe(
      'NESTED_TLV',
    );
  });

  test.each([
    ['FORMAT_INDICATOR_VALUE', code.replace('000201', '000202')],
    ['CURRENCY_NOT_986', code.replace('5303986', '5303840')],
    ['COUNTRY_NOT_BR', code.replace('5802BR', '5802US')],
    ['MISSING_MCC', code.replace('52040000', '')],
    ['MISSING_CURRENCY', code.replace('5303986', '')],
    ['MISSING_COUNTRY', code.replace('5802BR', '')],
    ['MISSING_NAME', code.replace('5913Fulano de Tal', '')],
    ['MISSING_CITY', code.replace('6008BRASILIA', '')],
    ['AMOUNT_FORMAT', code.replace('5802BR', '54041,005802BR')],
    ['AMOUNT_FORMAT', code.replace('5802BR', '5405-1.005802BR')],
    ['ILL_FORMED_TEXT', code.replace('Fulano', 'Ful\u0000no')],
    ['ILL_FORMED_TEXT', code.replace('Fulano', 'Ful\ud800no')],
    ['KEY_FORMAT', code.replace('123e', '123é')],
  ])('refuses with %s: %s', (reason, payload) => {
    expect(refusalOf(() => decodeBrCode(withCrc(payload)))).toBe(reason);
  });

  test.each([
    ['SURROUNDING_WHITESPACE', ` ${withCrc(code)}\n`],
    ['CRC_LOWERCASE', withCrc(code).slice(0, -4) + withCrc(code).slice(-4).toLowerCase()],
    ['POI_VALUE', withCrc(code.replace('000201', '000201010213'))],
    // One character of the recurrence template is altered such that the CRC still matches.
    [
      'TEMPLATE_NOT_ASCII',
      '00020101021226880014br.gov.bcb.pix2566qr-h.example.com.br/v2/z2PLDmM8x9LqgdGbyyJ5FevcxkHdJFt9pOeDIYn8JKE52040000530398654138883920603.255802BR5920a O ~ Sao Tome a O ~6009A k a A k62070503***80840014br.gov.bcb.pi\ud7fd2562qr-h.example.com.br/v2/0000000000000000000000000000000000000006304C2CF',
    ],
    ['INFO_NOT_ASCII', withCrc(code.replace('26580014', '26650014').replace('5204', '0203çé!5204'))],
    ['MCC_FORMAT', withCrc(code.replace('52040000', '520400A0'))],
    ['NAME_NOT_ASCII', withCrc(code.replace('Fulano', 'Fuláno'))],
    ['CITY_NOT_ASCII', withCrc(code.replace('BRASILIA', 'BRASÍLIA'))],
    ['MISSING_62', withCrc(code.replace('62070503***', ''))],
    ['MISSING_62_05', withCrc(code.replace('62070503***', '62070103***'))],
    ['TXID_TOO_LONG', withCrc(code.replace('62070503***', `62300526${'a'.repeat(26)}`))],
  ])('tolerates and lists %s', (issue, payload) => {
    expect(decodeBrCode(payload).issues).toEqual([issue]);
  });

  test.each([
    ['FULANO EXAMPLE.COM', 'FULANO@EXAMPLE.COM', ['KEY_SPACE_FOR_AT']],
    ['fulano example', 'fulano example', []],
    ['fulano de example.com', 'fulano de example.com', []],
    ['+5511 99999.9999', '+5511 99999.9999', []],
  ])('reads the key %s as %s', (written, key, issues) => {
    const account = `0014br.gov.bcb.pix01${written.length}${written}`;
    const oldCode = code.replace(/^000201.*?5204/, `00020126${account.length}${account}5204`);
    expect(decodeBrCode(withCrc(oldCode))).toMatchObject({ kind: 'static', key, issues });
  });

  test('counts lengths in characters, even outside the Basic Multilingual Plane', () => {
    const payload = withCrc(code.replace('Fulano', 'Fulan🚣'));
    expect(decodeBrCode(payload).merchantName).toBe('Fulan🚣 de Tal');
  });
});

describe('the encoder', () => {
  test('writes a published static code character for character', () => {
    expect(encodeStaticBrCode({ key: RANDOM_KEY, ...MERCHANT })).toBe(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    );
  });

  test('writes published dynamic and recurrence codes character for character', () => {
    const [composed, recurrence] = ['br-013', 'br-015'].map((id) =>
      vectors.find((vector) => vector.id === id),
    );
    expect(
      encodeDynamicBrCode({
        ...MERCHANT,
        url: 'pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7',
        recurrenceUrl: 'pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d0',
      }),
    ).toBe(composed?.payload);
    expect(
      encodeRecurrenceBrCode({
        ...MERCHANT,
        recurrenceUrl: 'qr-h.sandbox.pix.bcb.gov.br/rest/api/rec/5ee5232ead29422396b44f5eb67180d6',
      }),
    ).toBe(recurrence?.payload);
  });

  test('truncates the payer’s text to the space the key leaves', () => {
    const code = decodeBrCode(encodeStaticBrCode({ key: RANDOM_KEY, ...MERCHANT, info: 'x'.repeat(80) }));
    expect(code).toMatchObject({ info: 'x'.repeat(37) });
  });

  const longKey = `${'a'.repeat(60)}@${'b'.repeat(12)}.com`;
  test.each([
    ['KEY_FORMAT', { key: `a${longKey}` }],
    ['KEY_FORMAT', { key: '111.444.777-35' }],
    ['KEY_FORMAT', { key: '11144477705' }],
    ['INFO_NO_ROOM', { key: longKey, info: 'x' }],
    ['TXID_FORMAT', { txid: 'a'.repeat(26) }],
    ['TXID_FORMAT', { txid: 'pedido-1' }],
    ['TXID_FORMAT', { txid: '' }],
    ['AMOUNT_RANGE', { amountCents: 0 }],
    ['AMOUNT_RANGE', { amountCents: -1 }],
    ['AMOUNT_RANGE', { amountCents: 0.5 }],
    ['AMOUNT_RANGE', { amountCents: Number.NaN }],
    ['AMOUNT_RANGE', { amountCents: 1_000_000_000_000 }],
    ['EMPTY_TEXT', { merchantName: ' 船 ' }],
    ['EMPTY_TEXT', { merchantCity: '' }],
    ['POSTAL_CODE_FORMAT', { postalCode: '1234567' }],
  ])('refuses with %s: %o', (reason, change) => {
    expect(refusalOf(() => encodeStaticBrCode({ key: RANDOM_KEY, ...MERCHANT, ...change }))).toBe(reason);
  });

  test.each([
    'https://pix.example.com/a',
    'pix.example.com',
    `pix.example.com/${'a'.repeat(62)}`,
    'pix.example.com/a b',
    'pix.example.com/é',
    'user@pix.example.com/a',
  ])('refuses the location %s', (url) => {
    expect(refusalOf(() => encodeDynamicBrCode({ url, ...MERCHANT }))).toBe('URL_FORMAT');
    expect(refusalOf(() => encodeRecurrenceBrCode({ recurrenceUrl: url, ...MERCHANT }))).toBe('URL_FORMAT');
  });
});
