/** The implemented types of messages. */
export const messageTypes = {
  default: 0,
  recipientAdd: 1,
  recipientRemove: 2,
  channelNameChange: 4,
  channelIconChange: 5,
  channelPinned: 6,
  userJoin: 7,
  channelFollowAdd: 12,
  threadCreated: 18,
  reply: 19,
  threadStarter: 21,
} as const
export type MessageType = (typeof messageTypes)[keyof typeof messageTypes]

const written: readonly number[] = [messageTypes.default, messageTypes.reply]
const deletable: readonly number[] = [
  ...written,
  messageTypes.channelPinned,
  messageTypes.userJoin,
  messageTypes.channelFollowAdd,
]

/** Whether an author wrote it: only such messages can be edited. */
export function isEditable(type: number): boolean {
  return written.includes(type)
}

/** Whether it can be pinned. */
export function isPinnable(type: number): boolean {
  return written.includes(type)
}

/** Whether it can be replied to. */
export function isReplyable(type: number): boolean {
  return written.includes(type)
}

/** Whether somebody can delete it. Deleting its channel, or all messages of its author, deletes any message. */
export function isDeletable(type: number): boolean {
  return deletable.includes(type)
}
