import { expect, test } from 'vitest';
import { changedReminders } from './reminder.ts';

const problemsOf = (text: string) => {
  const parsed = changedReminders.safeParse({ active: true, days: [0], subject: 'Oi', text, version: 0 });
  return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
};

test.each([
  'Veja em https://golpe',
  'Veja em www.golpe',
  'Veja em golpe.com',
  'Veja em t.me/golpe',
  'Veja em bit.ly/golpe',
  'Veja em golpe.site',
  'Veja em golpe。site',
  'Veja em pagamentos-já.online',
])('a reminder that says “%s” leads elsewhere, and is refused', (text) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining('endereços')]);
});

test('a reminder may have sentences, amounts, hours and abbreviations', () => {
  expect(
    problemsOf('Olá, Sr. {nome}! Vence às 10.30 h. São R$ 1.234,56, p.ex. com Pix.\nPague: {link}'),
  ).toEqual([]);
});

test('a text that is far too long takes no longer than to read it', () => {
  expect(problemsOf('a-'.repeat(500_000))).toEqual([expect.stringContaining('caracteres')]);
});
