import { systemAccountId } from '../../../domain/account/system-account.ts'
import { channelId, pairId, type AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { postOnce, systemMessageId } from '../messages/system/post-system-message.ts'
import { closeOldest, type ClosingNeeds } from './close-oldest.ts'
import { privatePlace } from './private-place.ts'

export type ServiceMessageNeeds = ClosingNeeds

/** A text from the service itself. The same cause of the same instant is told once, with that instant as its time. */
export interface ServiceText {
  readonly content: string
  readonly cause: string
  readonly at: Timestamp
}

/**
 * Sends an account a direct message from the service. The channel opens if the account has it closed. Nobody can answer, since the
 * service is no account that can be reached.
 */
export async function tellByService(
  ports: ServiceMessageNeeds,
  accountId: AccountId,
  { content, cause, at }: ServiceText,
  context: CommandContext,
): Promise<void> {
  const made = channelId(derivedSnowflake(at, `direct messages of the service for ${accountId}`))
  const pair = pairId(accountId, systemAccountId)
  const open = { type: 'OpenDirectChannel', channelId: made, accountId, otherId: systemAccountId, now: at } as const
  const { state } = await ports.aggregates.directChannel.execute(pair, open, context)
  if (state.status !== 'opened') return
  await ports.readModels.reached(context.written)
  await closeOldest(ports, [accountId], state.channelId, context)
  const place = privatePlace({ id: state.channelId, kind: 'direct', recipients: state.accounts, closedFor: [] })
  const said = { type: messageTypes.default, authorId: systemAccountId, content }
  await postOnce(ports, place, said, systemMessageId(at, `${cause} for ${accountId}`))
}
