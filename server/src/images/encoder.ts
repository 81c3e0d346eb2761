import sharp, { type Sharp } from 'sharp';
import {
  AVATAR_SIDE,
  DOCUMENT_SIDE,
  LOGO_SIDE,
  MAX_PIXELS,
  type PictureKind,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_SIDE,
} from './picture.ts';

/*
 * The program of the child process that run-encoder.ts starts. It receives pictures from its parent in one message,
 * sends the re-encoded pictures back in another, and exits.
 */

/** Encoding an accepted picture takes up to half a gigabyte. A process that needs more is ended. */
const maxMemoryBytes = 768 * 1024 * 1024;

// libvips can read many formats. Only the accepted ones are allowed, and only from memory.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

// Encoding runs on other threads, so this thread can end the process as soon as the process uses too much memory.
setInterval(() => process.memoryUsage.rss() > maxMemoryBytes && process.exit(1), 20);
process.once('disconnect', () => process.exit());
process.once('message', async (message) => {
  // The message comes only from run-encoder.ts, so it is not validated: loading a validation library would take longer
  // than encoding most pictures.
  const { uploads, kind } = message as EncodeRequest;
  const pictures: (Encoded | undefined)[] = [];
  // A broken picture must not stop the others: its result is undefined.
  for (const bytes of uploads) pictures.push(await encode(bytes, kind).catch(() => undefined));
  process.send?.({ pictures, peakBytes: process.resourceUsage().maxRSS * 1024 });
});

type EncodeRequest = { readonly uploads: readonly Uint8Array[]; readonly kind: PictureKind };
type Encoded = Awaited<ReturnType<typeof encode>>;

async function encode(bytes: Uint8Array, kind: PictureKind) {
  const { data: content, info } = await resize(bytes, kind)
    .webp({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    content,
    width,
    height,
    ...(kind === 'document' && { thumbnail: await encodeThumbnail(content) }),
  };
}

function resize(bytes: Uint8Array, kind: PictureKind): Sharp {
  if (kind === 'avatar')
    return makeOpaque(openPicture(bytes).resize(AVATAR_SIDE, AVATAR_SIDE, { fit: 'cover' }));
  const side = kind === 'logo' ? LOGO_SIDE : DOCUMENT_SIDE;
  const fitted = openPicture(bytes).resize(side, side, { fit: 'inside', withoutEnlargement: true });
  // A logo stays transparent, because the merchant chooses the colour behind it.
  return kind === 'logo' ? fitted.toColourspace('srgb') : makeOpaque(fitted);
}

/** Opens the first frame of a picture, rotated as its metadata says. A broken picture is refused, not repaired. */
function openPicture(bytes: Uint8Array): Sharp {
  return sharp(bytes, {
    failOn: 'error',
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
    autoOrient: true,
    pages: 1,
  });
}

/** Removes transparency and converts to sRGB. */
function makeOpaque(picture: Sharp): Sharp {
  return picture.flatten({ background: 'white' }).toColourspace('srgb');
}

/** Encodes the thumbnail with ever lower quality and size, until it is small enough. */
async function encodeThumbnail(content: Buffer): Promise<Buffer> {
  let quality = 60;
  let side = THUMBNAIL_SIDE;
  for (;;) {
    const thumbnail = await openPicture(content)
      .resize(side, side, { fit: 'inside' })
      .webp({ quality: Math.round(quality) })
      .toBuffer();
    if (thumbnail.length <= THUMBNAIL_MAX_BYTES) return thumbnail;
    quality = Math.max(10, quality / 2);
    side = Math.ceil(side * 0.8);
  }
}
