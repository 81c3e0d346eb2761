import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Fact = { label: ReactNode; value: ReactNode; strong?: boolean };

const rowClass = 'flex min-h-[37px] items-center justify-between gap-x-4 py-1 max-[22rem]:flex-wrap';

/** The facts of one item, each with the label at the left and the value at the right, and thin lines between them. */
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
          {/* A long value does not make the label wrap ("E-mail" at its hyphen). The label takes at most half of the
              row. */}
          <dt className="max-w-1/2 shrink-0 text-muted">{fact.label}</dt>
          <dd
            className={classNames(
              // A value may wrap inside a long word, because the word would otherwise make the row wider than the page.
              'flex min-w-0 items-center gap-1 text-right wrap-anywhere tabular-nums',
              isOneLineValue(fact.value) && 'shrink-0 whitespace-nowrap',
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

/**
 * True for money, dates and counts, which stay on one line: short texts with a digit and without a word of three
 * letters. Other text wraps where it must.
 */
function isOneLineValue(value: ReactNode): boolean {
  return typeof value === 'string' && /\d/.test(value) && !/[\p{L}_@]{3}/u.test(value) && value.length < 32;
}

/** A short text in a monospace font, such as an id or a key. */
export function Code({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <code dir="auto" className={classNames('font-mono text-xs', className)}>
      {children}
    </code>
  );
}

/** A box for a long code that is read or copied as a whole. The code may wrap at any character. */
export function CodeWell({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <figure aria-label={label}>
      <pre className="w-full rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all whitespace-pre-wrap text-muted select-all">
        {children}
      </pre>
    </figure>
  );
}
