import { formatCnpj, formatCpf, isCnpj, isCpf, normalizeDocument } from './document.ts';
import { PixRefusal, type PixRefusalCode } from './pix-refusal.ts';

/** The five types of Pix key. DICT, BACEN's directory of keys, calls `random` EVP. */
export type PixKeyType = 'cpf' | 'cnpj' | 'email' | 'phone' | 'random';

/** Every type of Pix key. */
export const PIX_KEY_TYPES: readonly PixKeyType[] = ['cpf', 'cnpj', 'email', 'phone', 'random'];

const MAX_KEY_LENGTH = 77;

const RANDOM_KEY = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const BRAZILIAN_PHONE = /^\+55([1-9]{2})(9\d{4}|[2-8]\d{3})(\d{4})$/;
/** A phone number by the pattern of DICT itself. */
const DICT_PHONE = /^\+[1-9]\d{2,15}$/;
/** An e-mail address by the pattern of DICT itself, without its limits of length. */
const DICT_EMAIL = /^[a-z\d.!#$&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/;
/** A foreign phone number by E.164, which allows fewer numbers than the pattern of DICT. */
const FOREIGN_PHONE = /^\+(?!55)[1-9]\d{6,14}$/;
/** An e-mail address, more narrowly than DICT has it: no empty part before the `@`, and a dot in the domain. */
const EMAIL =
  /^[a-z\d!#$&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$&'*+/=?^_`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/;

/** The code of the refusal if a text is no key of the type. */
const REFUSALS: Record<PixKeyType, PixRefusalCode> = {
  cpf: 'CPF_INVALID',
  cnpj: 'CNPJ_INVALID',
  email: 'EMAIL_INVALID',
  phone: 'PHONE_INVALID',
  random: 'RANDOM_KEY_INVALID',
};

/** For each type, a function that returns the canonical form of a key; undefined if the text is no key of that type. */
const READERS: Record<PixKeyType, (text: string) => string | undefined> = {
  cpf: (text) => keyIfValid(normalizeDocument(text), isCpf),
  cnpj: (text) => keyIfValid(normalizeDocument(text), isCnpj),
  email: (text) =>
    keyIfValid(lowerCase(text.trim()), (key) => key.length <= MAX_KEY_LENGTH && EMAIL.test(key)),
  phone: (text) =>
    keyIfValid(withCountryCode(text), (key) => BRAZILIAN_PHONE.test(key) || FOREIGN_PHONE.test(key)),
  random: (text) => keyIfValid(lowerCase(text.trim()), (key) => RANDOM_KEY.test(key)),
};

function keyIfValid(key: string, isValid: (key: string) => boolean): string | undefined {
  return isValid(key) ? key : undefined;
}

/**
 * Lower-cases ASCII letters only. The rules of Unicode would make other characters, such as the Kelvin sign, ASCII
 * letters.
 */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Strips the punctuation from a phone number, and adds +55 if the number has no country code. */
function withCountryCode(text: string): string {
  // Numbers that are pasted from a list of contacts may be enclosed in invisible directional marks (category Cf).
  const bare = text.replace(/[\s().\-\p{Cf}]/gu, '');
  if (/^\d{10,11}$/.test(bare)) return `+55${bare}`;
  return /^55\d{10,11}$/.test(bare) ? `+${bare}` : bare;
}

/**
 * Converts a typed key to the canonical form, in which DICT stores it: documents without mask, phones as
 * `+5511999999999`, e-mails and random keys in lower case. Documents must have correct check digits. The type must be
 * given, because 11 digits may be a CPF or a mobile number. Throws `PixRefusal` with the code of the type, such as
 * CPF_INVALID.
 */
export function parsePixKey(type: PixKeyType, text: string): string {
  const key = READERS[type](text);
  if (key === undefined) throw new PixRefusal(REFUSALS[type], `Not a Pix key of type ${type}`, 'key');
  return key;
}

/** Whether a text is a key of any type in the canonical form of DICT. */
export function isCanonicalPixKey(text: string): boolean {
  return PIX_KEY_TYPES.some((type) => READERS[type](text) === text);
}

/**
 * Guesses the type of a key, to label it. In this order: an e-mail; a random key; 11 digits are a CPF, and 14
 * characters a CNPJ; a phone number; any other text longer than 20 characters counts as a random key. The guess says
 * nothing about validity: whatever DICT accepts as an e-mail or a phone counts as one, even if `parsePixKey` refuses
 * it.
 */
export function detectPixKeyType(text: string): PixKeyType | undefined {
  const trimmed = text.trim();
  if (DICT_EMAIL.test(lowerCase(trimmed))) return 'email';
  if (READERS.random(trimmed) !== undefined) return 'random';
  if (/^\d{11}$/.test(trimmed) || isCpf(trimmed)) return 'cpf';
  if (/^[\dA-Za-z]{12}\d{2}$/.test(trimmed) || READERS.cnpj(trimmed) !== undefined) return 'cnpj';
  if (READERS.phone(trimmed) !== undefined || DICT_PHONE.test(withCountryCode(trimmed))) return 'phone';
  return trimmed.length > 20 ? 'random' : undefined;
}

/** Formats a canonical key for reading: documents with masks, Brazilian phones as `(11) 99999-9999`. */
export function formatPixKey(type: PixKeyType, key: string): string {
  if (type === 'cpf') return formatCpf(key);
  if (type === 'cnpj') return formatCnpj(key);
  return type === 'phone' ? key.replace(BRAZILIAN_PHONE, '($1) $2-$3') : key;
}
