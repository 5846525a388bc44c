import type { Letter } from '../ports/mail.ts'
import type { Ports } from '../ports.ts'
import { bestEffort } from './best-effort.ts'

/**
 * Mails somebody about an act that stands whatever becomes of the mail. Gives whether the mail server has taken it by
 * now: `notification_sent` in the answer.
 */
export async function notified(ports: Pick<Ports, 'deferred' | 'mail'>, letter: Letter): Promise<boolean> {
  let isTaken = false
  await bestEffort(ports, async () => {
    isTaken = await ports.mail.deliver(letter)
  })
  return isTaken
}
