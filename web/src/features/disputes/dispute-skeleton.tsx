import { Facts, LoadingRegion, Panel, Skeleton, SkeletonText } from '../../ui/index.ts';

const labels = ['Contestado', 'Bloqueado', 'Pagamento', 'EndToEndId', 'Protocolo', 'Aberta em'];

/** The place of a dispute before it is there. */
export function DisputeSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
        <div>
          <div className="flex items-end justify-between gap-4">
            <SkeletonText line="h-10" className="h-8 w-44" />
            <Skeleton className="h-5.5 w-24" />
          </div>
          <div className="mt-3">
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-2/3" />
          </div>
        </div>
        <Panel well as="aside" label="Resumo">
          <h2 className="font-strong">Resumo</h2>
          <Facts
            bordered={false}
            className="mt-2"
            facts={labels.map((label) => ({ label, value: <Skeleton className="h-3 w-24" /> }))}
          />
        </Panel>
      </div>
    </LoadingRegion>
  );
}
