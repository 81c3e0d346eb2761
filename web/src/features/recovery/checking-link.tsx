import { LoadingRegion, Skeleton } from '../../ui/index.ts';

/** Stands while a link is looked at. */
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
