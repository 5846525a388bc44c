import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import { isPublicAddress } from '../../application/content-rules/public-address.ts'
import type { MailServerToTest, TestMailServer } from '../../application/ports/mail-server-test.ts'

/** How long a test of a mail server takes at most. */
const mailServerTest_ms_max = 10_000

interface Options {
  /** The mail server of the settings, which may have a private address. */
  readonly own?: string | undefined
  /** For tests: accepts unsigned certificates. */
  readonly trustsAnyCertificate?: boolean
}

/**
 * Tests mail servers over SMTP. An administrator who may configure the instance is not thereby allowed to look into its
 * network. So the answer holds words of ours alone, and a private address is asked only if it is that of the own mail
 * server. The connection goes to the address that was checked, so a name that changes meanwhile leads nowhere else.
 */
export function smtpServerTest({ own, trustsAnyCertificate = false }: Options = {}): TestMailServer {
  return async (server) => {
    const { createTransport } = await import('nodemailer')
    const late = new Promise<undefined>((resolve) => {
      setTimeout(resolve, mailServerTest_ms_max, undefined).unref()
    })
    const address = await Promise.race([addressOf(server.host), late])
    if (address === undefined) return said.notPublic
    if (!isPublicAddress(address) && !isOwn(server, own)) return said.notPublic
    const transport = createTransport(connectionTo(server, address, trustsAnyCertificate))
    try {
      return await Promise.race([transport.verify().then(() => undefined), late.then(() => said.late)])
    } catch (error) {
      return wordsFor(error)
    } finally {
      transport.close()
    }
  }
}

const said = {
  // One for both: nobody learns which names the inside knows.
  notPublic: 'the server has no public address, and SMTP_URL does not name it',
  late: 'the server did not answer in time',
  noConnection: 'no connection to the server',
  noSmtp: 'the server does not speak SMTP, or wants another kind of encryption',
  noTls: 'the server offers no encryption',
  certificate: 'the certificate of the server is not trusted',
  credentials: 'the server refused the username or the password',
} as const

/** The address that a name stands for; undefined for none. */
async function addressOf(host: string): Promise<string | undefined> {
  const unbracketed = host.replace(/^\[|\]$/g, '')
  const found = await lookup(unbracketed).catch(() => undefined)
  return found?.address
}

/** Whether the host and the port are those of the mail server that the settings name. */
function isOwn({ host, port }: MailServerToTest, own: string | undefined): boolean {
  if (own === undefined) return false
  const { protocol, hostname, port: named } = new URL(own)
  const itsPort = named === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(named)
  return hostname.toLowerCase() === host.toLowerCase() && itsPort === port
}

function connectionTo(
  { host, port, username, password, secure }: MailServerToTest,
  address: string,
  trustsAnyCertificate: boolean,
): SMTPTransport.Options {
  return {
    host: address,
    port,
    secure,
    requireTLS: !secure,
    auth: { user: username, pass: password },
    tls: { rejectUnauthorized: !trustsAnyCertificate, ...(isIP(host) === 0 && { servername: host }) },
    connectionTimeout: mailServerTest_ms_max,
    greetingTimeout: mailServerTest_ms_max,
    socketTimeout: mailServerTest_ms_max,
    dnsTimeout: mailServerTest_ms_max,
    logger: false,
  }
}

/** Describes an error in our own words: the text of a server may be that of some other service inside the network. */
function wordsFor(error: unknown): string {
  const { code, message } = error instanceof Error && 'code' in error ? error : { code: '', message: '' }
  if (/certificate|altnames/i.test(message)) return said.certificate
  if (code === 'EAUTH') return said.credentials
  if (code === 'ETIMEDOUT') return said.late
  if (code === 'ETLS') return said.noTls
  return code === 'EPROTOCOL' || /ssl|wrong version/i.test(message) ? said.noSmtp : said.noConnection
}
