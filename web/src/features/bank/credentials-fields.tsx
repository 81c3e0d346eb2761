import type { ConnectableBank } from '@jangada/contract';
import { PasswordField, TextField } from '../../ui/index.ts';
import { CertificateField } from './certificate-field.tsx';
import {
  type CredentialsDraft,
  type CredentialsProblems,
  mayNeedPassword,
  needsKeyFile,
} from './credentials-draft.ts';

type CredentialsFieldsProps = {
  bank: ConnectableBank;
  draft: CredentialsDraft;
  problems: CredentialsProblems;
  onChange: (fields: Partial<CredentialsDraft>) => void;
  /** True when the first of these fields gets the focus of its dialog. */
  isFirst?: boolean;
};

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** The fields for what a bank gives out to its customer's systems: client id and secret, and a certificate. */
export function CredentialsFields(props: CredentialsFieldsProps) {
  const { bank, draft, problems, onChange, isFirst = false } = props;
  return (
    <>
      <TextField
        label="Client ID"
        name="client_id"
        data-autofocus={isFirst || undefined}
        {...plain}
        fieldClassName="font-mono"
        value={draft.client_id}
        error={problems.client_id}
        onChange={(event) => onChange({ client_id: event.currentTarget.value })}
      />
      <PasswordField
        label="Client Secret"
        name="client_secret"
        secretName="Client Secret"
        hint="Guardado cifrado. Depois de enviado, ninguém mais o lê, nem aqui."
        // A password manager would offer the password of this site.
        autoComplete="off"
        data-1p-ignore=""
        value={draft.client_secret}
        error={problems.client_secret}
        onChange={(event) => onChange({ client_secret: event.currentTarget.value })}
      />
      {bank.certificate !== 'none' && (
        <>
          <CertificateField
            label={bank.certificate === 'optional' ? 'Certificado (opcional)' : 'Certificado'}
            hint={
              bank.certificate === 'optional'
                ? 'Se o banco emitiu um, envie o arquivo: .p12 ou .pfx, ou .pem ou .crt.'
                : 'O arquivo que o banco emitiu: .p12 ou .pfx, ou .pem ou .crt.'
            }
            file={draft.certificate}
            error={problems.certificate}
            onFile={(certificate) => onChange({ certificate, certificate_password: '' })}
          />
          {needsKeyFile(draft) && (
            <CertificateField
              label="Chave do certificado"
              hint="O arquivo .key, ou .pem, que nasceu com o certificado."
              file={draft.certificate_key}
              error={problems.certificate_key}
              onFile={(certificate_key) => onChange({ certificate_key })}
            />
          )}
          {mayNeedPassword(draft) && (
            <PasswordField
              label="Senha do certificado"
              name="certificate_password"
              secretName="senha do certificado"
              hint="Deixe em branco se o arquivo não tem senha."
              autoComplete="off"
              data-1p-ignore=""
              value={draft.certificate_password}
              error={problems.certificate_password}
              onChange={(event) => onChange({ certificate_password: event.currentTarget.value })}
            />
          )}
        </>
      )}
    </>
  );
}
