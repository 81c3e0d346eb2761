import type { FeeStatementDetail, FeeStatementPix } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { QrCode as QrCodeIcon } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateAtTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { TestBankLink } from '../../panel/charge/test-bank-link.tsx';
import { formatMonth } from '../../panel/fees/fee-parts.tsx';
import { useNow } from '../../panel/use-now.ts';
import { useMay } from '../../session/account.ts';
import { Button, CodeWell, CopyButton, PaidSail, Panel } from '../../ui/index.ts';
import { makeCode } from './fees-queries.ts';

const MINUTE_MS = 60_000;

/** How to pay a statement: the button that makes a code, or the code. It turns to *Paga* by itself when the Pix comes. */
export function PayPanel({ statement }: { statement: FeeStatementDetail }) {
  const now = useNow(statement.pix !== null, MINUTE_MS);
  const isValid = statement.pix !== null && Date.parse(statement.pix.expires_at) > now;
  return (
    <Panel flush className="overflow-hidden" label="Como pagar">
      {isValid && statement.pix !== null ? (
        <PixCode statement={statement} pix={statement.pix} />
      ) : (
        <MakeCode statement={statement} />
      )}
    </Panel>
  );
}

function Amount({ statement: { amount } }: { statement: FeeStatementDetail }) {
  return (
    <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
      {formatMoney(centsOf(amount))}
    </p>
  );
}

function dueSentence({ due_on, stops_on, is_overdue }: FeeStatementDetail): string {
  return is_overdue
    ? `Venceu em ${formatCalendarDay(due_on)}. Sem o pagamento, novas cobranças são recusadas a partir de ${formatCalendarDay(stops_on)}.`
    : `Vence em ${formatCalendarDay(due_on)}.`;
}

function MakeCode({ statement }: { statement: FeeStatementDetail }) {
  const mayPay = useMay('pay-fees');
  const making = useMutation({ mutationFn: () => makeCode(statement.id) });
  return (
    <div className="p-4 md:p-10">
      <p className="text-muted">A pagar</p>
      <Amount statement={statement} />
      <p className="mt-3">{dueSentence(statement)}</p>
      {mayPay && (
        <Button
          variant="primary"
          size="large"
          className="mt-5 max-md:w-full"
          icon={<QrCodeIcon className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          isSending={making.isPending}
          sendingLabel="Gerando"
          onClick={() => making.mutate()}
        >
          Gerar código Pix
        </Button>
      )}
      {making.isError && (
        <p role="alert" className="mt-3 text-error">
          {errorText(making.error, 'Erro ao gerar o código. Tente novamente.')}
        </p>
      )}
    </div>
  );
}

function PixCode({ statement, pix }: { statement: FeeStatementDetail; pix: FeeStatementPix }) {
  return (
    <div className="flex flex-col-reverse md:grid md:grid-cols-[2fr_3fr]">
      <div className="grid items-center bg-base-200 p-4 max-md:border-t max-md:border-base-300 md:border-r md:border-base-300 md:p-8">
        <QrCode
          className="mx-auto w-full max-w-72"
          content={pix.content}
          alt="QR Code para pagar esta fatura"
        />
      </div>
      <div className="p-4 md:p-8">
        <p className="text-muted">Aguardando o Pix</p>
        <Amount statement={statement} />
        <p className="mt-3">{dueSentence(statement)}</p>
        <CopyButton
          variant="primary"
          size="large"
          className="mt-5 w-full"
          text={pix.content}
          label="Copiar código Pix"
        />
        <p className="mt-6 mb-1.5 text-xs font-medium text-muted">Pix Copia e Cola</p>
        <CodeWell label="Pix Copia e Cola">{pix.content}</CodeWell>
        <p className="mt-3 mb-3 text-muted">O código vale até {formatDateAtTime(pix.expires_at)}.</p>
        <TestBankLink pixCode={pix.content}>Pagar esta fatura no Banco Sandbox</TestBankLink>
      </div>
    </div>
  );
}

/** Says that a statement is paid, and how. */
export function PaidPanel({ statement }: { statement: FeeStatementDetail }) {
  const { month, paid_at, end_to_end_id: endToEndId } = statement;
  return (
    <Panel flush className="overflow-hidden md:grid md:grid-cols-[2fr_3fr]" label="Pagamento">
      <div className="grid place-content-center justify-items-center bg-success-tint px-4 py-8 text-center text-success md:border-r md:border-base-300">
        <PaidSail />
        <p className="mt-4 text-xl font-strong">Paga</p>
        <p className="tabular-nums">{formatDateAtTime(paid_at)}</p>
      </div>
      <div className="p-4 md:p-10">
        <p className="text-muted">Tarifas de {formatMonth(month)}</p>
        <Amount statement={statement} />
        <p className="mt-3">
          {endToEndId === null ? 'O operador registrou o pagamento por outro meio.' : 'Paga por Pix.'}
        </p>
      </div>
    </Panel>
  );
}
