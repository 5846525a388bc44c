import { event, type EventDefinition, type EventTraits, type MembersOf } from '../kernel/event-catalog.ts'

/** Defines an event of an account. Whatever reason is given for it is about the account, and so personal. */
export function accountEvent<Data extends object>(
  members: MembersOf<Data>,
  traits: Omit<EventTraits<Data>, 'personalReason'> = {},
): EventDefinition<Data, readonly []> {
  return event<Data>(members, { ...traits, personalReason: true })
}
