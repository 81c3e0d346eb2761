export { createFiles, type Files } from './files.ts';
