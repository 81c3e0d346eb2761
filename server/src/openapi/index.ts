export { serveApiDocuments } from './serve-api-documents.ts';
