import { inProcessAfterwards } from '../../adapters/afterwards/in-process-afterwards.js'
import { openMail } from '../../adapters/mail/open-mail.js'
import { openPostgresSessionActivity } from '../../adapters/session-activity/postgres-session-activity.js'
import { openPostgresTickets } from '../../adapters/tickets/postgres-tickets.js'
import type { Ports } from '../../application/ports.js'
import { forgettingEndedSessions } from '../../application/sessions/noting-session-tokens.js'
import type { Base } from './base.js'

/** What is no history, and stands in Postgres beside it: tickets, mails, when sessions were used, what no answer waits for. */
export type BesideHistory = Pick<Ports, 'tickets' | 'mail' | 'sessionActivity' | 'afterwards'>

/** `publicUrl` is asked when a mail is written. */
export async function openBesideHistory(
  { options, closings, onError, database }: Base,
  publicUrl: () => string,
): Promise<BesideHistory> {
  const { settings, personalDataKey, logger } = options
  const sessionActivity = await openPostgresSessionActivity({ database, onError })
  closings.add(() => sessionActivity.close())
  const tickets = await openPostgresTickets({ database, personalDataKey, onError })
  closings.add(async () => tickets.close())
  const mail = await openMail({
    database,
    personalDataKey,
    smtp: settings.smtp,
    instance: () => ({ serviceName: settings.serviceName, publicUrl: publicUrl() }),
    onUndelivered: (failure) => {
      logger.warn(failure, failure.parked ? 'a mail is given up' : 'a mail could not be sent, and will be tried again')
    },
    onError,
  })
  closings.add(() => mail.close())
  const afterwards = inProcessAfterwards(onError)
  closings.add(() => afterwards.close())
  return { tickets, mail, sessionActivity, afterwards }
}

/** Forgets when sessions were used that have ended: by any process that hears of all events. */
export async function forgetEndedSessions(
  { carrier, readModels }: Base,
  { sessionActivity }: BesideHistory,
): Promise<void> {
  const forget = forgettingEndedSessions(sessionActivity)
  const events = await carrier.listen(readModels)
  events.subscribe((batch) => {
    for (const event of batch) forget(event)
  })
}
