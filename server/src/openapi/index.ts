/** The OpenAPI document of the contract, and the tests of everything that the documentation promises. */
export { serveApiDocuments } from './serve-api-documents.ts';
