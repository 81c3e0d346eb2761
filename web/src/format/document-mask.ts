import type { DocType } from '@jangada/contract';
import type { MaskitoOptions } from '@maskito/core';

const digit = /\d/;
// A CNPJ is alphanumeric since July 2026 (Instrução Normativa RFB 2.229/2024), except its two check digits.
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

/** The input mask for each type of document: the CPF is the tax number of a person, the CNPJ that of a company. */
export const documentMasks: Record<DocType, MaskitoOptions> = { CPF: cpf, CNPJ: cnpj };
