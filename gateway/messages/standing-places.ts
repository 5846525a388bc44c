import type { MessageNotice } from '../../application/ports/messages.js'
import type { AccountId, ChannelId } from '../../domain/ids/ids.js'
import type { Lookups } from '../events/lookups.js'
import { isThread } from './message-audience.js'

/** Where messages stand, as it is now. */
export interface StandingPlaces {
  /**
   * The notice, to those who still take part where it is of a private place; undefined where its thread or its private channel is
   * gone. Whoever wrote there was allowed to when the request came: the end of the place, or of somebody's part in it, may have come
   * before the message, and then sessions have heard of it.
   */
  readonly heard: (notice: MessageNotice) => MessageNotice | undefined
  /** What recipients are called in a group. */
  readonly nicks: (channel: string) => Readonly<Record<string, string>>
}

/** Everybody's notes have no end, and no row. */
const notesType = 999
const noNicks: Readonly<Record<string, string>> = {}

/**
 * Looks up the threads and private channels of some notices; channels of guilds are known without. The read models are never behind
 * what the Gateway has told. Rejects as `lookups` do.
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
