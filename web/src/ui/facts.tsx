import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Fact = { label: ReactNode; value: ReactNode; strong?: boolean };

const rowClass = 'flex min-h-[37px] items-center justify-between gap-x-4 py-1 max-[22rem]:flex-wrap';

/** The facts of one item: label left, value right, with hairlines between. */
export function Facts({
  facts,
  className,
  bordered = true,
}: {
  facts: readonly Fact[];
  className?: string;
  bordered?: boolean;
}) {
  return (
    <dl className={classNames('divide-y divide-base-300', bordered && 'border-y border-base-300', className)}>
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
        <div key={index} className={rowClass}>
          {/* The label never wraps beside a long value ("E-mail" does not break at its hyphen), and takes at most half
              of the row. */}
          <dt className="max-w-1/2 shrink-0 text-muted">{fact.label}</dt>
          <dd
            className={classNames(
              // The content inherits `wrap-anywhere`, so that a long word does not set a minimum width.
              'flex min-w-0 items-center gap-1 text-right wrap-anywhere tabular-nums',
              isFigure(fact.value) && 'shrink-0 whitespace-nowrap',
              fact.strong && 'font-strong',
            )}
          >
            {fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Money, dates and counts stay on one line; text wraps where needed. */
function isFigure(value: ReactNode): boolean {
  return typeof value === 'string' && /\d/.test(value) && !/[\p{L}_@]{3}/u.test(value) && value.length < 32;
}

/** A short text in the system's monospace font: ids, keys. */
export function Code({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <code dir="auto" className={classNames('font-mono text-xs', className)}>
      {children}
    </code>
  );
}

/** A box for a long code that is read or copied as a whole; it may break anywhere. */
export function CodeWell({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <figure aria-label={label}>
      <pre className="w-full rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all whitespace-pre-wrap text-muted select-all">
        {children}
      </pre>
    </figure>
  );
}
