import type { DueMail, Outbox } from './outbox.js'
import type { Deliver } from './smtp.js'

export interface SenderSettings {
  readonly outbox: Outbox
  readonly deliver: Deliver
  /** Told of mails that could not be sent: without address and text. */
  readonly onUndelivered: (failure: Undelivered) => void
  /** Told of what keeps the sender itself from its work. */
  readonly onError: (error: unknown) => void
  /** After how long the first failed try is repeated; each further one waits four times as long, up to `retry_ms_max`. */
  readonly firstRetry_ms?: number
  /** How often mails of other processes, and mails to be tried again, are looked for. */
  readonly poll_ms?: number
  /** How long `close` waits for mails that are being sent. */
  readonly closing_ms_max?: number
}

export interface Undelivered {
  /** The mail's number in mail.outbox. */
  readonly mail: string
  readonly reason: string
  readonly tries: number
  /** Whether it was the last try. */
  readonly parked: boolean
}

/** Sends what is in the outbox, until it is closed. */
export interface Sender {
  /** Looks for mails now. */
  wake(): void
  /** Waits for the mails that are being sent, and breaks them off after `closing_ms_max`; the rest stays in the outbox. */
  close(): Promise<void>
}

export const tries_max = 12
export const deliveries_max = 4
const firstRetry_ms = 10_000
const retryFactor = 4
const retry_ms_max = 2 * 3600 * 1000
const poll_ms = 5000
/** Longer than a delivery may take: no two processes send a mail at once while both are well. */
const lease_s = 180
const closing_ms_max = 5000

/** Starts sending: `deliveries_max` mails at once. */
export function startSender(settings: SenderSettings): Sender {
  const { outbox, onError } = settings
  const atWork = new Set<Promise<void>>()
  const ending = new AbortController()
  let isClosed = false
  let isLooking = false
  let lookAgain = false
  let looking = Promise.resolve()
  const timer = setInterval(() => wake(), settings.poll_ms ?? poll_ms).unref()

  /** One look at a time; a call during one leads to another. */
  function wake(): void {
    lookAgain = true
    if (!isClosed && !isLooking) looking = look().catch(onError)
  }

  async function look(): Promise<void> {
    isLooking = true
    try {
      while (lookAgain && !isClosed && atWork.size < deliveries_max) {
        lookAgain = false
        for (const mail of await outbox.due(deliveries_max - atWork.size, lease_s)) begin(mail)
      }
    } finally {
      isLooking = false
    }
  }

  function begin(mail: DueMail): void {
    const delivery = deliverOnce(settings, mail, ending.signal)
      .catch(onError)
      .finally(() => {
        atWork.delete(delivery)
        wake()
      })
    atWork.add(delivery)
  }

  return {
    wake,
    async close() {
      isClosed = true
      clearInterval(timer)
      const late = setTimeout(() => ending.abort(), settings.closing_ms_max ?? closing_ms_max)
      await looking
      await Promise.all(atWork)
      clearTimeout(late)
    },
  }
}

/** One try of one mail. All that a job queue would have to call. */
async function deliverOnce(settings: SenderSettings, mail: DueMail, signal: AbortSignal): Promise<void> {
  const { outbox, deliver, onUndelivered } = settings
  const delivery = await deliver(mail, signal)
  if (delivery.outcome === 'sent') return outbox.sent(mail.id)
  const { reason, isFinal } = delivery
  const parked = isFinal || mail.tries >= tries_max
  await (parked ? outbox.park(mail.id, reason) : outbox.retry(mail.id, retryAfter_ms(settings, mail.tries), reason))
  onUndelivered({ mail: mail.id, reason, tries: mail.tries, parked })
}

function retryAfter_ms(settings: SenderSettings, tries: number): number {
  return Math.min((settings.firstRetry_ms ?? firstRetry_ms) * retryFactor ** (tries - 1), retry_ms_max)
}
