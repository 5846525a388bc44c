import type { AccountId } from '../../../domain/ids/ids.ts'
import { threadOf } from '../../../domain/thread/state.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import {
  accountsIn,
  answersAnother,
  messageObject,
  type MessageObject,
} from '../../wire-objects/conversations/message-objects.ts'
import type { FileAddress } from '../../wire-objects/conversations/attachment-objects.ts'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import { emojiKey, type ReactionEmoji } from '../../../domain/messages/reactions.ts'
import type { Message } from '../../ports/messages.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'
import { threadViews } from '../threads/thread-views.ts'

type Needs = Pick<Ports, 'attachmentAddresses' | 'queries' | 'messages' | 'reactions'>

/** What the objects of messages show besides the messages. */
export interface Extras {
  readonly nonce?: string | null
  /** Whether a referenced message may be shown; otherwise it is left out. */
  readonly mayShow?: (message: Message) => boolean
}

/** The objects of messages as the caller sees them, in the given order. */
export async function messageViews(
  { attachmentAddresses, queries, messages: store, reactions }: Needs,
  caller: Caller,
  messages: readonly Message[],
  { nonce = null, mayShow = () => true }: Extras = {},
): Promise<readonly MessageObject[]> {
  const wanted = messages.flatMap((message) => (answersAnother(message) ? (message.reference ?? []) : []))
  const found = wanted.length > 0 ? await store.findMany(wanted) : []
  const referenced = new Map(found.map((each) => [each.id, each]))
  const records = await recordsOf({ queries }, caller, accountsIn([...messages, ...referenced.values()]))
  const viewer = viewerOf(caller)
  const fileAddress: FileAddress = (name) => attachmentAddresses.addressOf(name, caller.context.now)
  const isOwn = await ownReactions({ reactions }, caller, [...messages, ...found])
  const threads = await threadsOf({ queries, messages: store }, caller, viewer.threadAccess ? messages : [])
  return messages.map((message) => {
    const other = message.reference ? (referenced.get(message.reference.messageId) ?? null) : null
    const shown = other === null || mayShow(other) ? { referenced: other } : {}
    const account = (id: AccountId): AccountRecord => records.get(id) ?? deletedAccount(id)
    const parts = { message, account, fileAddress, isOwn, nonce, thread: threads.get(message.id), ...shown }
    return messageObject(parts, viewer)
  })
}

/** The same for one message. */
export async function messageView(
  ports: Needs,
  caller: Caller,
  message: Message,
  extras: Extras = {},
): Promise<MessageObject> {
  const [view] = await messageViews(ports, caller, [message], extras)
  if (!view) throw new Error('A message has no object')
  return view
}

/** Which reactions to messages are the caller's own. Messages without any need no query. */
async function ownReactions(
  { reactions }: Pick<Needs, 'reactions'>,
  { account }: Caller,
  messages: readonly Message[],
): Promise<(message: Message, emoji: ReactionEmoji) => boolean> {
  const reacted = messages.filter((message) => message.reactions !== undefined)
  if (reacted.length === 0) return () => false
  const places = reacted.map(({ id, channelId }) => ({ channelId, messageId: id }))
  const own = await reactions.of([account.id], places)
  const known = new Set(own.map(({ messageId, emoji }) => `${messageId} ${emoji}`))
  return ({ id }, emoji) => known.has(`${id} ${emojiKey(emoji)}`)
}

/** The threads started from messages, by the messages' ids. */
async function threadsOf(
  ports: Pick<Needs, 'queries' | 'messages'>,
  caller: Caller,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, ThreadObject>> {
  const ids = messages.flatMap(({ id, flags }) => ((flags & messageFlags.HAS_THREAD) === 0 ? [] : [threadOf(id)]))
  if (ids.length === 0) return new Map()
  const threads = await threadViews(ports, caller, await ports.queries.threads.findMany(ids))
  return new Map(threads.map((thread) => [thread.id, thread]))
}

/** The records of accounts. The caller's own record needs no query. */
async function recordsOf(
  { queries }: Pick<Needs, 'queries'>,
  { account }: Caller,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, AccountRecord>> {
  const others = ids.filter((id) => id !== account.id)
  const found: AccountRecord[] = []
  for (let from = 0; from < others.length; from += readAtOnce_max)
    found.push(...(await queries.accounts.findMany(others.slice(from, from + readAtOnce_max))))
  return new Map([account, ...found].map((record) => [record.id, record]))
}

const readAtOnce_max = 1000
