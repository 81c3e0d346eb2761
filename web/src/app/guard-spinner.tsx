import { Spinner } from '../ui/spinner.tsx';

/** While the session loads. The only spinner that stands for a page. */
export function GuardSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-primary">
      <Spinner className="size-8" />
      <span className="sr-only">Carregando</span>
    </div>
  );
}
