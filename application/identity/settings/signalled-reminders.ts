import { z } from 'zod'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import type { Reminder, Reminders } from '../../ports/reminders.ts'
import type { Signals } from '../../ports/signals.ts'
import { signalledId } from '../../presence/signalled-id.ts'

/** The payload of the signal kind `settings`. */
const reminderMessage = z.object({
  accountId: signalledId.transform(accountId),
  of: z.literal('user').exactOptional(),
  forGuild: signalledId.transform(guildId).nullable().exactOptional(),
})

/** Connects the processes that handle requests with those that have sessions. */
export interface SignalledReminders extends Reminders {
  /** Calls `handle` for each reminder, until the returned function is called. */
  subscribe(handle: (reminder: Reminder) => void): () => void
}

/** Reminders sent as signals. The signals report reminders that cannot be read, and drop them. */
export function signalledReminders(signals: Signals): SignalledReminders {
  return {
    remind: (reminder) => signals.publish('settings', { ...reminder }),
    subscribe: (handle) => signals.subscribe('settings', (payload) => handle(reminderMessage.parse(payload))),
  }
}
