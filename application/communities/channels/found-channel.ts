import type { ChannelId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import type { ChannelObject } from '../../wire-objects/communities/channel-objects.js'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.js'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.js'
import type { Ports } from '../../ports.js'
import type { ChannelDeletion } from '../../conversations/private-channels/close-private-channel.js'
import type { GroupWishes } from '../../conversations/private-channels/change-group.js'
import type { ThreadChanges } from '../../conversations/threads/change-thread.js'
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

/** A channel that was found, and what the caller can do to it. */
export interface FoundChannel {
  readonly read: () => Promise<AnyChannelObject>
  readonly change: (body: ChannelBody) => Promise<AnyChannelObject>
  readonly delete: (wishes: ChannelDeletion) => Promise<void>
}

/** Finds channels of one kind: undefined where the id is none of that kind. May refuse who cannot reach it. */
export type ChannelKind = (ports: Ports) => (caller: Caller, channelId: ChannelId) => Promise<FoundChannel | undefined>
