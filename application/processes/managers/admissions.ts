import type { GroupInviteRedeemed, InviteRedeemed } from '../../../domain/invite/events.ts'
import { stands } from '../../../domain/invite/state.ts'
import { joinGroupByRedemption } from '../../communities/admission/admit-to-group.ts'
import { joinByRedemption, returnRedemption } from '../../communities/admission/join-by-redemption.ts'
import { withinAccountsAndGuild } from '../../communities/admission/within-members.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { FinishingNeeds } from '../finishing-needs.ts'
import { processManager } from '../process-manager.ts'

/** A deleted invite or guild ends it too: then nothing is left to return the use to. */
export const admission = processManager({
  name: 'admission',
  unfinished: 'A use of an invite was taken, and the account has not joined the guild.',
  finishing: 'The account joins. If it cannot, the use is returned.',
  begins: {
    InviteRedeemed: ({ data }) => ({
      key: data.redemptionId,
      data,
      guildId: data.guildId,
      inviteCode: data.code,
    }),
  },
  ends: {
    MemberJoined: ({ data }) => (data.admission.by === 'invite' ? [{ key: data.admission.redemptionId }] : []),
    InviteRedemptionReturned: ({ data }) => [{ key: data.redemptionId }],
    InviteDeleted: ({ data }) => [{ inviteCode: data.code }],
    GuildDeleted: ({ data }) => [{ guildId: data.guildId }],
  },
  finish: (ports, { data }, context) => finishAdmission(ports, data, context),
})

export const groupAdmission = processManager({
  name: 'group_admission',
  unfinished: 'A use of an invite to a group was taken, and the account is not a recipient.',
  finishing: 'The account becomes a recipient. If it cannot, the use is returned.',
  begins: {
    GroupInviteRedeemed: ({ data }) => ({ key: data.redemptionId, data, inviteCode: data.code }),
  },
  ends: {
    GroupRecipientAdded: ({ data: { redemptionId } }) => (redemptionId === undefined ? [] : [{ key: redemptionId }]),
    InviteRedemptionReturned: ({ data }) => [{ key: data.redemptionId }],
    GroupInviteDeleted: ({ data }) => [{ inviteCode: data.code }],
  },
  finish: (ports, { data }, context) => finishGroupAdmission(ports, data, context),
})

/**
 * Finishes an admission whose use was taken: the account joins, or the use is returned if it can't, because its guild is gone, a
 * limit is reached, or it is banned.
 */
async function finishAdmission(
  ports: FinishingNeeds,
  redemption: InviteRedeemed,
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
async function finishGroupAdmission(
  ports: FinishingNeeds,
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
