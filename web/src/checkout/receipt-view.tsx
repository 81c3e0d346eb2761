import type { ReceiptPage } from '@jangada/contract';
import { Printer } from 'lucide-react';
import { formatCalendarDay, formatDateTimeToSecond } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { dueFacts } from './due-facts.ts';
import { ReceiptFacts } from './receipt-facts.tsx';

/** The receipt of a paid charge: what was paid, to whom and by whom. The payer can print it. */
export function ReceiptView({ page }: { page: ReceiptPage }) {
  const { payee, payer, refundedCents } = page;
  return (
    <CardPage payee={payee}>
      <h1 className="text-lg font-strong" tabIndex={-1}>
        Comprovante de Pix
      </h1>
      <p className="mt-4 text-sm text-muted">Valor pago</p>
      <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
        {formatMoney(page.amountCents)}
      </p>
      <ReceiptFacts
        facts={[
          ['Pago em', formatDateTimeToSecond(page.paidAt)],
          ['Vencimento', page.due && formatCalendarDay(page.due.dueDate)],
          ...(page.due === null ? [] : dueFacts(page.due)),
          ['Devolvido', refundedCents === 0 ? null : formatMoney(refundedCents)],
          ['Descrição', page.description],
          ['Recebedor', payee.legalName],
          [payee.document?.type ?? '', payee.document?.text ?? null],
          ['Conta mantida por', page.institution],
          ['Pagador', payer.name],
          ['Documento do pagador', payer.document],
          ['Identificador', page.id],
          ['Autenticação', page.endToEndId],
        ]}
      />
      {refundedCents > 0 && (
        <p className="mt-4 text-sm text-muted">O valor devolvido volta para a conta de onde o Pix saiu.</p>
      )}
      {/* The page's script shows the button. Its space is reserved, so that nothing shifts. */}
      <div className="mt-6 flex min-h-12 flex-wrap gap-3 print:hidden">
        <button
          type="button"
          className={`${buttonClass({ size: 'large' })} max-[18rem]:h-auto max-[18rem]:max-w-full max-[18rem]:py-2 max-[18rem]:whitespace-normal`}
          data-print
          hidden
        >
          <Printer className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
          Imprimir ou salvar em PDF
        </button>
      </div>
    </CardPage>
  );
}
