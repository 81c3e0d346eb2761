import { classNames } from '../ui/class-names.ts';
import { Mark } from '../ui/logo.tsx';

const words = 'Pix processado por Jangada';

/** Our name appears only in the footer. */
export function Foot({ className }: { className?: string }) {
  return (
    <footer className={classNames('flex items-center justify-center gap-2 text-xs text-muted', className)}>
      <Mark className="size-4" />
      {words}
    </footer>
  );
}

/** The footer below a line of water, where there is room for it. */
export function WaterFoot({ className }: { className?: string }) {
  return (
    <footer className={classNames('text-xs text-muted', className)}>
      <Mark className="ml-6.25 size-6" />
      <svg viewBox="0 0 400 10" fill="none" strokeWidth="1.5" aria-hidden="true" className="stroke-control">
        <path d="M0 1h191M203 1h15M229 1h171M29 9h61M104 9h10M149 9h71" />
      </svg>
      <p className="mt-3">{words}</p>
    </footer>
  );
}
