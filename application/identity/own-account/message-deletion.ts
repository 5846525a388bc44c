import { secondsAfter } from '../../../domain/kernel/timestamp.js'
import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

/** How long the holder can cancel the deletion of all own messages (reference stores 5.2). */
export const messageDeletionDelay_s = 24 * 3600

/**
 * Schedules the deletion of all messages of the caller, in place of an earlier schedule. What is written until then is deleted
 * too. Reference stores 5.2.
 */
export function scheduleMessageDeletion({ aggregates, authorMessages }: Pick<Ports, 'aggregates' | 'authorMessages'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    const { channel_count: channelCount, message_count: messageCount } = await authorMessages.count(account.id)
    const dueAt = secondsAfter(context.now, messageDeletionDelay_s)
    const command = { type: 'ScheduleMessageDeletion', dueAt, channelCount, messageCount } as const
    await aggregates.account.execute(account.id, command, context)
  }
}

/** Cancels it; also works where none is scheduled. Deleted messages stay deleted. Reference stores 5.2. */
export function withdrawMessageDeletion({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<{ readonly success: true }> => {
    await aggregates.account.execute(account.id, { type: 'WithdrawMessageDeletion' }, context)
    return { success: true }
  }
}
