import type { RemindersPage } from '@jangada/contract';
import { buttonClass } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';

/** The page on which a customer stops a merchant's reminders, or lets them come again. */
export function RemindersView({ page: { payee, token, stopped } }: { page: RemindersPage }) {
  return (
    <CardPage payee={payee}>
      <h1 className="text-lg font-strong text-balance" tabIndex={-1}>
        {stopped ? 'Lembretes parados' : 'Parar os lembretes?'}
      </h1>
      <p className="mt-2 text-base text-muted wrap-anywhere">
        {stopped
          ? `Você não recebe mais lembretes de ${payee.name} por e-mail. As cobranças continuam valendo.`
          : `Você deixa de receber por e-mail os lembretes de ${payee.name}. As cobranças continuam valendo.`}
      </p>
      <form
        method="post"
        action={`/lembretes/${token}/${stopped ? 'receber' : 'parar'}`}
        className="mt-6"
        data-once
      >
        <button
          type="submit"
          className={buttonClass({ variant: stopped ? 'line' : 'primary', size: 'large', block: true })}
        >
          {stopped ? 'Receber de novo' : 'Parar os lembretes'}
        </button>
      </form>
    </CardPage>
  );
}
