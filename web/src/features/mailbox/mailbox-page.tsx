import { type ResponseOf, sandboxMails } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { PublicSandboxSign } from '../../app/layouts/public-layout.tsx';
import { NotFoundPage } from '../../app/root-layout.tsx';
import { formatDateTime } from '../../format/date.ts';
import { LoadFailure, RefreshQueryButton } from '../../panel/list-body.tsx';
import {
  classNames,
  EmptyState,
  LoadingRegion,
  PageHeader,
  Panel,
  Skeleton,
  useMediaQuery,
  Wordmark,
} from '../../ui/index.ts';

type Mail = ResponseOf<typeof sandboxMails>['mails'][number];

/** Lists the e-mails that a sandbox gateway would have sent. It sends none, so they can be read only here. */
export function MailboxPage() {
  const mails = useQuery({
    queryKey: ['sandbox-mails'],
    queryFn: ({ signal }) => call(sandboxMails, { signal }),
    refetchOnMount: 'always',
  });
  if (mails.error instanceof UnsupportedCallError) return <NotFoundPage />;
  return (
    <div className="min-h-dvh">
      <header className="mx-auto flex max-w-[1264px] items-center justify-between gap-3 p-4 lg:px-8 lg:pt-6">
        <Wordmark />
        <PublicSandboxSign />
      </header>
      <main className="mx-auto max-w-[1264px] px-4 pt-4 pb-12 lg:px-8">
        <PageHeader
          title="Caixa de e-mails"
          sentence="O que este sandbox enviaria por e-mail, do mais novo ao mais antigo. Nada sai daqui."
          actions={
            <RefreshQueryButton query={mails} failure="Não foi possível atualizar a caixa de e-mails." />
          }
        />
        {mails.data !== undefined ? (
          <Mails mails={mails.data.mails} />
        ) : mails.isError ? (
          <LoadFailure query={mails} title="Não foi possível abrir a caixa de e-mails" place="list" />
        ) : (
          <MailboxSkeleton />
        )}
      </main>
    </div>
  );
}

function Mails({ mails }: { mails: readonly Mail[] }) {
  const [chosenId, setChosenId] = useState<string>();
  const isStacked = useMediaQuery('(width < 64rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  const [newestMail] = mails;
  if (newestMail === undefined)
    return (
      <EmptyState className="border-t border-base-300" drawing="nothing-yet" title="Nenhum e-mail ainda">
        Pedidos de senha nova, confirmações e avisos de segurança aparecem aqui.
      </EmptyState>
    );
  const choose = (id: string) => {
    setChosenId(id);
    // In a narrow window the open e-mail is above the list and may be out of sight; moving the focus scrolls to it.
    if (isStacked) heading.current?.focus();
  };
  const openMail = mails.find(({ id }) => id === chosenId) ?? newestMail;
  return (
    <Columns>
      <ul className="min-w-0 divide-y divide-base-300 border-y border-base-300" aria-label="E-mails">
        {mails.map(({ id, to, subject, created_at }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === openMail.id || undefined}
              className={classNames(
                'grid w-full gap-0.5 px-3 py-2.5 text-left hover:bg-hover',
                id === openMail.id && 'bg-base-200',
              )}
              onClick={() => choose(id)}
            >
              <span className="font-medium wrap-anywhere">{subject}</span>
              <span className="flex flex-wrap justify-between gap-x-3 text-xs text-muted">
                <span className="break-all">{to}</span>
                <span className="tabular-nums">{formatDateTime(created_at)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Panel label="E-mail aberto" className="min-w-0 max-lg:order-first">
        <h2 ref={heading} tabIndex={-1} className="text-base font-strong wrap-anywhere outline-none">
          {openMail.subject}
        </h2>
        <p className="mt-1 text-xs text-muted">
          Para <span className="break-all">{openMail.to}</span>, em {formatDateTime(openMail.created_at)}
        </p>
        <div className="mt-4 border-t border-base-300 pt-4 whitespace-pre-wrap wrap-anywhere">
          {textWithLinks(openMail.text).map(({ text, href }, index) =>
            href === undefined ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
              <a key={index} className="link break-all" href={href}>
                {text}
              </a>
            ),
          )}
        </div>
      </Panel>
    </Columns>
  );
}

function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:gap-10">
      {children}
    </div>
  );
}

function MailboxSkeleton() {
  return (
    <LoadingRegion>
      <Columns>
        <div className="grid gap-px">
          {['first', 'second', 'third', 'fourth'].map((row) => (
            <Skeleton key={row} className="h-15 w-full" />
          ))}
        </div>
        <Skeleton className="h-64 w-full" />
      </Columns>
    </LoadingRegion>
  );
}

type TextPart = { text: string; href?: string };

/** Splits a plain text into parts, with its URLs as links. Punctuation after a URL is not part of the link. */
function textWithLinks(text: string): TextPart[] {
  return text
    .split(/(https?:\/\/\S*[^\s.,;:!?)])/)
    .filter((part) => part !== '')
    .map((part) => (/^https?:\/\//.test(part) ? { text: part, href: part } : { text: part }));
}
