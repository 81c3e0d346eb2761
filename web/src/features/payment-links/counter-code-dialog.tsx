import type { CounterCode } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { formatDateTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { buttonClass, CopyButton, type Fact, Facts } from '../../ui/index.ts';
import { LatestPayments } from './latest-payments.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { OfferUnavailableDialog } from './offer-unavailable-dialog.tsx';
import { brlText, CounterCodeStateBadge } from './offer-words.tsx';
import { counterCodeActions, counterCodeQuery } from './offers-queries.ts';

type CounterCodeDialogProps = {
  id: string;
  /** The code from the loaded list; undefined when the list does not have it. */
  listedCode: CounterCode | undefined;
  /** True when the code was created just now. */
  isNew: boolean;
  /** Whether it is paid into the operator's account, while the merchant is paid into their own. */
  isAtOperator: boolean;
  onEdit: (code: CounterCode) => void;
  onClose: () => void;
};

/**
 * The detail of the counter code whose id is in the URL. The code is taken from the loaded list, or fetched if the list
 * does not have it.
 */
export function CounterCodeDialog({
  id,
  listedCode,
  isNew,
  isAtOperator,
  onEdit,
  onClose,
}: CounterCodeDialogProps) {
  const fetched = useQuery({ ...counterCodeQuery(id), enabled: listedCode === undefined });
  const code = listedCode ?? fetched.data;
  if (code === undefined)
    return (
      <OfferUnavailableDialog
        title="QR Code do balcão"
        query={fetched}
        notFoundText="Este QR Code não foi encontrado na sua conta."
        onClose={onClose}
      />
    );
  return (
    <CodeDetail
      code={code}
      isNew={isNew}
      isAtOperator={isAtOperator}
      onEdit={() => onEdit(code)}
      onClose={onClose}
    />
  );
}

type CodeDetailProps = {
  code: CounterCode;
  isNew: boolean;
  isAtOperator: boolean;
  onEdit: () => void;
  onClose: () => void;
};

const texts = {
  turnedOn: 'QR Code ligado',
  turnedOff: 'QR Code desligado',
  offConsequence:
    'A página para imprimir passa a dizer que ele foi desligado. Um código que já está impresso continua podendo ser pago, e o que chegar por ele é creditado na sua conta: recolha as cópias.',
  failure: 'Erro ao desligar o QR Code. Tente novamente.',
};

const textsAtOperator = {
  ...texts,
  offConsequence:
    'A página para imprimir passa a dizer que ele foi desligado. Um código que já está impresso continua podendo ser pago, e o que chegar por ele cai na conta do operador, menos a tarifa: recolha as cópias.',
};

/** A counter code, ready to be printed, with its latest payments. */
function CodeDetail({ code, isNew, isAtOperator, onEdit, onClose }: CodeDetailProps) {
  const { name, active, text, print_url } = code;
  return (
    <OfferDialog
      title={isNew ? 'QR Code criado' : 'QR Code do balcão'}
      offer={code}
      name={name}
      stateBadge={<CounterCodeStateBadge code={code} />}
      setActive={(isActive) => counterCodeActions.setActive(code, isActive)}
      refetch={counterCodeActions.refetch}
      texts={isAtOperator ? textsAtOperator : texts}
      canTurnOn={!isAtOperator}
      onEdit={onEdit}
      onClose={onClose}
    >
      {isAtOperator ? (
        <p className="mt-0.5 text-muted">
          Um Pix pago nele cai na conta do operador, menos a tarifa, e não na sua conta. Recolha as cópias.
        </p>
      ) : (
        !active && (
          <p className="mt-0.5 text-muted">
            Um código já impresso ainda pode ser pago, e o que chegar é creditado na sua conta.
          </p>
        )
      )}
      <div className="mt-4 grid gap-4 rounded-box bg-base-200 p-4 md:grid-cols-[10rem_minmax(0,1fr)] md:items-center">
        <QrCode
          content={text}
          alt="QR Code Pix para pagar no balcão"
          className="mx-auto w-full max-w-60 max-md:order-last md:p-3!"
        />
        <div className="grid gap-2">
          {active && !isAtOperator && (
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
      <Facts className="mt-4" bordered={false} facts={factsOf(code)} />
      {code.payments > 0 && <LatestPayments origin={{ counter_code_id: code.id }} />}
    </OfferDialog>
  );
}

function factsOf({ payments, received, created_at }: CounterCode): Fact[] {
  return [
    { label: 'Pagamentos', value: formatCount(payments) },
    { label: 'Recebido', value: brlText(received), strong: true },
    { label: 'Criado em', value: formatDateTime(created_at) },
  ];
}
