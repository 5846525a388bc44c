import type { ChannelId } from '../../domain/ids/ids.js'
import type { Caller } from '../caller.js'
import type { ChannelObject } from '../objects/guilds/channel-objects.js'
import type { PrivateChannelObject } from '../objects/private-channel-objects.js'
import type { ThreadObject } from '../objects/guilds/thread-objects.js'
import type { Ports } from '../ports.js'
import type { GroupWishes } from '../private-channels/change-group.js'
import type { ThreadChanges } from '../threads/change-thread.js'
import type { WishesOfClient } from './tag-ids.js'

/** What Read channel and Modify channel answer with. */
export type AnyChannelObject = ChannelObject | ThreadObject | PrivateChannelObject

/**
 * What Modify channel reads of its body. Which members it takes follows from the kind of the channel, which is known once it is
 * found: each of these reads the body as its kind has it, and refuses with INVALID_FORM_BODY.
 */
export interface ChannelBody {
  readonly ofGuildChannel: () => WishesOfClient
  readonly ofThread: () => ThreadChanges
  readonly ofPrivateChannel: () => GroupWishes
}

/**
 * What Delete channel reads of its query. Both are of matter to private channels alone: what was written in a channel of a guild
 * or a thread goes with it, and nobody's leaving is told there.
 */
export interface ChannelDeletion {
  /** Whether nobody is told by a message that the caller leaves a group. */
  readonly silent: boolean
  /** Whether what the caller wrote there is deleted first. */
  readonly deleteMessages: boolean
  /** Refuses who has not proved sudo mode; asked before messages are deleted. */
  readonly proveSudo: () => Promise<void>
}

/** A channel that was found, and what the caller can do to it. */
export interface FoundChannel {
  readonly read: () => Promise<AnyChannelObject>
  readonly change: (body: ChannelBody) => Promise<AnyChannelObject>
  readonly delete: (wishes: ChannelDeletion) => Promise<void>
}

/** Finds channels of one kind: undefined where the id is none of that kind. May refuse who cannot reach it. */
export type ChannelKind = (ports: Ports) => (caller: Caller, channelId: ChannelId) => Promise<FoundChannel | undefined>
