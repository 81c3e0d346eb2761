import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import { PublicLayout } from '../../app/layouts/public-layout.tsx';
import { LoadingRegion, Skeleton } from '../../ui/index.ts';

/** The frame of the pages that recover a password or confirm an e-mail address; it looks like the sign-in page. */
export function RecoveryFrame({ children }: { children: ReactNode }) {
  const isSandbox = useQuery(settingsQuery).data?.sandbox === true;
  return <PublicLayout sandbox={isSandbox}>{children}</PublicLayout>;
}

type RecoveryTitleProps = {
  children: ReactNode;
  sentence: ReactNode;
  /**
   * True for a title that replaces a submitted form: the title takes the focus, so that screen readers announce the
   * outcome.
   */
  takesFocus?: boolean;
};

/** The title of a page in `RecoveryFrame`, with a sentence below the title. */
export function RecoveryTitle({ children, sentence, takesFocus = false }: RecoveryTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <h1 ref={title} tabIndex={takesFocus ? -1 : undefined} className="text-xl font-strong outline-none">
        {children}
      </h1>
      <p className="mt-1 mb-8 text-base text-muted">{sentence}</p>
    </>
  );
}

/** The skeleton shown while the gateway checks the token of the link. */
export function LinkCheckSkeleton() {
  return (
    <LoadingRegion>
      <Skeleton className="h-9 w-64" />
      <Skeleton className="mt-3 mb-10 h-4 w-56" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="mt-10 h-11 w-full" />
    </LoadingRegion>
  );
}
