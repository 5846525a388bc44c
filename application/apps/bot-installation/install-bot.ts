import { lackingOf } from '../../../domain/permissions/authority.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { membershipId, roleId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import type { BotRole } from '../../../domain/membership/events.ts'
import { computePermissions } from '../../../domain/permissions/compute-permissions.ts'
import { definedPermissions } from '../../../domain/permissions/permission-bits.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import { refuseBanned } from '../../communities/admission/refuse-banned.ts'
import { joinGuild } from '../../communities/admission/join-guild.ts'
import { withinGuildsMembers } from '../../communities/admission/within-members.ts'
import { botAccountOf } from '../applications/own-application.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import { giveBotRole } from './give-bot-role.ts'
import { requireApplication } from './require-application.ts'

export type InstallNeeds = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'reservations' | 'locks' | 'limits'>

/** The application to install, the guild, and the permissions it asks for there. */
export interface Installation {
  readonly application: ApplicationRecord
  readonly guildId: GuildId
  readonly permissions: bigint
}

/** A permitted installation: the bot and its role. */
interface Plan {
  readonly guild: Guild
  readonly botId: AccountId
  readonly role: BotRole | null
}

/**
 * Makes the bot of an application a member of a guild, with its own role if it asks for permissions. The bot joins
 * first and already holds the role's id. If the process dies before the role is created, a process manager creates it.
 * Refuses, in this order: NOT_A_BOT_APPLICATION, BOT_IS_PRIVATE, UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED, MISSING_PERMISSIONS if the bot asks for more than the caller has, BOT_ALREADY_IN_GUILD,
 * USER_BANNED_FROM_GUILD, MAX_GUILD_ROLES, MAX_GUILD_MEMBERS, UNKNOWN_APPLICATION if it is deleted meanwhile, and
 * RESOURCE_LOCKED if others who add the same bot take too long. See rules/applications#add-a-bot.
 */
export async function installBot(ports: InstallNeeds, caller: Caller, installation: Installation): Promise<void> {
  const { application, guildId } = installation
  const bot = (await botAccountOf(ports, application.id)) ?? reject('NOT_A_BOT_APPLICATION')
  if (!application.botPublic && application.ownerId !== caller.account.id) reject('BOT_IS_PRIVATE')
  const access = await requireGuild(ports, caller, guildId)
  requirePermission(access, 'MANAGE_GUILD')
  const { guild, member } = access
  const asked = installation.permissions & definedPermissions
  if ((asked & ~computePermissions(guild, member)) !== 0n) reject(lackingOf(guild, member, asked))
  // Always drawn, even if not needed, so that the same command sent again draws the same ids.
  const id = roleId(caller.context.newId())
  const role = asked === 0n ? null : { id, name: application.name, permissions: asked.toString() }
  const plan: Plan = { guild, botId: bot.id, role }
  if (await isInstalledBy(ports, caller, plan)) return install(ports, caller, plan)
  // If several callers add the same bot to the same guild at once, one does, and the others find it there.
  const done = await ports.locks.holding(`bot ${bot.id} in guild ${guild.id}`, async () => {
    await checkAdmissible(ports, caller, plan)
    await withinGuildsMembers(ports, guild, () => install(ports, caller, plan))
  })
  if (!done) reject('RESOURCE_LOCKED')
}

/** Whether an earlier try of this same command added the bot. */
async function isInstalledBy({ queries }: InstallNeeds, { context }: Caller, { guild, botId }: Plan): Promise<boolean> {
  if (!context.mayRepeat) return false
  const member = await queries.members.find(guild.id, botId)
  return member?.joinedAt === context.now
}

async function checkAdmissible(
  { aggregates, queries, limits }: InstallNeeds,
  { context }: Caller,
  { guild, botId, role }: Plan,
): Promise<void> {
  const { state } = await aggregates.membership.load(membershipId(guild.id, botId))
  if (state.status === 'member') reject('BOT_ALREADY_IN_GUILD')
  await refuseBanned({ queries }, guild.id, { accountId: botId, email: null, ip: null }, context.now)
  const { max_guild_roles } = await limits.ofGuild(guild)
  if (role && guild.roles.length >= max_guild_roles) rejectWith('MAX_GUILD_ROLES', { max_guild_roles })
}

async function install(ports: InstallNeeds, caller: Caller, { guild, botId, role }: Plan): Promise<void> {
  const { account, context } = caller
  const admission = { by: 'bot_installation', installerId: account.id, role } as const
  const joining = { guildId: guild.id, accountId: botId, temporary: false, admission }
  if ((await joinGuild(ports, joining, context)) === 'member_already') reject('BOT_ALREADY_IN_GUILD')
  const joined = eventIdOf(context, streamName('membership', membershipId(guild.id, botId)), 'JoinGuild', 0)
  const following = followingContext(context, joined)
  await requireApplication(ports, guild, botId, following)
  if (role) await giveBotRole(ports, { guild, botId, role }, following)
  await ports.readModels.reached(context.written)
}
