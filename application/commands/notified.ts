import type { Letter } from '../ports/mail.js'
import type { Ports } from '../ports.js'
import { bestEffort } from './best-effort.js'

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
