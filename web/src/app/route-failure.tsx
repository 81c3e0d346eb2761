import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/index.ts';

/** A screen that broke, or whose code could not be loaded. */
export function RouteFailure({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <ErrorState
      title="Não foi possível abrir esta tela"
      message="Algo falhou do nosso lado. Seus dados estão a salvo."
      onRetry={retry}
    />
  );
}
