import { backgroundJobId, messageId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { causeOf } from '../../commands/command-context.ts'
import type { MessageFilter } from '../../ports/message-filter.ts'
import type { Ports } from '../../ports.ts'

/** How long the holder can cancel the deletion of all own messages. */
export const messageDeletionDelay_s = 24 * 3600

/**
 * Schedules the deletion of all messages of the caller, instead of an earlier schedule. What is written until then is
 * deleted too. See rules/users#delete-all-messages.
 */
export function scheduleMessageDeletion({ aggregates, authorMessages }: Pick<Ports, 'aggregates' | 'authorMessages'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    const { channel_count: channelCount, message_count: messageCount } = await authorMessages.count(account.id)
    const dueAt = secondsAfter(context.now, messageDeletionDelay_s)
    const command = { type: 'ScheduleMessageDeletion', dueAt, channelCount, messageCount } as const
    await aggregates.account.execute(account.id, command, context)
  }
}

/** Cancels it; also works where none is scheduled. Deleted messages stay deleted. */
export function withdrawMessageDeletion({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<{ readonly success: true }> => {
    await aggregates.account.execute(account.id, { type: 'WithdrawMessageDeletion' }, context)
    return { success: true }
  }
}

const beforeAll = messageId(snowflake('0'))

/**
 * Begins to delete those of the caller's messages that the filter wants, at once. Messages that are written later stay.
 * A direct message of the service tells the caller when it is done. See rules/users#delete-all-messages.
 */
export function deleteFilteredMessages({
  authorMessages,
  backgroundJobs,
}: Pick<Ports, 'authorMessages' | 'backgroundJobs'>) {
  return async ({ account, context }: Caller, filter: MessageFilter): Promise<void> => {
    const { message_count, newest } = await authorMessages.count(account.id)
    await backgroundJobs.add({
      jobId: backgroundJobId(context.newId()),
      task: 'delete_filtered_messages',
      work: { author: account.id, upTo: newest ?? beforeAll, filter },
      payload: { user_id: account.id, message_count },
      total: message_count,
      requestedBy: account.id,
      reason: null,
      commandId: context.commandId,
      cause: causeOf(context),
      createdAt: context.now,
    })
  }
}
