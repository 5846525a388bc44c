import { hash } from 'node:crypto'
import type { Channel } from '../../domain/guild/channel.ts'
import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import { needsThreads } from '../../domain/permissions/viewable-channels.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import { dispatchText, type Frame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import { perVisibilityClass, type Link } from '../visibility/room.ts'
import type { ChannelList } from './channel-list.ts'
import type { ItemTexts } from './item-texts.ts'
import type { Row } from './member-list.ts'
import { hasLists, mayLook } from './sight.ts'
import type { Looking, Watch } from './watch.ts'

export interface SenderSettings {
  readonly texts: Pick<ItemTexts, 'of'>
  readonly recent: Pick<RecentEvents, 'handled'>
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** What became of rows: everybody has them; some members must be looked up; or some sessions get them later. */
export type Outcome = 'done' | 'later' | { readonly missing: readonly AccountId[] }

/**
 * Sends rows to the sessions that look at them, while nothing changes: GUILD_MEMBER_LIST_UPDATE. What was sent already as it is now
 * is not sent again.
 */
export class Sender {
  readonly #settings: SenderSettings
  readonly #permits = new Map<ChannelId, (link: Link) => boolean>()
  #bytes_left: number

  /** For one pass, which may send this much. */
  constructor(settings: SenderSettings, bytes_left: number) {
    this.#settings = settings
    this.#bytes_left = bytes_left
  }

  get bytes_left(): number {
    return this.#bytes_left
  }

  send(guild: GuildId, list: ChannelList, watch: Watch): Outcome {
    const rows = list.members.rows(watch.span)
    const read = this.#textsOf(guild, rows)
    if (read.missing.length > 0) return read
    const items = read.texts.join(',')
    watch.version = hash('sha1', items, 'base64')
    const frames = new Map<ChannelId, Frame>()
    for (const look of watch.looks) {
      if (!look.isNew(watch)) continue
      const when = this.#whenOf(look)
      if (when === 'never') look.lose(watch)
      if (when !== 'now') continue
      if (this.#bytes_left <= 0) return 'later'
      const frame = frames.get(look.channelId) ?? frameOf(look, list, watch, items)
      frames.set(look.channelId, frame)
      this.#bytes_left -= frame.bytes.length
      look.link.session.answer('GUILD_MEMBER_LIST_UPDATE', frame)
      look.sent(watch)
      // Where there is not enough for all, the others are served first the next time.
      watch.looks.delete(look)
      watch.looks.add(look)
      this.#settings.onDispatched(1)
    }
    return [...watch.looks].some((look) => look.isNew(watch) && this.#whenOf(look) === 'later') ? 'later' : 'done'
  }

  #textsOf(guild: GuildId, rows: readonly Row[]) {
    const [texts, missing]: [string[], AccountId[]] = [[], []]
    for (const row of rows) {
      if ('heading' in row) {
        texts.push(JSON.stringify({ group: row.heading }))
        continue
      }
      const text = this.#settings.texts.of(guild, row.entry.accountId)
      if (text === undefined) missing.push(row.entry.accountId)
      else texts.push(text)
    }
    return { texts, missing }
  }

  /** When a session may be sent rows. One without a transport gets them when it is resumed. */
  #whenOf({ link, channel }: Looking): 'now' | 'later' | 'never' | 'resumed' {
    const { session, room, since } = link
    if (!channel || !hasLists(room) || !isOnShard(session.shard, room.id) || !this.#mayLook(link, channel))
      return 'never'
    if (!session.wire) return 'resumed'
    return session.wire.isBehind || this.#settings.recent.handled < since ? 'later' : 'now'
  }

  #mayLook(link: Link, channel: Channel): boolean {
    const permits = this.#permits.get(channel.id) ?? perVisibilityClass((one) => mayLook(one, channel))
    this.#permits.set(channel.id, permits)
    return (link.session.threadAccess || !needsThreads(channel.type)) && permits(link)
  }
}

function frameOf({ link, channelId }: Looking, { members }: ChannelList, { span }: Watch, items: string): Frame {
  const head = JSON.stringify({
    guild_id: link.room.id,
    id: channelId,
    channel_id: channelId,
    member_count: members.memberCount,
    online_count: members.onlineCount,
    groups: members.groups,
  })
  const ops = `[{"op":"SYNC","range":[${span.from},${span.to}],"items":[${items}]}]`
  return dispatchText('GUILD_MEMBER_LIST_UPDATE', `${head.slice(0, -1)},"ops":${ops}}`)
}
