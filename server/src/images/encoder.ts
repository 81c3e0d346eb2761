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

/** A program: takes pictures from its parent in one message, answers new ones in another, and ends. */

const mostBytes = 768 * 1024 * 1024;

// Of all that libvips can read: what is taken, from memory.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

// The work is done on other threads, so this one stays awake to end it.
setInterval(() => process.memoryUsage.rss() > mostBytes && process.exit(1), 20);
process.once('disconnect', () => process.exit());
process.once('message', async (message) => {
  // From run-encoder.ts alone: to load what could parse it would take longer than most pictures do.
  const { sent, kind } = message as Work;
  const pictures: (Encoded | undefined)[] = [];
  // What is broken is a finding, not a failure.
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
  // What a logo lets shine through stays so: it stands on grounds of its own.
  return kind === 'logo' ? inside.toColourspace('srgb') : plain(inside);
}

/** The first of its frames, turned as it was held. What is broken is refused rather than guessed. */
function open(bytes: Uint8Array): Sharp {
  return sharp(bytes, {
    failOn: 'error',
    limitInputPixels: MOST_PIXELS,
    sequentialRead: true,
    autoOrient: true,
    pages: 1,
  });
}

/** Nothing shines through, and colours are those of screens. */
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
