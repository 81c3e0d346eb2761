import { createPrivateKey, generatePrimeSync, type JsonWebKey } from 'node:crypto';

/**
 * Makes a PEM key of RSA with this many bits, of which each signature takes long: 16,384 take thirty times as long as
 * 4,096. Its factors are products of many small primes, because large primes would take minutes to find.
 */
export function makeCostlyKey(bits: number): string {
  const publicExponent = 65_537n;
  const [p, q] = [makeFactor(bits / 2), makeFactor(bits / 2)];
  const inverse = (order: bigint) => inverseOf(publicExponent, order);
  const numbers = {
    n: p.product * q.product,
    e: publicExponent,
    d: inverse(leastCommonMultiple(p.order, q.order)),
    p: p.product,
    q: q.product,
    dp: inverse(p.order),
    dq: inverse(q.order),
    qi: inverseOf(q.product, p.product),
  };
  const fields = Object.entries(numbers).map(([name, value]) => [name, base64UrlOf(value)]);
  const key: JsonWebKey = { kty: 'RSA', ...Object.fromEntries(fields) };
  return String(createPrivateKey({ format: 'jwk', key }).export({ type: 'pkcs8', format: 'pem' }));
}

const primeBits = 512;

function makeFactor(bits: number): { readonly product: bigint; readonly order: bigint } {
  const primes = Array.from({ length: bits / primeBits }, () =>
    generatePrimeSync(primeBits, { bigint: true }),
  );
  return {
    product: primes.reduce((product, prime) => product * prime, 1n),
    order: primes.reduce((order, prime) => leastCommonMultiple(order, prime - 1n), 1n),
  };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

/** By the extended algorithm of Euclid. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [remainder, next, factor, nextFactor] = [modulus, value % modulus, 0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function base64UrlOf(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
