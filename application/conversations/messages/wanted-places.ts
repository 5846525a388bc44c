import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import { viewsThread } from '../../../domain/thread/views-thread.ts'
import type { WrittenChannel } from '../../ports/archives.ts'
import type { MessageFilter } from '../../ports/message-filter.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries'>

/** Whether an account's messages in a channel are wanted: by the kind of the channel, its guild, and what it sees now. */
export function wantedPlaces(ports: Needs, account: AccountId, filter: MessageFilter | null, now: Timestamp) {
  return async (place: WrittenChannel): Promise<boolean> => {
    if (!filter) return true
    const found = place.guildId === null ? await ports.queries.privateChannels.find(place.channelId) : undefined
    if (!wantsKind(filter, account, place, found)) return false
    if (filter.scope === 'selected') return true
    return !(await sees(ports, account, place, found, now))
  }
}

/** Personal notes count as an open direct message, and a private channel that is gone as a group. */
function wantsKind(
  filter: MessageFilter,
  account: AccountId,
  { channelId, guildId }: WrittenChannel,
  found: PrivateChannel | undefined,
): boolean {
  if (guildId !== null) return filter.includesGuilds && filter.guilds.includes(guildId) === wantsListed(filter)
  if (isNotes(channelId, account)) return filter.includesDirect
  if (found?.kind !== 'direct') return filter.includesGroups
  return found.closedFor.includes(account) ? filter.includesClosedDirect : filter.includesDirect
}

const wantsListed = ({ guildMode }: MessageFilter): boolean => guildMode === 'include_only'

/** An account's personal notes have the account's own id. */
const isNotes = (channel: string, account: AccountId): boolean => channel === account

async function sees(
  { queries }: Needs,
  account: AccountId,
  { channelId, guildId }: WrittenChannel,
  found: PrivateChannel | undefined,
  now: Timestamp,
): Promise<boolean> {
  if (guildId === null) return isNotes(channelId, account) || found?.recipients.includes(account) === true
  const access = await queries.guilds.findFor(guildId, account)
  if (!access?.member) return false
  const thread = await queries.threads.find(channelId)
  const channel = access.guild.channels.find(({ id }) => id === (thread?.parentId ?? channelId))
  if (!channel) return false
  const mask = computePermissions(access.guild, access.member, channel.overwrites)
  if (!thread) return holds(mask, 'VIEW_CHANNEL')
  const hasJoined = (await queries.threads.membership(channelId, account)) !== undefined
  return viewsThread(mask, access.member, { threadType: thread.threadType, hasJoined, now })
}
