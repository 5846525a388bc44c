import type { GroupInviteRedeemed } from '../../domain/invite/events.ts'
import { stands } from '../../domain/invite/state.ts'
import { joinByRedemption, returnRedemption, type Redemption } from '../communities/admission/join-by-redemption.ts'
import { joinGroupByRedemption } from '../communities/admission/admit-to-group.ts'
import { withinAccountsAndGuild } from '../communities/admission/within-members.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { Refused } from '../commands/refused.ts'
import type { Ports } from '../ports.ts'

export type AdmissionNeeds = Pick<
  Ports,
  'aggregates' | 'locks' | 'messages' | 'queries' | 'readModels' | 'reservations' | 'limits'
>

/**
 * Finishes an admission whose use was taken: the account joins, or the use is returned if it can't, because its guild is gone, a
 * limit is reached, or it is banned.
 */
export async function finishAdmission(
  ports: AdmissionNeeds,
  redemption: Redemption,
  context: CommandContext,
): Promise<void> {
  const { aggregates, queries } = ports
  const { state } = await aggregates.invite.load(redemption.code)
  // The use was returned already: the account must not join now without one.
  if (state.status === 'created' && !stands(state, redemption.redemptionId)) return
  const account = await queries.accounts.find(redemption.accountId)
  const guild = await queries.guilds.find(redemption.guildId)
  if (!account || account.isErased || !guild) return returnRedemption(ports, redemption, context)
  const addresses = await queries.sessions.lastAddressesOf([account.id])
  const origin = { email: account.email, ip: addresses.get(account.id) ?? null }
  try {
    await withinAccountsAndGuild(ports, account, guild, () => joinByRedemption(ports, redemption, origin, context))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await returnRedemption(ports, redemption, context)
  }
}

/** Finishes an admission to a group whose use was taken: adds the account, or returns the use if that is not possible. */
export async function finishGroupAdmission(
  ports: AdmissionNeeds,
  redemption: GroupInviteRedeemed,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.aggregates.invite.load(redemption.code)
  // The use was returned already: the account must not be added now without one.
  if (state.status === 'created' && !stands(state, redemption.redemptionId)) return
  const account = await ports.queries.accounts.find(redemption.accountId)
  if (!account || account.isErased) return returnRedemption(ports, redemption, context)
  try {
    await joinGroupByRedemption(ports, account, redemption, context)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}
