import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { ChannelObject } from '../../wire-objects/communities/channel-objects.ts'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.ts'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import type { Ports } from '../../ports.ts'
import type { ChannelDeletion } from '../../conversations/private-channels/close-private-channel.ts'
import type { GroupWishes } from '../../conversations/private-channels/change-group.ts'
import type { ThreadChanges } from '../../conversations/threads/change-thread.ts'
import type { WishesOfClient } from './tag-ids.ts'

/** The answer of Read channel and Modify channel. */
export type AnyChannelObject = ChannelObject | ThreadObject | PrivateChannelObject

/**
 * The body of Modify channel. Its members depend on the kind of the channel, which is known once the channel is found. Each
 * function parses the body for one kind, and refuses with INVALID_FORM_BODY.
 */
export interface ChannelBody {
  readonly ofGuildChannel: () => WishesOfClient
  readonly ofThread: () => ThreadChanges
  readonly ofPrivateChannel: () => GroupWishes
}

/** A channel that was found, and the operations of the caller on it. */
export interface FoundChannel {
  readonly read: () => Promise<AnyChannelObject>
  readonly change: (body: ChannelBody) => Promise<AnyChannelObject>
  readonly delete: (wishes: ChannelDeletion) => Promise<void>
}

/** Finds channels of one kind. Undefined if the id belongs to another kind. May refuse callers who cannot reach the channel. */
export type ChannelKind = (ports: Ports) => (caller: Caller, channelId: ChannelId) => Promise<FoundChannel | undefined>
