import { stands } from '../../domain/invite/state.js'
import { joinByRedemption, returnRedemption, type Redemption } from '../admission/join-by-redemption.js'
import { withinAccountsGuilds, withinGuildsMembers } from '../admission/member-room.js'
import type { CommandContext } from '../commands/command-context.js'
import { Refused } from '../commands/refused.js'
import type { Ports } from '../ports.js'

export type AdmissionNeeds = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'room' | 'limits'>

/**
 * Finishes an admission whose use is taken: the account joins, or the use is given back where it can't, since its guild is
 * gone, a limit is reached, or it is banned.
 */
export async function finishAdmission(
  ports: AdmissionNeeds,
  redemption: Redemption,
  context: CommandContext,
): Promise<void> {
  const { aggregates, queries } = ports
  const { state } = await aggregates.invite.load(redemption.code)
  // Given back already: whoever joined by it now would have joined without a use.
  if (state.status === 'created' && !stands(state, redemption.redemptionId)) return
  const account = await queries.accounts.find(redemption.accountId)
  const guild = await queries.guilds.find(redemption.guildId)
  if (!account || account.isErased || !guild) return returnRedemption(ports, redemption, context)
  try {
    await withinAccountsGuilds(ports, account, () =>
      withinGuildsMembers(ports, guild, async () => {
        await joinByRedemption(ports, redemption, context)
        return 'finished'
      }),
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await returnRedemption(ports, redemption, context)
  }
}
