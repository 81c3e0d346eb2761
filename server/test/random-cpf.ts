import { randomBytes } from 'node:crypto';

/** A valid CPF that no other account has, since tests share a database. */
export function randomCpf(): string {
  const digits = Array.from(randomBytes(9), (byte) => byte % 10);
  for (const length of [9, 10]) {
    const sum = digits
      .slice(0, length)
      .reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
