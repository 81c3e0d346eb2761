import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';

/** A file that somebody may upload in place of a photo. */
export type HostilePicture = {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the gateway must refuse or re-encode the file; either, where decoders may differ. */
  readonly becomes: 'refused' | 'a new picture' | 'either';
};

/** Text that is smuggled in files, and must never appear in a stored file. */
export const payload = Buffer.from('<?php system($_GET["c"]);?><script>alert(document.domain)</script>');

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

/** An ordinary photo of `width` × `height`. */
export function photo(width = 480, height = 320): Promise<Buffer> {
  return noise(width, height).jpeg({ quality: 80 }).toBuffer();
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const join = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)));
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);

// PNG (RFC 2083)

const pngMagic = latin('\x89PNG\r\n\x1a\n');

function chunk(type: string, data: Buffer): Buffer {
  const frame = Buffer.alloc(12 + data.length);
  frame.writeUInt32BE(data.length, 0);
  frame.write(type, 4, 'latin1');
  data.copy(frame, 8);
  frame.writeUInt32BE(crc32(frame.subarray(4, 8 + data.length)), 8 + data.length);
  return frame;
}

function header(width: number, height: number, depth = 8, colour = 2, interlaced = 0): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlaced], 8);
  return chunk('IHDR', data);
}

const end = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]) => join(pngMagic, ...chunks, end);
/** 32 × 32 pixels of RGB, as encoded in the file. */
const rows = (fill = Buffer.from([120, 80, 40])) =>
  Buffer.concat(Array.from({ length: 32 }, () => join('\0', Buffer.alloc(96, fill))));
const data = (raw: Buffer, level = 9) => chunk('IDAT', deflateSync(raw, { level }));
const small = (...extra: Buffer[]) => png(header(32, 32), ...extra, data(rows()));
const deflated = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 9 });

// JPEG (ITU T.81)

function segment(marker: number, content: Buffer | string): Buffer {
  const body = typeof content === 'string' ? latin(content) : content;
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return join(head, body);
}

const afterStart = (jpeg: Buffer, ...segments: Buffer[]) =>
  join(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2));

/** The JPEG with a different size in its frame header. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0, 0, 17]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

function manyScans(progressive: Buffer, times: number): Buffer {
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = progressive.subarray(last, -2);
  return join(
    progressive.subarray(0, -2),
    ...Array.from({ length: times }, () => scan),
    progressive.subarray(-2),
  );
}

// WebP (RFC 9649)

function riff(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return join(head, content, Buffer.alloc(content.length % 2));
}

const webpOf = (...chunks: Buffer[]) => riff('RIFF', join('WEBP', ...chunks));

/** A lossless WebP whose header claims this width and height, without the data for so large a picture. */
function vast(side: number): Buffer {
  const size = Buffer.alloc(5);
  size.writeUInt8(0x2f);
  size.writeUInt32LE((side - 1) | ((side - 1) << 14), 1);
  return webpOf(riff('VP8L', join(size, Buffer.alloc(64))));
}

function withMetadata(simple: Buffer, width: number, height: number): Buffer {
  const features = Buffer.alloc(10);
  features.writeUInt8(0b1100);
  features.writeUIntLE(width - 1, 4, 3);
  features.writeUIntLE(height - 1, 7, 3);
  return webpOf(riff('VP8X', features), simple.subarray(12), riff('EXIF', payload), riff('XMP ', payload));
}

/** Files whose first bytes are not those of a JPEG, PNG or WebP, whatever the file's name. */
async function filesOfOtherFormats(jpeg: Buffer): Promise<HostilePicture[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${payload}</script><image href="file:///etc/passwd"/></svg>`;
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
    '',
  );
  const zip = latin('PK\x03\x04\x14\0\0\0');
  const gif = await noise(32, 32).gif().toBuffer();
  const list: [string, Buffer | string][] = [
    ['nothing', ''],
    ['a single byte', '\xff'],
    ['text', 'frente do documento'],
    ['a page with a script', `<!doctype html>${payload}`],
    ['SVG', svg],
    [
      'SVG behind an XML prolog with a bomb of entities',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "l">${laughs}]>${svg}`,
    ],
    ['compressed SVG', gzipSync(svg)],
    ['GIF', gif],
    ['GIF that is an archive too', join(gif, zip, payload)],
    ['AVIF', await noise(32, 32).avif({ effort: 0 }).toBuffer()],
    ['TIFF', await noise(32, 32).tiff().toBuffer()],
    ['HEIC', join('\0\0\0\x18ftypheic\0\0\0\0', payload)],
    ['a film', join('\0\0\0\x18ftypisom\0\0\0\0', payload)],
    ['JPEG 2000', join('\0\0\0\x0cjP  \r\n\x87\n', payload)],
    ['JPEG XL', join('\xff\x0a', payload)],
    ['BMP', join('BM', Buffer.alloc(60), payload)],
    ['an icon', join('\0\0\x01\0\x01\0', payload)],
    ['PDF', join('%PDF-1.7\n', payload)],
    ['PostScript', '%!PS-Adobe-3.0\n(/etc/passwd) (r) file'],
    [
      'drawing commands',
      'push graphic-context\nfill \'url(https://127.0.0.1/x.png"|ls "-la)\'\npop graphic-context',
    ],
    ['an archive', join(zip, jpeg)],
    ['a program', join('\x7fELF\x02\x01\x01', payload)],
    ['a program of Windows', join('MZ\x90\0', payload)],
    ['PHP', payload],
    ['a sound', riff('RIFF', join('WAVEfmt ', payload))],
    ['JPEG behind another byte', join('\0', jpeg)],
    ['PNG whose line ends were changed on the way', join('\x89PNG\n\x1a\n', small().subarray(8))],
  ];
  return list.map(([name, bytes]) => ({ name, bytes: join(bytes), becomes: 'refused' }));
}

/** Files that begin like a picture but are none. */
async function malformedPictures(jpeg: Buffer): Promise<HostilePicture[]> {
  const webp = await noise(64, 64).webp().toBuffer();
  const lying = join(pngMagic, header(32, 32), Buffer.from([0x7f, 0xff, 0xff, 0xff]), 'IDAT', payload);
  const wrongSum = Buffer.from(small());
  wrongSum.writeUInt32BE(0xdeadbeef, 8 + 8 + 13);
  const list: [string, Buffer][] = [
    ['only the beginning of JPEG', jpeg.subarray(0, 3)],
    ['only the beginning of PNG', pngMagic],
    ['only the beginning of WebP', webp.subarray(0, 16)],
    ['half a JPEG', half(jpeg)],
    ['half a PNG', half(await noise(64, 64).png().toBuffer())],
    ['half a WebP', half(webp)],
    ['PHP behind the beginning of JPEG', join('\xff\xd8\xff\xe0', payload)],
    ['SVG behind the beginning of PNG', join(pngMagic, '<svg onload="alert(1)"/>')],
    [
      'PNG of 30,000 × 30,000 pixels in some kilobytes',
      png(header(30_000, 30_000, 1, 0), data(Buffer.alloc(30_000 * 3751))),
    ],
    ['PNG that says it has four billion pixels', png(header(65_535, 65_535), data(rows()))],
    ['PNG without width', png(header(0, 32), data(rows()))],
    ['PNG without data', png(header(32, 32))],
    ['PNG whose data is no data', png(header(32, 32), chunk('IDAT', payload))],
    ['PNG with a length that lies', lying],
    ['PNG with a wrong checksum', wrongSum],
    ['PNG of an unknown colour type', png(header(32, 32, 8, 5), data(rows()))],
    ['JPEG that says it is vast', resized(jpeg, 65_500, 65_500)],
    ['JPEG without width', resized(jpeg, 0, 200)],
    ['JPEG with a segment beyond its end', join('\xff\xd8\xff\xe1\xff\xff', payload)],
    ['WebP that says it is vast', vast(16_383)],
  ];
  return list.map(([name, bytes]) => ({ name, bytes, becomes: 'refused' }));
}

/** Pictures that contain other data too, or that no camera would make. */
async function picturesWithExtraData(jpeg: Buffer): Promise<HostilePicture[]> {
  const progressive = await noise(128, 128).jpeg({ progressive: true }).toBuffer();
  const webp = await noise(64, 64).webp().toBuffer();
  const frames = await Promise.all(['red', 'blue'].map((background) => plain(background).png().toBuffer()));
  const animated = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
  const exif = {
    IFD0: { Copyright: payload.toString(), Artist: 'Maria' },
    IFD3: { GPSLatitude: '8/1 3/1 0/1' },
  };
  const vast = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#abcdef' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const frame = (type: string, content: Buffer) => chunk(type, join(Buffer.alloc(4), content));
  const huge = Array.from({ length: 40 }, () =>
    segment(0xe1, join('Exif\0\0', Buffer.alloc(65_000, payload))),
  );
  const list: [string, Buffer, HostilePicture['becomes']?][] = [
    ['JPEG with a script as its comment', afterStart(jpeg, segment(0xfe, payload))],
    ['JPEG with a script in its EXIF, its place and its owner', await sharp(jpeg).withExif(exif).toBuffer()],
    ['JPEG with megabytes of EXIF', afterStart(jpeg, ...huge), 'either'],
    [
      'JPEG with a colour profile that is none',
      afterStart(jpeg, segment(0xe2, join('ICC_PROFILE\0\x01\x01', payload))),
    ],
    ['JPEG that says it is larger than it is', resized(jpeg, 4000, 4000), 'either'],
    ['JPEG that is an archive too', join(jpeg, 'PK\x03\x04', payload)],
    [
      'JPEG that is a page too',
      afterStart(jpeg, segment(0xe0, `JFIF\0--><!doctype html>${payload}<!--`)),
      'either',
    ],
    ['JPEG of a thousand scans', manyScans(progressive, 1000), 'either'],
    ['JPEG in the colours of print', await noise(64, 64).toColourspace('cmyk').jpeg().toBuffer()],
    [
      'JPEG lying on its side',
      await sharp(await photo(200, 100))
        .withMetadata({ orientation: 6 })
        .toBuffer(),
    ],
    ['JPEG of 48 million pixels, all to be held at once', vast],
    ['PNG with PHP as text', small(chunk('tEXt', join('Comment\0', payload)))],
    [
      'PNG with a hundred megabytes of text',
      small(chunk('zTXt', join('Comment\0\0', deflated(100)))),
      'either',
    ],
    [
      'PNG with a hundred megabytes of colour profile',
      small(chunk('iCCP', join('icc\0\0', deflated(100)))),
      'either',
    ],
    ['PNG with PHP behind its end', join(small(), payload)],
    ['PNG whose pixels are PHP', png(header(32, 32), data(rows(payload), 0))],
    [
      'PNG with a second picture',
      small(frame('acTL', Buffer.from([0, 0, 0, 2])), frame('fdAT', payload)),
      'either',
    ],
    ['PNG of sixteen bits', await noise(64, 64).toColourspace('rgb16').png().toBuffer()],
    ['PNG in a palette, partly transparent', await transparent().png({ palette: true }).toBuffer()],
    ['PNG in interlaced passes', await noise(64, 64).png({ progressive: true }).toBuffer()],
    ['PNG of a single pixel', png(header(1, 1), data(Buffer.from([0, 1, 2, 3])))],
    ['PNG one pixel wide and very long', png(header(1, 20_000), data(Buffer.alloc(80_000)))],
    ['WebP with a script in its metadata', withMetadata(webp, 64, 64)],
    ['WebP that moves', animated],
    ['WebP with PHP behind its end', join(webp, payload)],
  ];
  return list.map(([name, bytes, becomes = 'a new picture']) => ({ name, bytes, becomes }));
}

const plain = (background: string) => sharp({ create: { width: 40, height: 40, channels: 3, background } });
const transparent = () =>
  sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 9, b: 200, alpha: 0.3 } } });

/** All hostile files, generated at each run so that none of them is in the repository. */
export async function hostilePictures(): Promise<HostilePicture[]> {
  const jpeg = await photo();
  return (
    await Promise.all([filesOfOtherFormats(jpeg), malformedPictures(jpeg), picturesWithExtraData(jpeg)])
  ).flat();
}
