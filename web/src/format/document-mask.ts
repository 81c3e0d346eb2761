import type { DocType } from '@jangada/contract';
import type { MaskitoOptions } from '@maskito/core';

/** The characters that are accepted where a pattern has `0` or `X`. */
const placeholders = new Map([
  ['0', /\d/],
  ['X', /[\dA-Za-z]/],
]);

/** Builds a mask from a pattern. A character that is no placeholder stands for itself. */
function maskFrom(pattern: string): (RegExp | string)[] {
  return Array.from(pattern, (character) => placeholders.get(character) ?? character);
}

const cpf: MaskitoOptions = { mask: maskFrom('000.000.000-00') };

// A CNPJ is alphanumeric since July 2026 (Instrução Normativa RFB 2.229/2024), except its two check digits.
const cnpj: MaskitoOptions = {
  mask: maskFrom('XX.XXX.XXX/XXXX-00'),
  postprocessors: [({ value, selection }) => ({ value: value.toUpperCase(), selection })],
};

/** The input mask for each type of document: the CPF is the tax number of a person, the CNPJ that of a company. */
export const documentMasks: Record<DocType, MaskitoOptions> = { CPF: cpf, CNPJ: cnpj };
