import { renderMail, type MailInstance } from '../../application/mail/render-mail.js'
import type { Mail } from '../../application/ports/mail.js'
import { parseEmail } from '../../domain/account/names.js'
import type { PostgresDatabase } from '../postgres/database.js'
import { openOutbox } from './outbox.js'
import { startSender, type Sender, type SenderSettings } from './sender.js'
import { smtpDelivery, type SmtpSettings } from './smtp.js'

export interface MailSettings extends Pick<
  SenderSettings,
  'onUndelivered' | 'onError' | 'firstRetry_ms' | 'poll_ms' | 'closing_ms_max'
> {
  readonly database: PostgresDatabase
  /** The 32 bytes of PERSONAL_DATA_KEY: what mails are sealed with. */
  readonly personalDataKey: Uint8Array
  /** The mail server; without one, mails are kept for the operator. */
  readonly smtp: SmtpSettings | undefined
  /** What mails say of the instance; read when one is written. */
  readonly instance: () => MailInstance
}

export type OpenMail = Mail & {
  /** Stops sending. What is not sent yet is sent when it is opened again. */
  close(): Promise<void>
}

const sweepEvery_ms = 600_000

/** Opens the mails in the schema `mail`, and sends those that wait where there is a mail server. */
export async function openMail(settings: MailSettings): Promise<OpenMail> {
  const { database, personalDataKey, smtp, instance, onError } = settings
  const outbox = await openOutbox(database, personalDataKey)
  const sender: Sender | undefined = smtp && startSender({ ...settings, outbox, deliver: smtpDelivery(smtp) })
  const timer = setInterval(() => void outbox.sweep().catch(onError), sweepEvery_ms).unref()
  sender?.wake()
  return {
    canSend: smtp !== undefined,
    async send(letter) {
      const address = parseEmail(letter.to)
      if (!address.ok) throw new Error(`A mail of ${letter.template} goes to no single address: ${address.code}`)
      const content = { to: address.value, ...renderMail(letter, instance()) }
      await outbox.add(letter.key, content, smtp ? 'waiting' : 'kept')
      sender?.wake()
    },
    async close() {
      clearInterval(timer)
      await sender?.close()
    },
  }
}
