import type { CounterPage } from '@jangada/contract';
import { Printer } from 'lucide-react';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { CodeWell } from '../ui/facts.tsx';
import { CardPage, MessageCard } from './card-page.tsx';
import { QrCode } from './qr-code.tsx';

/** The page of a counter code: a QR code that a merchant prints for the counter of a shop, for any number of payers. */
export function CounterView({ page }: { page: CounterPage }) {
  return (
    <CardPage payee={page.payee}>
      {page.active ? <PrintableCode page={page} /> : <SwitchedOffCode page={page} />}
    </CardPage>
  );
}

function PrintableCode({ page: { name, amountCents, code } }: { page: CounterPage }) {
  return (
    <div className="grid justify-items-center text-center">
      <h1 className="text-lg font-strong" tabIndex={-1}>
        Pague com Pix
      </h1>
      <p className="text-sm text-muted wrap-anywhere">{name}</p>
      {amountCents !== null && (
        <p className="mt-2 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(amountCents)}
        </p>
      )}
      <QrCode code={code} className="mt-5 w-full max-w-80" />
      <p className="mt-5 text-base text-balance">
        Abra o aplicativo do seu banco, escolha Pix e aponte a câmera para o QR Code.
        {amountCents === null && ' Digite o valor combinado.'}
      </p>
      <div className="mt-6 w-full text-left print:hidden">
        <p className="mb-1.5 text-xs font-medium text-muted">Pix Copia e Cola</p>
        <CodeWell label="Código Pix Copia e Cola">{code}</CodeWell>
      </div>
      <button
        type="button"
        className={`${buttonClass({ size: 'large' })} mt-6 print:hidden`}
        data-print
        hidden
      >
        <Printer className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        Imprimir
      </button>
    </div>
  );
}

function SwitchedOffCode({ page: { name, payee } }: { page: CounterPage }) {
  return (
    <>
      <p className="mb-6 text-center text-base font-strong wrap-anywhere">{name}</p>
      <MessageCard drawing={<Drawing name="failed-to-load" />} title="Este QR Code foi desligado">
        Para pagar, peça outro código a {payee.name}. Se você já pagou com ele, o valor será reconhecido.
      </MessageCard>
    </>
  );
}
