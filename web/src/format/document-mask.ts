import type { DocType } from '@jangada/contract';
import type { MaskitoOptions } from '@maskito/core';

const digit = /\d/;
// Alphanumeric since July 2026 (Instrução Normativa RFB 2.229/2024); the check digits stay digits.
const character = /[\dA-Za-z]/;

const cpf: MaskitoOptions = {
  mask: [digit, digit, digit, '.', digit, digit, digit, '.', digit, digit, digit, '-', digit, digit],
};

const cnpj: MaskitoOptions = {
  mask: [
    ...[
      character,
      character,
      '.',
      character,
      character,
      character,
      '.',
      character,
      character,
      character,
      '/',
    ],
    ...[character, character, character, character, '-', digit, digit],
  ],
  postprocessors: [({ value, selection }) => ({ value: value.toUpperCase(), selection })],
};

/** How a document is written while it is typed. */
export const documentMasks: Record<DocType, MaskitoOptions> = { CPF: cpf, CNPJ: cnpj };
