import type { Channel } from '../../domain/guild/channel.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import type { Link } from '../visibility/room.ts'
import type { Span } from './member-list.ts'

/** The same rows of one list, for all who look at them. */
export interface Watch {
  readonly span: Span
  /** Those served first come last the next time. */
  readonly looks: Set<Looking>
  /** Names what the rows said when they were last read. */
  version: string
}

/** A session that looks at rows. */
export interface Looking {
  readonly link: Link
  readonly channelId: ChannelId
  /** The channel as it was when its list was chosen. */
  readonly channel: Channel | undefined
  /** Whether it was not sent these rows as they are. */
  isNew(watch: Watch): boolean
  /** It was sent these rows as they are. */
  sent(watch: Watch): void
  /** It may not hear of these rows now: should it again, it is sent all of them. */
  lose(watch: Watch): void
}
