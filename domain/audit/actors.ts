import type { AccountId } from '../ids/ids.ts'

/** Who caused an event, as far as its account takes. */
export type AuditActor =
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'admin_key'; readonly accountId: AccountId }
  | { readonly kind: 'system' }

type Acting = Exclude<AuditActor, { readonly kind: 'system' }>

/** The account that acted, itself or by an Admin key of its own; null for the system. */
export function accountOf(actor: AuditActor): AccountId | null {
  return actor.kind === 'system' ? null : holderOf(actor)
}

/** The name by which the events of an actor are found: the id of its account, or the name of a part of the system. */
export function actorName(actor: Acting | { readonly kind: 'system'; readonly name: string }): string {
  return actor.kind === 'system' ? actor.name : holderOf(actor)
}

function holderOf(actor: Acting): AccountId {
  return actor.kind === 'account' ? actor.id : actor.accountId
}
