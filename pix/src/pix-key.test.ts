import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalKeys, cnpjs, cpfs, emails, phones } from '../test/arbitraries.ts';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import vectorFile from '../vectors/documents.json' with { type: 'json' };
import { formatCnpj, formatCpf } from './document.ts';
import { detectPixKeyType, formatPixKey, isCanonicalPixKey, PIX_KEY_TYPES, parsePixKey } from './pix-key.ts';
import { PixRefusal } from './pix-refusal.ts';

const numRuns = PROPERTY_RUNS;
const keyVectors = vectorFile.vectors.filter(({ type }) => type === 'pix_key');

/** Returns the type of key that a vector names; the vectors call a random key `evp`. */
function typeOf(name: string | undefined) {
  const type = PIX_KEY_TYPES.find(
    (candidate) => candidate === name || (candidate === 'random' && name === 'evp'),
  );
  if (type === undefined) throw new Error(`unknown type of key: ${name}`);
  return type;
}

describe('published keys', () => {
  // DICT's pattern accepts a domain without a dot. We refuse such a domain, as the source of the vectors does.
  const undisputedVectors = keyVectors.filter((vector) => !('source_says' in vector));

  test.each(undisputedVectors)('$id $key_type $value', (vector) => {
    const type = typeOf(vector.key_type);
    const canonical = vector.valid ? vector.value : vector.normalized;
    expect(isCanonicalPixKey(vector.value) && parsePixKey(type, vector.value) === vector.value).toBe(
      vector.valid,
    );
    if (canonical === undefined) expect(() => parsePixKey(type, vector.value)).toThrow(PixRefusal);
    else expect(parsePixKey(type, vector.value)).toBe(canonical);
  });

  test('an e-mail without a dot in its domain is refused', () => {
    const vector = keyVectors.find((candidate) => 'source_says' in candidate);
    expect(vector?.source_says).toBe(false);
    expect(() => parsePixKey('email', vector?.value ?? '')).toThrow(PixRefusal);
  });
});

test('a canonical key is its own canonical form', () => {
  fc.assert(
    fc.property(canonicalKeys, (key) => {
      expect(isCanonicalPixKey(key)).toBe(true);
      const type = detectPixKeyType(key);
      expect(type === undefined ? undefined : parsePixKey(type, key)).toBe(key);
    }),
    { numRuns },
  );
});

test('masks, case, white space and a missing +55 are normalized to the canonical form', () => {
  fc.assert(
    fc.property(cpfs, cnpjs, phones, emails, fc.uuid(), (cpf, cnpj, phone, email, random) => {
      expect(parsePixKey('cpf', ` ${formatCpf(cpf)}`)).toBe(cpf);
      expect(parsePixKey('cnpj', formatCnpj(cnpj).toLowerCase())).toBe(cnpj);
      expect(parsePixKey('phone', formatPixKey('phone', phone))).toBe(phone);
      expect(parsePixKey('phone', phone.slice(1))).toBe(phone);
      expect(parsePixKey('email', ` ${email.toUpperCase()}\n`)).toBe(email);
      expect(parsePixKey('random', random.toUpperCase())).toBe(random);
    }),
    { numRuns },
  );
});

test.each([
  ['cpf', '11144477705', 'CPF_INVALID'],
  ['cpf', '', 'CPF_INVALID'],
  ['cnpj', '12ABC34501DE36', 'CNPJ_INVALID'],
  ['email', 'a..b@example.com', 'EMAIL_INVALID'],
  ['email', '.a@example.com', 'EMAIL_INVALID'],
  ['email', 'a%b@example.com', 'EMAIL_INVALID'],
  ['email', `${'a'.repeat(66)}@example.com`, 'EMAIL_INVALID'],
  ['email', '\u212aa@example.com', 'EMAIL_INVALID'],
  ['email', 'fulano@example', 'EMAIL_INVALID'],
  ['phone', '+5501999999999', 'PHONE_INVALID'],
  ['phone', '+5510999999999', 'PHONE_INVALID'],
  ['phone', '+55118999999999', 'PHONE_INVALID'],
  ['phone', '11 1999-9999', 'PHONE_INVALID'],
  ['phone', '+0123456789', 'PHONE_INVALID'],
  ['random', '123e4567e12b12d1a456426655440000', 'RANDOM_KEY_INVALID'],
] as const)('a key of type %s written %s is refused with %s', (type, text, code) => {
  expect(() => parsePixKey(type, text)).toThrow(expect.objectContaining({ code, field: 'key' }));
});

test('a foreign phone number, and one pasted with invisible characters, is accepted as a key', () => {
  expect(parsePixKey('phone', '+1 (415) 555-0123')).toBe('+14155550123');
  expect(parsePixKey('phone', '\u202a+55 11 99999-9999\u202c')).toBe('+5511999999999');
});

test.each([
  ['fulano@example.com', 'email'],
  ['123E4567-E12B-12D1-A456-426655440000', 'random'],
  ['12345678909', 'cpf'],
  ['11999999999', 'cpf'],
  ['123.456.789-09', 'cpf'],
  ['12345678000195', 'cnpj'],
  ['12ABC34501DE35', 'cnpj'],
  ['12.abc.345/01de-35', 'cnpj'],
  ['+5511999999999', 'phone'],
  ['(11) 99999-9999', 'phone'],
  ['1133334444', 'phone'],
  ['+5510999999999', 'phone'],
  ['+552704-9936', 'phone'],
  ['ortegaconstancia@yahoocom', 'email'],
  ['Fulano.@example.com', 'email'],
  ['a text with an @ in it', 'random'],
  ['a text of 21 letters.', 'random'],
  ['a text of 20 letters', undefined],
  ['', undefined],
])('the type of %s is %s', (text, type) => {
  expect(detectPixKeyType(text)).toBe(type);
});

test.each([
  ['cpf', '12345678909', '123.456.789-09'],
  ['cnpj', '12ABC34501DE35', '12.ABC.345/01DE-35'],
  ['phone', '+5511999998888', '(11) 99999-8888'],
  ['phone', '+551133334444', '(11) 3333-4444'],
  ['phone', '+14155550123', '+14155550123'],
  ['email', 'fulano@example.com', 'fulano@example.com'],
] as const)('a key of type %s, %s, is formatted as %s', (type, key, formatted) => {
  expect(formatPixKey(type, key)).toBe(formatted);
});
