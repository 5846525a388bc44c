import type { DueMail } from './outbox.ts'

export interface MailAddress {
  readonly name: string
  readonly address: string
}

export interface SmtpSettings {
  /**
   * smtp:// or smtps://, with user and password if the server requires them; smtp:// then needs a server that offers TLS,
   * unless it ends with ?requireTLS=false. Without a user, TLS is used if the server offers it.
   */
  readonly url: string
  readonly from: MailAddress
  /** How long one mail may take, including connecting. */
  readonly delivery_ms_max?: number
}

/** The result of handing a mail to the mail server. */
export type Delivery =
  | { readonly outcome: 'sent' }
  /** `reason`: codes only, because mail servers' texts contain addresses. `isFinal`: another try would end the same way. */
  | {
      readonly outcome: 'failed'
      readonly reason: string
      readonly isFinal: boolean
      /** Whether the server refuses the address itself, for good. */
      readonly refusesRecipient: boolean
    }

/** Hands one mail to the mail server. Never rejects. */
export type Deliver = (mail: DueMail, signal: AbortSignal) => Promise<Delivery>

export const delivery_ms_max = 60_000

/**
 * Delivers over SMTP, with one connection for each mail. A mail has the same Message-ID in every try: if the server accepted it
 * and the answer was lost, readers still see it once.
 */
export function smtpDelivery({ url, from, ...settings }: SmtpSettings): Deliver {
  const limit_ms = settings.delivery_ms_max ?? delivery_ms_max
  let opening: ReturnType<typeof transportTo> | undefined
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return async (mail, signal) => {
    try {
      const transport = await (opening ??= transportTo(url, limit_ms))
      await transport.sendMail({
        from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        // The library writes text into the header as it is.
        date: new Date(mail.createdAt),
        messageId: `<${mail.messageKey}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(limit_ms)]),
      })
      return { outcome: 'sent' }
    } catch (error) {
      return failureOf(error)
    }
  }
}

/**
 * Why the mail server can't be used, in codes only; undefined if it takes the user and password. Sends nothing. Never rejects.
 */
export async function mailServerFault({
  url,
  delivery_ms_max: limit_ms = delivery_ms_max,
}: Pick<SmtpSettings, 'url' | 'delivery_ms_max'>): Promise<string | undefined> {
  const transport = await transportTo(url, limit_ms)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code, responseCode } = factsOf(error)
    return [code, responseCode].filter((part) => part !== undefined).join(' ')
  } finally {
    transport.close()
  }
}

async function transportTo(url: string, limit_ms: number) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...tlsOf(url),
    connectionTimeout: limit_ms,
    greetingTimeout: limit_ms,
    socketTimeout: limit_ms,
    dnsTimeout: limit_ms,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** An attacker in the middle can hide that the server offers TLS: the password must not be sent then. */
function tlsOf(url: string): { readonly url: string; readonly requireTLS?: boolean } {
  const { username, searchParams } = new URL(url)
  return username === '' || searchParams.has('requireTLS') ? { url } : { url, requireTLS: true }
}

/**
 * A 5xx answer about this mail or its recipient is final. Everything else can recover: a server that is down, wants another
 * password, or does not let MAIL_FROM send.
 */
function failureOf(error: unknown): Delivery {
  const { code, responseCode, command } = factsOf(error)
  const isOfThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
  const isFinal = isOfThisMail && responseCode !== undefined && responseCode >= 500 && responseCode < 600
  return {
    outcome: 'failed',
    reason: [code, responseCode].filter((part) => part !== undefined).join(' '),
    isFinal,
    refusesRecipient: isFinal && command === 'RCPT TO',
  }
}

interface FailureFacts {
  readonly code: string
  readonly responseCode: number | undefined
  readonly command: string | undefined
}

function factsOf(error: unknown): FailureFacts {
  if (!(error instanceof Error)) return { code: 'unknown', responseCode: undefined, command: undefined }
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : error.name,
    responseCode: 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined,
    command: 'command' in error && typeof error.command === 'string' ? error.command : undefined,
  }
}
