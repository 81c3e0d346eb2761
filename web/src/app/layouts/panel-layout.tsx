import { X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { lazyScreen, usePathname, useShownRoute } from '../../navigation/index.ts';
import { StepUp } from '../../panel/step-up/step-up.tsx';
import { isLookingIn, isOwnAccount } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Drawer, IconButton, PageBanner, useMediaQuery, Wordmark } from '../../ui/index.ts';
import { ApprovalSent } from './approval-sent.tsx';
import { AccountChangeBanner, ApprovalsBanner, FactorBanner, VerificationBanner } from './banners.tsx';
import { LiveUpdatesNotice } from './live-updates-notice.tsx';
import { SandboxStrip } from './sandbox-sign.tsx';
import { afterPaint, SidebarContent } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

/**
 * The frame of every signed-in screen: sidebar or drawer, top bar, and content up to 1200 px wide.
 */
export function PanelLayout({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const title = useShownRoute()?.title;
  const [drawerOpen, setDrawerOpen] = useState(false);
  const isWide = useMediaQuery('(width >= 64rem)');
  const main = useRef<HTMLElement>(null);
  const previousPathname = useRef(pathname);
  useEffect(() => {
    setDrawerOpen(false);
    if (previousPathname.current === pathname) return;
    previousPathname.current = pathname;
    return afterPaint(() => focusScreen(main.current));
  }, [pathname]);

  return (
    <div className="min-h-dvh lg:pl-64">
      <a
        href="#conteudo"
        className="sr-only rounded-field bg-raised px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40"
      >
        Pular para o conteúdo
      </a>
      <aside className="fixed inset-y-0 left-0 flex w-64 flex-col border-r border-base-300 bg-base-200 max-lg:hidden">
        <div className="flex h-14 items-center px-5">
          <Wordmark />
        </div>
        <ActingAccountSign className="px-5.5 pb-2" />
        <SidebarContent />
      </aside>
      <Drawer open={drawerOpen && !isWide} onClose={() => setDrawerOpen(false)} label="Menu">
        <div className="flex h-full flex-col">
          <div className="flex h-14 items-center justify-between pr-3 pl-5">
            <Wordmark />
            <IconButton
              label="Fechar menu"
              icon={<X className="size-5.5" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => setDrawerOpen(false)}
            />
          </div>
          <SidebarContent onNavigate={() => setDrawerOpen(false)} />
        </div>
      </Drawer>
      <TopBar onMenu={() => setDrawerOpen(true)} />
      <ActingAccountSign className="px-4 pb-2 lg:hidden" />
      <SandboxStrip />
      <LiveUpdatesNotice />
      <main ref={main} id="conteudo" aria-label={title} tabIndex={-1}>
        <div className="mx-auto max-w-[1264px] px-4 pt-4 pb-12 lg:px-8">
          <PageBanner value={<Banners />}>{children}</PageBanner>
        </div>
      </main>
      <StepUp />
      <ApprovalSent />
    </div>
  );
}

const LookingBanner = lazyScreen(() => import('./looking-banner.tsx'), 'LookingBanner');
const ActingAccount = lazyScreen(() => import('./acting-account.tsx'), 'ActingAccount');

/** For which account a member acts; nothing while it is the person's own. Its place is kept until its code is there. */
function ActingAccountSign({ className }: { className: string }) {
  const isOwn = useSession(isOwnAccount);
  if (isOwn) return null;
  return (
    <div className={className}>
      <div className="h-5 lg:h-9">
        <Suspense>
          <ActingAccount />
        </Suspense>
      </div>
    </div>
  );
}

/**
 * Moves the focus to the new screen, because the link that was pressed is gone, unless the screen has already focused
 * one of its elements.
 */
function focusScreen(screen: HTMLElement | null): void {
  if (screen?.contains(document.activeElement) === false) screen.focus({ preventScroll: true });
}

/** The notices shown on every screen. */
function Banners() {
  const mayLook = useSession(isLookingIn);
  return (
    <>
      {mayLook && (
        <Suspense>
          <LookingBanner />
        </Suspense>
      )}
      <AccountChangeBanner />
      <VerificationBanner />
      <FactorBanner />
      <ApprovalsBanner />
    </>
  );
}
