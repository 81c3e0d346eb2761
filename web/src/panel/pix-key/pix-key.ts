import { formatPixKey, PIX_KEY_TYPES, type PixKeyType, PixRefusal, parsePixKey } from '@jangada/pix';

const MISSING_KEY = 'Por favor, insira a chave PIX.';

const typeNames: Record<PixKeyType, string> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'E-mail',
  phone: 'Telefone',
  random: 'Chave aleatória',
};

/** The key types as options for a select. */
export const keyTypeOptions = PIX_KEY_TYPES.map((value) => ({ value, label: typeNames[value] }));

/** The display name of a key type; null means an unknown type. */
export function keyTypeName(type: PixKeyType | null): string {
  return type === null ? 'Tipo desconhecido' : typeNames[type];
}

const typeNamesInSentences: Record<PixKeyType, string> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'e-mail',
  phone: 'telefone',
  random: 'aleatória',
};

/** The key type for use within a sentence: `para a chave e-mail`. */
export function keyTypeInSentence(type: PixKeyType): string {
  return typeNamesInSentences[type];
}

/** A key formatted for reading. A key of unknown type, or one that is invalid for its type, is left unchanged. */
export function displayPixKey(type: PixKeyType | null, key: string): string {
  if (type === null) return key;
  const canonical = canonicalKey(type, key);
  return canonical === null ? key : formatPixKey(type, canonical);
}

/** A typed key in the form in which DICT, the central bank's directory of Pix keys, stores it; null when invalid. */
export function canonicalKey(type: PixKeyType, text: string): string | null {
  try {
    return parsePixKey(type, text);
  } catch (error) {
    if (error instanceof PixRefusal) return null;
    throw error;
  }
}

const invalidKeyTexts: Record<PixKeyType, string> = {
  cpf: 'CPF inválido',
  cnpj: 'CNPJ inválido',
  email: 'Email inválido',
  phone: 'Telefone inválido. Informe o DDD e o número.',
  random: 'Chave aleatória inválida. Cole a chave inteira, com os hifens.',
};

/** The message for a typed key that cannot receive money; undefined when it can. */
export function keyProblem(type: PixKeyType, text: string): string | undefined {
  if (text.trim() === '') return MISSING_KEY;
  return canonicalKey(type, text) === null ? invalidKeyTexts[type] : undefined;
}
