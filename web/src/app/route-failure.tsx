import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { failureText } from '../api/error-text.ts';
import { ErrorState } from '../ui/index.ts';

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
