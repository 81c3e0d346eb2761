import type { WalletModel } from '@jangada/contract';
import { Balance } from '../../panel/balance.tsx';
import { classNames } from '../../ui/index.ts';

/** The colour of each part in the bar, the cells and the explanations, as a text colour class. */
export const partColours: Record<Part['key'], string> = {
  available: 'text-primary-glyph',
  reserved: 'text-slate-glyph',
  blocked: 'text-warning-glyph',
};

/** A bar that shows how all the merchant's money is split; cells elsewhere on the screen give the amounts. */
export function SplitBar({ totalCents, parts }: { totalCents: number; parts: readonly Part[] }) {
  return (
    <>
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-[4px] bg-base-300">
        {parts.map(({ key, cents }) => (
          <span
            key={key}
            className={classNames('min-w-1 bg-current', partColours[key])}
            style={{ flexGrow: cents / totalCents }}
          />
        ))}
      </div>
      <p className="mt-2.5 text-xs text-muted">
        de{' '}
        <strong className="font-strong text-base-content">
          <Balance cents={totalCents} />
        </strong>{' '}
        que são seus
      </p>
    </>
  );
}

type Part = { key: 'available' | 'reserved' | 'blocked'; cents: number };

/** All the merchant's money, split into available, reserved and blocked; empty parts are left out. */
export function splitBalance({ availableCents, reservedCents, blockedCents }: WalletModel): {
  totalCents: number;
  parts: Part[];
} {
  const parts: Part[] = [
    { key: 'available', cents: availableCents },
    { key: 'reserved', cents: reservedCents },
    { key: 'blocked', cents: blockedCents },
  ];
  const nonEmptyParts = parts.filter(({ cents }) => cents > 0);
  return { totalCents: nonEmptyParts.reduce((sum, { cents }) => sum + cents, 0), parts: nonEmptyParts };
}
