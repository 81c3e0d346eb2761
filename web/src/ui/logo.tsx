import { classNames } from './class-names.ts';

/** The logo mark: a sail in two panels and a flat raft, in the current text colour. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="currentColor"
      aria-hidden="true"
      className={classNames('text-primary', className)}
    >
      <path d="M19 1C9.8 6.1 4.7 13.1 3.5 22h9.8C13.8 14.1 15.7 7.2 19 1Z" />
      <path d="M20.8 4.3c-2.6 5.6-4 11.4-4.4 17.7h12.1c-3.9-5-6.5-10.9-7.7-17.7Z" />
      <rect x="2" y="26" width="28" height="4" rx="2" />
    </svg>
  );
}

/** The logo mark with the name beside it. */
export function Wordmark() {
  return (
    <span className="inline-flex shrink-0 items-center gap-2 text-base font-strong tracking-[-0.02em]">
      <Mark className="size-[1.4em]" />
      Jangada
    </span>
  );
}
