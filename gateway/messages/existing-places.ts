import type { MessageNotice } from '../../application/ports/messages.ts'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import type { KnownEvent } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import { isThread } from './message-audience.ts'

export interface ExistingPlacesSources {
  readonly lookups: Pick<Lookups, 'heardBy' | 'privateChannelsOf'>
  readonly recent: Pick<RecentEvents, 'last' | 'remembers'>
}

/** The places of messages, as sessions know them. */
export interface ExistingPlaces {
  /**
   * The notice, limited to current recipients if the place is private; undefined if its thread or private channel has ended. The
   * author was allowed to write when the request arrived. But the place, or a recipient's part in it, may have ended before the
   * message, and sessions have already been told so.
   */
  readonly heard: (notice: MessageNotice) => MessageNotice | undefined
  /** The recipients' nicknames in a group. */
  readonly nicks: (channel: string) => Readonly<Record<string, string>>
}

/** Notes never end, and have no row. */
export const notesType = 999
const noNicks: Readonly<Record<string, string>> = {}

/**
 * Looks up the threads and private channels of some notices; guild channels need no lookup. The read models are never behind what
 * the Gateway has dispatched, but they may be ahead of it. What has ended there has ended for sessions once the Gateway has handled
 * the event: until then, whoever stood in a place hears its messages. Rejects as `lookups` do.
 */
export async function existingPlaces(
  { lookups, recent }: ExistingPlacesSources,
  notices: readonly MessageNotice[],
): Promise<ExistingPlaces> {
  const [threads, channels] = await Promise.all([
    lookups.heardBy(idsOf(notices.filter(isThread))),
    lookups.privateChannelsOf(idsOf(notices.filter(isPrivateChannel))),
  ])
  const partakersOf = (notice: MessageNotice): readonly AccountId[] | null | undefined => {
    if (isThread(notice)) return threads.get(notice.channelId)?.members
    if (!isPrivateChannel(notice)) return notice.recipients
    const channel = channels.get(notice.channelId)
    return channel?.recipients.filter((id) => !channel.closedFor.includes(id))
  }
  const hasEnded = (notice: MessageNotice, recipient?: AccountId): boolean => {
    if (!recent.remembers(notice.after)) return true
    const change = recent.last((event) => isPartOf(notice.channelId, recipient, event))
    return change !== undefined && ends.has(change.type)
  }
  return {
    heard: (notice) => {
      const { recipients } = notice
      const partakers = partakersOf(notice)
      if (partakers === null) return notice
      if (partakers === undefined && hasEnded(notice)) return undefined
      if (recipients === null) return notice
      const still = new Set(partakers)
      return { ...notice, recipients: recipients.filter((id) => still.has(id) || !hasEnded(notice, id)) }
    },
    nicks: (channel) => [...channels.values()].find(({ id }) => id === channel)?.nicks ?? noNicks,
  }
}

const placeEnds: ReadonlySet<KnownEvent['type']> = new Set(['GroupDeleted', 'ThreadDeleted'])
const partEnds: ReadonlySet<KnownEvent['type']> = new Set([
  'DirectChannelHidden',
  'GroupRecipientRemoved',
  'ThreadMemberRemoved',
])
const partBeginnings: ReadonlySet<KnownEvent['type']> = new Set([
  'DirectChannelOpened',
  'DirectChannelShown',
  'GroupRecipientAdded',
  'ThreadMemberAdded',
])
const ends: ReadonlySet<KnownEvent['type']> = new Set([...placeEnds, ...partEnds])

/** Whether an event ends a thread or private channel, or begins or ends a recipient's part in it. */
function isPartOf(channel: ChannelId, recipient: AccountId | undefined, { type, data }: KnownEvent): boolean {
  const isThere =
    'threadId' in data ? data.threadId === channel : 'channelId' in data ? data.channelId === channel : false
  if (!isThere) return false
  if (placeEnds.has(type)) return true
  return (partEnds.has(type) || partBeginnings.has(type)) && 'accountId' in data && data.accountId === recipient
}

function isPrivateChannel({ guildId, channelType }: MessageNotice): boolean {
  return guildId === null && channelType !== notesType
}

function idsOf(notices: readonly MessageNotice[]): readonly ChannelId[] {
  return [...new Set(notices.map(({ channelId }) => channelId))]
}
