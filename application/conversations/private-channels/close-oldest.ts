import { pairId, type AccountId, type ChannelId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { limitsOfAccount } from '../../access/limits-of-account.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'

export type ClosingNeeds = Pick<Ports, 'aggregates' | 'limits' | 'messages' | 'queries' | 'readModels'>

/** How many channels one opening closes at most. After a larger cut of the limit, the next openings close the rest. */
const closed_max = 50

/**
 * Closes direct messages of accounts for which a channel was just opened, if they have more private channels open than
 * the limit. Those with the oldest last message go first, but never the channel just opened. Groups count but stay
 * open. This limit refuses nobody: a closed channel is kept, and opens with its next message. Resolves once the read
 * models hold it. The limit is max_private_channels_per_user (decision 41).
 */
export async function closeOldest(
  ports: ClosingNeeds,
  accounts: readonly AccountId[],
  opened: ChannelId,
  context: CommandContext,
): Promise<void> {
  for (const id of accounts) {
    const { max_private_channels_per_user: open_max } = await limitsOfAccount(ports, id)
    const isOver = (await ports.queries.privateChannels.openCountOf(id)) > open_max
    if (isOver) await closeSome(ports, id, { opened, open_max }, context)
  }
}

async function closeSome(
  { aggregates, messages, queries, readModels }: ClosingNeeds,
  accountId: AccountId,
  { opened, open_max }: { readonly opened: ChannelId; readonly open_max: number },
  context: CommandContext,
): Promise<void> {
  const open = await queries.privateChannels.openFor(accountId)
  // Counted anew: another opening may have closed some since, and what is left must not be closed instead.
  const count = Math.min(Math.max(open.length - open_max, 0), closed_max)
  const direct = open.filter(isDirectBut(opened))
  const last = await messages.lastOf(direct.map(({ id }) => id))
  // A channel without messages counts as last used when it was made.
  const usedAt = ({ id }: PrivateChannel) => last.get(id)?.messageId ?? id
  const oldest = direct.toSorted((one, other) => compareSnowflakes(usedAt(one), usedAt(other))).slice(0, count)
  for (const { recipients } of oldest) {
    const [one, other] = recipients
    if (one === undefined || other === undefined) continue
    await aggregates.directChannel.execute(pairId(one, other), { type: 'HideDirectChannel', accountId }, context)
  }
  await readModels.reached(context.written)
}

const isDirectBut =
  (opened: ChannelId) =>
  ({ id, kind }: PrivateChannel): boolean =>
    kind === 'direct' && id !== opened
