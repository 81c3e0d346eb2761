import type { ReactNode } from 'react';

/** A setting and its state, with its actions on the right. */
export function SettingRow({
  title,
  badge,
  children,
  action,
}: {
  title: ReactNode;
  /** Shown beside the title. */
  badge?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {badge}
        </p>
        {children !== undefined && <p className="mt-0.5 wrap-anywhere text-muted">{children}</p>}
      </div>
      {action !== undefined && <div className="shrink-0">{action}</div>}
    </li>
  );
}

/** A list of settings, each a `SettingRow`. */
export function SettingRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="mt-2 divide-y divide-base-300 border-y border-base-300">
      {children}
    </ul>
  );
}
