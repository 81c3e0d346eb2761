import type { TimelineEntry } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';

import { paths } from '../../app/paths.ts';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { Link } from '../../navigation/index.ts';
import { makerText } from '../../panel/members/maker-text.ts';
import { Button, Code, Glyph, type GlyphName, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { timelineQuery } from './charge-history-queries.ts';

const glyphs: Record<TimelineEntry['kind'], GlyphName> = {
  created: 'waiting',
  cancelled: 'gone',
  expired: 'gone',
  failed: 'failed',
  paid: 'done',
  credited: 'done',
  webhook: 'done',
  refund: 'returned',
  dispute: 'waiting',
};

/**
 * Everything that happened to a charge, beginning with the call that created it. The events are loaded only when the
 * user opens the section.
 */
export function Timeline({ paymentId }: { paymentId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const timeline = useQuery({ ...timelineQuery(paymentId), enabled: isOpen });
  if (timeline.error instanceof UnsupportedCallError) return null;
  return (
    <details className="mt-4" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="link w-fit cursor-pointer py-1 font-medium">O que aconteceu</summary>
      {timeline.data !== undefined && <TimelineEntries entries={timeline.data.data} />}
      {timeline.isLoading && (
        <LoadingRegion>
          <div className="mt-2 space-y-3">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </LoadingRegion>
      )}
      {timeline.isError && (
        <Notice
          tone="error"
          className="mt-2"
          action={
            <Button size="small" onClick={() => timeline.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(timeline.error, 'Erro ao buscar o que aconteceu com esta cobrança.')}
        </Notice>
      )}
    </details>
  );
}

/** The events. The value of a fact that begins with `evt_` is the id of an event that was sent as a webhook. */
function TimelineEntries({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="mt-2">
      {entries.map((entry, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: past events never change their order
          key={index}
          className="relative flex gap-3 pb-4 before:absolute before:top-5 before:bottom-0 before:left-2 before:w-px before:bg-base-300 last:pb-0 last:before:hidden"
        >
          <Glyph name={entry.ok ? glyphs[entry.kind] : 'failed'} className="mt-0.5 size-4 shrink-0" />
          <div className="min-w-0">
            <p className="font-medium">{entry.title}</p>
            <p className="text-xs text-muted wrap-anywhere tabular-nums">
              {formatDateTimeToSecond(entry.at)}
              {entry.made_by && ` · por ${makerText(entry.made_by)}`}
            </p>
            {entry.facts.length > 0 && (
              <dl className="mt-1 grid grid-cols-[fit-content(50%)_1fr] gap-x-3 gap-y-0.5 text-xs">
                {entry.facts.map(({ label, value }) => (
                  <div key={label} className="contents">
                    <dt className="min-w-0 text-muted">{label}</dt>
                    <dd className="min-w-0 wrap-anywhere">
                      {entry.kind === 'webhook' && value.startsWith('evt_') ? (
                        <Link className="link" to={paths.webhookDeliveries} search={{ id: value }}>
                          Ver a entrega
                        </Link>
                      ) : (
                        factValue(value)
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The value of a fact for display: times in Brazilian format, identifiers and URLs in a code font. */
function factValue(value: string) {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatDateTimeToSecond(value);
  const isIdentifier = /^[\w-]{20,}$/.test(value);
  if (isIdentifier || value.startsWith('http')) return <Code className="break-all">{value}</Code>;
  return value;
}
