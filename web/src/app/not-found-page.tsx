import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { buttonClass, Drawing, Wordmark } from '../ui/index.ts';
import { PanelLayout } from './layouts/panel-layout.tsx';
import { paths } from './paths.ts';

/** The page for an unknown address. Signed-in users keep the frame. */
export function NotFoundPage() {
  const signedIn = useSession(({ status }) => status === 'authenticated');
  if (signedIn)
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
