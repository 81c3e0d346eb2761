import type { Config } from '../config.ts';
import type { Factors } from './factor-store.ts';

/** Methods of giving a second factor. */
export const factorMethods = ['totp', 'passkey', 'recovery-code'] as const;
export type FactorMethod = (typeof factorMethods)[number];

/** Recovery codes do not count: they only replace a factor and are deleted with the last one. */
export function hasFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0;
}

/** The methods by which an account can give its second factor; empty without a factor. */
export function methodsOf(factors: Factors): FactorMethod[] {
  if (!hasFactor(factors)) return [];
  const has = {
    totp: factors.totp,
    passkey: factors.passkeys > 0,
    'recovery-code': factors.recoveryCodes > 0,
  };
  return factorMethods.filter((method) => has[method]);
}

/** True if the role requires a second factor. */
export function isFactorDemanded(
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
  role: string,
): boolean {
  return staffSecondFactor && role !== 'USER';
}
