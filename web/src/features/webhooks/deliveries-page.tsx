import { deliveryStates, eventTypes, WEBHOOK_LIMITS, type WebhookDelivery } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, LoadMore, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import {
  Button,
  buttonClass,
  EmptyState,
  SegmentedControl,
  SelectField,
  useIsNarrow,
} from '../../ui/index.ts';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { isResendable, stateBadges } from './delivery-words.ts';
import { eventLabel, TEST_TYPE } from './event-words.ts';
import { SelectionBar, useReceivers } from './selection-bar.tsx';
import { type DeliveryFilter, deliveryFilterFrom, hasAnyFilter, isUuid } from './webhook-search.ts';
import { WebhooksHeader } from './webhook-tabs.tsx';
import { deliveriesQuery } from './webhooks-queries.ts';

const FAILURE = 'Erro ao buscar as entregas';
const UUID_LENGTH = 36;

/**
 * The log of webhook deliveries, which the merchant can search, inspect and resend. The filter, and the id of the
 * delivery whose details are open, are kept in the URL.
 */
export function DeliveriesPage() {
  const filter = useSearch(deliveryFilterFrom);
  const { id, ...listFilter } = filter;
  const navigate = useNavigate();
  const log = useInfiniteQuery(deliveriesQuery(filter));
  const deliveries = rowsOf(
    log,
    log.data?.pages.flatMap((page) => page.deliveries),
  );
  /** The ids of the selected deliveries; null while no selection is in progress. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const applyFilter = useCallback(
    (newFilter: DeliveryFilter, replace = false) =>
      void navigate({ to: paths.webhookDeliveries, search: newFilter, replace }),
    [navigate],
  );
  const changeFilter = (newFilter: DeliveryFilter, replace = false) => {
    setSelected(null);
    applyFilter(deliveryFilterFrom(newFilter), replace);
  };
  const toggleSelected = (deliveryId: string) => {
    const newSelected = new Set(selected);
    if (!newSelected.delete(deliveryId)) newSelected.add(deliveryId);
    setSelected(newSelected);
  };
  return (
    <>
      <DeliveriesHeader log={log} selected={selected} deliveries={deliveries} onSelect={setSelected} />
      <Filters filter={listFilter} onFilter={changeFilter} />
      {selected !== null && (
        <SelectionBar
          deliveries={deliveries ?? []}
          selected={selected}
          endpoint={filter.endpoint}
          onSelect={setSelected}
          onDone={() => setSelected(null)}
        />
      )}
      <ListBody
        query={log}
        title={FAILURE}
        reassurance="Os avisos continuam sendo enviados."
        notOffered="Este provedor não oferece um registro de entregas."
      >
        {deliveries?.length === 0 && !log.hasNextPage ? (
          <NoDeliveries isFiltered={hasAnyFilter(filter)} onClear={() => changeFilter({})} />
        ) : (
          <>
            <DeliveriesTable
              label="Entregas"
              deliveries={deliveries}
              onOpen={(delivery) => applyFilter({ ...listFilter, id: delivery.id })}
              selection={
                selected === null
                  ? undefined
                  : { selected, canSelect: isResendable, onToggle: toggleSelected }
              }
            />
            <LoadMore query={log} failure={FAILURE} />
          </>
        )}
      </ListBody>
      {id !== undefined && (
        <DeliveryDialog
          key={id}
          id={id}
          onClose={() => applyFilter(listFilter, true)}
          onResent={(newId) => applyFilter({ ...listFilter, id: newId }, true)}
        />
      )}
    </>
  );
}

type DeliveriesHeaderProps = {
  log: Parameters<typeof RefreshQueryButton>[0]['query'];
  selected: ReadonlySet<string> | null;
  deliveries: readonly WebhookDelivery[] | undefined;
  onSelect: (selected: ReadonlySet<string> | null) => void;
};

function DeliveriesHeader({ log, selected, deliveries, onSelect }: DeliveriesHeaderProps) {
  return (
    <WebhooksHeader
      sentence={`O que enviamos nos últimos ${WEBHOOK_LIMITS.logDays} dias, e o que o seu servidor respondeu.`}
      actions={
        <>
          <RefreshQueryButton query={log} failure={FAILURE} />
          {selected === null && deliveries !== undefined && deliveries.length > 0 && (
            <Button onClick={() => onSelect(new Set())}>Reenviar várias</Button>
          )}
        </>
      }
    />
  );
}

type FiltersProps = {
  filter: DeliveryFilter;
  /** Applies a filter. With `replace`, it takes the place of the current entry of the browser's history. */
  onFilter: (filter: DeliveryFilter, replace?: boolean) => void;
};

function Filters({ filter, onFilter }: FiltersProps) {
  const isWide = !useIsNarrow();
  const receivers = useReceivers();
  const stateChoices = [
    { value: 'all', label: 'Todas' },
    ...deliveryStates.map((value) => ({ value, label: stateChoiceLabels[value] })),
  ];
  const { state, ...restOfFilter } = filter;
  const changeState = (value: string) => {
    const newState = deliveryStates.find((name) => name === value);
    onFilter(newState === undefined ? restOfFilter : { ...restOfFilter, state: newState });
  };
  // The log keeps the deliveries of an endpoint that was removed, so the filter may name a removed endpoint.
  const isEndpointRemoved =
    filter.endpoint !== undefined && !receivers.some(({ value }) => value === filter.endpoint);
  const changeFilter = (change: DeliveryFilter, replace = false) =>
    onFilter({ ...filter, ...change }, replace);
  const selectProps = { labelHidden: true, look: 'line', fieldClassName: 'md:h-9' } as const;
  return (
    <div className="mb-3 grid gap-2 md:flex md:flex-wrap md:items-center">
      {isWide ? (
        <SegmentedControl
          label="Estado"
          segments={stateChoices}
          value={state ?? 'all'}
          onChange={changeState}
        />
      ) : (
        <SelectField
          {...selectProps}
          label="Estado"
          options={stateChoices}
          value={state ?? 'all'}
          onChange={(event) => changeState(event.currentTarget.value)}
        />
      )}
      <div className="grid grid-cols-2 gap-2 md:flex lg:ml-auto">
        <SelectField
          {...selectProps}
          label="Endereço"
          className="min-w-0 md:w-52 [&_select]:min-w-0 [&_select]:text-ellipsis"
          options={[
            { value: '', label: isWide ? 'Todos os endereços' : 'Endereços' },
            ...receivers,
            ...(isEndpointRemoved ? [{ value: filter.endpoint ?? '', label: 'Endereço removido' }] : []),
          ]}
          value={filter.endpoint ?? ''}
          onChange={(event) => changeFilter({ endpoint: event.currentTarget.value })}
        />
        <SelectField
          {...selectProps}
          label="Evento"
          className="min-w-0 md:w-48 [&_select]:min-w-0 [&_select]:text-ellipsis"
          options={[
            { value: '', label: isWide ? 'Todos os eventos' : 'Eventos' },
            ...[...eventTypes, TEST_TYPE].map((value) => ({ value, label: eventLabel(value) })),
          ]}
          value={filter.type ?? ''}
          onChange={(event) => changeFilter({ type: event.currentTarget.value })}
        />
      </div>
      <SubjectSearch subject={filter.subject} onSubject={(subject) => changeFilter({ subject }, true)} />
    </div>
  );
}

type SubjectSearchProps = { subject: string | undefined; onSubject: (subject: string) => void };

/** Finds the deliveries about one charge, withdrawal or dispute by its complete id. */
function SubjectSearch({ subject = '', onSubject }: SubjectSearchProps) {
  const [isIncomplete, setIsIncomplete] = useState(false);
  return (
    <div className="md:w-full">
      <SearchField
        label="ID da cobrança, do saque ou da disputa"
        placeholder="ID da cobrança, saque ou disputa"
        width="md:w-88"
        maxLength={UUID_LENGTH}
        search={subject}
        onSearch={(text) => {
          const isComplete = text === '' || isUuid(text);
          setIsIncomplete(!isComplete);
          if (isComplete && text.toLowerCase() !== subject) onSubject(text);
        }}
      />
      <p aria-live="polite" className="text-xs text-muted">
        {isIncomplete && <span className="mt-1.5 block">Cole o ID inteiro, com os hífens.</span>}
      </p>
    </div>
  );
}

const stateChoiceLabels: Record<WebhookDelivery['state'], string> = {
  waiting: 'A caminho',
  held: stateBadges.held.label,
  delivered: 'Entregues',
  failed: 'Falharam',
};

function NoDeliveries({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="border-t border-base-300">
      {isFiltered ? (
        <EmptyState
          drawing="no-result"
          title="Nada com esse filtro"
          action={<Button onClick={onClear}>Limpar filtros</Button>}
        >
          Nenhuma entrega dos últimos {WEBHOOK_LIMITS.logDays} dias é assim.
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
