import { deliveryStates, eventTypes, WEBHOOKS, type WebhookDelivery } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { paths } from '../../app/paths.ts';
import { ListBody, LoadMore, Refresh, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { Button, buttonClass, EmptyState, SegmentedControl, SelectField, useNarrow } from '../../ui/index.ts';
import { ChoiceBar, useReceivers } from './choice-bar.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { resendable, stateLooks } from './delivery-words.ts';
import { eventWord, TEST_TYPE } from './event-words.ts';
import { type DeliveryFilter, deliveryFilterFrom, isNarrowed, isUuid } from './webhook-search.ts';
import { WebhooksHeader } from './webhook-tabs.tsx';
import { deliveriesQuery } from './webhooks-queries.ts';

const FAILURE = 'Erro ao buscar as entregas';
const UUID_LENGTH = 36;

/** The log of deliveries: search, inspect, resend. The filter is kept in the address. */
export function DeliveriesPage() {
  const filter: DeliveryFilter = deliveryFilterFrom(useSearch({ strict: false }));
  const { id, ...narrowed } = filter;
  const navigate = useNavigate();
  const log = useInfiniteQuery(deliveriesQuery(filter));
  const deliveries = rowsOf(
    log,
    log.data?.pages.flatMap((page) => page.deliveries),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const show = useCallback(
    (next: DeliveryFilter, replace = false) =>
      void navigate({ to: paths.webhookDeliveries, search: next, replace }),
    [navigate],
  );
  const narrow = (next: DeliveryFilter, replace = false) => {
    setChosen(null);
    show(deliveryFilterFrom(next), replace);
  };
  const toggle = (one: string) => {
    const next = new Set(chosen);
    if (!next.delete(one)) next.add(one);
    setChosen(next);
  };
  return (
    <>
      <DeliveriesHeader log={log} chosen={chosen} deliveries={deliveries} onChosen={setChosen} />
      <Filters filter={narrowed} onFilter={narrow} />
      {chosen !== null && (
        <ChoiceBar
          deliveries={deliveries ?? []}
          chosen={chosen}
          endpoint={filter.endpoint}
          onChosen={setChosen}
          onDone={() => setChosen(null)}
        />
      )}
      <ListBody
        of={log}
        title={FAILURE}
        meanwhile="Os avisos continuam sendo enviados."
        notOffered="Este provedor não oferece um registro de entregas."
      >
        {deliveries?.length === 0 && !log.hasNextPage ? (
          <Nothing narrowed={isNarrowed(filter)} onClear={() => narrow({})} />
        ) : (
          <>
            <DeliveriesTable
              label="Entregas"
              deliveries={deliveries}
              onOpen={(delivery) => show({ ...narrowed, id: delivery.id })}
              choice={chosen === null ? undefined : { chosen, allows: resendable, onToggle: toggle }}
            />
            <LoadMore of={log} failure={FAILURE} />
          </>
        )}
      </ListBody>
      {id !== undefined && (
        <DeliveryDialog
          key={id}
          id={id}
          onClose={() => show(narrowed, true)}
          onResent={(again) => show({ ...narrowed, id: again }, true)}
        />
      )}
    </>
  );
}

type DeliveriesHeaderProps = {
  log: Parameters<typeof Refresh>[0]['of'];
  chosen: ReadonlySet<string> | null;
  deliveries: readonly WebhookDelivery[] | undefined;
  onChosen: (chosen: ReadonlySet<string> | null) => void;
};

function DeliveriesHeader({ log, chosen, deliveries, onChosen }: DeliveriesHeaderProps) {
  return (
    <WebhooksHeader
      sentence={`O que enviamos nos últimos ${WEBHOOKS.logDays} dias, e o que o seu servidor respondeu.`}
      actions={
        <>
          <Refresh of={log} failure={FAILURE} />
          {chosen === null && deliveries !== undefined && deliveries.length > 0 && (
            <Button onClick={() => onChosen(new Set())}>Reenviar várias</Button>
          )}
        </>
      }
    />
  );
}

type FiltersProps = { filter: DeliveryFilter; onFilter: (filter: DeliveryFilter, replace?: boolean) => void };

function Filters({ filter, onFilter }: FiltersProps) {
  const wide = !useNarrow();
  const receivers = useReceivers();
  const states = [
    { value: 'all', label: 'Todas' },
    ...deliveryStates.map((value) => ({ value, label: stateWords[value] })),
  ];
  const { state, ...others } = filter;
  const choose = (value: string) => {
    const next = deliveryStates.find((known) => known === value);
    onFilter(next === undefined ? others : { ...others, state: next });
  };
  // A removed endpoint still has its log.
  const gone = filter.endpoint !== undefined && !receivers.some(({ value }) => value === filter.endpoint);
  const set = (change: DeliveryFilter, replace = false) => onFilter({ ...filter, ...change }, replace);
  const look = { labelHidden: true, look: 'line', fieldClassName: 'md:h-9' } as const;
  return (
    <div className="mb-3 grid gap-2 md:flex md:flex-wrap md:items-center">
      {wide ? (
        <SegmentedControl label="Estado" segments={states} value={state ?? 'all'} onChange={choose} />
      ) : (
        <SelectField
          {...look}
          label="Estado"
          options={states}
          value={state ?? 'all'}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <div className="grid grid-cols-2 gap-2 md:flex lg:ml-auto">
        <SelectField
          {...look}
          label="Endereço"
          className="min-w-0 md:w-52 [&_select]:min-w-0 [&_select]:text-ellipsis"
          options={[
            { value: '', label: wide ? 'Todos os endereços' : 'Endereços' },
            ...receivers,
            ...(gone ? [{ value: filter.endpoint ?? '', label: 'Endereço removido' }] : []),
          ]}
          value={filter.endpoint ?? ''}
          onChange={(event) => set({ endpoint: event.currentTarget.value })}
        />
        <SelectField
          {...look}
          label="Evento"
          className="min-w-0 md:w-48 [&_select]:min-w-0 [&_select]:text-ellipsis"
          options={[
            { value: '', label: wide ? 'Todos os eventos' : 'Eventos' },
            ...[...eventTypes, TEST_TYPE].map((value) => ({ value, label: eventWord(value) })),
          ]}
          value={filter.type ?? ''}
          onChange={(event) => set({ type: event.currentTarget.value })}
        />
      </div>
      <SubjectSearch subject={filter.subject} onSubject={(subject) => set({ subject }, true)} />
    </div>
  );
}

type SubjectSearchProps = { subject: string | undefined; onSubject: (subject: string) => void };

/** Finds the deliveries about one charge, withdrawal or dispute. Only complete ids are searched. */
function SubjectSearch({ subject = '', onSubject }: SubjectSearchProps) {
  const [partial, setPartial] = useState(false);
  return (
    <div className="md:w-full">
      <SearchField
        label="ID da cobrança, do saque ou da disputa"
        placeholder="ID da cobrança, saque ou disputa"
        width="md:w-88"
        maxLength={UUID_LENGTH}
        search={subject}
        onSearch={(typed) => {
          const whole = typed === '' || isUuid(typed);
          setPartial(!whole);
          if (whole && typed.toLowerCase() !== subject) onSubject(typed);
        }}
      />
      <p aria-live="polite" className="text-xs text-muted">
        {partial && <span className="mt-1.5 block">Cole o ID inteiro, com os hífens.</span>}
      </p>
    </div>
  );
}

const stateWords: Record<WebhookDelivery['state'], string> = {
  waiting: 'A caminho',
  held: stateLooks.held.word,
  delivered: 'Entregues',
  failed: 'Falharam',
};

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  return (
    <div className="border-t border-base-300">
      {narrowed ? (
        <EmptyState
          drawing="no-result"
          title="Nada com esse filtro"
          action={<Button onClick={onClear}>Limpar filtros</Button>}
        >
          Nenhuma entrega dos últimos {WEBHOOKS.logDays} dias é assim.
        </EmptyState>
      ) : (
        <EmptyState
          drawing="nothing-yet"
          title="Nenhuma entrega ainda"
          action={
            <Link to={paths.webhooks} className={buttonClass()}>
              Ver endereços
            </Link>
          }
        >
          Cada aviso que enviamos ao seu sistema aparece aqui, com cada tentativa e a resposta.
        </EmptyState>
      )}
    </div>
  );
}
