import type { ChannelId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GuildImage } from './state.ts'

/** What is written of a guild; absent members keep their value. */
export interface GuildChanges {
  /** 1-100 characters. */
  readonly name?: string
  /** The hash of an image. */
  readonly icon?: string | null
  readonly banner?: GuildImage | null
  readonly splash?: GuildImage | null
  readonly embedSplash?: GuildImage | null
  readonly splashCardAlignment?: number
  readonly systemChannelId?: ChannelId | null
  readonly systemChannelFlags?: number
  readonly afkChannelId?: ChannelId | null
  /** Seconds, 60-3600. */
  readonly afkTimeout?: number
  readonly defaultMessageNotifications?: number
  /** 0-3. */
  readonly verificationLevel?: number
  readonly mfaLevel?: number
  /** 0 or 3. */
  readonly nsfwLevel?: number
  readonly nsfw?: boolean
  readonly contentWarningLevel?: number
  /** 1-200 characters. */
  readonly contentWarningText?: string | null
  readonly explicitContentFilter?: number
  /** The complete wanted set. */
  readonly features?: readonly string[]
  readonly messageHistoryCutoff?: Timestamp | null
  /** Bits of `disabledOperationBits`. Only the instance sets them. */
  readonly disabledOperations?: number
}
