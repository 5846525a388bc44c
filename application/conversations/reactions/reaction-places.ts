import { disabledOperationBits } from '../../../domain/guild/state.ts'
import type { AccountId, ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { ReactionEmoji } from '../../../domain/messages/reactions.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AddedReaction, ReactionOutcome, RemovedReactions } from '../../ports/reactions.ts'
import type { Ports } from '../../ports.ts'
import { typesOfThreads } from '../../wire-objects/conversations/message-objects.ts'
import { audienceOf, requireTextChannel, type TextChannelNeeds, type TextPlace } from '../messages/text-places.ts'

export type ReactionNeeds = TextChannelNeeds & Pick<Ports, 'reactions'>

/** The message that reactions belong to. */
export interface ReactedMessage {
  readonly channelId: ChannelId
  readonly messageId: MessageId
}

/** One account's reaction to it. */
export interface OwnReaction extends ReactedMessage {
  readonly emoji: ReactionEmoji
  /** The Gateway session of the caller, which knows of the change already. */
  readonly sessionId: string | null
}

/** Another account's reaction. */
export interface OtherReaction extends OwnReaction {
  readonly accountId: AccountId
}

/** Gives the place of a message, at any age. Refuses as `requireTextChannel` does. */
export function requireReactionPlace(ports: ReactionNeeds, caller: Caller, channelId: ChannelId): Promise<TextPlace> {
  return requireTextChannel(ports, caller, channelId, { atAnyAge: true })
}

/** 403 FEATURE_TEMPORARILY_DISABLED while the guild has REACTIONS disabled: nobody can add or remove any. */
export function requireReactionsEnabled(place: TextPlace): void {
  if (place.kind !== 'guild') return
  const { disabledOperations } = place.access.guild.settings
  if (disabledOperations & disabledOperationBits.REACTIONS) reject('FEATURE_TEMPORARILY_DISABLED')
}

/** Carries out a change in a place. Messages of threads are unknown to callers without thread access. */
export function changeReactions(
  { reactions }: Pick<ReactionNeeds, 'reactions'>,
  caller: Caller,
  place: TextPlace,
  messageId: MessageId,
  change: AddedReaction | RemovedReactions,
): Promise<ReactionOutcome> {
  const without = viewerOf(caller).threadAccess ? [] : typesOfThreads
  return reactions.change({ ...change, messageId, audience: audienceOf(place), without })
}
