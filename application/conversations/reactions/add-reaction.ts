import { field } from '../../../domain/kernel/refusal.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { isUnicodeEmoji, type ReactionEmoji } from '../../../domain/messages/reactions.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { isClaimed } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ReactionOutcome } from '../../ports/reactions.ts'
import type { Ports } from '../../ports.ts'
import { requireReadableId } from '../messages/rules/readable-message.ts'
import { requireEarlierSession, requireNotTimedOut } from '../messages/rules/require-may-send.ts'
import type { TextPlace } from '../messages/text-places.ts'
import { findCustomEmoji } from './known-emoji.ts'
import {
  changeReactions,
  requireReactionPlace,
  requireReactionsEnabled,
  type OwnReaction,
  type ReactionNeeds,
} from './reaction-places.ts'

type Needs = ReactionNeeds & Pick<Ports, 'limits' | 'startedSessions'>

/**
 * Reacts to a message; a reaction that is there stays, and nobody is told. Refuses in this order: the account as
 * `requireMayReact` does; as `requireTextChannel` does, whatever the caller's age; 403 FEATURE_TEMPORARILY_DISABLED,
 * COMMUNICATION_DISABLED, MISSING_PERMISSIONS for a caller who can read no history, 404 UNKNOWN_MESSAGE; for the first reaction with an emoji as `requireMayBeFirst` does; 400
 * MAX_REACTIONS. See rules/messages#reactions.
 */
export function addReaction(ports: Needs) {
  return async (caller: Caller, wanted: OwnReaction): Promise<void> => {
    const { channelId, messageId } = wanted
    await requireMayReact(ports, caller, wanted)
    const place = await requireReactionPlace(ports, caller, channelId)
    requireReactionsEnabled(place)
    requireNotTimedOut(caller, place)
    requireReadableId(place, messageId)
    const asOneMore = await react(ports, caller, place, wanted, false)
    if (asOneMore !== 'new') return requireDone(asOneMore)
    const emoji = await requireMayBeFirst(ports, caller, place, wanted.emoji)
    requireDone(await react(ports, caller, place, { ...wanted, emoji }, true))
  }
}

/**
 * Demands that the account may react anywhere: 400 UNCLAIMED_ACCOUNT_CANNOT_ADD_REACTIONS except in its own notes; of people
 * also an earlier session at the Gateway, else field code MUST_START_SESSION_BEFORE_SENDING, and a verified address, else
 * 403 REACTION_EMAIL_VERIFICATION_REQUIRED.
 */
async function requireMayReact(ports: Needs, caller: Caller, { channelId }: OwnReaction): Promise<void> {
  const { account } = caller
  const isOwnNotes = accountId(channelId) === account.id
  if (!isClaimed(account) && !isOwnNotes) reject('UNCLAIMED_ACCOUNT_CANNOT_ADD_REACTIONS')
  await requireEarlierSession(ports, caller, 'emoji')
  if (!account.bot && !account.emailVerified && !isOwnNotes) reject('REACTION_EMAIL_VERIFICATION_REQUIRED')
}

async function react(
  ports: Needs,
  caller: Caller,
  place: TextPlace,
  { messageId, emoji, sessionId }: OwnReaction,
  mayBeFirst: boolean,
): Promise<ReactionOutcome> {
  const guild = place.kind === 'guild' ? place.access.guild : { features: [] }
  const { max_users_per_message_reaction: users_max, max_reactions_per_message: emojis_max } =
    await ports.limits.ofGuild(guild)
  const bounds = { mayBeFirst, users_max, emojis_max }
  return changeReactions(ports, caller, place, messageId, {
    kind: 'add',
    emoji,
    accountId: caller.account.id,
    sessionId,
    ...bounds,
  })
}

function requireDone(outcome: ReactionOutcome): void {
  if (outcome === 'unknown') reject('UNKNOWN_MESSAGE')
  if (outcome === 'full') reject('MAX_REACTIONS')
}

/**
 * Demands what only the first reaction with an emoji needs, and gives the emoji: 403 MISSING_PERMISSIONS without
 * ADD_REACTIONS; field codes NOT_A_VALID_UNICODE_EMOJI, CUSTOM_EMOJI_NOT_FOUND; for an emoji of another guild
 * CUSTOM_EMOJIS_REQUIRE_PREMIUM_OUTSIDE_SOURCE, and 403 MISSING_PERMISSIONS without USE_EXTERNAL_EMOJIS.
 */
async function requireMayBeFirst(
  ports: Needs,
  { account }: Caller,
  place: TextPlace,
  emoji: ReactionEmoji,
): Promise<ReactionEmoji> {
  if (!place.can('ADD_REACTIONS')) reject(lacking('ADD_REACTIONS'))
  if (emoji.id === null) {
    if (!isUnicodeEmoji(emoji.name)) reject('INVALID_FORM_BODY', field('emoji', 'NOT_A_VALID_UNICODE_EMOJI'))
    return emoji
  }
  const custom = await findCustomEmoji(ports, emoji.id)
  if (!custom) return reject('INVALID_FORM_BODY', field('emoji', 'CUSTOM_EMOJI_NOT_FOUND'))
  if (custom.guildId === place.guildId) return custom.emoji
  if ((await ports.limits.ofAccount(account)).feature_global_expressions === 0)
    reject('INVALID_FORM_BODY', field('emoji', 'CUSTOM_EMOJIS_REQUIRE_PREMIUM_OUTSIDE_SOURCE'))
  if (!place.can('USE_EXTERNAL_EMOJIS')) reject(lacking('USE_EXTERNAL_EMOJIS'))
  return custom.emoji
}
