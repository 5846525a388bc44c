import type { ChannelId, MessageId } from '../../../../domain/ids/ids.ts'
import { isDeletable } from '../../../../domain/messages/message-types.ts'
import type { Requester } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import { editIn, type EditingNeeds } from '../../../conversations/messages/edit-message.ts'
import { messageView } from '../../../conversations/messages/message-views.ts'
import type { EditedMessage } from '../../../conversations/messages/sent-message.ts'
import { audienceOf } from '../../../conversations/messages/text-places.ts'
import type { Message } from '../../../ports/messages.ts'
import type { Ports } from '../../../ports.ts'
import type { MessageObject } from '../../../wire-objects/conversations/message-objects.ts'
import { requireByToken, type NamedByToken } from './require-by-token.ts'
import { webhookPlace, type WritingWebhook } from './webhook-place.ts'

/** A message of the webhook, in its channel or in a thread there. */
export interface OwnMessage extends NamedByToken {
  readonly messageId: MessageId
  readonly threadId: ChannelId | undefined
}

type Needs = Pick<Ports, 'attachmentAddresses' | 'reactions' | 'webhookBox'> & EditingNeeds

/**
 * A message that the webhook posted. Refuses as `requireByToken` and `webhookPlace` do, with 404 UNKNOWN_MESSAGE for one that is not
 * where the webhook writes now, and with 403 MISSING_PERMISSIONS for another's (rules/webhooks#own-messages).
 */
export function getWebhookMessage(ports: Needs) {
  return async (requester: Requester, named: OwnMessage): Promise<MessageObject> => {
    const { caller, message } = await requireOwn(ports, requester, named)
    return messageView(ports, caller, message)
  }
}

/** Edits such a message; its mentions stay. Refuses as `getWebhookMessage`, then as `editIn` (rules/webhooks#own-messages). */
export function editWebhookMessage(ports: Needs) {
  return async (
    requester: Requester,
    named: OwnMessage,
    wanted: Omit<EditedMessage, 'allowedMentions' | 'attachments' | 'files'>,
  ): Promise<MessageObject> => {
    const { caller, place, message } = await requireOwn(ports, requester, named)
    return editIn(ports, caller, place, message.id, { ...wanted, attachments: undefined, allowedMentions: null })
  }
}

/** Deletes such a message for good; no audit log has it. Refuses as `getWebhookMessage` (rules/webhooks#own-messages). */
export function deleteWebhookMessage(ports: Needs) {
  return async (requester: Requester, named: OwnMessage): Promise<void> => {
    const { place, message } = await requireOwn(ports, requester, named)
    if (!isDeletable(message.type)) reject('MISSING_PERMISSIONS')
    const removed = await ports.messages.remove([message.id], { ...audienceOf(place), bulk: false })
    if (removed.length === 0) reject('UNKNOWN_MESSAGE')
  }
}

async function requireOwn(
  ports: Needs,
  requester: Requester,
  { threadId, messageId, ...named }: OwnMessage,
): Promise<WritingWebhook & { readonly message: Message }> {
  const webhook = await requireByToken(ports, named)
  const target = { threadId, inForum: 'WEBHOOK_FORUM_TARGET_REQUIRED' } as const
  const { caller, place } = await webhookPlace(ports, requester, webhook, target)
  const message = (await ports.messages.find(place.channelId, messageId)) ?? reject('UNKNOWN_MESSAGE')
  return message.authorId === caller.account.id ? { caller, place, message } : reject('MISSING_PERMISSIONS')
}
