import { classNames } from '../ui/class-names.ts';

/** Label left, value right; a long name runs over several lines. What is missing is left out. */
export function ReceiptFacts({
  facts,
  className,
}: {
  facts: readonly (readonly [label: string, value: string | null])[];
  className?: string;
}) {
  return (
    <dl className={classNames('mt-4 divide-y divide-base-300 border-t border-base-300 text-sm', className)}>
      {facts.map(
        ([label, value]) =>
          value !== null && (
            <div key={label} className="flex min-h-9.25 items-baseline justify-between gap-x-4 py-2">
              <dt className="shrink-0 text-muted">{label}</dt>
              <dd
                className={classNames(
                  'text-right wrap-anywhere tabular-nums',
                  /^[0-9A-Za-z]{32}$/.test(value) && 'font-mono text-xs',
                )}
              >
                {value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
