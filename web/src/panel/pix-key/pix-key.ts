import { formatPixKey, PIX_KEY_TYPES, type PixKeyType, PixRefusal, parsePixKey } from '@jangada/pix';

const names: Record<PixKeyType, string> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'E-mail',
  phone: 'Telefone',
  random: 'Chave aleatória',
};

/** The types of key as a select offers them. */
export const keyTypeOptions = PIX_KEY_TYPES.map((value) => ({ value, label: names[value] }));

/** What a type of key is called; a key that looks like none is of an unknown type. */
export function keyTypeName(type: PixKeyType | null): string {
  return type === null ? 'Tipo desconhecido' : names[type];
}

const inSentences: Record<PixKeyType, string> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'e-mail',
  phone: 'telefone',
  random: 'aleatória',
};

/** `para a chave e-mail`: the type in the middle of a sentence. */
export function keyTypeInSentence(type: PixKeyType): string {
  return inSentences[type];
}

/** A key as people read it; one that is not what its type says stays as it is. */
export function shownKey(type: PixKeyType | null, key: string): string {
  const canonical = type === null ? null : canonicalKey(type, key);
  return type === null || canonical === null ? key : formatPixKey(type, canonical);
}

/** A key that somebody typed in the form of DICT; null when it is none of this type. */
export function canonicalKey(type: PixKeyType, text: string): string | null {
  try {
    return parsePixKey(type, text);
  } catch (error) {
    if (error instanceof PixRefusal) return null;
    throw error;
  }
}

const wrong: Record<PixKeyType, string> = {
  cpf: 'CPF inválido',
  cnpj: 'CNPJ inválido',
  email: 'Email inválido',
  phone: 'Telefone inválido. Informe o DDD e o número.',
  random: 'Chave aleatória inválida. Cole a chave inteira, com os hifens.',
};

/** Why nothing can be sent to a key as it was typed; undefined when something can. */
export function keyProblem(type: PixKeyType, text: string): string | undefined {
  if (text.trim() === '') return MISSING;
  return canonicalKey(type, text) === null ? wrong[type] : undefined;
}

const MISSING = 'Por favor, insira a chave PIX.';
