import { createPrivateKey, sign } from 'node:crypto'
import type { Cbor } from './cbor.ts'
import type { Attestation } from './software-authenticator.ts'

/** Self-signed, as an attestation requires, until 2126. Its revocation list is at http://127.0.0.1:9/list.crl. */
const certificate = [
  'MIICBzCCAa2gAwIBAgIUMlydeOgkhMJziNa5s-ZfnPLV8TwwCgYIKoZIzj0EAwIwUzELMAkGA1UEBhMCQVExDzANBgNVBAoMBk5vYm9keTEi',
  'MCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEPMA0GA1UEAwwGTm9ib2R5MCAXDTI2MTEyMTE1MjgyNVoYDzIxMjYxMDI4MTUy',
  'ODI1WjBTMQswCQYDVQQGEwJBUTEPMA0GA1UECgwGTm9ib2R5MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ8wDQYDVQQD',
  'DAZOb2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAART1_UeHQj4O7V2TXmflEHlzuWRIPsiQsX7RluirVrnSvR2vt8K54lEKwoNvkiU',
  'XtLYDmyan_R9Zq81pRhPl7Nfo10wWzAMBgNVHRMBAf8EAjAAMCwGA1UdHwQlMCMwIaAfoB2GG2h0dHA6Ly8xMjcuMC4wLjE6OS9saXN0LmNy',
  'bDAdBgNVHQ4EFgQUyE_ArumF0q5PWMZaF14XhIBssOYwCgYIKoZIzj0EAwIDSAAwRQIhAPUh8sHjPalG_Jp6qCdncMiduv4a22Re9LN4R6jM',
  '-DyYAiAuFpWL_sNTWHsYozHRmnsqpgmedeB_k80DwDHroJQU_w',
].join('')

const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'U9f1Hh0I-Du1dk15n5RB5c7lkSD7IkLF-0Zboq1a50o',
    y: '9Ha-3wrniUQrCg2-SJRe0tgObJqf9H1mrzWlGE-Xs18',
    d: 'N-aYAk4Xx5QlyE9BsUQUOCFkJNrHEN9VPTvF76zyVVk',
  },
})

/** An attestation that is valid in itself, by a certificate that anybody could have made. */
export function withCertificate(signed: Buffer): Attestation {
  const attStmt = new Map<string, Cbor>([
    ['alg', -7],
    ['sig', sign('sha256', signed, key)],
    ['x5c', [Buffer.from(certificate, 'base64url')]],
  ])
  return { fmt: 'packed', attStmt }
}
