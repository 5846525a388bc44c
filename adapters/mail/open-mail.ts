import { renderMail, type MailInstance } from '../../application/identity/mail/render-mail.ts'
import type { Letter, Mail } from '../../application/ports/mail.ts'
import { parseEmail } from '../../domain/account/names.ts'
import type { Outbox } from './outbox.ts'

/** How long `deliver` waits for the mail server. */
const deliveryWait_ms_max = 3000

export interface MailSettings {
  readonly outbox: Outbox
  /** Whether there is a mail server. Without one, mails are kept for the operator. */
  readonly canSend: boolean
  /** What mails say about the instance; read when a mail is written. */
  readonly instance: () => MailInstance
  readonly onError: (error: unknown) => void
}

export type OpenMail = Mail & { close(): Promise<void> }

const sweepEvery_ms = 600_000
const lookEvery_ms = 50

/** Writes mails into the outbox. Its jobs send them if there is a mail server. */
export function openMail({ outbox, canSend, instance, onError }: MailSettings): OpenMail {
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = outbox.sweep().catch(onError)
  }, sweepEvery_ms).unref()
  const send = async (letter: Letter): Promise<void> => {
    const address = parseEmail(letter.to)
    if (!address.ok) throw new Error(`A mail of ${letter.template} goes to no single address: ${address.code}`)
    const content = { to: address.value, ...renderMail(letter, instance()) }
    await outbox.add(letter, content, canSend ? 'waiting' : 'kept')
  }
  return {
    canSend,
    send,
    async deliver(letter) {
      await send(letter)
      return canSend && outbox.hasJobs && isTaken(outbox, letter.key)
    },
    ofRequest: (correlationId, limit) => outbox.ofRequest(correlationId, limit),
    unsent: (wanted) => outbox.unsent(wanted),
    forget: (account) => outbox.forget(account),
    async close() {
      clearInterval(timer)
      await sweeping
    },
  }
}

/** Whether the job of the mail has handed it to the mail server in time: so no mail is sent by two. */
async function isTaken(outbox: Pick<Outbox, 'progressOf'>, key: string): Promise<boolean> {
  const until = performance.now() + deliveryWait_ms_max
  for (;;) {
    const progress = await outbox.progressOf(key)
    if (progress !== 'waiting' || performance.now() > until) return progress === 'sent'
    await new Promise((resolve) => setTimeout(resolve, lookEvery_ms))
  }
}
