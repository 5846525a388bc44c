import { reject } from '../../commands/refused.js'
import type { EquivalentTerms } from '../../ports/queries/invite-queries.js'
import type { Ports } from '../../ports.js'

/** The equivalent invite that stands, and another one. */
interface Ways<Invite> {
  readonly find: () => Promise<Invite | undefined>
  /** Resolves once `find` finds what was made. */
  readonly make: () => Promise<Invite>
}

/**
 * The equivalent invite that stands, or one that is made where none does or a `unique` one is wished. Of those who wish for equal ones
 * at the same moment one makes it, and the others are given it. Refuses with RESOURCE_LOCKED where others who make one take too long.
 * Contract: part 1, Create channel invite, `unique`.
 */
export async function standingOrMade<Invite>(
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
