import { reject } from '../../commands/refused.ts'
import type { EquivalentTerms } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'

/** How to find the equivalent existing invite, and how to create one. */
interface Ways<Invite> {
  readonly find: () => Promise<Invite | undefined>
  /** Resolves once `find` can find the new invite. */
  readonly make: () => Promise<Invite>
}

/**
 * The equivalent existing invite; creates one if there is none or if `unique` is set. If several callers ask for equal invites at
 * once, one creates it and the others get it too. Refuses with RESOURCE_LOCKED if the creation by others takes too long
 * (rules/invites#equivalents).
 */
export async function existingOrMade<Invite>(
  { locks }: Pick<Ports, 'locks'>,
  { inviterId, channelId }: EquivalentTerms,
  unique: boolean,
  { find, make }: Ways<Invite>,
): Promise<Invite> {
  if (unique) return make()
  const standing = await find()
  if (standing) return standing
  const act = async (): Promise<Invite> => (await find()) ?? make()
  const done = await locks.holding(`invites of account ${inviterId} to channel ${channelId}`, act)
  return (done ?? reject('RESOURCE_LOCKED')).result
}
