import { type AdminDisputeDetail, adminDisputeFile } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateAtTime, formatDateTime, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { DefenceFileRow, phaseBadges, phaseOf } from '../../panel/dispute/dispute-parts.tsx';
import { type Fact, Facts, Notice, Panel, SectionHeader, StatusBadge } from '../../ui/index.ts';

type DisputeProps = { dispute: AdminDisputeDetail; now: number };

/**
 * One dispute, that is, a payer's claim through the banks' special return mechanism (MED): what the bank reports, the
 * amount that is blocked in the merchant's balance, and the merchant's defence.
 */
export function AdminDisputeView({ dispute, now }: DisputeProps) {
  const { status, defended_at: defendedAt, deadline, shortfall_amount, user, reason } = dispute;
  const phase = phaseOf({ status, defendedAt, deadline }, now);
  const { glyph, label } = phaseBadges[phase];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
        <section aria-label="O que foi contestado">
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
            <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
              {formatMoney(centsOf(dispute.amount))}
            </p>
            <StatusBadge status={glyph}>{label}</StatusBadge>
          </div>
          {user === null && status === 'open' && (
            <Notice tone="warning" className="mt-4" title="Este Pix não é de ninguém aqui.">
              Nada está bloqueado e ninguém defende: responda na página do banco antes do prazo.
            </Notice>
          )}
          {shortfall_amount > 0 && (
            <Notice
              tone="warning"
              className="mt-4"
              title={`Faltam ${formatMoney(centsOf(shortfall_amount))}.`}
            >
              O saldo do lojista não cobria tudo. O que entrar na conta dele cobre primeiro essa falta.
            </Notice>
          )}
        </section>
        {reason !== '' && (
          <section aria-labelledby="reason">
            <SectionHeader id="reason" title="O que o banco informou" />
            <p className="wrap-anywhere text-muted">{reason.charAt(0).toUpperCase() + reason.slice(1)}</p>
          </section>
        )}
        <Defence dispute={dispute} now={now} />
      </div>
      <Panel well as="aside" label="Resumo">
        <h2 className="font-strong">Resumo</h2>
        <Facts bordered={false} className="mt-2" facts={factsOf(dispute)} />
      </Panel>
    </div>
  );
}

function Defence({ dispute, now }: DisputeProps) {
  const { defence, defended_at, defence_sent_at, files, deadline, status, user } = dispute;
  return (
    <section aria-labelledby="defence">
      <SectionHeader id="defence" title="Defesa do lojista" />
      {defended_at === null ? (
        <p className="text-muted">
          {status !== 'open' || user === null
            ? 'Nenhuma defesa foi enviada.'
            : `Ainda não enviada: ${formatTimeLeft(deadline, now) ?? 'o prazo terminou'}.`}
        </p>
      ) : (
        <p className="text-muted">
          Enviada em {formatDateAtTime(defended_at)}.{' '}
          {defence_sent_at === null
            ? 'O banco ainda não a recebeu: é enviada de novo a cada minuto.'
            : `O banco a recebeu em ${formatDateAtTime(defence_sent_at)}.`}
        </p>
      )}
      {defence !== null && (
        <p className="mt-3 rounded-box border border-base-300 bg-base-200 p-4 wrap-anywhere whitespace-pre-wrap">
          {defence}
        </p>
      )}
      {files.length > 0 && (
        <>
          <ul
            className="mt-3 divide-y divide-base-300 border-y border-base-300"
            aria-label="Arquivos da defesa"
          >
            {files.map((file) => (
              <DefenceFileRow
                key={file.id}
                file={file}
                load={() =>
                  call(adminDisputeFile, {
                    params: { userId: dispute.user?.id ?? '0', id: dispute.id, fileId: file.id },
                  })
                }
              />
            ))}
          </ul>
          <p className="mt-2 text-xs text-muted">
            Cada arquivo baixado fica no registro de auditoria, com quem o baixou.
          </p>
        </>
      )}
    </section>
  );
}

function factsOf(dispute: AdminDisputeDetail): Fact[] {
  const { user, blocked_amount, shortfall_amount, returned_amount, payment_id, protocol } = dispute;
  return [
    { label: 'Lojista', value: <span className="wrap-anywhere">{user?.name ?? 'Ninguém ainda'}</span> },
    { label: 'Contestado', value: formatMoney(centsOf(dispute.amount)) },
    { label: 'Bloqueado', value: formatMoney(centsOf(blocked_amount)), strong: blocked_amount > 0 },
    ...(shortfall_amount > 0 ? [{ label: 'Descoberto', value: formatMoney(centsOf(shortfall_amount)) }] : []),
    ...(returned_amount > 0
      ? [{ label: 'Devolvido a quem pagou', value: formatMoney(centsOf(returned_amount)) }]
      : []),
    ...(protocol === ''
      ? []
      : [{ label: 'Protocolo', value: <CopyableText text={protocol} label="Copiar protocolo" /> }]),
    { label: 'EndToEndId', value: <CopyableText text={dispute.end_to_end_id} label="Copiar EndToEndId" /> },
    ...(payment_id === null
      ? []
      : [{ label: 'Pagamento', value: <CopyableText text={payment_id} label="Copiar ID do pagamento" /> }]),
    { label: 'Aberta em', value: formatDateTime(dispute.opened_at) },
    { label: 'Prazo da defesa', value: formatDateTime(dispute.deadline) },
    ...(dispute.resolved_at === null
      ? []
      : [{ label: 'Encerrada em', value: formatDateTime(dispute.resolved_at) }]),
  ];
}
