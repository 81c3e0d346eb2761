import {
  type ConnectableBank,
  type NewCredentials,
  newConnection,
  type ReplacingCredentials,
  replacingCredentials,
} from '@jangada/contract';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import type { CertificateFile } from './certificate-file.ts';
import { type DebitAccountDraft, debitAccountFrom, emptyDebitAccount } from './debit-account-fields.tsx';

/** The form's values so far. A change of credentials leaves `name` empty, and `pix_key` where the key cannot change. */
export type CredentialsDraft = {
  readonly name: string;
  readonly pix_key: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly certificate: CertificateFile | null;
  /** The key of a PEM certificate, where it is a file of its own. */
  readonly certificate_key: CertificateFile | null;
  readonly certificate_password: string;
  /** Left empty where it is not asked for. */
  readonly debit_account: DebitAccountDraft;
};

/** The error of each invalid field. */
export type CredentialsProblems = {
  readonly [Field in keyof CredentialsDraft]?: string | undefined;
} & { readonly type?: string; readonly branch?: string; readonly number?: string };

export const emptyDraft: CredentialsDraft = {
  name: '',
  pix_key: '',
  client_id: '',
  client_secret: '',
  certificate: null,
  certificate_key: null,
  certificate_password: '',
  debit_account: emptyDebitAccount,
};

/** Whether the chosen certificate is a PEM file without its key, which then has to be sent beside it. */
export function needsKeyFile({ certificate }: CredentialsDraft): boolean {
  return certificate?.isPem === true && !certificate.hasKey;
}

/** Whether a password may open the chosen file. */
export function mayNeedPassword({ certificate, certificate_key }: CredentialsDraft): boolean {
  return certificate?.isEncrypted === true || certificate_key?.isEncrypted === true;
}

/** The credentials as they are sent; without a certificate where the bank takes none. */
export function credentialsOf(draft: CredentialsDraft, bank: ConnectableBank): NewCredentials {
  const { client_id, client_secret, certificate, certificate_key, certificate_password } = draft;
  if (bank.certificate === 'none' || certificate === null) return { client_id, client_secret };
  return {
    client_id,
    client_secret,
    certificate: certificate.base64,
    ...(needsKeyFile(draft) && certificate_key !== null && { certificate_key: certificate_key.base64 }),
    ...(mayNeedPassword(draft) && certificate_password !== '' && { certificate_password }),
  };
}

/** A new connection as it is sent. */
export function connectionOf(draft: CredentialsDraft, bank: ConnectableBank) {
  const { name, pix_key, debit_account } = draft;
  const isEntered = `${debit_account.branch}${debit_account.number}`.trim() !== '';
  return {
    ...{ bank: bank.id, name, pix_key },
    ...credentialsOf(draft, bank),
    ...(bank.needsDebitAccount && isEntered && { debit_account: debitAccountFrom(debit_account) }),
  };
}

/** The errors of a new connection, before it is sent. */
export function connectionProblems(draft: CredentialsDraft, bank: ConnectableBank): CredentialsProblems {
  return {
    ...messagesOf(newConnection.safeParse(connectionOf(draft, bank))),
    ...certificateProblems(draft, bank),
  };
}

/** Credentials that replace others, as they are sent, with the corrected key of an account that was never used. */
export function replacingCredentialsOf(draft: CredentialsDraft, bank: ConnectableBank): ReplacingCredentials {
  return { ...credentialsOf(draft, bank), ...(draft.pix_key !== '' && { pix_key: draft.pix_key }) };
}

/** The errors of credentials that are to replace others. */
export function credentialsProblems(draft: CredentialsDraft, bank: ConnectableBank): CredentialsProblems {
  return {
    ...messagesOf(replacingCredentials.safeParse(replacingCredentialsOf(draft, bank))),
    ...certificateProblems(draft, bank),
  };
}

function certificateProblems(draft: CredentialsDraft, bank: ConnectableBank): CredentialsProblems {
  if (bank.certificate === 'none') return {};
  const { certificate, certificate_key } = draft;
  if (certificate === null)
    return bank.certificate === 'required' ? { certificate: 'Envie o certificado que o banco emitiu.' } : {};
  if (certificate.problem !== undefined) return { certificate: certificate.problem };
  if (!certificate.hasCertificate)
    return {
      certificate: 'Este arquivo tem só a chave. Envie aqui o certificado, e a chave no campo abaixo.',
    };
  if (!needsKeyFile(draft)) return {};
  if (certificate_key === null) return { certificate_key: 'Envie também a chave deste certificado.' };
  if (certificate_key.problem !== undefined) return { certificate_key: certificate_key.problem };
  return certificate_key.hasKey ? {} : { certificate_key: 'Este arquivo não tem a chave do certificado.' };
}

type ParseResult = {
  error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined;
};

/** The first message about each field, by the last part of its name. */
export function messagesOf({ error }: ParseResult): { [field: string]: string } {
  const issues = error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path.at(-1)), message]));
}

/** The error of the field that the gateway refused; undefined for an error that is about no field. */
export function refusedFieldOf(error: unknown, failure: string): CredentialsProblems | undefined {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'PIX_KEY_INVALID' || code === 'PIX_KEY_TAKEN') return { pix_key: errorText(error, failure) };
  return code === 'CERTIFICATE_REQUIRED' || code === 'CERTIFICATE_INVALID'
    ? { certificate: errorText(error, failure) }
    : undefined;
}
