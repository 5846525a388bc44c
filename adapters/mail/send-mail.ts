import type { DueMail, Outbox } from './outbox.js'
import type { Deliver } from './smtp.js'

export interface SendMailSettings {
  readonly outbox: Outbox
  readonly deliver: Deliver
  /** Told of mails that could not be sent: without address and text. */
  readonly onUndelivered: (failure: Undelivered) => void
  /**
   * Told of an address that the mail server refuses for good, before the mail is given up. Where it rejects, the mail comes up
   * again, and so does this.
   */
  readonly onRefusedRecipient: (address: string) => Promise<void>
  /** After how long the first failed try is repeated; each further one waits four times as long, up to `retry_ms_max`. */
  readonly firstRetry_ms?: number
}

export interface Undelivered {
  /** The mail's number in mail.outbox. */
  readonly mail: string
  readonly reason: string
  readonly tries: number
  /** Whether it was the last try. */
  readonly parked: boolean
}

export const tries_max = 12
const firstRetry_ms = 10_000
const retryFactor = 4
const retry_ms_max = 2 * 3600 * 1000

/**
 * Makes what a job does that sends a mail: one try. A mail that the server does not take is tried again by a job of its own, so
 * the job is done; it rejects where the outcome could not be written down. One that is sent, forgotten or somebody else's to
 * try is let be.
 */
export function sendMail(settings: SendMailSettings): (mail: string, signal: AbortSignal) => Promise<void> {
  const { outbox } = settings
  return async (id, signal) => {
    const mail = await outbox.take(id)
    if (!mail) return
    try {
      await deliverOnce(settings, mail, signal)
    } catch (error) {
      await outbox.giveBack(id)
      throw error
    }
  }
}

async function deliverOnce(settings: SendMailSettings, mail: DueMail, signal: AbortSignal): Promise<void> {
  const { outbox, deliver, onRefusedRecipient, onUndelivered } = settings
  const delivery = await deliver(mail, signal)
  if (delivery.outcome === 'sent') return outbox.sent(mail.id)
  if (delivery.refusesRecipient) await onRefusedRecipient(mail.to)
  const { reason, isFinal } = delivery
  const parked = isFinal || mail.tries >= tries_max
  await (parked ? outbox.park(mail.id, reason) : outbox.retry(mail, retryAfter_ms(settings, mail.tries), reason))
  onUndelivered({ mail: mail.id, reason, tries: mail.tries, parked })
}

function retryAfter_ms(settings: SendMailSettings, tries: number): number {
  return Math.min((settings.firstRetry_ms ?? firstRetry_ms) * retryFactor ** (tries - 1), retry_ms_max)
}
