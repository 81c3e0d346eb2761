import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { errorText, failureText, formErrorText } from './error-text.ts';

const noResponse = new ApiError({ status: 0 });

test('the text of a call without a response ends with that and with advice', () => {
  const rest = 'Sem resposta do servidor. Verifique sua conexão e tente de novo.';
  expect(errorText(noResponse, 'Erro ao enviar documentos.')).toBe(`Erro ao enviar documentos. ${rest}`);
  expect(errorText(noResponse, 'Erro ao buscar transações')).toBe(`Erro ao buscar transações. ${rest}`);
  // The same advice is not given twice.
  for (const text of [
    'Erro ao salvar o link. Tente novamente.',
    'Erro ao cancelar a cobrança. Tente de novo.',
  ])
    expect(errorText(noResponse, text)).toBe(`${text} Sem resposta do servidor. Verifique sua conexão.`);
});

test('a failed load says whether the server responded, and what is still safe', () => {
  const text = (error: unknown) => failureText(error, 'Nada mudou por isso.');
  expect(text(noResponse)).toBe(
    'O servidor não respondeu. Nada mudou por isso. Verifique sua conexão e tente de novo.',
  );
  const withError = 'O servidor respondeu com um erro. Nada mudou por isso.';
  expect(text(new ApiError({ status: 500 }))).toBe(withError);
  expect(text(new ApiError({ status: 200, cause: new SyntaxError() }))).toBe(withError);
  expect(text(new TypeError('not of the schema'))).toBe(withError);
  expect(text(new ApiError({ status: 500, serverMessage: 'Estamos em manutenção.' }))).toBe(
    'Estamos em manutenção.',
  );
});

test('after a server error the message says that the input may be right', () => {
  const text = (status: number, serverMessage?: string) =>
    formErrorText(
      new ApiError({ status, serverMessage: serverMessage ?? null }),
      'Usuário ou senha inválidos',
      'a senha',
    );
  const inDoubt = 'Usuário ou senha inválidos. O servidor respondeu com um erro: pode não ser a senha.';
  expect(text(500)).toBe(inDoubt);
  expect(text(502)).toBe(inDoubt);
  expect(text(401)).toBe('Usuário ou senha inválidos');
  expect(text(500, 'Ocorreu um erro inesperado.')).toBe('Ocorreu um erro inesperado.');
});

test('a message of the server is shown unchanged, and a response without one shows the text alone', () => {
  expect(errorText(new ApiError({ status: 409, serverMessage: 'Já foi.' }), 'Erro.')).toBe('Já foi.');
  expect(errorText(new ApiError({ status: 502 }), 'Erro ao enviar documentos.')).toBe(
    'Erro ao enviar documentos.',
  );
});
