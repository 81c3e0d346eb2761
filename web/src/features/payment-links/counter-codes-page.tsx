import type { CounterCode } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { rowsOf } from '../../panel/list-body.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, EmptyState, Notice, toast } from '../../ui/index.ts';
import { ChangeCodeForm, NewCodeForm } from './code-forms.tsx';
import { CodesTable } from './codes-table.tsx';
import { CounterCodeDialog } from './counter-code-dialog.tsx';
import { type OffersFilter, offersFilterFrom } from './offers-filter.ts';
import { OffersHeader, OffersList } from './offers-list.tsx';
import { counterCodeActions, counterCodeQuery, counterCodesQuery } from './offers-queries.ts';

/** The form that is open: it changes this counter code, or creates a new one when `code` is null. */
type OpenForm = { code: CounterCode | null };

/**
 * The merchant's counter codes: QR codes for printing, each of which can be paid many times. The `id` in the URL
 * opens the detail of a code.
 */
export function CounterCodesPage() {
  const filter = useSearch(offersFilterFrom);
  const { id, ...listFilter } = filter;
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const { is_paid_into_own: isPaidIntoOwn } = useMerchantBank();
  const query = useInfiniteQuery(counterCodesQuery(listFilter));
  const codes = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const [form, setForm] = useState<OpenForm | null>(null);
  const [createdId, setCreatedId] = useState<string>();
  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = (next: OffersFilter) => navigate({ to: paths.counterCodes, search: next });
  // While the account has no counter code at all, the empty state below shows the button instead.
  const isButtonInHeader =
    query.data !== undefined && (codes?.length !== 0 || listFilter.status !== undefined);
  const mayManage = useMay('manage-charges');
  const createButton = isApproved && mayManage && !isPaidIntoOwn && (
    <Button
      variant="primary"
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setForm({ code: null })}
    >
      Criar QR Code
    </Button>
  );
  const showSaved = (code: CounterCode) => {
    if (form?.code === null) setCreatedId(code.id);
    else toast('QR Code salvo');
    setForm(null);
    void setFilter({ ...listFilter, id: code.id });
  };
  return (
    <>
      <OffersHeader
        sentence="Um código impresso que não vence. Cada Pix que chega por ele vira um pagamento."
        actions={isButtonInHeader && createButton}
      />
      {isPaidIntoOwn && <OperatorOnlyNotice hasCodes={codes !== undefined && codes.length > 0} />}
      <OffersList
        query={query}
        rowCount={codes?.length}
        filter={listFilter}
        onFilter={setFilter}
        isApproved={isApproved}
        failure="Erro ao buscar os QR Codes"
        empty={
          isPaidIntoOwn ? (
            <EmptyState drawing="nothing-yet" title="Nenhum QR Code de balcão">
              Um link de pagamento também serve no balcão: abra-o no celular e mostre o código.
            </EmptyState>
          ) : (
            <EmptyState drawing="nothing-yet" title="Nenhum QR Code ainda" action={createButton}>
              Crie um para cada caixa ou mesa, imprima e deixe à vista: quem paga aponta a câmera do banco.
            </EmptyState>
          )
        }
      >
        <CodesTable
          codes={codes}
          areAtOperator={isPaidIntoOwn}
          onOpen={(code) => setFilter({ ...listFilter, id: code.id })}
        />
      </OffersList>
      {id !== undefined && form === null && (
        <CounterCodeDialog
          id={id}
          listedCode={codes?.find((code) => code.id === id)}
          isNew={createdId === id}
          isAtOperator={isPaidIntoOwn}
          onEdit={(code) => setForm({ code })}
          onClose={() => setFilter(listFilter)}
        />
      )}
      <OpenCodeForm onForm={setForm} form={form} onSaved={showSaved} />
    </>
  );
}

/** For a merchant who is paid into own accounts: counter codes exist only at the operator's. */
function OperatorOnlyNotice({ hasCodes }: { hasCodes: boolean }) {
  return (
    <Notice
      tone={hasCodes ? 'warning' : 'info'}
      className="mb-5"
      title="QR Codes de balcão existem só na conta do operador."
      action={
        <Link to={paths.paymentLinks} exact className={buttonClass({ size: 'small' })}>
          Abrir Links
        </Link>
      }
    >
      {hasCodes
        ? 'Um Pix pago nos que você já imprimiu cai lá, menos a tarifa, e não na sua conta. Recolha-os e use links de pagamento.'
        : 'As suas vendas entram na sua própria conta: use links de pagamento.'}
    </Notice>
  );
}

type OpenCodeFormProps = {
  onForm: (form: OpenForm | null) => void;
  form: OpenForm | null;
  onSaved: (code: CounterCode) => void;
};

/** The form that is open, if any: it creates a counter code or renames one. */
function OpenCodeForm({ onForm, form, onSaved }: OpenCodeFormProps) {
  const reload = async ({ id }: CounterCode) => {
    await counterCodeActions.refetch();
    onForm({ code: await queryClient.fetchQuery(counterCodeQuery(id)) });
  };
  return (
    <>
      {form?.code === null && <NewCodeForm onClose={() => onForm(null)} onSaved={onSaved} />}
      {form !== null && form.code !== null && (
        <ChangeCodeForm
          // A new version of the code, fetched by `reload`, resets the form.
          key={form.code.version}
          code={form.code}
          onClose={() => onForm(null)}
          onSaved={onSaved}
          onReload={reload}
        />
      )}
    </>
  );
}
