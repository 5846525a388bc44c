import type { AccountId } from '../ids/ids.ts'

/** Who caused an event, as far as its name takes. */
type Named =
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'admin_key'; readonly accountId: AccountId }
  | { readonly kind: 'system'; readonly name: string }

/**
 * The name by which the events of an actor are found: the id of an account, or the name of a part of the system. What an Admin key
 * does is its owner's.
 */
export function actorName(actor: Named): string {
  switch (actor.kind) {
    case 'account':
      return actor.id
    case 'admin_key':
      return actor.accountId
    case 'system':
      return actor.name
  }
}
