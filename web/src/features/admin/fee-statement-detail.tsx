import { type AdminFeeStatement, adminMarkFeeStatementPaid } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { FeeBadge, formatMonth, monthTitle } from '../../panel/fees/fee-parts.tsx';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, type Fact, Facts } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';

const REFERENCE_MIN_LENGTH = 5;
const REFERENCE_MAX_LENGTH = 200;

type DetailProps = { statement: AdminFeeStatement; onClose: () => void };

/** One fee statement of a merchant. An administrator marks it as paid when the money came by other means than its Pix. */
export function FeeStatementDetail({ statement, onClose }: DetailProps) {
  const [isMarking, setMarking] = useState(false);
  const isOwn = useSession(({ user }) => user?.id) === statement.merchant.id;
  if (isMarking) return <MarkPaidDialog statement={statement} onClose={() => setMarking(false)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Fatura de tarifas"
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {statement.status === 'open' && !isOwn && (
            <Button variant="primary" onClick={() => setMarking(true)}>
              Marcar como paga
            </Button>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(centsOf(statement.amount))}
        </p>
        <FeeBadge {...statement} />
      </div>
      <Facts facts={factsOf(statement)} />
    </Dialog>
  );
}

function factsOf(statement: AdminFeeStatement): Fact[] {
  const { merchant, paid_at, end_to_end_id, paid_reference } = statement;
  return [
    { label: 'Lojista', value: `${merchant.name} (${merchant.username})` },
    { label: 'Mês', value: monthTitle(statement.month) },
    { label: 'Número', value: <CopyableText text={statement.number} label="Copiar número" /> },
    { label: 'Tarifas', value: formatCount(statement.fees) },
    { label: 'Fechada em', value: formatDateTime(statement.closed_at) },
    { label: 'Vencimento', value: formatCalendarDay(statement.due_on) },
    ...(paid_at === null
      ? [{ label: 'Novas cobranças param em', value: formatCalendarDay(statement.stops_on) }]
      : [{ label: 'Paga em', value: formatDateTime(paid_at) }]),
    ...(end_to_end_id === null
      ? []
      : [{ label: 'EndToEndId', value: <CopyableText text={end_to_end_id} label="Copiar EndToEndId" /> }]),
    ...(paid_reference === null ? [] : [{ label: 'Referência', value: paid_reference }]),
  ];
}

function MarkPaidDialog({ statement, onClose }: DetailProps) {
  const { id, amount, month, merchant } = statement;
  return (
    <ReasonDialog
      title="Marcar como paga?"
      label="Referência do pagamento"
      hint="O que identifica o comprovante, como o número da transferência. Fica na fatura e no registro de auditoria."
      minLength={REFERENCE_MIN_LENGTH}
      maxLength={REFERENCE_MAX_LENGTH}
      tooShortError="Diga como foi pago, com a referência do comprovante."
      submitLabel="Marcar como paga"
      onSend={(reference) => call(adminMarkFeeStatementPaid, { params: { id }, body: { reference } })}
      successMessage="Fatura marcada como paga."
      failure="Erro ao marcar a fatura. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {merchant.name} pagou {formatMoney(centsOf(amount))} de {formatMonth(month)} por outro meio, fora da
        conta do gateway no banco. Um Pix pelo código da fatura é reconhecido sozinho. Isto não se desfaz.
      </p>
    </ReasonDialog>
  );
}
