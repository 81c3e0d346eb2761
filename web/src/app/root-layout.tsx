import { type ErrorComponentProps, Link, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { failureText } from '../api/error-text.ts';
import { useSession } from '../session/session.ts';
import { AnnouncementRegion, buttonClass, Drawing, ErrorState, Toaster, Wordmark } from '../ui/index.ts';
import { PanelLayout } from './layouts/panel-layout.tsx';
import { paths } from './paths.ts';

/** Wraps every screen: sets the browser tab's title, and hosts the toasts and the loading announcements. */
export function RootLayout() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title === undefined ? 'Jangada' : `${title} · Jangada`;
  }, [title]);
  return (
    <>
      <Outlet />
      <Toaster />
      <AnnouncementRegion />
    </>
  );
}

/** The page for an unknown URL. Signed-in users keep the sidebar and the top bar. */
export function NotFoundPage() {
  const isSignedIn = useSession(({ status }) => status === 'authenticated');
  if (isSignedIn)
    return (
      <PanelLayout>
        <div className="flex flex-col items-center px-6 py-24 text-center">
          <NotFound />
        </div>
      </PanelLayout>
    );
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="p-6 lg:px-10 lg:pt-8">
        <Wordmark />
      </header>
      <main className="flex grow flex-col items-center justify-center px-6 pb-24 text-center">
        <NotFound />
      </main>
    </div>
  );
}

function NotFound() {
  return (
    <>
      <Drawing name="no-result" />
      <h1 className="mt-5 text-lg font-strong">Página não encontrada</h1>
      <p className="mt-1 max-w-[45ch] text-balance text-muted">
        O endereço pode ter mudado ou sido digitado com um erro.
      </p>
      <Link to={paths.dashboard} className={`mt-6 ${buttonClass({ variant: 'primary' })}`}>
        Ir para o início
      </Link>
    </>
  );
}

/** Shown for a screen that crashed, or whose code could not be loaded. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <ErrorState
      title="Não foi possível abrir esta tela"
      message={
        error instanceof ApiError
          ? failureText(error, 'Seus dados estão a salvo.')
          : 'Algo falhou do nosso lado. Seus dados estão a salvo.'
      }
      onRetry={retry}
    />
  );
}
