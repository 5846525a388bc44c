import type { Category, ModelAccount } from './account.ts'
import type { ModelMail } from './model-mail.ts'

/** Everything that operations on accounts mention, as far as the model follows it. */
export interface AdminWorld {
  /** With what members sign in there. */
  readonly signIn: 'email' | 'username'
  /** By id; without the erased one. */
  readonly accounts: Map<string, ModelAccount>
  /** The id of an erased account. */
  readonly gone: string
  /** A guild that all living accounts are in. */
  readonly home: { readonly id: string; readonly channel: string; readonly ownerId: string; readonly members: string[] }
  /** Shred jobs that are over. */
  readonly jobs: { readonly id: string; readonly requested: number; readonly processed: number }[]
  /** The mails to holders, oldest first. */
  readonly mails: ModelMail[]
  /** Every address that an account of the run has had. */
  readonly addresses: Set<string>
  /** Texts that no other run uses. */
  fresh(prefix: string): string
}

const mirrored: Readonly<Record<Category, Category | null>> = {
  friend: 'friend',
  incoming_request: 'outgoing_request',
  outgoing_request: 'incoming_request',
  blocked: null,
}

/** Removes a relationship: a friendship or a request for both, a block for its holder alone. Gives those who hear of it. */
export function removeRelationship(
  { accounts }: AdminWorld,
  holder: ModelAccount,
  other: string,
): readonly { readonly to: string; readonly id: string }[] {
  const category = holder.relationships.get(other)
  if (!category) return []
  holder.relationships.delete(other)
  const heard = { to: holder.id, id: other }
  if (mirrored[category] === null) return [heard]
  accounts.get(other)?.relationships.delete(holder.id)
  return [heard, { to: other, id: holder.id }]
}
