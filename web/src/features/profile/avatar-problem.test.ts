import { expect, test } from 'vitest';
import { avatarProblem } from './use-picture.ts';

const MB = 1024 * 1024;

test('a picture is a JPEG or PNG of at most 2 MB', () => {
  expect(avatarProblem({ type: 'image/jpeg', size: 2 * MB })).toBeUndefined();
  expect(avatarProblem({ type: 'image/png', size: 1 })).toBeUndefined();
  for (const type of ['image/gif', 'image/svg+xml', 'application/pdf', ''])
    expect(avatarProblem({ type, size: 1 })).toBe('Por favor, selecione uma imagem válida (JPEG, PNG, GIF)');
  expect(avatarProblem({ type: 'image/png', size: 2 * MB + 1 })).toBe('A imagem deve ter no máximo 2MB');
});
