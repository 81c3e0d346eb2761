export type { EncodedPicture } from './picture.ts';
export { reencode } from './reencode.ts';
