// Computes the contrast between two colours, for the test that every text of the theme is legible.

/** A colour in linear sRGB, with each channel from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Converts a colour such as `oklch(44% 0.09 236)` to sRGB, and clips each channel to its range. The matrices are from
 * CSS Color 4, sections 9.3 and 10.
 */
export function rgbFromOklch(text: string): Rgb {
  const parts = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) throw new Error(`Not an oklch colour: ${text}`);
  const [percent = 0, chroma = 0, degrees = 0] = parts;
  const hue = (degrees * Math.PI) / 180;
  return rgbFromOklab(percent / 100, chroma * Math.cos(hue), chroma * Math.sin(hue));
}

/** `l`, `m` and `s` are the responses of the eye's three kinds of cone (long, medium and short wavelengths). */
function rgbFromOklab(lightness: number, a: number, b: number): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    displayedChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    displayedChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    displayedChannel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** A linear channel as screens display it: clipped, and rounded to one of the 256 steps of an encoded channel. */
function displayedChannel(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  const step = Math.round(encoded * 255) / 255;
  return step <= 0.04045 ? step / 12.92 : ((step + 0.055) / 1.055) ** 2.4;
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(text: Rgb, background: Rgb): number {
  const [light, dark] = [luminance(text), luminance(background)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The relative luminance of a colour (WCAG 2.2). */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
