import sharp, { type Sharp } from 'sharp';
import {
  AVATAR_SIDE,
  LOGO_SIDE,
  LONGEST_SIDE,
  MOST_PIXELS,
  type PictureKind,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_SIDE,
} from './picture.ts';

/**
 * Child process: receives pictures from its parent in one message, returns the re-encoded ones in another, and exits.
 */

const mostBytes = 768 * 1024 * 1024;

// Allows only the accepted formats of all those libvips can read, and only from memory.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

// Encoding runs on other threads, so this one can end the process when it uses too much memory.
setInterval(() => process.memoryUsage.rss() > mostBytes && process.exit(1), 20);
process.once('disconnect', () => process.exit());
process.once('message', async (message) => {
  // Sent only by run-encoder.ts, so not validated: loading a validator would take longer than most pictures do.
  const { sent, kind } = message as Work;
  const pictures: (Encoded | undefined)[] = [];
  // A broken picture is a result, not a failure.
  for (const bytes of sent) pictures.push(await encode(bytes, kind).catch(() => undefined));
  process.send?.({ pictures, peakBytes: process.resourceUsage().maxRSS * 1024 });
});

type Work = { readonly sent: readonly Uint8Array[]; readonly kind: PictureKind };
type Encoded = Awaited<ReturnType<typeof encode>>;

async function encode(bytes: Uint8Array, kind: PictureKind) {
  const { data: content, info } = await sized(bytes, kind)
    .webp({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { content, width, height, ...(kind === 'document' && { thumbnail: await thumbnailOf(content) }) };
}

function sized(bytes: Uint8Array, kind: PictureKind): Sharp {
  if (kind === 'avatar') return plain(open(bytes).resize(AVATAR_SIDE, AVATAR_SIDE, { fit: 'cover' }));
  const side = kind === 'logo' ? LOGO_SIDE : LONGEST_SIDE;
  const inside = open(bytes).resize(side, side, { fit: 'inside', withoutEnlargement: true });
  // A logo keeps its transparency, because it is shown on backgrounds of its own.
  return kind === 'logo' ? inside.toColourspace('srgb') : plain(inside);
}

/** Opens the first frame, with its orientation applied. Broken pictures are rejected rather than repaired. */
function open(bytes: Uint8Array): Sharp {
  return sharp(bytes, {
    failOn: 'error',
    limitInputPixels: MOST_PIXELS,
    sequentialRead: true,
    autoOrient: true,
    pages: 1,
  });
}

/** Removes transparency and converts to sRGB. */
function plain(picture: Sharp): Sharp {
  return picture.flatten({ background: 'white' }).toColourspace('srgb');
}

async function thumbnailOf(content: Buffer): Promise<Buffer> {
  for (
    let quality = 60, side = THUMBNAIL_SIDE;
    ;
    quality = Math.max(10, quality / 2), side = Math.ceil(side * 0.8)
  ) {
    const thumbnail = await open(content)
      .resize(side, side, { fit: 'inside' })
      .webp({ quality: Math.round(quality) })
      .toBuffer();
    if (thumbnail.length <= THUMBNAIL_MAX_BYTES) return thumbnail;
  }
}
