import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/index.ts';

type PreviousNextButtonsProps = { page: number; pageCount: number; onPage: (page: number) => void };

/** The page number, as in `Página 2 de 4`, with buttons for the previous and the next page. */
export function PreviousNextButtons({ page, pageCount, onPage }: PreviousNextButtonsProps) {
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <p className="text-muted tabular-nums" aria-live="polite">
        Página {page} de {pageCount}
      </p>
      <div className="flex items-center gap-2">
        <Button
          size="small"
          aria-label="Página anterior"
          disabled={page <= 1}
          icon={<ChevronLeft className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => onPage(page - 1)}
        >
          Anterior
        </Button>
        <Button
          size="small"
          aria-label="Próxima página"
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        >
          Próxima
          <ChevronRight className="size-4" strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}
