import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import {
  mailServerTest_ms_max,
  type MailServerToTest,
  type TestMailServer,
} from '../../application/ports/mail-server-test.js'

const answer_characters_max = 500

interface Options {
  /** For tests: accepts unsigned certificates. */
  readonly trustsAnyCertificate?: boolean
}

/** Tests mail servers over SMTP. */
export function smtpServerTest({ trustsAnyCertificate = false }: Options = {}): TestMailServer {
  return async ({ password, ...server }) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(connectionTo({ ...server, password }, trustsAnyCertificate))
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, mailServerTest_ms_max, 'the server did not answer in time').unref()
    })
    try {
      return await Promise.race([transport.verify().then(() => undefined), late])
    } catch (error) {
      return saidOf(error, password)
    } finally {
      transport.close()
    }
  }
}

function connectionTo(
  { host, port, username, password, secure }: MailServerToTest,
  trustsAnyCertificate: boolean,
): SMTPTransport.Options {
  return {
    host,
    port,
    secure,
    requireTLS: !secure,
    auth: { user: username, pass: password },
    tls: { rejectUnauthorized: !trustsAnyCertificate },
    connectionTimeout: mailServerTest_ms_max,
    greetingTimeout: mailServerTest_ms_max,
    socketTimeout: mailServerTest_ms_max,
    dnsTimeout: mailServerTest_ms_max,
    logger: false,
  }
}

/** The server's text may repeat what it was sent. */
function saidOf(error: unknown, password: string): string {
  const said = error instanceof Error ? error.message : 'unknown'
  const encoded = Buffer.from(password).toString('base64')
  return said.replaceAll(password, '***').replaceAll(encoded, '***').slice(0, answer_characters_max)
}
