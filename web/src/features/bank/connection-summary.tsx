import type { BankConnection, DebitAccount } from '@jangada/contract';
import { formatDate, formatDateTime } from '../../format/date.ts';
import { ConnectionBadge } from '../../panel/bank/connection-badge.tsx';
import { certificateWarning } from '../../panel/bank/connection-words.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { useMay } from '../../session/account.ts';
import { Button, Code, type Fact, Facts, Panel } from '../../ui/index.ts';
import type { ConnectionAction } from './connection-dialogs.tsx';
import { debitAccountTypes } from './debit-account-fields.tsx';

type ConnectionSummaryProps = {
  connection: BankConnection;
  now: number;
  onAction: (action: ConnectionAction) => void;
};

/** The facts about an account, and the actions that are not the page's main one. */
export function ConnectionSummary({ connection, now, onAction }: ConnectionSummaryProps) {
  const { state, awaits_addresses, check, recurring, debit_account } = connection;
  const mayManage = useMay('manage-account');
  return (
    <Panel well as="aside" label="Resumo" className="lg:order-last">
      <h2 className="font-strong">Resumo</h2>
      <Facts bordered={false} className="mt-2" facts={factsOf(connection, now)} />
      {state !== 'retired' && mayManage && (
        <div className="mt-4 flex flex-wrap gap-2">
          {!awaits_addresses && check?.result !== 'running' && (
            <Button size="small" onClick={() => onAction('credentials')}>
              Alterar credenciais
            </Button>
          )}
          {(recurring === 'needs-account' || debit_account !== null) && (
            <Button size="small" onClick={() => onAction('debit-account')}>
              Conta para débitos
            </Button>
          )}
          {state === 'active' && (
            <Button size="small" onClick={() => onAction('suspend')}>
              Suspender
            </Button>
          )}
          {state !== 'retiring' && (
            <Button size="small" variant="danger" onClick={() => onAction('retire')}>
              {state === 'draft' ? 'Remover' : 'Encerrar'}
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}

function factsOf(connection: BankConnection, now: number): Fact[] {
  const { bank_name, pix_key, client_id, certificate, last_answer_at, created_at } = connection;
  const { recurring, debit_account } = connection;
  const expiryWarning = certificateWarning(connection, now);
  return [
    { label: 'Estado', value: <ConnectionBadge connection={connection} /> },
    { label: 'Banco', value: bank_name },
    { label: 'Chave Pix', value: <CopyableText text={pix_key} label="Copiar chave Pix" /> },
    { label: 'Client ID', value: client_id === null ? 'Apagado' : <Code>{client_id}…</Code> },
    ...(certificate === null
      ? []
      : [
          { label: 'Certificado de', value: certificate.holder },
          {
            label: 'Vence em',
            value:
              expiryWarning === undefined ? (
                formatDate(certificate.expires_at)
              ) : (
                <span className="font-medium text-warning">{formatDate(certificate.expires_at)}</span>
              ),
          },
          {
            label: 'Impressão digital',
            value: <CopyableText text={certificate.fingerprint} label="Copiar impressão digital" />,
          },
        ]),
    { label: 'Pix Automático', value: recurringWords[recurring] },
    ...(debit_account === null
      ? []
      : [{ label: 'Débitos entram em', value: debitAccountText(debit_account) }]),
    {
      label: 'Última resposta',
      value: last_answer_at === null ? 'Ainda não respondeu com sucesso' : formatDateTime(last_answer_at),
    },
    { label: 'Cadastrada em', value: formatDateTime(created_at) },
  ];
}

const recurringWords: Readonly<Record<BankConnection['recurring'], string>> = {
  available: 'Disponível',
  'needs-account': 'Falta informar a conta para débitos',
  refused: 'O banco recusa: falta uma permissão',
  'not-offered': 'O banco não oferece por aqui',
};

function debitAccountText({ type, branch, number }: DebitAccount): string {
  return `${debitAccountTypes[type]} ${number}${branch === undefined ? '' : `, agência ${branch}`}`;
}
