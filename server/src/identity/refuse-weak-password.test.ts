import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';

const owner = {
  username: 'marina.feira',
  name: 'Marina Conceição Albuquerque',
  email: 'loja-da-marina@example.com',
  document: '708.164.925-49',
};

function outcomeOf(password: string): string {
  try {
    refuseWeakPassword(password, owner);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test.each([
  ['12345678', 'password', 'Flamengo', 'qwertyuiop', '1q2w3e4r', 'corinthians'],
  ['Senha123', 'brasil@2026', 'PALMEIRAS10', 'conceição!', 'gabriel2008', 'deusefiel'],
  ['aaaaaaaa', '11111111111111', 'abababab', '        '],
])('common passwords are refused: %s, %s, %s, ...', (...passwords) => {
  for (const password of passwords)
    expect([password, outcomeOf(password)]).toEqual([password, 'PASSWORD_COMMON']);
});

test.each([
  'marina.feira',
  'MarinaFeira2026',
  'Marina Conceição Albuquerque',
  'loja-da-marina',
  'loja-da-marina@example.com',
  '70816492549',
  '708.164.925-49',
])('a password from public data about its owner is refused: %s', (password) => {
  expect(outcomeOf(password)).toBe('PASSWORD_COMMON');
});

test('a username that is a common password is reported as the username', () => {
  expect(() => refuseWeakPassword('flamengo', { ...owner, username: 'flamengo' })).toThrow(
    'A senha não pode ser seu nome de usuário',
  );
});

test.each(['uma senha boa', 'jangada ao vento', 'xK9#mQ2$vL', 'tT7pz0hq', 'maré alta às 5 da tarde'])(
  'an uncommon password is accepted: %s',
  (password) => {
    expect(outcomeOf(password)).toBe('accepted');
  },
);
