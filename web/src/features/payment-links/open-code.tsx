import type { CounterCode } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { formatDateTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { buttonClass, CopyButton, type Fact, Facts } from '../../ui/index.ts';
import { LatestPayments } from './latest-payments.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { OfferNotThere } from './offer-not-there.tsx';
import { CodeState, money } from './offer-words.tsx';
import { codeActions, codeQuery } from './offers-queries.ts';

type OpenCodeProps = {
  id: string;
  /** As the list has it, if it does. */
  listed: CounterCode | undefined;
  /** It was made just now. */
  isNew: boolean;
  onEdit: (code: CounterCode) => void;
  onClose: () => void;
};

/** The counter code that the address names: from the list, else asked for. */
export function OpenCode({ id, listed, isNew, onEdit, onClose }: OpenCodeProps) {
  const asked = useQuery({ ...codeQuery(id), enabled: listed === undefined });
  const code = listed ?? asked.data;
  if (code === undefined)
    return (
      <OfferNotThere
        title="QR Code do balcão"
        query={asked}
        unknown="Este QR Code não foi encontrado na sua conta."
        onClose={onClose}
      />
    );
  return <CodeDetail of={code} isNew={isNew} onEdit={() => onEdit(code)} onClose={onClose} />;
}

type CodeDetailProps = { of: CounterCode; isNew: boolean; onEdit: () => void; onClose: () => void };

const words = {
  turnedOn: 'QR Code ligado',
  turnedOff: 'QR Code desligado',
  off: 'A página para imprimir passa a dizer que ele foi desligado. Um código que já está impresso continua podendo ser pago, e o que chegar por ele é creditado na sua conta: recolha as cópias.',
  failure: 'Erro ao desligar o QR Code. Tente novamente.',
};

/** A counter code, ready to be printed, and how it does. */
function CodeDetail({ of, isNew, onEdit, onClose }: CodeDetailProps) {
  const { name, active, text, print_url } = of;
  return (
    <OfferDialog
      title={isNew ? 'QR Code criado' : 'QR Code do balcão'}
      of={of}
      name={name}
      state={<CodeState of={of} />}
      turn={(on) => codeActions.turn(of, on)}
      readAgain={codeActions.readAgain}
      words={words}
      onEdit={onEdit}
      onClose={onClose}
    >
      {!active && (
        <p className="mt-0.5 text-muted">
          Um código já impresso ainda pode ser pago, e o que chegar é creditado na sua conta.
        </p>
      )}
      <div className="mt-4 grid gap-4 rounded-box bg-base-200 p-4 md:grid-cols-[10rem_minmax(0,1fr)] md:items-center">
        <QrCode
          content={text}
          alt="QR Code Pix para pagar no balcão"
          className="mx-auto w-full max-w-60 max-md:order-last md:p-3!"
        />
        <div className="grid gap-2">
          {active && (
            <a
              href={print_url}
              target="_blank"
              rel="noopener"
              className={buttonClass({ variant: 'primary', block: true })}
            >
              <Printer className="size-4" strokeWidth={1.75} aria-hidden="true" />
              Imprimir
            </a>
          )}
          <CopyButton block text={text} label="Copiar código Pix" />
        </div>
      </div>
      <Facts className="mt-4" bordered={false} facts={factsOf(of)} />
      {of.payments > 0 && <LatestPayments cameBy={{ counter_code_id: of.id }} />}
    </OfferDialog>
  );
}

function factsOf({ payments, received, created_at }: CounterCode): Fact[] {
  return [
    { label: 'Pagamentos', value: formatCount(payments) },
    { label: 'Recebido', value: money(received), strong: true },
    { label: 'Criado em', value: formatDateTime(created_at) },
  ];
}
