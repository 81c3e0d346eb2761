import type { PixKeyType } from '@jangada/pix';
import type { MaskitoOptions } from '@maskito/core';
import { documentMasks } from '../../format/document-mask.ts';

const digit = /\d/;
const area = ['(', digit, digit, ')', ' '];
const mobile = [...area, digit, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const landline = [...area, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const abroad = /^\+[\d\s().-]{0,24}$/;

/** A Brazilian number by its area code; one that begins with + is written as it is. */
const phone: MaskitoOptions = {
  mask: ({ value }) => {
    if (value.startsWith('+')) return abroad;
    return value.replace(/\D/g, '').length > 10 ? mobile : landline;
  },
};

/** Takes what is typed as it is. */
const free: MaskitoOptions = { mask: /^[\s\S]*$/ };

/** How a key is written while it is typed. */
export const keyMasks: Record<PixKeyType, MaskitoOptions> = {
  cpf: documentMasks.CPF,
  cnpj: documentMasks.CNPJ,
  phone,
  email: free,
  random: free,
};
