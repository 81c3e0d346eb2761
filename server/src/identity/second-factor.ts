import type { Config } from '../config.ts';
import type { Factors } from './factor-store.ts';

/** Ways in which a second factor is given. */
export const factorMethods = ['totp', 'passkey', 'recovery-code'] as const;
export type FactorMethod = (typeof factorMethods)[number];

/** Recovery codes stand in for a factor and are none: they go with the last one. */
export function hasFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0;
}

/** How an account can give its second factor; none where there is no factor. */
export function methodsOf(factors: Factors): FactorMethod[] {
  if (!hasFactor(factors)) return [];
  const has = {
    totp: factors.totp,
    passkey: factors.passkeys > 0,
    'recovery-code': factors.recoveryCodes > 0,
  };
  return factorMethods.filter((method) => has[method]);
}

/** Whether somebody of this role may not go without. */
export function isFactorDemanded(
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
  role: string,
): boolean {
  return staffSecondFactor && role !== 'USER';
}
