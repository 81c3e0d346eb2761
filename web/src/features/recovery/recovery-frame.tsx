import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import { PublicLayout } from '../../app/layouts/public-layout.tsx';
import { LoadingRegion, Skeleton } from '../../ui/index.ts';

/** The sign-in's frame, for pages opened by links in e-mails. */
export function RecoveryFrame({ children }: { children: ReactNode }) {
  const sandbox = useQuery(settingsQuery).data?.sandbox === true;
  return <PublicLayout sandbox={sandbox}>{children}</PublicLayout>;
}

type RecoveryTitleProps = {
  children: ReactNode;
  sentence: ReactNode;
  /** Replaces a submitted form, and takes focus so that screen readers announce the outcome. */
  answers?: boolean;
};

export function RecoveryTitle({ children, sentence, answers = false }: RecoveryTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (answers) title.current?.focus();
  }, [answers]);
  return (
    <>
      <h1 ref={title} tabIndex={answers ? -1 : undefined} className="text-xl font-strong outline-none">
        {children}
      </h1>
      <p className="mt-1 mb-8 text-base text-muted">{sentence}</p>
    </>
  );
}

/** Shown while a link is checked. */
export function CheckingLink() {
  return (
    <LoadingRegion>
      <Skeleton className="h-9 w-64" />
      <Skeleton className="mt-3 mb-10 h-4 w-56" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="mt-10 h-11 w-full" />
    </LoadingRegion>
  );
}
