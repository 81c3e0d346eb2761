import type { KycSide, PendingKycModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw, RotateCw, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { Button, classNames, Dialog, IconButton, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { pictureQuery } from './pending-query.ts';

type PictureDialogProps = { pending: PendingKycModel; side: KycSide; name: string; onClose: () => void };

/**
 * The zoom levels of a picture. The first shows the whole picture within the frame; the others are wider than the
 * frame.
 */
const zoomLevels = [
  { label: '100%', width: 'max-h-full max-w-full' },
  { label: '150%', width: 'w-[150%] max-w-none' },
  { label: '200%', width: 'w-[200%] max-w-none' },
  { label: '300%', width: 'w-[300%] max-w-none' },
  { label: '400%', width: 'w-[400%] max-w-none' },
] as const;

/** One picture of a document in full size, which can be rotated and enlarged. */
export function PictureDialog({ pending, side, name, onClose }: PictureDialogProps) {
  const [zoomIndex, setZoomIndex] = useState(0);
  /** The rotation of the picture, as the number of quarter turns to the right. */
  const [quarterTurns, setQuarterTurns] = useState(0);
  const picture = useQuery(pictureQuery(pending, side));
  const frame = useRef<HTMLElement>(null);
  // Zooming and rotating change what the frame shows, so the frame is scrolled back to the middle of the picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another size or rotation moves the picture
  useEffect(() => {
    const { scrollWidth = 0, scrollHeight = 0, clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    frame.current?.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2);
  }, [zoomIndex, quarterTurns]);
  return (
    <Dialog open onClose={onClose} title={name} size="wide">
      <PictureTools
        zoomIndex={zoomIndex}
        onZoomIndex={setZoomIndex}
        onQuarterTurns={setQuarterTurns}
        quarterTurns={quarterTurns}
      />
      <section
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture larger than its frame is scrolled by keys too
        tabIndex={0}
        aria-label={name}
        className={classNames(
          'h-[60dvh] overflow-auto rounded-field border border-base-300 bg-base-200',
          zoomIndex === 0 && 'grid place-items-center',
        )}
      >
        {picture.data !== undefined ? (
          <RotatedPicture
            bitmap={picture.data}
            quarterTurns={quarterTurns}
            label={name}
            className={zoomLevels[zoomIndex]?.width ?? ''}
          />
        ) : picture.isError ? (
          <Notice
            tone="error"
            className="m-4"
            action={
              <Button size="small" isSending={picture.isFetching} onClick={() => picture.refetch()}>
                Tentar Novamente
              </Button>
            }
          >
            {errorText(picture.error, 'Não foi possível abrir a imagem.')}
          </Notice>
        ) : (
          <Loading />
        )}
      </section>
    </Dialog>
  );
}

type PictureToolsProps = {
  /** The index in `zoomLevels`. */
  zoomIndex: number;
  onZoomIndex: (zoomIndex: number) => void;
  onQuarterTurns: (quarterTurns: number) => void;
  quarterTurns: number;
};

function PictureTools({ zoomIndex, onZoomIndex, onQuarterTurns, quarterTurns }: PictureToolsProps) {
  return (
    <div className="mb-3 flex items-center gap-1">
      <Tool
        label="Afastar"
        icon={<ZoomOut className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        disabled={zoomIndex === 0}
        onClick={() => onZoomIndex(zoomIndex - 1)}
      />
      <output className="w-11 text-center text-xs text-muted tabular-nums" aria-label="Ampliação">
        {zoomLevels[zoomIndex]?.label}
      </output>
      <Tool
        label="Aproximar"
        icon={<ZoomIn className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        disabled={zoomIndex === zoomLevels.length - 1}
        onClick={() => onZoomIndex(zoomIndex + 1)}
      />
      <span className="mx-2 h-5 border-l border-base-300" />
      <Tool
        label="Girar para a esquerda"
        icon={<RotateCcw className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        // Three quarter turns to the right are one to the left.
        onClick={() => onQuarterTurns((quarterTurns + 3) % 4)}
      />
      <Tool
        label="Girar para a direita"
        icon={<RotateCw className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => onQuarterTurns((quarterTurns + 1) % 4)}
      />
    </div>
  );
}

function Loading(): ReactNode {
  return (
    <div className="size-full">
      <LoadingRegion label="Carregando a imagem">
        <Skeleton className="h-[60dvh] w-full" />
      </LoadingRegion>
    </div>
  );
}

type ToolProps = { label: string; icon: ReactNode; disabled?: boolean; onClick: () => void };

function Tool(props: ToolProps) {
  return <IconButton size="small" variant="line" {...props} />;
}

type RotatedPictureProps = { bitmap: ImageBitmap; quarterTurns: number; label: string; className: string };

/**
 * The picture, drawn rotated on a canvas. If CSS rotated the picture, the frame would still scroll by its unrotated
 * size, and parts of the picture could not be reached.
 */
function RotatedPicture({ bitmap, quarterTurns, label, className }: RotatedPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isSideways = quarterTurns % 2 === 1;
  const width = isSideways ? bitmap.height : bitmap.width;
  const height = isSideways ? bitmap.width : bitmap.height;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.setTransform(1, 0, 0, 1, width / 2, height / 2);
    context.clearRect(-width, -height, 2 * width, 2 * height);
    context.rotate((quarterTurns * Math.PI) / 2);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
  }, [bitmap, quarterTurns, width, height]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      width={width}
      height={height}
      className={classNames('block', className)}
    />
  );
}
