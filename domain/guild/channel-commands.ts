import type { ChannelId } from '../ids/ids.ts'
import type { GuildActor } from '../permissions/authority.ts'
import type { ChannelViewer } from '../permissions/viewable-channels.ts'
import type { ChannelType, ForumEmoji, ForumTag, TagSetting } from './channel.ts'

export type ChannelCommand =
  | CreateChannel
  | ChangeChannel
  | DeleteChannel
  | ReorderChannels
  | SetOverwrite
  | RemoveOverwrite
  | NoteMessagesRemoved

/** The limits on the numbers of channels. */
export interface ChannelLimits {
  readonly channels_max: number
  readonly channelsPerCategory_max: number
}

/**
 * The requested attributes of a channel. Absent: unchanged, or the default. Attributes that the channel's type does not have are
 * dropped.
 */
export interface ChannelWishes {
  readonly type?: ChannelType | undefined
  /** 1-100 characters. */
  readonly name?: string | undefined
  readonly topic?: string | null | undefined
  readonly url?: string | null | undefined
  readonly parentId?: ChannelId | null | undefined
  readonly nsfw?: boolean | undefined
  readonly nsfwOverride?: boolean | null | undefined
  readonly contentWarningLevel?: number | undefined
  readonly contentWarningText?: string | null | undefined
  readonly rateLimitPerUser?: number | undefined
  readonly bitrate?: number | undefined
  readonly userLimit?: number | undefined
  readonly voiceConnectionLimit?: number | undefined
  readonly rtcRegion?: string | null | undefined
  readonly rtcP2p?: boolean | undefined
  readonly autoArchiveDuration?: number | undefined
  readonly threadRateLimitPerUser?: number | undefined
  readonly flags?: number | undefined
  readonly availableTags?: readonly ForumTag[] | undefined
  readonly defaultReactionEmoji?: ForumEmoji | null | undefined
  readonly defaultSortOrder?: number | null | undefined
  readonly defaultForumLayout?: number | undefined
  readonly defaultTagSetting?: TagSetting | null | undefined
  readonly overwrites?: readonly WishedOverwrite[] | undefined
}

export interface WishedOverwrite {
  readonly id: string
  /** 0 for a role, 1 for a member. */
  readonly type: 0 | 1
  readonly allow: bigint
  readonly deny: bigint
}

interface Acting {
  readonly by: GuildActor
}

/** A command that names other channels besides its target, as the actor's client sees them. */
interface Naming extends Acting {
  readonly viewer: ChannelViewer
}

/**
 * The permission bits that the client does not declare to know: its writes leave them unchanged
 * (rules/roles-and-permissions#masks).
 */
interface Writing {
  readonly undeclaredBits: bigint
}

export interface CreateChannel extends Naming, Writing {
  readonly type: 'CreateChannel'
  readonly channelId: ChannelId
  readonly wishes: ChannelWishes & { readonly type: ChannelType; readonly name: string }
  readonly limits: ChannelLimits
}

export interface ChangeChannel extends Naming, Writing {
  readonly type: 'ChangeChannel'
  readonly channelId: ChannelId
  readonly wishes: ChannelWishes
  readonly limits: ChannelLimits
}

export interface DeleteChannel extends Acting {
  readonly type: 'DeleteChannel'
  readonly channelId: ChannelId
}

export interface ReorderChannels extends Naming {
  readonly type: 'ReorderChannels'
  readonly moves: readonly ChannelMove[]
  readonly limits: ChannelLimits
}

/** Absent: unchanged. */
export interface ChannelMove {
  readonly channelId: ChannelId
  /** The position among its siblings, from 0; a larger number means last. Used if `precedingSiblingId` is absent. */
  readonly position?: number | undefined
  readonly parentId?: ChannelId | null | undefined
  /** Null: before all its siblings. */
  readonly precedingSiblingId?: ChannelId | null | undefined
  /** Whether to copy the overwrites of its category. */
  readonly lockPermissions: boolean
}

export interface SetOverwrite extends Acting, Writing {
  readonly type: 'SetOverwrite'
  readonly channelId: ChannelId
  readonly overwrite: WishedOverwrite
}

export interface RemoveOverwrite extends Acting {
  readonly type: 'RemoveOverwrite'
  readonly channelId: ChannelId
  /** The id of a role or member. */
  readonly overwriteId: string
}

export interface NoteMessagesRemoved {
  readonly type: 'NoteMessagesRemoved'
  readonly channelIds: readonly ChannelId[]
  /** Whether they belong to a deleted guild. */
  readonly ofGuild: boolean
}
