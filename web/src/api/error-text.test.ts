import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { errorText } from './error-text.ts';

const silence = new ApiError({ status: 0 });

test('a call without any answer says so after its own text, and what to do', () => {
  const rest = 'Sem resposta do servidor. Verifique sua conexão e tente de novo.';
  expect(errorText(silence, 'Erro ao enviar documentos.')).toBe(`Erro ao enviar documentos. ${rest}`);
  expect(errorText(silence, 'Erro ao buscar transações')).toBe(`Erro ao buscar transações. ${rest}`);
});

test('a text that tells of the silence already is not doubled', () => {
  expect(errorText(silence, 'O servidor não respondeu. Nada mudou por isso.')).toBe(
    'O servidor não respondeu. Nada mudou por isso. Verifique sua conexão e tente de novo.',
  );
});

test('an answer is told in its own words, or by the text alone', () => {
  expect(errorText(new ApiError({ status: 409, serverMessage: 'Já foi.' }), 'Erro.')).toBe('Já foi.');
  expect(errorText(new ApiError({ status: 502 }), 'Erro ao enviar documentos.')).toBe(
    'Erro ao enviar documentos.',
  );
});
