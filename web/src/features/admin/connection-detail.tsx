import {
  type AdminConnection,
  adminResumeConnection,
  adminSetAddresses,
  adminSuspendConnection,
} from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { paths } from '../../app/paths.ts';
import { formatDate, formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { asSentence } from '../../format/sentence.ts';
import { Link } from '../../navigation/index.ts';
import { CheckSteps, checkSentence } from '../../panel/bank/check-steps.tsx';
import { ConnectionBadge } from '../../panel/bank/connection-badge.tsx';
import { certificateWarning } from '../../panel/bank/connection-words.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { urlIdFrom } from '../../panel/url-params.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, Code, Dialog, type Fact, Facts, Notice } from '../../ui/index.ts';
import { AddressesDialog } from './addresses-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

const MINUTE_MS = 60_000;

/** The action whose dialog is open. */
type OperatorAction = 'suspend' | 'resume' | 'addresses';
type DetailProps = { connection: AdminConnection; onClose: () => void };

/**
 * One account of a merchant at a bank. An administrator suspends it, lets it go on, and enters the addresses of a bank
 * that the gateway does not know. Nobody but the merchant connects, activates or removes it.
 */
export function AdminConnectionDetail({ connection, onClose }: DetailProps) {
  const [action, setAction] = useState<OperatorAction>();
  const closeAction = () => setAction(undefined);
  const params = { id: connection.id };
  if (action === 'suspend')
    return (
      <ReasonDialog
        {...reasonProps}
        title="Suspender conta?"
        submitLabel="Suspender"
        danger
        onSend={(reason) => call(adminSuspendConnection, { params, body: { reason } })}
        successMessage="Conta suspensa."
        failure="Erro ao suspender a conta. Tente novamente."
        onClose={closeAction}
      >
        <p className="text-muted">
          Nada novo pode ser recebido nela até você a reativar. O que começou nela continua.{' '}
          {connection.merchant.name} vê o motivo.
        </p>
      </ReasonDialog>
    );
  if (action === 'resume')
    return (
      <ReasonDialog
        {...reasonProps}
        label="O que foi conferido"
        title="Reativar conta?"
        submitLabel="Reativar"
        onSend={(reason) => call(adminResumeConnection, { params, body: { reason } })}
        successMessage="Conta reativada."
        failure="Erro ao reativar a conta. Tente novamente."
        onClose={closeAction}
      >
        <p className="text-muted">
          A conta volta a receber como antes. Suspensa por:{' '}
          <span className="wrap-anywhere text-base-content">{connection.suspended?.reason}</span>
        </p>
      </ReasonDialog>
    );
  if (action === 'addresses')
    return (
      <AddressesDialog
        connection={connection}
        onSend={(body) => call(adminSetAddresses, { params, body })}
        onClose={closeAction}
      />
    );
  return <Detail connection={connection} onAction={setAction} onClose={onClose} />;
}

const reasonProps = {
  label: 'Motivo',
  minLength: 5,
  maxLength: 500,
  tooShortError: 'Informe o motivo, com pelo menos 5 letras.',
};

function Detail({
  connection,
  onAction,
  onClose,
}: DetailProps & { onAction: (action: OperatorAction) => void }) {
  const now = useNow(true, MINUTE_MS);
  const { state, suspended, awaits_addresses, api_url, check } = connection;
  const canSuspend = state === 'active';
  const hasOwnAddresses = awaits_addresses || api_url !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Conta bancária"
      footerStart={
        canSuspend ? (
          <Button variant="danger" onClick={() => onAction('suspend')}>
            Suspender
          </Button>
        ) : undefined
      }
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {suspended?.by === 'operator' && (
            <Button variant="primary" onClick={() => onAction('resume')}>
              Reativar
            </Button>
          )}
          {hasOwnAddresses && state === 'draft' && (
            <Button variant={awaits_addresses ? 'primary' : 'line'} onClick={() => onAction('addresses')}>
              {awaits_addresses ? 'Informar endereços' : 'Mudar endereços'}
            </Button>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-base font-strong wrap-anywhere">{connection.bank_name}</p>
        <ConnectionBadge connection={connection} />
      </div>
      <StateNotice connection={connection} now={now} />
      <Facts facts={factsOf(connection, now)} />
      {check !== null && (
        <section aria-labelledby="connection-check" className="mt-6">
          <h3 id="connection-check" className="font-strong">
            {check.ofNewCredentials ? 'Verificação das novas credenciais' : 'Verificação'}
          </h3>
          <p className="mt-1 mb-3 text-muted">{checkSentence(check)}</p>
          <CheckSteps check={check} />
        </section>
      )}
    </Dialog>
  );
}

const suspendedTitles = {
  operator: 'Suspensa por um administrador.',
  merchant: 'Suspensa pelo lojista.',
  certificate: 'Suspensa porque o certificado venceu.',
} as const;

/** The remark about the account that matters most to an administrator. */
function StateNotice({ connection, now }: { connection: AdminConnection; now: number }) {
  const { suspended, broken, awaits_addresses } = connection;
  if (suspended !== null)
    return (
      <Notice
        tone={suspended.by === 'operator' ? 'warning' : 'info'}
        className="mb-4"
        title={suspendedTitles[suspended.by]}
      >
        {suspended.reason === '' ? undefined : (
          <span className="wrap-anywhere">{asSentence(suspended.reason)}</span>
        )}
      </Notice>
    );
  if (broken !== null)
    return (
      <Notice
        tone="error"
        announced={false}
        className="mb-4"
        title={`Nada funciona desde ${formatDateAtTime(broken.since)}.`}
      >
        <span className="wrap-anywhere">{asSentence(broken.reason)}</span> O lojista foi avisado.
      </Notice>
    );
  if (awaits_addresses)
    return (
      <Notice tone="warning" className="mb-4" title="Faltam os endereços do banco.">
        O lojista só pode verificar a conta depois que você os informar.
      </Notice>
    );
  const expiry = certificateWarning(connection, now);
  return expiry === undefined ? null : (
    <Notice tone="warning" className="mb-4" title="O certificado precisa ser trocado.">
      {asSentence(expiry)} Só o lojista pode enviar outro.
    </Notice>
  );
}

function factsOf(connection: AdminConnection, now: number): Fact[] {
  const { merchant, name, pix_key, client_id, certificate, last_answer_at, api_url, token_url } = connection;
  const userId = urlIdFrom(merchant.id);
  const expiryWarning = certificateWarning(connection, now);
  return [
    {
      label: 'Lojista',
      value: (
        <Link to={paths.adminUsers} search={userId === undefined ? {} : { id: userId }} className="link">
          {merchant.name}
        </Link>
      ),
    },
    ...(name === '' ? [] : [{ label: 'Nome da conta', value: name }]),
    { label: 'Chave Pix', value: <CopyableText text={pix_key} label="Copiar chave Pix" /> },
    { label: 'Client ID', value: client_id === null ? 'Apagado' : <Code>{client_id}…</Code> },
    ...(certificate === null
      ? []
      : [
          { label: 'Certificado de', value: certificate.holder },
          {
            label: 'Vence em',
            value: (
              <span className={expiryWarning === undefined ? undefined : 'font-medium text-warning'}>
                {formatDate(certificate.expires_at)}
              </span>
            ),
          },
        ]),
    ...(api_url === null ? [] : [{ label: 'API Pix', value: <Code className="break-all">{api_url}</Code> }]),
    ...(token_url === null
      ? []
      : [{ label: 'Token', value: <Code className="break-all">{token_url}</Code> }]),
    {
      label: 'Última resposta',
      value: last_answer_at === null ? 'Ainda não respondeu com sucesso' : formatDateTime(last_answer_at),
    },
    { label: 'Cadastrada em', value: formatDateTime(connection.created_at) },
  ];
}
