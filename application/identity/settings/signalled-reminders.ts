import { z } from 'zod'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../../../domain/ids/snowflake.ts'
import type { Reminder, Reminders } from '../../ports/reminders.ts'
import type { Signals } from '../../ports/signals.ts'

const id = z.string().transform((text, context): Snowflake => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return parsed.id
  context.addIssue({ code: 'custom', message: parsed.code })
  return z.NEVER
})

/** The payload of the signal kind `settings`. */
const reminderMessage = z.object({
  accountId: id.transform(accountId),
  of: z.literal('user').exactOptional(),
  forGuild: id.transform(guildId).nullable().exactOptional(),
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
