import { isOfGuild, type KnownEvent } from '../visibility/known-event.ts'

/**
 * Outside of guilds' own streams: acts that may delete messages before they write their event (Leave guild, Close private channel,
 * deletions and pins that the audit log records), and whatever may end what an account sees.
 */
const types: ReadonlySet<KnownEvent['type']> = new Set([
  'MemberLeft',
  'MemberKicked',
  'MemberBanned',
  'MemberChanged',
  'MemberRolesChanged',
  'ThreadDeleted',
  'ThreadMemberRemoved',
  'GroupRecipientRemoved',
  'GroupDeleted',
  'DirectChannelHidden',
  'MessageDeletionRecorded',
  'BulkDeletionRecorded',
  'MessagePinRecorded',
  'MessageDeletionsFolded',
])

/**
 * Whether messages that were written, changed or deleted before an event are told before it. Whoever sees a place until an event
 * hears what was committed there before it. Most events of a guild itself may end somebody's sight: roles, overwrites, channels,
 * the guild.
 */
export function comesAfterMessages(event: KnownEvent): boolean {
  return isOfGuild(event) || types.has(event.type)
}
