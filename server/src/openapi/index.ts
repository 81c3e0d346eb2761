/** The OpenAPI document of the contract, with tests for everything that the documentation promises. */
export { serveApiDocuments } from './serve-api-documents.ts';
