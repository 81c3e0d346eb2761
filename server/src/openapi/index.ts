export { printOpenApi } from './print-openapi.ts';
