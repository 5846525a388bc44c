import type { Reminder } from '../../application/ports/reminders.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { deliver } from '../dispatches/deliver.ts'
import type { Dispatch } from '../dispatches/dispatch.ts'
import { userUpdate } from '../dispatches/accounts/account-changed.ts'
import { userGuildSettingsUpdate, userSettingsUpdates } from '../dispatches/accounts/user-settings-update.ts'
import type { World } from '../visibility/world.ts'
import type { EventLoop } from './event-loop.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { GatewayLog } from '../log.ts'

export interface ReminderSettings {
  readonly loop: EventLoop
  readonly world: World
  readonly lookups: Lookups
  readonly log: GatewayLog
  readonly now: () => Timestamp
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** Sends an account or its settings to its sessions again, between two batches of events. Never throws. */
export function reminding({ loop, world, lookups, log, now, onDispatched }: ReminderSettings) {
  async function dispatchesOf({ accountId, forGuild, of }: Reminder): Promise<readonly Dispatch[]> {
    const sessions = world.sessionsOf(accountId)
    const [first] = sessions
    if (first === undefined) return []
    if (of === 'user') return [userUpdate(first.account, sessions, now())]
    const staysOf = (session: (typeof sessions)[number]) => world.membershipsOf(session)
    if (forGuild === undefined) return userSettingsUpdates(sessions, { staysOf }, now())
    const found = await lookups.ask(({ userSettings }) => userSettings.findForGuild(accountId, forGuild))
    return [userGuildSettingsUpdate(sessions, forGuild, found)]
  }

  return (reminder: Reminder): void => {
    const tell = async (): Promise<void> => {
      for (const dispatch of await dispatchesOf(reminder)) onDispatched(deliver(dispatch, undefined, 0n))
    }
    loop.run(tell).catch((error: unknown) => {
      log.warn({ error }, 'an account or its settings could not be sent again')
    })
  }
}
