import type { KnownEvent } from './known-event.js'

/**
 * Acts that may delete messages before they write their event (Leave guild, Close private channel, deletions that the audit log
 * records), and ends of what somebody could see: its messages come first at every session.
 */
const types: ReadonlySet<KnownEvent['type']> = new Set([
  'MemberLeft',
  'MemberKicked',
  'MemberBanned',
  'GuildDeleted',
  'ChannelDeleted',
  'ThreadDeleted',
  'ThreadMemberRemoved',
  'GroupRecipientRemoved',
  'DirectChannelHidden',
  'MessageDeletionRecorded',
  'BulkDeletionRecorded',
  'MessageDeletionsFolded',
])

/** Whether messages that were written, changed or deleted before an event are told before it. */
export function comesAfterMessages({ type }: KnownEvent): boolean {
  return types.has(type)
}
