import type { MessageNotice } from '../../application/ports/messages.js'
import type { AccountId, ChannelId } from '../../domain/ids/ids.js'
import type { Lookups } from '../events/lookups.js'
import { isThread } from './message-audience.js'

/** The current state of the places of messages. */
export interface StandingPlaces {
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
const notesType = 999
const noNicks: Readonly<Record<string, string>> = {}

/**
 * Looks up the threads and private channels of some notices; guild channels need no lookup. The read models are never behind what
 * the Gateway has dispatched. Rejects as `lookups` do.
 */
export async function standingPlaces(
  lookups: Pick<Lookups, 'heardBy' | 'privateChannelsOf'>,
  notices: readonly MessageNotice[],
): Promise<StandingPlaces> {
  const [threads, channels] = await Promise.all([
    lookups.heardBy(idsOf(notices.filter(isThread))),
    lookups.privateChannelsOf(idsOf(notices.filter(isPrivateChannel))),
  ])
  const partakersOf = (notice: MessageNotice): readonly AccountId[] | null | undefined => {
    if (isThread(notice)) return threads.get(notice.channelId)
    if (!isPrivateChannel(notice)) return notice.recipients
    const channel = channels.get(notice.channelId)
    return channel?.recipients.filter((id) => !channel.closedFor.includes(id))
  }
  return {
    heard: (notice) => {
      const partakers = partakersOf(notice)
      if (partakers === undefined) return undefined
      if (partakers === null) return notice
      const still = new Set(partakers)
      return { ...notice, recipients: (notice.recipients ?? []).filter((id) => still.has(id)) }
    },
    nicks: (channel) => [...channels.values()].find(({ id }) => id === channel)?.nicks ?? noNicks,
  }
}

function isPrivateChannel({ guildId, channelType }: MessageNotice): boolean {
  return guildId === null && channelType !== notesType
}

function idsOf(notices: readonly MessageNotice[]): readonly ChannelId[] {
  return [...new Set(notices.map(({ channelId }) => channelId))]
}
