import type { DueMail, Outbox } from './outbox.ts'
import type { Deliver } from './smtp.ts'

export interface SendMailSettings {
  readonly outbox: Outbox
  readonly deliver: Deliver
  /** Called for mails that could not be sent, without address and text. */
  readonly onUndelivered: (failure: Undelivered) => void
  /**
   * Called for an address that the mail server refuses for good, with the cause of the mail, before the mail is given up. If it rejects, the mail is
   * retried, and so is this call.
   */
  readonly onRefusedRecipient: (address: string, cause: DueMail['cause']) => Promise<void>
  /** The pause before the first retry; each further pause is four times as long, up to `retry_ms_max`. */
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
 * Makes the function of a mail job: one try to send. If the server does not take the mail, a job of its own retries it, so this
 * job is done. It rejects if the outcome could not be written down. It skips mails that are sent, deleted or being tried by
 * another process.
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
  if (delivery.refusesRecipient) await onRefusedRecipient(mail.to, mail.cause)
  const { reason, isFinal } = delivery
  const parked = isFinal || mail.tries >= tries_max
  await (parked ? outbox.park(mail.id, reason) : outbox.retry(mail, retryAfter_ms(settings, mail.tries), reason))
  onUndelivered({ mail: mail.id, reason, tries: mail.tries, parked })
}

function retryAfter_ms(settings: SendMailSettings, tries: number): number {
  return Math.min((settings.firstRetry_ms ?? firstRetry_ms) * retryFactor ** (tries - 1), retry_ms_max)
}
