/*
 * Accounts of merchants' own at banks: the certificate with which the bank knows us, and the check of the account.
 */
export { type ReadCertificate, readCertificate, type SentCertificate } from './certificate.ts';
