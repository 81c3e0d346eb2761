import type { CheckStep } from '@jangada/contract';
import type { Config, PspConfig } from '../config.ts';
import {
  type BankProbe,
  bankAddressRules,
  connectToCheck,
  type KnownBank,
  OWN_ACCOUNT_LIMITS,
} from '../psp/index.ts';
import { describeFailure } from './bank-failure.ts';
import { planIdentification } from './identify-to-bank.ts';
import { planReaching } from './reach-bank.ts';
import { runSteps } from './run-steps.ts';
import { planCharge } from './try-charge.ts';
import { planNotices } from './try-notices.ts';
import { planServices } from './try-services.ts';

export type BankToCheck = {
  readonly config: Pick<Config, 'mode' | 'sandboxPublic' | 'webhookAllowCidrs' | 'merchantCity'>;
  readonly bank: KnownBank;
  readonly psp: PspConfig;
  readonly pixKey: string;
  /** The address of `noticeUrl`, which the check registers at the bank. */
  readonly noticeUrl: string;
  /** Whether a URL that the bank has instead is of no use any more, and may be replaced; by default none is. */
  readonly isAbandoned?: (registeredUrl: string) => Promise<boolean>;
  readonly now: () => Date;
  /** Ends the check early. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<CheckLimits>;
};

/** How long the check waits for one response, for one step, and in all. */
type CheckLimits = { readonly responseMs: number; readonly stepMs: number; readonly totalMs: number };
const defaultLimits: CheckLimits = { responseMs: 6000, stepMs: 10_000, totalMs: 55_000 };

/**
 * Checks an account at a bank, step by step, with the adapters that are used later. It registers the address for notices
 * at the bank, and makes a charge that it removes; it moves no money. What a bank does wrong is a step that failed, not
 * an error. The steps contain no secrets.
 *
 * @param onSteps is told all steps at each change
 */
export async function checkBank(
  account: BankToCheck,
  onSteps: (steps: readonly CheckStep[]) => Promise<void>,
): Promise<{ passed: boolean; steps: readonly CheckStep[] }> {
  const { config, bank, psp: settings, pixKey, noticeUrl, now, isAbandoned = async () => false } = account;
  const { responseMs, stepMs, totalMs } = { ...defaultLimits, ...account.limits };
  // The addresses of the table are ours; those of an administrator are checked at each connection.
  const addressRules = bank.addresses === undefined ? bankAddressRules(config) : undefined;
  const { psp, probe } = connectToCheck(
    { psp: settings, pixKey, merchantCity: config.merchantCity },
    { addressRules, responseTimeoutMs: responseMs, itemsPerPage: 1, limits: OWN_ACCOUNT_LIMITS },
  );
  const secrets = new Set(secretsOf(account));
  const trial = {
    config,
    bank,
    psp,
    probe: withTokensNoted(probe, secrets),
    pixKey,
    noticeUrl,
    isAbandoned,
    now,
  };
  const timeIsUp = AbortSignal.timeout(totalMs);
  try {
    return await runSteps(
      [
        ...planReaching({ psp: settings, addressRules }),
        ...planIdentification({ ...trial, psp: settings }),
        ...planCharge(trial),
        ...planNotices(trial),
        ...planServices(trial),
      ],
      {
        describe: (error) => describeFailure(error, bank.panel),
        stepMs,
        signal: account.signal === undefined ? timeIsUp : AbortSignal.any([timeIsUp, account.signal]),
        clean: (text) => withoutSecrets(text, secrets),
        onSteps,
      },
    );
  } finally {
    await psp.close();
  }
}

/** A shorter text is no secret, and would be found in innocent words. */
const minSecretLength = 4;

/** The secrets that a bank may repeat and no step may show. */
function secretsOf({ psp: { clientId, clientSecret, tls }, noticeUrl }: BankToCheck): string[] {
  const texts = [
    clientSecret,
    encodeURIComponent(clientSecret),
    Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
    tls?.passphrase ?? '',
    noticeUrl.slice(noticeUrl.lastIndexOf('/') + 1),
  ];
  return texts.filter(({ length }) => length >= minSecretLength);
}

/** The same probe, which adds the tokens that it gets to the secrets. */
function withTokensNoted(probe: BankProbe, secrets: Set<string>): BankProbe {
  return {
    ...probe,
    async requestToken() {
      const token = await probe.requestToken();
      secrets.add(token.value);
      return token;
    },
  };
}

/** Removes the secrets from what a step quotes of the bank; our own words contain none. */
function withoutSecrets(text: string, secrets: ReadonlySet<string>): string {
  return text.replace(/«[^»]*»/g, (quoted) =>
    [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), quoted),
  );
}
