import { Component, Fragment, type ReactNode, Suspense, useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { failureText } from '../api/error-text.ts';
import { Link, useRouter, useRouterState } from '../navigation/index.ts';
import { useSession } from '../session/session.ts';
import {
  AnnouncementRegion,
  buttonClass,
  Drawing,
  ErrorState,
  Toaster,
  useLoadingAnnouncement,
  Wordmark,
} from '../ui/index.ts';
import { PanelLayout } from './layouts/panel-layout.tsx';
import { paths } from './paths.ts';

/** Wraps every screen: sets the browser tab's title, and hosts the toasts and the loading announcements. */
export function RootLayout() {
  const { shown } = useRouterState();
  const title = shown.route?.title;
  useEffect(() => {
    document.title = title === undefined ? 'Jangada' : `${title} · Jangada`;
  }, [title]);
  return (
    <>
      <OpeningLine />
      <Suspense>
        <FailureBoundary attempt={shown}>
          <ShownScreen />
        </FailureBoundary>
      </Suspense>
      <Toaster />
      <AnnouncementRegion />
    </>
  );
}

/** A line along the top while the code of the next screen is being loaded, so that a press is seen to have worked. */
function OpeningLine() {
  const { address, shown } = useRouterState();
  const isOpening = address.pathname !== shown.address.pathname;
  useLoadingAnnouncement(isOpening);
  return isOpening ? <div aria-hidden="true" className="opening-line" /> : null;
}

function ShownScreen() {
  const { shown } = useRouterState();
  if (shown.route === undefined) return <NotFoundPage />;
  const { Screen, Frame = Fragment } = shown.route;
  return (
    <Frame>
      <FailureBoundary attempt={shown}>
        <Screen />
      </FailureBoundary>
    </Frame>
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

/**
 * Shows RouteFailure in the place of what crashed. With another `attempt`, which is what the router opened last, it tries
 * again.
 */
class FailureBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { attempt: this.props.attempt, failure: null };

  static getDerivedStateFromProps({ attempt }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return attempt === state.attempt ? null : { attempt, failure: null };
  }

  static getDerivedStateFromError(error: unknown): Pick<BoundaryState, 'failure'> {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : <RouteFailure error={failure.error} />;
  }
}

type BoundaryProps = { attempt: unknown; children: ReactNode };
type BoundaryState = { attempt: unknown; failure: { error: unknown } | null };

/** Shown for a screen that crashed, or whose code could not be loaded. */
function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <ErrorState
      title="Não foi possível abrir esta tela"
      message={
        error instanceof ApiError
          ? failureText(error, 'Seus dados estão a salvo.')
          : 'Algo falhou do nosso lado. Seus dados estão a salvo.'
      }
      onRetry={() => router.reload()}
    />
  );
}
