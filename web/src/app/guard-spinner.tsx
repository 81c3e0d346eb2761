import { Spinner } from '../ui/spinner.tsx';

/** Shown while the session loads. The only full-page spinner. */
export function GuardSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-primary">
      <Spinner className="size-8" />
      <span className="sr-only">Carregando</span>
    </div>
  );
}
