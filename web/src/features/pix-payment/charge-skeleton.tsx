import { LoadingRegion, Panel, Skeleton } from '../../ui/index.ts';

/** The frame of a charge before it is loaded. */
export function ChargeSkeleton() {
  return (
    <LoadingRegion>
      <Panel flush className="overflow-hidden md:grid md:min-h-156 md:grid-cols-[2fr_3fr]">
        <div className="grid items-center border-base-300 bg-base-200 p-4 max-md:order-last md:border-r md:p-10">
          <Skeleton className="mx-auto aspect-square w-full max-w-[22.875rem]" />
        </div>
        <div className="p-4 md:p-10">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="mt-3 h-9 w-52" />
          <Skeleton className="mt-6 h-12 w-full" />
          <Skeleton className="mt-11 h-20 w-full" />
          <Skeleton className="mt-8 h-40 w-full" />
        </div>
      </Panel>
    </LoadingRegion>
  );
}
