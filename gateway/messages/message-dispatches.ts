import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { memberObject } from '../../application/wire-objects/communities/member-objects.ts'
import {
  answersAnother,
  messageObject,
  needsThreadAccess,
  type MessageParts,
} from '../../application/wire-objects/conversations/message-objects.ts'
import type { Message, MessageNotice } from '../../application/ports/messages.ts'
import { emojiKey } from '../../domain/messages/reactions.ts'
import { perViewer, same, type Dispatch } from '../dispatches/dispatch.ts'
import type { World } from '../visibility/world.ts'
import { accountDispatches, isOfAccount } from './account-dispatches.ts'
import { reactionDispatches } from './reaction-dispatches.ts'
import type { FoundMessages } from './found-messages.ts'
import { audienceOf, isThread, mentionsOf, type AudienceWishes } from './message-audience.ts'

/** The dispatches for a notice. Skips deleted messages: a deletion notice follows. */
export function messageDispatches(
  notice: MessageNotice,
  found: FoundMessages,
  world: World,
  now: Timestamp,
): readonly Dispatch[] {
  if (isOfAccount(notice)) return accountDispatches(notice, found, world)
  const { guildId, channelId } = notice
  const place = { guildId, threadAccessOnly: isThread(notice) }
  const guild = guildId === null ? {} : { guild_id: guildId }
  switch (notice.kind) {
    case 'created':
    case 'updated':
      return changed(notice, found, world, now)
    case 'pins':
      return [
        {
          t: 'CHANNEL_PINS_UPDATE',
          ...place,
          audience: audienceOf(notice, world, now, {}),
          body: same({ channel_id: channelId, last_pin_timestamp: found.lastPin(channelId), ...guild }),
        },
      ]
    case 'deleted':
      return [
        {
          t: 'MESSAGE_DELETE',
          ...place,
          audience: audienceOf(notice, world, now, { readable: notice.messageId }),
          body: same({ id: notice.messageId, channel_id: channelId, author_id: notice.authorId, ...guild }),
        },
      ]
    case 'deleted_bulk':
      return [
        {
          t: 'MESSAGE_DELETE_BULK',
          ...place,
          audience: audienceOf(notice, world, now, {}),
          body: same({ ids: notice.messageIds, channel_id: channelId, ...guild }),
        },
      ]
    default:
      return reactionDispatches(notice, found, world, now)
  }
}

type Changed = Extract<MessageNotice, { readonly kind: 'created' | 'updated' }>

/** A reply has two dispatches: with the message it answers for sessions that can read that message, without it for the others. */
function changed(notice: Changed, found: FoundMessages, world: World, now: Timestamp): readonly Dispatch[] {
  const message = found.message(notice)
  if (!message) return []
  const isNew = notice.kind === 'created'
  const mentions = isNew ? { mentions: mentionsOf(message) } : {}
  const parts = {
    message,
    account: found.account,
    fileAddress: found.fileAddress,
    thread: found.thread(message),
    ...(isNew ? { nonce: message.nonce } : {}),
  }
  const more = {
    ...(notice.guildId === null ? {} : { guild_id: notice.guildId }),
    ...memberPart(message, found, now),
    ...(isNew ? createdPart(notice, message, found) : {}),
  }
  // What has come to a new message by now follows in dispatches of its own.
  const ownBy = (own: ReadonlySet<string> | undefined): Pick<MessageParts, 'isOwn'> =>
    isNew ? {} : { isOwn: ({ id }, emoji) => own?.has(`${id} ${emojiKey(emoji)}`) ?? false }
  const told = (wishes: AudienceWishes, referenced: Pick<MessageParts, 'referenced'>): Dispatch => ({
    t: isNew ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE',
    guildId: notice.guildId,
    threadAccessOnly: isThread(notice) || needsThreadAccess(message),
    audience: audienceOf(notice, world, now, { ...mentions, ...wishes }),
    body: perViewer(
      (viewer) => ({ ...messageObject({ ...parts, ...referenced, ...ownBy(undefined) }, viewer), ...more }),
      (viewer, account) => {
        const own = found.reactedTo(account)
        return own && { ...messageObject({ ...parts, ...referenced, ...ownBy(own) }, viewer), ...more }
      },
    ),
  })
  const toReaders = isNew ? {} : { readable: message.id }
  const referenced = answersAnother(message) && message.reference ? found.message(message.reference) : undefined
  if (!referenced || notice.guildId === null) return [told(toReaders, { referenced: referenced ?? null })]
  return [told({ readable: referenced.id }, { referenced }), told({ ...toReaders, unreadable: referenced.id }, {})]
}

/** The members that only MESSAGE_CREATE has. */
function createdPart({ channelId, channelType }: Changed, { mentionsHere }: Message, { nicks }: FoundMessages) {
  const named = nicks(channelId)
  return {
    channel_type: channelType,
    ...(Object.keys(named).length === 0 ? {} : { nicks: named }),
    ...(mentionsHere ? { mention_here: true } : {}),
  }
}

/** The author as a member, without the user, which is in `author`. */
function memberPart(message: Message, { member, account }: FoundMessages, now: Timestamp) {
  const found = member(message)
  if (!found) return {}
  const { user: _, ...shown } = memberObject(found, account(message.authorId), now)
  return { member: shown }
}
