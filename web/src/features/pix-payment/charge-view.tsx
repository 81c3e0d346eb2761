import type { ReactNode } from 'react';
import { chargeBadge, wasCredited } from '../../format/charge-status.ts';
import { formatCountdown, formatDateAtTime, formatDateTime, formatDuration } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { billedFeeFact } from '../../panel/charge/billed-fee.ts';
import { DueSection } from '../../panel/charge/due-section.tsx';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import {
  Code,
  CodeWell,
  CopyButton,
  classNames,
  type Fact,
  Facts,
  PaidSail,
  Panel,
  StatusBadge,
  TimeBar,
  useIsNarrow,
} from '../../ui/index.ts';
import { type ChargeWithImage, hasCode } from './charge.ts';
import { type ChargeClock, secondsToPay } from './charge-clock.ts';
import { ChargeCode, ShareButton } from './charge-code.tsx';

type ChargeViewProps = {
  charge: ChargeWithImage;
  /** The time left; null when unknown. */
  clock: ChargeClock | null;
  /** True when the charge can no longer be paid, by its status or by this browser's clock. */
  isClosed: boolean;
  /** The button "Gerar outro", for a charge that can no longer be paid. */
  createAnother: ReactNode;
  /** The actions below the amount once the charge is paid. */
  afterPaid: ReactNode;
  /** A link to the test bank, where the charge can be paid; it renders nothing outside the test mode. */
  testBankLink: ReactNode;
};

/**
 * Shows a charge: its code on the left, its details on the right. The result of a paid charge appears in the same
 * frame, so that nothing shifts when the money arrives.
 */
export function ChargeView(props: ChargeViewProps) {
  const isNarrow = useIsNarrow();
  return (
    <Panel flush className="overflow-hidden md:grid md:min-h-156 md:grid-cols-[2fr_3fr]">
      {props.charge.status === 'paid' ? <PaidView {...props} /> : <CodeView {...props} isNarrow={isNarrow} />}
    </Panel>
  );
}

function PaidView({ charge, afterPaid }: ChargeViewProps) {
  const seconds = secondsToPay(charge.createdAt, charge.paidAt);
  return (
    <>
      <div className="grid place-content-center justify-items-center bg-success-tint px-4 py-8 text-center text-success md:border-r md:border-base-300">
        <PaidSail className="transition duration-140 ease-out starting:-translate-x-2 starting:opacity-0" />
        <p className="mt-4 text-xl font-strong">Pago</p>
        <p className="tabular-nums">{formatDateAtTime(charge.paidAt)}</p>
      </div>
      <div className="p-4 md:p-10">
        <div className="flex min-h-5.5 items-center justify-between gap-4">
          <p className="text-muted">
            {seconds === null ? 'Recebido' : `Recebido em ${formatDuration(seconds)}`}
          </p>
          <StatusBadge status="done">Pago</StatusBadge>
        </div>
        <Amount charge={charge} />
        <div className="mt-5 mb-6 flex gap-2 max-md:flex-col md:flex-wrap">{afterPaid}</div>
        <DueSection charge={charge} />
        <Facts bordered={false} className="border-t border-base-300" facts={factsOf(charge, false)} />
      </div>
    </>
  );
}

/**
 * Shows a charge that is not paid: its code and its details. A cover hides the code once the charge can no longer be
 * paid. On phones the code is below the amount.
 */
function CodeView({ isNarrow, ...props }: ChargeViewProps & { isNarrow: boolean }) {
  const { charge, clock, isClosed, createAnother, testBankLink } = props;
  const code = <ChargeCode charge={charge} isClosed={isClosed} createAnother={createAnother} />;
  const timeBar = clock && !isClosed && (
    <TimeBar fractionLeft={clock.fractionLeft} isUrgent={clock.isUrgent} className="mt-4 w-full" />
  );
  return (
    <>
      {!isNarrow && (
        <div className="grid items-center border-r border-base-300 bg-base-200 p-10">
          <div className="mx-auto w-full max-w-[22.875rem]">
            {code}
            {timeBar}
            {clock && !isClosed && (
              <p className="mt-2.5 flex justify-between text-muted">
                Expira em <TimeLeft clock={clock} />
              </p>
            )}
          </div>
        </div>
      )}
      <div className="p-4 md:p-10">
        <ChargeState charge={charge} clock={isNarrow ? clock : null} isClosed={isClosed} />
        <Amount charge={charge} />
        {isNarrow && timeBar}
        {isClosed && charge.status !== 'refunded' && hasCode(charge) && (
          <p className="mt-2 text-muted">Se o cliente já pagou, o valor será creditado.</p>
        )}
        {!isClosed && <CopyAndShare charge={charge} />}
        {isNarrow && <div className="mt-4">{code}</div>}
        {!isClosed && charge.content !== '' && (
          <>
            <p className="mt-6 mb-1.5 text-xs font-medium text-muted">Pix Copia e Cola</p>
            <CodeWell>{charge.content}</CodeWell>
          </>
        )}
        {(charge.due ?? charge.billedTo) !== undefined && (
          <div className="mt-6">
            <DueSection charge={charge} />
          </div>
        )}
        <Facts
          bordered={false}
          className="mt-6 mb-5 border-t border-base-300"
          facts={factsOf(charge, isClosed)}
        />
        {!isClosed && testBankLink}
      </div>
    </>
  );
}

function Amount({ charge }: { charge: ChargeWithImage }) {
  return (
    <p className="mt-2 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
      {formatMoney(charge.amountCents)}
    </p>
  );
}

function TimeLeft({ clock }: { clock: ChargeClock }) {
  return (
    <strong
      className={classNames(
        'font-strong tabular-nums',
        clock.isUrgent ? 'text-warning' : 'text-base-content',
      )}
    >
      {formatCountdown(clock.secondsLeft)}
    </strong>
  );
}

const closedTexts: Readonly<Record<string, string>> = {
  refunded: 'Foi pago e devolvido',
  error: 'Não foi criado no banco',
};

type ChargeStateProps = {
  charge: ChargeWithImage;
  /** The time left, shown instead of the status; null to show the status. */
  clock: ChargeClock | null;
  isClosed: boolean;
};

/**
 * The line above the amount. On the left it says that the Pix is awaited, or why the charge can no longer be paid; on
 * the right it shows the time left or the status.
 */
function ChargeState({ charge, clock, isClosed }: ChargeStateProps) {
  const { glyph, label } = chargeBadge(isClosed && charge.status === 'pending' ? 'expired' : charge.status);
  return (
    <div className="flex min-h-5.5 items-center max-[18rem]:flex-wrap justify-between gap-4">
      {isClosed ? (
        <p className="text-muted">{closedTexts[charge.status] ?? 'Não pode mais ser pago'}</p>
      ) : (
        <p className="flex items-center gap-2.5 text-muted">
          <span
            aria-hidden="true"
            className="grid size-4 place-items-center rounded-full border border-warning-glyph"
          >
            <span className="size-2 rounded-full bg-warning-glyph" />
          </span>
          Aguardando o Pix
        </p>
      )}
      {clock && !isClosed ? (
        <p className="text-muted">
          Expira em <TimeLeft clock={clock} />
        </p>
      ) : (
        <StatusBadge status={glyph}>{label}</StatusBadge>
      )}
    </div>
  );
}

/**
 * The rows of details. `isClosed` may be true while the status is still pending, because the charge has expired by this
 * browser's clock.
 */
function factsOf(charge: ChargeWithImage, isClosed: boolean): Fact[] {
  const fee = charge.amountCents - charge.creditedCents;
  const isNetKnown = charge.creditedCents > 0;
  const isCredited = wasCredited(charge.status);
  return [
    ...(charge.id === ''
      ? []
      : [
          {
            label: 'ID',
            value: (
              <>
                <Code>{shortId(charge.id)}</Code>
                <CopyButton iconOnly className="-mr-1.5" text={charge.id} label="Copiar ID" />
              </>
            ),
          },
        ]),
    { label: 'Criada em', value: formatDateTime(charge.createdAt) },
    ...endFacts(charge, isClosed),
    // No money arrived for this charge, so there is no fee and no net amount.
    ...(isClosed && !isCredited
      ? []
      : [
          charge.billedFeeCents !== null
            ? billedFeeFact(charge.billedFeeCents)
            : { label: 'Tarifa', value: formatDeduction(isNetKnown ? fee : null) },
          {
            label: netLabel(charge, isCredited),
            value: formatMoney(isNetKnown ? charge.creditedCents : null),
            strong: true,
          },
          ...(charge.reservedCents > 0
            ? [
                {
                  label: isCredited ? 'Foi para a reserva' : 'Vai para a reserva',
                  value: formatMoney(charge.reservedCents),
                },
              ]
            : []),
        ]),
  ];
}

function netLabel({ billedFeeCents }: ChargeWithImage, isCredited: boolean): string {
  if (billedFeeCents !== null) return isCredited ? 'Caiu na sua conta' : 'Cai na sua conta';
  return isCredited ? 'Você recebeu' : 'Você recebe';
}

/**
 * A row that says when the charge was paid or cancelled, or when it expires. A charge in error has no such row, because
 * the bank did not create it.
 */
function endFacts(charge: ChargeWithImage, isClosed: boolean): Fact[] {
  const { status, paidAt, cancelledAt, expiresAt, due } = charge;
  if (wasCredited(status)) return [{ label: 'Paga em', value: formatDateTime(paidAt) }];
  if (cancelledAt !== null) return [{ label: 'Cancelada em', value: formatDateTime(cancelledAt) }];
  // The section of the due date says until when an open charge can be paid.
  if (status === 'error' || (due !== undefined && !isClosed)) return [];
  return [{ label: isClosed ? 'Expirou em' : 'Expira em', value: formatDateTime(expiresAt) }];
}

function CopyAndShare({ charge }: { charge: ChargeWithImage }) {
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      {charge.content !== '' && (
        <CopyButton
          variant="primary"
          size="large"
          className="grow max-xl:w-full"
          text={charge.content}
          label="Copiar código Pix"
        />
      )}
      <SendToPayer charge={charge} />
    </div>
  );
}

/**
 * Buttons that send the payer the link of the checkout page. If the provider (the gateway behind the dashboard) has no
 * such page, one button sends the code itself.
 */
function SendToPayer({ charge }: { charge: ChargeWithImage }) {
  const { checkoutUrl, amountCents } = charge;
  if (checkoutUrl === null) return charge.content === '' ? null : <ShareButton charge={charge} />;
  const buttonProps = { size: 'large', className: 'max-xl:grow' } as const;
  return (
    <>
      <ShareLink {...buttonProps} url={checkoutUrl} text={`Pague ${formatMoney(amountCents)} com Pix:`} />
      <CopyLink {...buttonProps} url={checkoutUrl} />
    </>
  );
}
