import type { BankConnection } from '@jangada/contract';
import type { ReactNode } from 'react';
import { formatDateAtTime } from '../../format/date.ts';
import { asSentence } from '../../format/sentence.ts';
import { certificateWarning } from '../../panel/bank/connection-words.ts';
import { useMay } from '../../session/account.ts';
import { Button, Notice, type NoticeTone } from '../../ui/index.ts';
import type { ConnectionAction } from './connection-dialogs.tsx';

type ConnectionNoticeProps = {
  connection: BankConnection;
  now: number;
  onAction: (action: ConnectionAction) => void;
};

/** The most important problem of the account, and what the merchant can do about it. */
export function ConnectionNotice({ connection, now, onAction }: ConnectionNoticeProps) {
  const { state, suspended, broken, awaits_addresses, check } = connection;
  const mayManage = useMay('manage-account');
  const changeButton = mayManage && (
    <Button size="small" onClick={() => onAction('credentials')}>
      Alterar credenciais
    </Button>
  );
  const notice = (tone: NoticeTone, title: string, text: ReactNode, action?: ReactNode) => (
    <Notice tone={tone} className="mb-6" title={title} action={action}>
      {text}
    </Notice>
  );
  if (state === 'retired')
    return notice('info', 'Esta conta foi encerrada.', 'As credenciais foram apagadas; o histórico fica.');
  if (state === 'retiring')
    return notice(
      'info',
      'Encerrando.',
      'Nada novo pode ser recebido nela. Estornos e disputas do que já entrou seguem por até 90 dias; depois as credenciais são apagadas.',
    );
  if (suspended?.by === 'operator')
    return notice(
      'warning',
      'Suspensa pelo operador.',
      <>
        Motivo: <span className="wrap-anywhere">{asSentence(suspended.reason)}</span> Só ele a reativa. O que
        começou nela continua.
      </>,
    );
  if (suspended?.by === 'certificate')
    return notice(
      'warning',
      'Suspensa porque o certificado venceu.',
      'Peça outro ao banco e envie-o aqui. Quando a verificação passar, reative a conta.',
      changeButton,
    );
  if (suspended !== null)
    return notice(
      'info',
      'Suspensa por você.',
      'Nada novo pode ser recebido nela. O que começou nela continua.',
    );
  if (broken !== null)
    return notice(
      'error',
      `Nada funciona neste banco desde ${formatDateAtTime(broken.since)}.`,
      <>
        <span className="wrap-anywhere">{asSentence(broken.reason)}</span> Verifique de novo para ver qual
        passo falha. Se as credenciais mudaram no banco, envie as novas.
      </>,
      changeButton,
    );
  if (awaits_addresses)
    return notice(
      'info',
      'Falta o operador informar os endereços deste banco.',
      'Avise-o, se ele ainda não sabe. Depois disso você verifica a conta aqui.',
    );
  const expiry = certificateWarning(connection, now);
  if (expiry !== undefined)
    return notice(
      'warning',
      'Troque o certificado.',
      `${asSentence(expiry)} Peça outro ao banco e envie-o: o atual vale até o novo passar na verificação.`,
      changeButton,
    );
  if (state === 'draft' && check?.result === 'passed')
    return notice(
      'info',
      'Tudo certo no banco.',
      'Ative a conta para que as próximas cobranças entrem nela.',
    );
  return null;
}
