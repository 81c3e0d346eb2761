import type { BankConnection, ConnectableBank, DebitAccount } from '@jangada/contract';
import { type Config, institutions, type PspConfig, SANDBOX_ACCOUNT } from '../config.ts';
import type { BankOffers } from './bank.ts';

/** The addresses of a bank's API Pix, with its version, and of its tokens. */
export type BankAddresses = { readonly apiUrl: string; readonly tokenUrl: string };

/** A bank at which merchants may have accounts of their own: no other bank is ever called for a merchant. */
export type KnownBank = {
  readonly id: string;
  readonly name: string;
  /** The institution that holds the accounts, as payers read it; undefined if it is not known beforehand. */
  readonly institution: string | undefined;
  readonly adapter: PspConfig['name'];
  readonly certificate: ConnectableBank['certificate'];
  /** Undefined if an administrator enters them. */
  readonly addresses: BankAddresses | undefined;
  /** The authority that signed the certificate of the bank's server; undefined means those of the system. */
  readonly ca?: Buffer;
  readonly credentialsIn?: PspConfig['credentialsIn'];
  /** The scopes to request, for banks that grant only what is requested. */
  readonly scope?: string;
  readonly refunds: boolean;
  /** The account into which debits by mandate are paid, at a bank at which all have the same. */
  readonly debitAccount?: DebitAccount;
  /** Source networks of the bank's callbacks; an empty list means any. */
  readonly webhookCidrs: readonly string[];
  /** The page of the bank that explains where its customers create credentials; undefined if we know none. */
  readonly help: string | undefined;
  /** Where customers manage credentials and scopes at the bank, to complete a sentence. */
  readonly panel: string;
  /** Debits by mandate are offered where the bank's documentation has them, and where we do not know the bank. */
  readonly offers: BankOffers;
};

const onlyRefunds = { refunds: true, withdrawals: false, disputes: false, balance: false, recurring: false };
const everything = { refunds: true, withdrawals: true, disputes: true, balance: true, recurring: true };
/** The scopes that charges, refunds and notices need, by the names of BACEN's API Pix. */
const standardScope = 'cob.write cob.read pix.write pix.read webhook.write webhook.read';
// A notice only makes us ask the bank, and its path has a secret. So no bank's networks stand here: a network that the
// bank changes one day would silence its notices.
const anySource: readonly string[] = [];

/** A bank whose production and test environments differ only in their addresses. */
type BankWithTests = Omit<KnownBank, 'addresses'> & {
  readonly production: BankAddresses;
  readonly tests: BankAddresses & { readonly id: string; readonly name: string };
};

/**
 * Banks that work with our adapters as they are, by what they or widely used clients publish. Missing are banks that
 * demand more with each call than API Pix does, such as Banco do Brasil (`gw-dev-app-key`), and those whose addresses we
 * found in a single source, or in sources that differ.
 */
const banks: readonly BankWithTests[] = [
  {
    id: 'efi',
    name: 'Efí',
    institution: institutions.efi,
    adapter: 'efi',
    certificate: 'required',
    // Efí grants what the application has, and states it: nothing is requested, so nothing is missed or refused.
    refunds: true,
    webhookCidrs: anySource,
    help: 'https://dev.efipay.com.br/docs/api-pix/credenciais',
    panel: 'na sua conta Efí, em API › Aplicações',
    offers: everything,
    // Efí's documentation, "Credenciais, Certificado e Autorização" of API Pix.
    production: {
      apiUrl: 'https://pix.api.efipay.com.br/v2',
      tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    },
    tests: {
      id: 'efi-homologacao',
      name: 'Efí, ambiente de homologação',
      apiUrl: 'https://pix-h.api.efipay.com.br/v2',
      tokenUrl: 'https://pix-h.api.efipay.com.br/oauth/token',
    },
  },
  {
    id: 'inter',
    name: 'Banco Inter',
    institution: 'Banco Inter S.A.',
    adapter: 'bacen',
    certificate: 'required',
    credentialsIn: 'body',
    scope: standardScope,
    refunds: true,
    webhookCidrs: anySource,
    help: 'https://developers.inter.co',
    panel: 'no Internet Banking do Inter, em Conta Digital › Aplicações',
    offers: onlyRefunds,
    // Inter's reference of its API Pix, and ACBr's unit ACBrPIXPSPInter.
    production: {
      apiUrl: 'https://cdpj.partners.bancointer.com.br/pix/v2',
      tokenUrl: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    },
    tests: {
      id: 'inter-sandbox',
      name: 'Banco Inter, sandbox',
      apiUrl: 'https://cdpj-sandbox.partners.uatinter.co/pix/v2',
      tokenUrl: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token',
    },
  },
  {
    id: 'sicredi',
    name: 'Sicredi',
    institution: 'Banco Cooperativo Sicredi S.A.',
    adapter: 'bacen',
    certificate: 'required',
    scope: standardScope,
    refunds: true,
    webhookCidrs: anySource,
    help: 'https://developer.sicredi.com.br/api-portal/pt-br',
    panel: 'no portal do desenvolvedor do Sicredi, ou com a sua agência',
    offers: onlyRefunds,
    // ACBr's unit ACBrPIXPSPSicredi, and RscPix.
    production: {
      apiUrl: 'https://api-pix.sicredi.com.br/api/v2',
      tokenUrl: 'https://api-pix.sicredi.com.br/oauth/token',
    },
    tests: {
      id: 'sicredi-homologacao',
      name: 'Sicredi, ambiente de homologação',
      apiUrl: 'https://api-pix-h.sicredi.com.br/api/v2',
      tokenUrl: 'https://api-pix-h.sicredi.com.br/oauth/token',
    },
  },
];

/** The id of a bank that the gateway does not know. An administrator enters its addresses. */
export const OTHER_BANK = 'other';

const otherBank: KnownBank = {
  id: OTHER_BANK,
  name: 'Outro banco com API Pix',
  institution: undefined,
  adapter: 'bacen',
  certificate: 'optional',
  addresses: undefined,
  scope: standardScope,
  refunds: true,
  webhookCidrs: anySource,
  help: undefined,
  panel: 'no portal do seu banco, na aplicação da API Pix',
  offers: { ...onlyRefunds, recurring: true },
};

type BankSettings = Pick<Config, 'mode' | 'psp' | 'sandboxMtls'>;

/** The banks that merchants may connect: those with real money in live mode, and test environments in the sandbox. */
export function knownBanks(config: BankSettings): readonly KnownBank[] {
  if (config.mode === 'live')
    return [
      ...banks.map(({ production, tests: _, ...bank }) => ({ ...bank, addresses: production })),
      otherBank,
    ];
  const testBanks = banks.map(({ production: _, tests: { id, name, ...addresses }, ...bank }) => ({
    ...bank,
    id,
    name,
    addresses,
  }));
  return [sandboxBank(config.psp), ...sandboxBankWithMtls(config), ...testBanks, otherBank];
}

export function findKnownBank(config: BankSettings, id: string): KnownBank | undefined {
  return knownBanks(config).find((bank) => bank.id === id);
}

/** The bank of the operator's own account, as the settings describe it. */
export function houseBank({ psp }: Pick<Config, 'psp'>): KnownBank {
  const known = [sandboxBank(psp), ...banks].find(
    ({ adapter }) => adapter === psp.name && adapter !== 'bacen',
  );
  const { name, certificate, help, panel, offers } = known ?? otherBank;
  return {
    id: psp.name,
    name: psp.institution ?? name,
    institution: psp.institution,
    adapter: psp.name,
    certificate,
    addresses: { apiUrl: psp.baseUrl, tokenUrl: psp.tokenUrl },
    refunds: psp.refunds,
    webhookCidrs: psp.webhookCidrs,
    help,
    panel,
    offers: { ...offers, refunds: psp.refunds },
  };
}

function sandboxBank({ baseUrl, tokenUrl }: PspConfig): KnownBank {
  return {
    id: 'sandbox',
    name: 'Banco Sandbox',
    institution: institutions.sandbox,
    adapter: 'sandbox',
    certificate: 'none',
    addresses: { apiUrl: baseUrl, tokenUrl },
    refunds: true,
    debitAccount: SANDBOX_ACCOUNT,
    webhookCidrs: anySource,
    help: undefined,
    panel: 'na página do Banco Sandbox',
    offers: everything,
  };
}

/** Banco Sandbox for accounts that demand a client certificate, which it serves at a port of their own. */
function sandboxBankWithMtls({ psp, sandboxMtls }: BankSettings): KnownBank[] {
  if (sandboxMtls === undefined) return [];
  const { port, ca } = sandboxMtls;
  const origin = `https://${new URL(psp.baseUrl).hostname}:${port}`;
  return [
    {
      ...sandboxBank(psp),
      id: 'sandbox-certificado',
      name: 'Banco Sandbox com certificado',
      certificate: 'required',
      addresses: { apiUrl: `${origin}/v2`, tokenUrl: `${origin}/oauth/token` },
      ca,
    },
  ];
}

/** A bank as merchants see it. */
export function toConnectableBank({
  id,
  name,
  certificate,
  addresses,
  help,
  offers,
  debitAccount,
}: KnownBank): ConnectableBank {
  return {
    id,
    name,
    certificate,
    needsAddresses: addresses === undefined,
    help: help ?? null,
    offers,
    needsDebitAccount: offers.recurring && debitAccount === undefined,
  };
}

/** Whether an account takes debits by mandate. `account`: the one into which they are to be paid, if it was entered. */
export function recurringOf(
  bank: Pick<KnownBank, 'offers' | 'debitAccount'> | undefined,
  account: DebitAccount | null,
): Exclude<BankConnection['recurring'], 'refused'> {
  if (!bank?.offers.recurring) return 'not-offered';
  return account === null && bank.debitAccount === undefined ? 'needs-account' : 'available';
}

export type BankCredentials = Pick<PspConfig, 'clientId' | 'clientSecret' | 'tls' | 'debitAccount'>;

/** How a known bank is reached with a merchant's credentials. */
export function pspConfigOf(
  { adapter, institution, ca, credentialsIn, scope, refunds, webhookCidrs, ...known }: KnownBank,
  { apiUrl, tokenUrl }: BankAddresses,
  { clientId, clientSecret, tls, debitAccount = known.debitAccount }: BankCredentials,
): PspConfig {
  return {
    name: adapter,
    ...(institution !== undefined && { institution }),
    baseUrl: apiUrl.replace(/\/+$/, ''),
    tokenUrl,
    clientId,
    clientSecret,
    ...(credentialsIn !== undefined && { credentialsIn }),
    ...(scope !== undefined && { scope }),
    ...(known.offers.recurring && debitAccount && { debitAccount }),
    refunds,
    ...((tls !== undefined || ca !== undefined) && { tls: { ...tls, ...(ca && { ca }) } }),
    webhookCidrs,
  };
}
