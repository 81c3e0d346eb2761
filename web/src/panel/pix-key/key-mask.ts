import type { PixKeyType } from '@jangada/pix';
import type { MaskitoOptions } from '@maskito/core';
import { documentMasks } from '../../format/document-mask.ts';

const digit = /\d/;
const area = ['(', digit, digit, ')', ' '];
const mobile = [...area, digit, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const landline = [...area, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const abroad = /^\+[\d\s().-]{0,24}$/;

/** A Brazilian number with its area code; a number that begins with + is left unmasked. */
const phone: MaskitoOptions = {
  mask: ({ value }) => {
    if (value.startsWith('+')) return abroad;
    return value.replace(/\D/g, '').length > 10 ? mobile : landline;
  },
};

/** Accepts any text unchanged. */
const free: MaskitoOptions = { mask: /^[\s\S]*$/ };

/** The input mask for each type of key. */
export const keyMasks: Record<PixKeyType, MaskitoOptions> = {
  cpf: documentMasks.CPF,
  cnpj: documentMasks.CNPJ,
  phone,
  email: free,
  random: free,
};
