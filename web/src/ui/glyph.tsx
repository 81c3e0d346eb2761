import { classNames } from './class-names.ts';

export type GlyphName = 'done' | 'waiting' | 'gone' | 'returned' | 'failed' | 'processing';

const colours: Record<GlyphName, string> = {
  done: 'text-success-glyph',
  waiting: 'text-warning-glyph',
  gone: 'text-grey-glyph',
  returned: 'text-slate-glyph',
  failed: 'text-error-glyph',
  processing: 'text-primary-glyph',
};

// The check mark and the cross are cut out of their filled shapes and show the background, whatever its colour is.
const shapes: Record<GlyphName, React.ReactNode> = {
  done: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M7 0a7 7 0 1 1 0 14A7 7 0 0 1 7 0Zm3.65 4.62a.85.85 0 0 0-1.2 0L6.1 7.98 4.6 6.47a.85.85 0 1 0-1.2 1.2l2.1 2.1a.85.85 0 0 0 1.2 0l3.95-3.95a.85.85 0 0 0 0-1.2Z"
    />
  ),
  waiting: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="7" cy="7" r="6.1" />
      <path d="M7 3.7V7l2.1 1.4" />
    </g>
  ),
  gone: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
      <circle cx="7" cy="7" r="6.1" pathLength="80" strokeDasharray="5 5" />
      <path d="M4.7 7h4.6" />
    </g>
  ),
  returned: (
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      d="M4.2 2.2 1.5 4.9l2.7 2.7M1.8 4.9h6.4a3.6 3.6 0 0 1 0 7.2H6"
    />
  ),
  failed: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M4.1 0h5.8L14 4.1v5.8L9.9 14H4.1L0 9.9V4.1L4.1 0Zm1.2 4.1a.85.85 0 0 0-1.2 1.2L5.8 7 4.1 8.7a.85.85 0 1 0 1.2 1.2L7 8.2l1.7 1.7a.85.85 0 1 0 1.2-1.2L8.2 7l1.7-1.7a.85.85 0 1 0-1.2-1.2L7 5.8 5.3 4.1Z"
    />
  ),
  processing: (
    <circle
      cx="7"
      cy="7"
      r="6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      pathLength="100"
      strokeDasharray="72 28"
      transform="rotate(-60 7 7)"
    />
  ),
};

/**
 * A status as a small picture. Each status has a shape of its own, so that colour is never the only cue. The picture is
 * hidden from screen readers, because a label always stands beside it.
 */
export function Glyph({ name, className = 'size-3.5' }: { name: GlyphName; className?: string }) {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true" className={classNames('shrink-0', colours[name], className)}>
      {shapes[name]}
    </svg>
  );
}
