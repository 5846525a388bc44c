import { describe, expect, it } from 'vitest'
import { requireGuild, requirePermission } from '../../../application/access/guild-access.ts'
import { createApplication } from '../../../application/apps/applications/create-application.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import { applicationId, botOf, membershipId, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { world } from '../support/world.ts'

const settings = { name: 'Engine', redirectUris: [], botPublic: true, botRequireCodeGrant: false }

/** A guild that demands a second factor for elevated permissions. */
async function elevated() {
  const on = world()
  const [ada, brian] = [await on.newcomer('Ada'), await on.newcomer('Brian')]
  const { id: guildId, code } = await on.guildOf(ada)
  await acceptInvite(on.ports)(await on.as(brian), code)
  const { context } = on.requester()
  const level = { type: 'ChangeSettings', settings: { mfaLevel: 1 } } as const
  await on.ports.aggregates.guild.execute(guildId, level, context)
  const bot = botOf(applicationId(snowflake((await createApplication(on.ports)(await on.as(brian), settings)).id)))
  const admission = { by: 'custom_invite' } as const
  const join = { type: 'JoinGuild', guildId, accountId: bot, temporary: false, admission, now: on.now } as const
  await on.ports.aggregates.membership.execute(membershipId(guildId, bot), join, context)

  /** The result of using a permission that the account holds. */
  async function use(account: AccountId): Promise<string> {
    const access = await requireGuild(on.ports, await on.as(account), guildId)
    const permissions = permissionBits.MANAGE_GUILD.toString()
    const guild = { ...access.guild, roles: access.guild.roles.map((role) => ({ ...role, permissions })) }
    try {
      requirePermission({ ...access, guild }, 'MANAGE_GUILD')
      return 'used'
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return error.refusal.code
    }
  }

  const enrol = async (account: AccountId): Promise<void> => {
    const totp = { type: 'EnableTotp', secret: 'JBSW', step: 1, now: on.now, backupCodes: [] } as const
    await on.ports.aggregates.account.execute(account, totp, on.requester().context)
  }
  return { ada, brian, bot, use, enrol }
}

describe('an elevated permission in a guild that demands a second factor', () => {
  it('is used by the owner, and by others only with an enrolled authenticator', async () => {
    const { ada, brian, use, enrol } = await elevated()
    expect(await use(ada)).toBe('used')
    expect(await use(brian)).toBe('TWO_FACTOR_REQUIRED')
    await enrol(brian)
    expect(await use(brian)).toBe('used')
  })

  it('is used by a bot if its owner has enrolled one', async () => {
    const { brian, bot, use, enrol } = await elevated()
    expect(await use(bot)).toBe('TWO_FACTOR_REQUIRED')
    await enrol(brian)
    expect(await use(bot)).toBe('used')
  })
})
