import type { FiledReport } from '../../../domain/report/state.ts'
import { bestEffort } from '../../commands/best-effort.ts'
import { causeOf, type WorkCause } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

export type NotifyNeeds = Pick<Ports, 'aggregates' | 'deferred' | 'mail'>

/**
 * Mails a reporter that the report is resolved, once. Gives whether the mail server has taken it (`deliver`), or
 * whether the mail is on its way (`send`): neither for an account that is gone or has no verified address.
 */
export async function notifyReporter(
  ports: NotifyNeeds,
  { id, reporterId }: FiledReport,
  publicComment: string | null,
  how: 'send' | 'deliver',
  context: WorkCause,
): Promise<boolean> {
  let isSent = false
  await bestEffort(ports, async () => {
    const { state } = await ports.aggregates.account.load(reporterId)
    if (state.status !== 'registered' || state.email === null || !state.emailVerified) return
    const { email, username, locale } = state
    const letter = { accountId: reporterId, to: email, locale, template: 'report_resolved' } as const
    // An empty comment says nothing.
    const comment = publicComment === '' ? null : publicComment
    const values = { username, publicComment: comment }
    const whole = { ...letter, values, key: `report_resolved ${id}`, cause: causeOf(context) }
    if (how === 'deliver') isSent = await ports.mail.deliver(whole)
    else {
      await ports.mail.send(whole)
      isSent = true
    }
  })
  return isSent
}
