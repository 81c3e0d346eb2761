import { expect, test } from 'vitest';
import { bodyOf, colourFrom, problemsOf } from './use-brand.ts';
import { pictureProblem } from './use-picture.ts';

test.each([
  ['#0C597D', '#0c597d'],
  [' 0c597d ', '#0c597d'],
  ['#abc', '#aabbcc'],
  ['azul', undefined],
  ['#12345', undefined],
  ['#1234567', undefined],
  ['', undefined],
])('%j is read as the colour %j', (typed, colour) => {
  expect(colourFrom(typed)).toBe(colour);
});

test('empty fields reset to the default, and an invalid colour is refused', () => {
  expect(bodyOf({ name: '  ', colour: '' })).toEqual({ display_name: null, colour: null });
  expect(bodyOf({ name: ' Loja ', colour: 'FFF' })).toEqual({ display_name: 'Loja', colour: '#ffffff' });
  expect(problemsOf({ name: '', colour: '' })).toEqual({});
  expect(problemsOf({ name: '', colour: 'azul' })).toEqual({ colour: 'Informe a cor como #1a2b3c.' });
});

const MB = 1024 * 1024;

test('a picture is a JPEG or PNG of at most 2 MB', () => {
  expect(pictureProblem({ type: 'image/jpeg', size: 2 * MB })).toBeUndefined();
  expect(pictureProblem({ type: 'image/png', size: 1 })).toBeUndefined();
  for (const type of ['image/gif', 'image/svg+xml', 'application/pdf', ''])
    expect(pictureProblem({ type, size: 1 })).toBe('Por favor, selecione uma imagem válida (JPEG, PNG, GIF)');
  expect(pictureProblem({ type: 'image/png', size: 2 * MB + 1 })).toBe('A imagem deve ter no máximo 2MB');
});
