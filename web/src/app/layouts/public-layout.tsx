import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Wordmark } from '../../ui/logo.tsx';
import { Tag } from '../../ui/status-badge.tsx';
import { Poster, Shore } from './poster.tsx';

type PublicLayoutProps = {
  children: ReactNode;
  /** True when no money here is real. A gateway that does not report its mode counts as using real money. */
  sandbox: boolean;
  wide?: boolean;
};

/**
 * The frame of the pages before sign-in: a form in the left half and a poster in the right half. Under 1024 px the form
 * stands above a strip of water.
 */
export function PublicLayout({ children, sandbox, wide = false }: PublicLayoutProps) {
  return (
    <div className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-between gap-3 p-6 lg:px-10 lg:pt-8 lg:pb-0">
          <Wordmark />
          {sandbox && <PublicSandboxSign />}
        </header>
        <main className="flex grow flex-col justify-center px-6 pt-4 pb-6 lg:pb-9">
          <div
            className={`mx-auto w-full [--size-field:0.275rem] ${wide ? 'max-w-[416px]' : 'max-w-[352px]'}`}
          >
            {children}
          </div>
        </main>
        <footer className="hidden px-10 pb-8 text-xs text-muted lg:block">
          Jangada, Pix no seu próprio servidor
        </footer>
        <div className="lg:hidden">
          <Shore />
        </div>
      </div>
      <div className="max-lg:hidden">
        <div className="sticky top-0 h-dvh">
          <Poster />
        </div>
      </div>
    </div>
  );
}

/**
 * Says on public pages that no money is real. The sign appears late, when the gateway has responded, so it is placed
 * where it does not shift the layout.
 */
export function PublicSandboxSign() {
  return (
    <span className="flex items-center gap-2.5">
      <Tag icon={<FlaskConical className="size-3.5" strokeWidth={1.75} aria-hidden="true" />}>Sandbox</Tag>
      <span className="text-xs text-muted max-[18rem]:sr-only">Dinheiro de teste</span>
    </span>
  );
}
