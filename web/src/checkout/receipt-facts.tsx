import { classNames } from '../ui/class-names.ts';

/** The facts of a receipt, each with a label and a value. A fact whose value is null is left out. */
export function ReceiptFacts({
  facts,
  className,
}: {
  facts: readonly (readonly [label: string, value: string | null])[];
  className?: string;
}) {
  return (
    <dl className={classNames('mt-4 divide-y divide-base-300 border-t border-base-300 text-sm', className)}>
      {facts.map(([label, value]) => value !== null && <Fact key={label} label={label} value={value} />)}
    </dl>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  // The identifier of a charge (txid) or of a Pix (endToEndId) is always placed below its label. Whether it fits beside
  // the label depends on a font that loads later, and the page would shift when that font arrives.
  const isPaymentId = /^[0-9A-Za-z]{32,35}$/.test(value);
  // A date, an amount or a document number stays on one line: a text without letters, or an amount in reais.
  const isFigure = /^[^\p{L}]+$|R\$/u.test(value);
  return (
    <div
      className={classNames(
        'flex min-h-9.25 items-baseline justify-between gap-x-4 py-2',
        isPaymentId && 'flex-wrap',
      )}
    >
      <dt className="max-w-1/2 shrink-0 text-muted">{label}</dt>
      <dd
        className={classNames(
          'ml-auto text-right wrap-anywhere tabular-nums',
          isFigure && 'whitespace-nowrap',
          isPaymentId && 'basis-full font-mono text-xs leading-5',
        )}
      >
        {/* A name from a bank may be in a script that is written from right to left. */}
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
